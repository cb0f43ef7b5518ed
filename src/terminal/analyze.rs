//! Analysis of positions: a table that grows with the depth, or one JSON object each.

use super::{input, json, words};
use crate::board::Color;
use crate::engine::{Job as EngineJob, Level, Purpose, Thinker};
use crate::notation::{fen, hub_board, moves, picture};
use crate::rules::{Game, Position};
use crate::search::{Control, Outcome, Report};
use std::io::{self, BufRead, Write};

/// What to do with every position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Job {
    /// When each search ends.
    pub level: Level,
    /// Number of best moves to show, each with its score and line; 1 where it is 0.
    pub lines: usize,
    /// Moves to play before the search; the draw rules count them.
    pub moves: String,
    /// One JSON object a line instead of text.
    pub json: bool,
}

/// Where results and complaints go.
pub struct Output<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Complaints.
    pub err: &'a mut dyn Write,
}

/// Analyses positions given as FEN or as Hub positions. Returns how many could not be read.
///
/// # Errors
/// The output cannot be written.
pub fn positions(
    thinker: &mut dyn Thinker,
    job: &Job,
    texts: &[String],
    output: &mut Output,
) -> io::Result<usize> {
    let mut failed = 0;
    for (index, text) in texts.iter().enumerate() {
        if index > 0 && !job.json {
            writeln!(output.out)?;
        }
        failed += usize::from(!one(thinker, job, None, text, output)?);
    }
    Ok(failed)
}

/// Analyses the positions of an input, one a line; empty lines and lines that begin with `#` are passed over. Returns how
/// many could not be read.
///
/// # Errors
/// The input cannot be read or the output cannot be written.
pub fn lines(
    thinker: &mut dyn Thinker,
    job: &Job,
    source: &mut dyn BufRead,
    output: &mut Output,
) -> io::Result<usize> {
    let (mut failed, mut number, mut done) = (0, 0, 0);
    while let Some(line) = input::read_line(source)? {
        number += 1;
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if done > 0 && !job.json {
            writeln!(output.out)?;
        }
        done += 1;
        failed += usize::from(!one(thinker, job, Some(number), text, output)?);
    }
    Ok(failed)
}

/// Reads a position in any form: FEN, the 51 characters of Hub, or `start`.
///
/// # Errors
/// A sentence that says what is wrong, where, and what is expected.
pub fn read_position(text: &str) -> Result<Position, String> {
    let text = text.trim();
    if text == "start" {
        return Ok(Position::start());
    }
    // Also a few characters too long or too short: the error then counts them.
    let hub = text.len() > hub_board::LENGTH / 2 && text.bytes().all(|b| b"wbWBe".contains(&b));
    if hub {
        hub_board::parse(text).map_err(|error| error.to_string())
    } else {
        fen::parse(text).map_err(|error| error.to_string())
    }
}

/// The game that a position in any form and moves make.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read_game(text: &str, line: &str) -> Result<Game, String> {
    let mut game = Game::new(read_position(text)?);
    let moves = moves::parse_line(game.position(), line).map_err(|error| error.to_string())?;
    moves.into_iter().for_each(|mv| game.play(mv));
    Ok(game)
}

/// Analyses one position; false when it cannot be read.
fn one(
    thinker: &mut dyn Thinker,
    job: &Job,
    number: Option<usize>,
    text: &str,
    output: &mut Output,
) -> io::Result<bool> {
    let game = match read_game(text, &job.moves) {
        Ok(game) => game,
        Err(error) if job.json => {
            writeln!(output.out, "{}", json::error(number, text, &error))?;
            output.out.flush()?;
            return Ok(false);
        }
        Err(error) => {
            let place = number.map_or(String::new(), |n| format!("line {n}: "));
            writeln!(output.err, "damier: {place}{error}")?;
            return Ok(false);
        }
    };
    thinker.new_game();
    if job.json {
        let outcome = match game.position().is_terminal() {
            true => None,
            false => Some(search(thinker, job, &game, &mut |_| Ok(()))?),
        };
        writeln!(output.out, "{}", json::analysis(&game, outcome.as_ref()))?;
    } else {
        text_of(thinker, job, &game, output.out)?;
    }
    output.out.flush()?;
    Ok(true)
}

/// Searches; ends early when `tell` fails.
fn search(
    thinker: &mut dyn Thinker,
    job: &Job,
    game: &Game,
    tell: &mut dyn FnMut(&Report) -> io::Result<()>,
) -> io::Result<Outcome> {
    let search = EngineJob::new(game.clone(), job.level)
        .with_purpose(Purpose::Analyse)
        .with_lines(job.lines);
    let control = Control::new();
    let mut told = Ok(());
    let outcome = thinker.run(&search, &control, &mut |report: &Report| {
        if told.is_ok() {
            told = tell(report);
        }
        if told.is_err() {
            control.stop();
        }
    });
    told.map(|()| outcome)
}

fn text_of(
    thinker: &mut dyn Thinker,
    job: &Job,
    game: &Game,
    out: &mut dyn Write,
) -> io::Result<()> {
    let position = game.position();
    let turn = position.turn();
    write!(out, "{}", picture::draw(position, Color::White, true))?;
    writeln!(out, "{}", fen::format(position))?;
    writeln!(out, "{turn} to move")?;
    if let Some(verdict) = words::verdict(game) {
        writeln!(out, "{verdict}")?;
        if position.is_terminal() {
            return Ok(());
        }
        writeln!(out, "(searched as if the game went on)")?;
    }
    writeln!(out, "\n{}", words::HEAD)?;
    out.flush()?;
    // What was shown last of each line: a report may come again with other counts.
    let mut shown = Vec::new();
    let mut tell = |report: &Report| {
        let new = (report.depth, report.score, report.pv.clone());
        if shown.len() < report.rank {
            shown.resize(report.rank, None);
        }
        let last = report.rank.checked_sub(1).map(|index| &mut shown[index]);
        if let Some(last) = last.filter(|last| last.as_ref() != Some(&new)) {
            writeln!(out, "{}", words::row(position, report))?;
            out.flush()?;
            *last = Some(new);
        }
        Ok(())
    };
    let outcome = search(thinker, job, game, &mut tell)?;
    // What an iteration that was broken off has settled.
    for line in &outcome.lines {
        tell(line)?;
    }
    let report = &outcome.report;
    let best = outcome
        .best
        .map_or("none".to_owned(), |mv| moves::short(position, mv));
    let meaning = words::meaning(report.score, turn);
    writeln!(
        out,
        "\nbest move {best}   {meaning}, depth {}",
        report.depth
    )?;
    writeln!(out, "line      {}", words::line(position, &report.pv))
}

#[cfg(test)]
#[path = "analyze_tests.rs"]
mod tests;
