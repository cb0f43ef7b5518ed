//! Where games go: to stdout in the order of the input, or into a journal first and into files at the end.

use super::feed::Feed;
use super::journal::{Journal, Record};
use super::sink::{Sink, Target};
use super::tasks::Task;
use crate::cli::progress::counted;
use crate::cli::study::input::GameInput;
use crate::cli::{Failure, error, warn};
use damier::os::files::is_same;
use damier::os::signals::asked_to_end;
use serde_json::Value;
use std::collections::VecDeque;

pub(super) struct Store<'a> {
    /// Where files are written at the end; none where games go to stdout.
    journal: Option<Journal<'a>>,
    count: u64,
}

/// Refuses to write over what is read or where nothing can be written, and to resume what can be read once only.
pub(super) fn check(games: &GameInput, targets: &[Target<'_>]) -> Result<(), Failure> {
    let (files, inputs) = (&games.files, &games.inputs);
    let outputs: Vec<&str> = targets.iter().map(|target| target.name).collect();
    if outputs.is_empty() {
        return Ok(());
    }
    if inputs.iter().any(|input| input == "-") && inputs.len() > 1 {
        let message = "stdin cannot be one of several inputs where the work must be resumable";
        return Err(Failure::Usage(message.to_owned()));
    }
    for (index, output) in outputs.iter().enumerate() {
        if outputs[..index].iter().any(|other| is_same(other, output)) {
            let message = format!("{output} cannot be two files at once; give two names");
            return Err(Failure::Usage(message));
        }
        if files.iter().any(|input| is_same(input, output)) {
            let message = "is an input and would be overwritten; give another name";
            return Err(error(format!("{output}: {message}")));
        }
    }
    targets.iter().try_for_each(|target| target.check(files))
}

impl<'a> Store<'a> {
    /// Opens the journal of these files.
    pub fn open(targets: &[Target<'a>], settings: &Value) -> Result<Store<'a>, Failure> {
        let journal = targets.first().map(|&first| Journal::open(first, settings));
        let journal = journal.transpose()?;
        if let Some(journal) = journal.as_ref().filter(|journal| journal.is_damaged()) {
            warn(&format!(
                "{}: damaged; a game that cannot be read from it counts as not done",
                journal.path().display()
            ));
        }
        let count = journal
            .as_ref()
            .map_or(0, |journal| journal.games().len() as u64);
        Ok(Store { journal, count })
    }

    /// Reads the input up to the last game that an earlier run has done, and makes sure that its games are those of the
    /// input. Until then nothing is added to the journal: where the wrong input is given by mistake, it still fits the
    /// right one. Returns the games on the way that are not done; they are few, as games are done nearly in order.
    pub fn resume(&self, feed: &mut Feed<'_>) -> Result<VecDeque<Task>, Failure> {
        let mut waiting = VecDeque::new();
        let Some(journal) = &self.journal else {
            return Ok(waiting);
        };
        for game in journal.games() {
            loop {
                if asked_to_end() {
                    return Err(self.interrupted());
                }
                let Some(task) = feed.next() else {
                    let lacks = || journal.lacks(game);
                    return Err(feed.broken.take().map_or_else(lacks, error));
                };
                if task.number > game {
                    return Err(journal.lacks(game));
                }
                if !journal.has_same(task.number, task.checksum)? {
                    waiting.push_back(task);
                    continue;
                }
                if task.number == game {
                    break;
                }
            }
        }
        Ok(waiting)
    }

    /// How many games are done.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether games go into a journal, in any order; else they go to stdout, in the order of the input.
    pub fn is_resumable(&self) -> bool {
        self.journal.is_some()
    }

    /// Takes a game.
    pub fn add(&mut self, record: &Record, sink: &mut dyn Sink) -> Result<(), Failure> {
        self.count += 1;
        match &mut self.journal {
            Some(journal) => journal.append(record),
            None => sink.print(record),
        }
    }

    /// What is said of work that was interrupted.
    pub fn interrupted(&self) -> Failure {
        let goes_on = match self.journal {
            Some(_) => "; the same command goes on",
            None => "",
        };
        let games = counted(self.count, "game");
        error(format!("stopped after {games}{goes_on}"))
    }

    /// Writes the files, and removes the journal.
    pub fn finish(self, sink: &mut dyn Sink) -> Result<(), Failure> {
        if let Some(mut journal) = self.journal {
            sink.write_files(&mut journal)?;
            journal.remove()?;
        }
        sink.end(self.count)
    }

    /// Writes nothing: there was no game.
    pub fn discard(self) -> Result<(), Failure> {
        self.journal.map_or(Ok(()), Journal::remove)
    }
}
