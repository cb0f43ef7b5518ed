//! What a command makes of the games that are done.

use super::journal::{Journal, Record};
use crate::cli::{Failure, error};
use damier::os::files::{self, AtomicFile, ReplaceError};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// Where games go, in the form of a command.
pub(in crate::cli::study) trait Sink {
    /// A game is done; they come in any order. Returns what the progress says beside the number of games.
    fn count(&mut self, _: &Record) -> String {
        String::new()
    }

    /// Writes a game to stdout; they come in the order of the input.
    fn print(&mut self, record: &Record) -> Result<(), Failure>;

    /// Writes the files, when all games are in the journal.
    fn write_files(&mut self, journal: &mut Journal<'_>) -> Result<(), Failure>;

    /// Says what so many games came to.
    fn end(&mut self, _games: u64) -> Result<(), Failure> {
        Ok(())
    }
}

/// A file that is written at the end.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::study) struct Target<'a> {
    pub name: &'a str,
    /// What such a file begins with.
    pub magic: &'static [u8],
    /// What stands near its beginning, by which it is known as one of ours; empty where the first bytes say enough.
    pub mark: &'static str,
}

/// Bytes of a file in which its mark is looked for.
const HEAD: usize = 1 << 16;

impl Target<'_> {
    /// Writes the file whole or not at all; refuses to write over an input.
    pub fn write(
        &self,
        inputs: &[String],
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let whole = self.begin(inputs)?;
        let mut out = BufWriter::new(whole.file());
        write(&mut out).map_err(|problem| match problem {
            Failure::Io(problem) => self.fail(problem),
            other => other,
        })?;
        out.flush().map_err(|problem| self.fail(problem))?;
        drop(out);
        whole.commit().map_err(|problem| self.fail(problem))
    }

    /// Fails now where the file could not be written in the end, after all the work.
    pub fn check(&self, inputs: &[String]) -> Result<(), Failure> {
        self.begin(inputs).map(drop)
    }

    /// A problem with it.
    pub fn fail(&self, problem: impl Into<ReplaceError>) -> Failure {
        error(format!(
            "{}: cannot be written: {}",
            self.name,
            problem.into()
        ))
    }

    fn begin(&self, inputs: &[String]) -> Result<AtomicFile, Failure> {
        if self.name == "-" {
            return Err(error("-: is no file; without --out the games go to stdout"));
        }
        let begun = AtomicFile::begin(Path::new(self.name), self.magic, inputs);
        let begun = begun.map_err(|problem| self.fail(problem))?;
        match self.is_ours().map_err(|problem| self.fail(problem))? {
            true => Ok(begun),
            false => Err(self.fail(ReplaceError::OtherKind)),
        }
    }

    /// Whether the file that is there, if any, has the mark.
    fn is_ours(&self) -> io::Result<bool> {
        let mut head = Vec::new();
        match files::open_regular(self.name) {
            Ok(file) => file.take(HEAD as u64).read_to_end(&mut head)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        let text = String::from_utf8_lossy(&head);
        Ok(head.is_empty() || text.contains(self.mark))
    }
}
