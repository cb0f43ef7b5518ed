//! How puzzles are written.

use super::args::{HEADER, MineArgs};
use crate::cli::progress::counted;
use crate::cli::study::batch::{Sink, Target};
use crate::cli::study::input::Games;
use crate::cli::{Failure, error, say};
use damier::analysis::Seen;
use damier::analysis::journal::{Journal, Record};
use damier::analysis::mine::PuzzleObject;
use std::io::{self, Write};

/// How a puzzle is written.
enum Form {
    /// With the name of the annotator.
    Pdn(String),
    Suite,
    Json,
}

impl Form {
    fn write(&self, out: &mut dyn Write, puzzle: &PuzzleObject) -> Result<(), Failure> {
        match self {
            Form::Pdn(by) => {
                let mut text = Vec::new();
                puzzle.to_pdn(by).map_err(error)?.write(&mut text)?;
                out.write_all(&text)?;
            }
            Form::Suite => writeln!(out, "{}", puzzle.to_suite())?,
            Form::Json => {
                let text = serde_json::to_string(puzzle)
                    .unwrap_or_else(|error| unreachable!("plain data: {error}"));
                writeln!(out, "{text}")?;
            }
        }
        Ok(())
    }
}

pub(super) struct Output<'a> {
    out: Option<Target<'a>>,
    inputs: Vec<String>,
    form: Form,
    seen: Seen,
    /// Found so far, some of them perhaps alike.
    found: u64,
    /// Written.
    puzzles: u64,
}

impl Output<'_> {
    pub fn new<'a>(args: &'a MineArgs, games: &Games) -> Output<'a> {
        let by = format!("Damier {}, {} nodes", env!("CARGO_PKG_VERSION"), args.nodes);
        Output {
            out: args.target(),
            inputs: games.files.clone(),
            form: match (args.suite, args.json) {
                (true, _) => Form::Suite,
                (_, true) => Form::Json,
                _ => Form::Pdn(by),
            },
            seen: Seen::default(),
            found: 0,
            puzzles: 0,
        }
    }
}

impl Sink for Output<'_> {
    fn count(&mut self, record: &Record) -> String {
        self.found += puzzles(record).map_or(0, |puzzles| puzzles.len() as u64);
        format!(", {}", counted(self.found, "puzzle"))
    }

    fn print(&mut self, record: &Record) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let puzzles = puzzles(record).map_err(error)?;
        self.puzzles += write(&mut out, &self.form, &mut self.seen, &puzzles)?;
        Ok(out.flush()?)
    }

    /// Writes the puzzles of a journal, each position once.
    fn write_files(&mut self, journal: &mut Journal) -> Result<(), Failure> {
        let Some(out) = self.out else { return Ok(()) };
        out.write(&self.inputs, |out| {
            if matches!(self.form, Form::Suite) {
                writeln!(out, "{HEADER}")?;
            }
            for number in journal.games() {
                let record = journal.get(number)?.unwrap_or_default();
                let puzzles = puzzles(&record).map_err(error)?;
                self.puzzles += write(out, &self.form, &mut self.seen, &puzzles)?;
            }
            Ok(())
        })
    }

    fn end(&mut self, games: u64) -> Result<(), Failure> {
        let (puzzles, games) = (counted(self.puzzles, "puzzle"), counted(games, "game"));
        say(&format!("{puzzles} in {games}"));
        Ok(())
    }
}

/// The puzzles of a game.
fn puzzles(record: &Record) -> Result<Vec<PuzzleObject>, serde_json::Error> {
    serde_json::from_str(record.json.as_deref().unwrap_or("[]"))
}

/// Writes the puzzles that were not seen before; returns how many.
fn write(
    out: &mut dyn Write,
    form: &Form,
    seen: &mut Seen,
    puzzles: &[PuzzleObject],
) -> Result<u64, Failure> {
    let mut count = 0;
    for puzzle in puzzles {
        if seen.insert(&puzzle.position().map_err(error)?) {
            form.write(out, puzzle)?;
            count += 1;
        }
    }
    Ok(count)
}
