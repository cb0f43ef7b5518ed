//! `damier dataset stat`: what is in files of games.

use crate::dataset::{Damage, DatasetError, End, GameRecord, Order, Reader, Recipe};
use damier_rules::Position;
use damier_rules::board::Color;
use damier_rules::internal::mix;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;

/// Width of a bar of the score histogram, in hundredths of a man; the last bar holds all scores beyond.
const SCORE_STEP: u32 = 100;
const SCORE_BARS: u32 = 10;

/// Counts over files of games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Files read.
    pub files: usize,
    /// Bytes of their blocks.
    pub bytes: u64,
    /// Games.
    pub games: u64,
    /// Moves of all games.
    pub plies: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Positions with a score in which neither side could capture.
    pub quiet: u64,
    /// Games won by white, drawn, won by black.
    pub results: [u64; 3],
    /// Games by how they ended, in the order of [`End::ALL`].
    pub ends: [u64; End::ALL.len()],
    /// Games that begin elsewhere than at the start.
    pub own_starts: u64,
    /// Games with the start and moves of an earlier one.
    pub duplicates: u64,
    /// Different positions in which games have their first score.
    pub openings: u64,
    /// Different positions with a score, side to move included. None where this was not asked for.
    pub distinct_positions: Option<u64>,
    /// Positions with a score by size of the score in whole men, 10 and more together.
    pub scores: [u64; SCORE_BARS as usize + 1],
    /// Positions with a score by number of pieces.
    pub pieces: BTreeMap<u32, u64>,
    /// How the games were made: the different ones.
    pub recipes: Vec<Recipe>,
    /// What could not be read.
    pub damages: Vec<Damage>,
}

/// Reads files through. `distinct`: also counts different positions, which takes 16 bytes of memory for each. `each` is
/// called after each game.
///
/// # Errors
/// A file cannot be read, or its header is not sound.
pub fn statistics(
    files: &[impl AsRef<Path>],
    distinct: bool,
    mut each: impl FnMut(),
) -> Result<Statistics, DatasetError> {
    let reader = Reader::open(files, Order::Stored)?;
    let mut found = Statistics {
        files: reader.files().len(),
        bytes: reader.bytes(),
        ..Statistics::default()
    };
    for (_, header) in reader.files() {
        if !found.recipes.contains(&header.recipe) {
            found.recipes.push(header.recipe.clone());
        }
    }
    let mut seen = SeenPositions {
        positions: distinct.then(HashSet::new),
        ..SeenPositions::default()
    };
    for game in reader.games() {
        found.add(&game, &mut seen);
        each();
    }
    found.openings = seen.openings.len() as u64;
    found.distinct_positions = seen.positions.map(|positions| positions.len() as u64);
    found.damages = reader.damages();
    Ok(found)
}

#[derive(Default)]
struct SeenPositions {
    games: HashSet<u64>,
    openings: HashSet<u64>,
    positions: Option<HashSet<u64>>,
}

impl Statistics {
    fn add(&mut self, game: &GameRecord, seen: &mut SeenPositions) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.results[match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
        self.ends[game.end as usize] += 1;
        self.own_starts += u64::from(game.start != Position::start());
        let (mut position, mut key) = (game.start, game.start.key());
        let mut signature = mix(key.0);
        let mut opening = None;
        for played in &game.moves {
            if let Some(score) = played.score {
                opening.get_or_insert(key.0);
                let size = score.centimen().unsigned_abs() / SCORE_STEP;
                self.scores[size.min(SCORE_BARS) as usize] += 1;
                *self.pieces.entry(position.occupied().len()).or_default() += 1;
                self.positions += 1;
                let calm = !played.mv.is_capture() && !position.can_capture(!position.turn());
                self.quiet += u64::from(calm);
                if let Some(positions) = &mut seen.positions {
                    positions.insert(key.0);
                }
            }
            (position, key) = position.play_keyed(key, played.mv);
            signature = mix(signature ^ key.0);
        }
        self.duplicates += u64::from(!seen.games.insert(signature));
        seen.openings.insert(opening.unwrap_or(game.start.key().0));
    }

    /// Bytes of a ply on average, games' heads and checksums included.
    pub fn bytes_per_ply(&self) -> f64 {
        self.bytes as f64 / self.plies.max(1) as f64
    }

    /// Plies of a game on average.
    pub fn plies_per_game(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    fn histograms(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ends")?;
        for end in End::ALL {
            let count = self.ends[end as usize];
            writeln!(
                f,
                "  {:14} {count:9}  {:5.1} %",
                end.name(),
                100.0 * count as f64 / self.games.max(1) as f64
            )?;
        }
        writeln!(f, "scores, in men either way")?;
        for (men, &count) in self.scores.iter().enumerate() {
            let sign = if men as u32 == SCORE_BARS { "+" } else { " " };
            bar(f, &format!("{men:2}{sign}"), count, self.positions)?;
        }
        writeln!(f, "pieces")?;
        for (pieces, &count) in &self.pieces {
            bar(f, &format!("{pieces:2} "), count, self.positions)?;
        }
        Ok(())
    }

    /// As a JSON object.
    pub fn to_json(&self) -> Value {
        let ends: Map<String, Value> = End::ALL
            .iter()
            .map(|end| (end.name().to_owned(), json!(self.ends[*end as usize])))
            .collect();
        let pieces: Map<String, Value> = self
            .pieces
            .iter()
            .map(|(pieces, count)| (pieces.to_string(), json!(count)))
            .collect();
        json!({
            "files": self.files,
            "bytes": self.bytes,
            "games": self.games,
            "plies": self.plies,
            "positions": self.positions,
            "quiet": self.quiet,
            "bytes_per_ply": self.bytes_per_ply(),
            "plies_per_game": self.plies_per_game(),
            "white_wins": self.results[0],
            "draws": self.results[1],
            "black_wins": self.results[2],
            "ends": ends,
            "own_starts": self.own_starts,
            "duplicates": self.duplicates,
            "openings": self.openings,
            "distinct_positions": self.distinct_positions,
            "scores": self.scores,
            "pieces": pieces,
            "recipes": self.recipes,
            "damages": self.damages.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }
}

/// A line for each count, then the histograms.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: u64, all: u64| 100.0 * count as f64 / all.max(1) as f64;
        for recipe in &self.recipes {
            writeln!(f, "made by      {recipe}")?;
        }
        let files = if self.files == 1 { "file" } else { "files" };
        writeln!(f, "games        {} in {} {files}", self.games, self.files)?;
        let [white, draws, black] = self.results;
        let games = self.games;
        writeln!(
            f,
            "results      white wins {white} ({:.1} %), draws {draws} ({:.1} %), black wins {black} ({:.1} %)",
            share(white, games),
            share(draws, games),
            share(black, games)
        )?;
        writeln!(
            f,
            "plies        {} ({:.1} a game), {} with a score, {} of them quiet",
            self.plies,
            self.plies_per_game(),
            self.positions,
            self.quiet
        )?;
        writeln!(
            f,
            "bytes        {} ({:.2} a ply)",
            self.bytes,
            self.bytes_per_ply()
        )?;
        writeln!(
            f,
            "variety      openings {}, games from positions of their own {}, games that were there before {}",
            self.openings, self.own_starts, self.duplicates
        )?;
        if let Some(distinct) = self.distinct_positions {
            writeln!(f, "positions    {distinct} different ones with a score")?;
        }
        self.histograms(f)?;
        self.damages
            .iter()
            .try_for_each(|damage| writeln!(f, "{damage}"))
    }
}

fn bar(f: &mut fmt::Formatter<'_>, label: &str, count: u64, all: u64) -> fmt::Result {
    let share = count as f64 / all.max(1) as f64;
    let bar = "#".repeat((share * 100.0).round() as usize);
    writeln!(f, "  {label} {count:10}  {:5.1} % {bar}", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Played;
    use damier_rules::notation::fen;

    #[test]
    fn one_file_and_one_win_are_not_called_files_and_wins() {
        let found = Statistics {
            games: 1,
            files: 1,
            results: [1, 0, 0],
            ..Statistics::default()
        };
        let text = found.to_string();
        assert!(text.contains("1 in 1 file\n"), "{text}");
        assert!(!text.contains("1 white wins"), "{text}");
    }

    #[test]
    fn games_of_one_move_are_told_apart_by_their_starts() {
        let mut found = Statistics::default();
        let mut seen = SeenPositions::default();
        for (start, new) in [
            ("W:W28,40:B9,10", true),
            ("W:W28,41:B9,10", true),
            ("W:W28,40:B9,10", false),
        ] {
            let start = fen::parse(start).unwrap();
            let moves = start.legal_moves();
            let mv = *moves.iter().find(|mv| mv.to_string() == "28-22").unwrap();
            let before = found.duplicates;
            let game = GameRecord {
                index: found.games,
                start,
                moves: vec![Played { mv, score: None }],
                end: End::Score,
                winner: None,
            };
            found.add(&game, &mut seen);
            assert_eq!(found.duplicates == before, new, "{start:?}");
        }
    }
}
