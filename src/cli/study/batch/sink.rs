//! What a command makes of the games that are done.

use crate::cli::{Failure, error};
use damier::analysis::journal::{Journal, Record};
use damier::os::files::{AtomicFile, ReplaceError};
use std::io::{BufWriter, Write};
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
    fn write_files(&mut self, journal: &mut Journal) -> Result<(), Failure>;

    /// Says what so many games came to.
    fn end(&mut self, _games: u64) {}
}

/// Writes a file whole or not at all; refuses to write over an input. `magic`: what such a file begins with.
pub(in crate::cli::study) fn write_file(
    name: &str,
    magic: &[u8],
    inputs: &[String],
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let named = |problem: ReplaceError| error(format!("{name}: {problem}"));
    let whole = AtomicFile::begin(Path::new(name), magic, inputs).map_err(named)?;
    let mut out = BufWriter::new(whole.file());
    write(&mut out).map_err(|problem| match problem {
        Failure::Io(problem) => error(format!("{name}: {problem}")),
        other => other,
    })?;
    out.flush().map_err(|problem| named(problem.into()))?;
    drop(out);
    whole.commit().map_err(|problem| named(problem.into()))
}
