//! `damier selfplay`: games of the engine against itself, for training, as many as the cores can play.
//!
//! A game depends on the settings and its number only: it has random numbers of its own (a stream of [`super::rng`]), begins with a
//! searcher that knows nothing, and is searched by one thread with a limit of nodes or depth. So the bytes of a file are
//! the same whatever the number of threads, the shards, and the interruptions. Threads play one game each ([`pool`]);
//! [`output`] writes them in the order of their numbers.

mod endings;
mod game;
mod judge;
mod opening;
mod output;
mod pool;
mod settings;

pub use pool::{Progress, Run, Summary, run};
pub use settings::{Level, Settings};

use super::dataset::DatasetError;
use crate::engine::EngineError;
use std::fmt;

/// Why self-play gave up.
#[derive(Debug)]
pub enum SelfplayError {
    /// The file cannot be written, or is not one to go on with.
    File(DatasetError),
    /// The file is of another run: it holds games that this one would not have there.
    OtherRun {
        /// The file as it was named.
        file: String,
    },
    /// Another process writes to the file.
    Busy {
        /// The file as it was named.
        file: String,
    },
    /// There is no memory for the transposition tables.
    Table(EngineError),
    /// A thread cannot be started.
    Thread(std::io::Error),
}

impl fmt::Display for SelfplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelfplayError::File(DatasetError::Damaged(damage)) => write!(
                f,
                "{damage}; `damier dataset merge {} --out NEW` saves the rest",
                damage.file
            ),
            SelfplayError::File(error @ DatasetError::Mixed { .. }) => {
                write!(
                    f,
                    "{error}; to go on with it, give the settings it was begun with"
                )
            }
            SelfplayError::File(error) => error.fmt(f),
            SelfplayError::OtherRun { file } => write!(
                f,
                "{file}: does not hold the first games of this run without a gap (a merged file?); choose another name"
            ),
            SelfplayError::Busy { file } => {
                write!(f, "{file}: another process writes to it")
            }
            SelfplayError::Table(error) => error.fmt(f),
            SelfplayError::Thread(error) => write!(f, "no thread to play games in: {error}"),
        }
    }
}

impl std::error::Error for SelfplayError {}

impl From<DatasetError> for SelfplayError {
    fn from(error: DatasetError) -> SelfplayError {
        SelfplayError::File(error)
    }
}

impl From<EngineError> for SelfplayError {
    fn from(error: EngineError) -> SelfplayError {
        SelfplayError::Table(error)
    }
}
