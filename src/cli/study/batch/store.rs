//! Where games go: to stdout in the order of the input, or into a journal first and into files at the end.

use super::sink::Sink;
use crate::cli::{Failure, error};
use damier::analysis::journal::{Journal, JournalError, Record};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

impl From<JournalError> for Failure {
    fn from(problem: JournalError) -> Failure {
        error(problem)
    }
}

pub(super) struct Store {
    /// Where files are written at the end.
    journal: Option<Journal>,
    /// Where there is none: games that wait for one before them.
    waiting: BTreeMap<u64, Record>,
    /// The place of the next game on stdout.
    next: u64,
    count: u64,
}

/// Refuses outputs that would not be resumable, or would be written over an input.
pub(super) fn check(
    files: &[String],
    inputs: &[String],
    outputs: &[&String],
) -> Result<(), Failure> {
    if outputs.is_empty() {
        return Ok(());
    }
    if inputs.iter().any(|input| input == "-") && inputs.len() > 1 {
        let message = "stdin cannot be one of several inputs where the work must be resumable";
        return Err(Failure::Usage(message.to_owned()));
    }
    for (index, output) in outputs.iter().enumerate() {
        if outputs[..index].contains(output) {
            let message = format!("{output} cannot be two files at once; give two names");
            return Err(Failure::Usage(message));
        }
        let place = fs::canonicalize(output).ok();
        let is_input = |input: &String| place.is_some() && fs::canonicalize(input).ok() == place;
        if files.iter().any(is_input) {
            let message = "is read and would be written over; give another name";
            return Err(error(format!("{output}: {message}")));
        }
    }
    Ok(())
}

impl Store {
    /// Opens the journal of these files.
    pub fn open(outputs: &[&String], settings: &Value) -> Result<Store, Failure> {
        let journal = outputs.first().map(|first| {
            let path = PathBuf::from(format!("{first}.journal"));
            Journal::open(&path, settings)
        });
        let journal = journal.transpose()?;
        let done = journal.as_ref().map(Journal::games).unwrap_or_default();
        Ok(Store {
            journal,
            waiting: BTreeMap::new(),
            next: 0,
            count: done.len() as u64,
        })
    }

    /// The games that an earlier run has done.
    pub fn done(&self) -> BTreeSet<u64> {
        let games = self.journal.as_ref().map(Journal::games);
        games.unwrap_or_default().into_iter().collect()
    }

    /// How many games are done.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Takes the game that was given in this place of all.
    pub fn add(&mut self, order: u64, record: Record, sink: &mut dyn Sink) -> Result<(), Failure> {
        self.count += 1;
        if let Some(journal) = &mut self.journal {
            return Ok(journal.append(&record)?);
        }
        self.waiting.insert(order, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            self.next += 1;
            sink.print(&record)?;
        }
        Ok(())
    }

    /// What is said of work that was broken off.
    pub fn interrupted(&self) -> Failure {
        let goes_on = match self.journal {
            Some(_) => "; the same command goes on",
            None => "",
        };
        error(format!("stopped after {} games{goes_on}", self.count))
    }

    /// Writes the files, and removes the journal.
    pub fn finish(self, sink: &mut dyn Sink) -> Result<(), Failure> {
        if let Some(mut journal) = self.journal {
            sink.write_files(&mut journal)?;
            journal.remove()?;
        }
        sink.end(self.count);
        Ok(())
    }
}
