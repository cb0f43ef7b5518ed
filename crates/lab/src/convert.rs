//! Conversion of won positions: each is played out between two engines, once with each as the side that must win.

use crate::duel::{Duel, DuelError, DuelProgress};
use crate::suite;
use crate::{LabError, SuiteEntry, TextFile};
use damier_arena::level::GameLevel;
use damier_arena::schedule::openings::Opening;
use damier_arena::spec::EngineSpec;
use damier_arena::standings::OpeningStats;
use damier_rules::Color;
use damier_rules::GameResult;
use damier_rules::notation::fen;
use serde_json::{Value, json};
use std::io::Write;
use std::num::NonZeroUsize;

/// Who plays, and how long.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The engines.
    pub engines: [EngineSpec; 2],
    /// The level of those without one of their own.
    pub level: GameLevel,
    /// Games at once.
    pub concurrency: NonZeroUsize,
}

/// A position with a side that should win.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Won {
    entry: SuiteEntry,
    attacker: Color,
}

impl Won {
    /// None for a draw and where no result is given.
    fn new(entry: SuiteEntry) -> Option<Won> {
        let turn = entry.position.turn();
        let attacker = match entry.result? {
            GameResult::Win => turn,
            GameResult::Loss => !turn,
            GameResult::Draw => return None,
        };
        Some(Won { entry, attacker })
    }

    /// The result of each engine as the attacker; none for a game that was not played.
    fn results(&self, stats: &OpeningStats) -> [Option<GameResult>; 2] {
        const RESULTS: [GameResult; 3] = [GameResult::Win, GameResult::Draw, GameResult::Loss];
        // The first engine has white in the first game.
        [0, 1].map(|engine| {
            let [loss, draw, win] = match self.attacker {
                Color::White => {
                    let [win, draw, loss] = stats.legs[engine];
                    [loss, draw, win]
                }
                Color::Black => stats.legs[1 - engine],
            };
            let result = [win, draw, loss].iter().position(|&games| games > 0)?;
            Some(RESULTS[result])
        })
    }
}

/// The command: plays out the won positions of a suite, those with `result win` or `result loss`, and prints a line for
/// each, and how many each engine won as the attacker. With `json`, prints an object for each and one for the sum.
///
/// # Errors
/// The file cannot be read or is malformed or has no won position, a match cannot be played, or `out` fails.
pub fn command(
    file: TextFile<'_>,
    conversion: &Conversion,
    json: bool,
    out: &mut dyn Write,
    progress: DuelProgress,
) -> Result<(), LabError> {
    let entries = suite::load(file)?;
    let all = entries.len();
    let mut won: Vec<Won> = Vec::new();
    for position in entries.into_iter().filter_map(Won::new) {
        // A position that comes again would be played again.
        if won
            .iter()
            .all(|it| it.entry.position != position.entry.position)
        {
            won.push(position);
        }
    }
    if won.is_empty() {
        return Err(LabError::NothingWon {
            file: file.path.display().to_string(),
        });
    }
    let stats = play(&won, conversion, progress).map_err(LabError::step)?;
    let names = conversion.engines.each_ref().map(|it| it.name.as_str());
    let mut converted = [0; 2];
    for (position, stats) in won.iter().zip(&stats) {
        let results = position.results(stats);
        for (count, result) in converted.iter_mut().zip(results) {
            *count += u64::from(result == Some(GameResult::Win));
        }
        match json {
            true => writeln!(out, "{}", object(position, names, results))?,
            false => writeln!(out, "{}", line(position, names, results))?,
        }
    }
    let count = won.len();
    if json {
        let object = json!({
            "positions": count,
            "left_out": all - count,
            "engines": names,
            "converted": converted,
        });
        writeln!(out, "{object}")?;
    } else {
        if count < all {
            writeln!(
                out,
                "Left out, without a side that wins or again: {}",
                all - count
            )?;
        }
        for (name, converted) in names.iter().zip(converted) {
            let share = 100.0 * converted as f64 / count as f64;
            writeln!(
                out,
                "{name} converted {converted} of {count} ({share:.1} %)"
            )?;
        }
    }
    Ok(out.flush()?)
}

/// Plays both games of each position.
fn play(
    won: &[Won],
    conversion: &Conversion,
    progress: DuelProgress,
) -> Result<Vec<OpeningStats>, DuelError> {
    let opening = |won: &Won| Opening {
        name: won.entry.id.clone(),
        start: won.entry.position,
        moves: Vec::new(),
    };
    let engines = conversion.engines.clone();
    let levels = engines
        .each_ref()
        .map(|engine| engine.level.unwrap_or(conversion.level));
    let duel = Duel {
        title: format!("{} - {}", engines[0].name, engines[1].name),
        engines,
        levels,
        openings: won.iter().map(opening).collect(),
        random_plies: 0,
        games: 2 * won.len() as u64,
        seed: 1,
        // The end is what is to be played.
        adjudicates: false,
        folder: None,
        concurrency: conversion.concurrency,
    };
    let (order, standings) = duel.play(progress)?;
    let stats = |won: &Won| {
        let mut all = order.iter().zip(&standings.openings);
        let found = all.find(|(opening, _)| opening.start == won.entry.position);
        found.map_or_else(OpeningStats::default, |(_, stats)| *stats)
    };
    Ok(won.iter().map(stats).collect())
}

fn word(result: Option<GameResult>) -> &'static str {
    match result {
        Some(GameResult::Win) => "won",
        Some(GameResult::Draw) => "drew",
        Some(GameResult::Loss) => "lost",
        None => "did not play",
    }
}

/// `ending-01  white to win: A won, B drew`.
fn line(won: &Won, names: [&str; 2], results: [Option<GameResult>; 2]) -> String {
    let attacker = match won.attacker {
        Color::White => "white",
        Color::Black => "black",
    };
    let [first, second] = results.map(word);
    format!(
        "{:12} {attacker} to win: {} {first}, {} {second}",
        won.entry.id, names[0], names[1]
    )
}

fn object(won: &Won, names: [&str; 2], results: [Option<GameResult>; 2]) -> Value {
    json!({
        "id": won.entry.id,
        "fen": fen::format(&won.entry.position),
        "attacker": match won.attacker {
            Color::White => "W",
            Color::Black => "B",
        },
        "engines": names,
        "results": results.map(|result| result.map(|result| result.to_string())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_entries;

    fn won(text: &str) -> Option<Won> {
        Won::new(parse_entries("x", text).expect(text).remove(0))
    }

    #[test]
    fn the_side_that_wins_is_the_attacker() {
        let attacker = |text| won(text).map(|won| won.attacker);
        assert_eq!(attacker("W:WK1:B20; result win"), Some(Color::White));
        assert_eq!(attacker("B:WK1:B20; result loss"), Some(Color::White));
        assert_eq!(attacker("B:W31:BK50; result win"), Some(Color::Black));
        assert_eq!(attacker("W:WK1:B20; result draw"), None);
        assert_eq!(attacker("W:WK1:B20; bm 1-6"), None);
    }

    #[test]
    fn each_engine_attacks_in_the_game_in_which_it_has_the_colour() {
        use GameResult::{Draw, Loss, Win};
        // White won the first game, where the first engine has white, and lost the second.
        let stats = OpeningStats {
            legs: [[1, 0, 0], [0, 0, 1]],
        };
        let results = |text| won(text).expect(text).results(&stats);
        assert_eq!(results("W:WK1:B20; result win"), [Some(Win), Some(Loss)]);
        assert_eq!(results("W:WK1:B20; result loss"), [Some(Win), Some(Loss)]);
        let drawn = OpeningStats {
            legs: [[0, 1, 0], [1, 0, 0]],
        };
        let position = won("B:W31:BK50; result win").expect("won");
        assert_eq!(position.results(&drawn), [Some(Loss), Some(Draw)]);
        assert_eq!(position.results(&OpeningStats::default()), [None, None]);
    }
}
