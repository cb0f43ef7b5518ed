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

pub mod bench;
pub mod book;
mod error;
pub mod experiment;
mod lines;
mod plot;
pub mod prove;
pub mod suite;
pub mod tune;

pub use damier_os::signals::{asked_to_end, note_requests_to_end};
pub use error::LabError;
pub use lines::{Solution, SuiteEntry, parse_entries, parse_positions, read_text};
