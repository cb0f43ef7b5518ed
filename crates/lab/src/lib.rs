#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! - [`mod@bench`]: searches the same positions every time: speed, a signature of the search, drivers compared;
//! - [`suite`]: positions with known solutions; [`prove`]: checks the solutions by a much deeper search;
//! - [`convert`]: won positions played out between two engines;
//! - [`duel`]: a match of two engines, as experiments and conversions play it;
//! - [`experiment`]: questions about the search, answered by a table and a plot;
//! - [`tune`]: tunes parameters of the search by games;
//! - [`mod@book`]: builds opening books.
//!
//! Nothing here prints: commands write to the writer they are given.

pub mod bench;
pub mod book;
pub mod convert;
pub mod duel;
mod error;
pub mod experiment;
mod lines;
mod plot;
pub mod prove;
pub mod suite;
pub mod tune;

pub use damier_os::signals::{asked_to_end, note_requests_to_end};
pub use error::LabError;
pub use lines::{Solution, SuiteEntry, TextFile, parse_entries, parse_positions};
