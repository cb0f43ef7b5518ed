//! `damier selfplay`: games of the engine against itself, for training, on all cores.
//!
//! A game depends only on the settings and its number: it has its own stream of random numbers
//! ([`damier_engine::rng`]), begins with an empty transposition table, and is searched by one thread with a limit on
//! nodes or depth. So the bytes of a file are the same whatever the number of threads, the shards and the
//! interruptions. Threads play one game each ([`damier_os::pool`]); [`output`] writes the games in order of their
//! numbers.

mod endings;
mod game;
pub mod import;
mod judge;
mod opening;
mod output;
pub mod rescore;
mod run;
mod scoring;
mod settings;

pub use judge::Judge;
pub use run::{Progress, Run, SelfplaySummary, run};
pub use settings::{FixedLevel, SelfplaySettings};

use super::dataset::DatasetError;
use damier_engine::EngineError;
use damier_os::pool::ThreadError;

/// Why self-play failed. `file` is always the file as the user named it.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The file cannot be written or cannot be continued.
    #[error("{}", with_advice(.0))]
    File(#[from] DatasetError),
    /// The file belongs to another run: it holds games that this run would not have there.
    #[error(
        "{file}: does not hold the first games of this run without a gap (a merged file?); choose another name"
    )]
    #[allow(missing_docs)]
    OtherRun { file: String },
    /// Another process is writing to the file.
    #[error("{file}: in use by another process")]
    #[allow(missing_docs)]
    Busy { file: String },
    /// There is no memory for the transposition tables.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A thread cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
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
