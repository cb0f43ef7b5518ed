//! The lab: what measures the engine. Nothing here prints; commands write to the writer they are given.
//!
//! - [`mod@bench`]: the same work every time, for speed, for a signature of the search, and to compare drivers.
//! - [`selfplay`]: games for training; [`dataset`]: their files, and what is read from them.
//! - [`train`]: weights out of these games.
//! - [`suite`]: positions with known solutions, and when a search finds them.
//! - [`prove`]: checks the solutions of a suite by a much deeper search.
//! - [`arena`]: matches between engines.
//! - [`experiment`]: questions about the search, answered by a table and a plot.
//! - [`tune`]: parameters of the search, tuned by games.
//! - [`wdl`]: what scores mean, fitted to games.
//! - [`rng`]: random numbers that are the same everywhere.

pub mod arena;
pub mod bench;
pub mod book;
pub mod dataset;
mod error;
pub mod experiment;
mod game_result;
mod lines;
mod plot;
mod pool;
pub mod prove;
pub mod rng;
pub mod selfplay;
pub mod suite;
pub mod train;
pub mod tune;
pub mod wdl;

pub use crate::os::signals::{asked_to_end, note_requests_to_end};
pub use error::{LabError, LineError, LineErrorKind};
pub use game_result::GameResult;
pub use lines::{Solution, SuiteEntry, parse_entries, parse_positions, read_text};
pub use pool::ThreadError;
