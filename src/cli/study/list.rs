//! A list of what was found in games: on stdout as the games are done, or in a file at the end.

use super::batch::{Journal, Record, Sink, Target};
use super::input::GameInput;
use crate::cli::progress::counted;
use crate::cli::{Failure, error, json};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Write};

/// What a command finds in games, and how it is written.
pub(super) trait ListedKind {
    /// What was found in a game.
    type Found: Serialize + DeserializeOwned + Default;
    /// The name of one finding.
    const THING: &'static str;

    /// The first line of the list, if it has one.
    fn header(&self) -> Option<&'static str>;

    /// The number of findings in a game.
    fn count(found: &Self::Found) -> u64;

    /// Writes those that are not in the list yet.
    fn write(&mut self, out: &mut dyn Write, found: Self::Found) -> Result<(), Failure>;

    /// Reports the sums over so many games.
    fn end(&self, games: u64) -> Result<(), Failure>;
}

/// The list of a command.
pub(super) struct List<'a, F> {
    target: Option<Target<'a>>,
    inputs: Vec<String>,
    /// Findings in the games that are done; the list has equal ones once.
    count: u64,
    findings: F,
}

impl<'a, F: ListedKind> List<'a, F> {
    pub fn new(findings: F, target: Option<Target<'a>>, games: &GameInput) -> List<'a, F> {
        List {
            target,
            inputs: games.files.clone(),
            count: 0,
            findings,
        }
    }

    /// The record of a game.
    pub fn record(game: u64, found: &F::Found) -> Record {
        Record {
            game,
            json: Some(json(found)),
            ..Record::default()
        }
    }

    fn found(record: &Record) -> Result<F::Found, Failure> {
        let read = |json| serde_json::from_str(json).map_err(error);
        record.json.as_deref().map_or(Ok(F::Found::default()), read)
    }
}

impl<F: ListedKind> Sink for List<'_, F> {
    fn count(&mut self, record: &Record) -> String {
        self.count += Self::found(record).map_or(0, |found| F::count(&found));
        format!(", {}", counted(self.count, F::THING))
    }

    fn print(&mut self, record: &Record) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        self.findings.write(&mut out, Self::found(record)?)?;
        Ok(out.flush()?)
    }

    fn write_files(&mut self, journal: &mut Journal<'_>) -> Result<(), Failure> {
        let Some(target) = self.target else {
            return Ok(());
        };
        target.write(&self.inputs, |out| {
            if let Some(header) = self.findings.header() {
                writeln!(out, "{header}")?;
            }
            for number in journal.games() {
                let record = journal.get(number)?.unwrap_or_default();
                self.findings.write(out, Self::found(&record)?)?;
            }
            Ok(())
        })
    }

    fn end(&mut self, games: u64) -> Result<(), Failure> {
        self.findings.end(games)
    }
}
