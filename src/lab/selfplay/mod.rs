//! `damier selfplay`: games of the engine against itself, for training, as many as the cores can play.
//!
//! A game depends on the settings and its number only: it has random numbers of its own (a stream of [`super::rng`]), begins
//! with an empty transposition table, and is searched by one thread with a limit of nodes or depth. So the bytes of a file are
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

/// Why self-play failed. `file` is always the file as it was named.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The file cannot be written, or is not one to go on with.
    #[error("{}", with_advice(.0))]
    File(#[from] DatasetError),
    /// The file belongs to another run: it holds games that this one would not have there.
    #[error(
        "{file}: does not hold the first games of this run without a gap (a merged file?); choose another name"
    )]
    #[allow(missing_docs)]
    OtherRun { file: String },
    /// Another process writes to the file.
    #[error("{file}: another process writes to it")]
    #[allow(missing_docs)]
    Busy { file: String },
    /// There is no memory for the transposition tables.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A thread cannot be started.
    #[error("no thread to play games in: {0}")]
    Thread(std::io::Error),
}

fn with_advice(error: &DatasetError) -> String {
    match error {
        DatasetError::Damaged(damage) => {
            format!(
                "{damage}; `damier dataset merge {} --out NEW` saves the rest",
                damage.file
            )
        }
        DatasetError::Mixed { .. } => {
            format!("{error}; to go on with it, give the settings it was begun with")
        }
        _ => error.to_string(),
    }
}
