#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! - [`annotate`]: evaluates the moves of games and writes comments as PDN, JSON or an HTML page;
//! - [`solve`]: checks compositions: soundness, defences, cooks and duals;
//! - [`mine`]: finds combinations in games;
//! - [`losses`]: finds the moves that lost games;
//! - [`puzzle`]: puzzles to solve, with a rating and repetition;
//! - [`explain`]: threats, and mistakes of the last move;
//! - [`meaning`]: probabilities of win, draw and loss, and the number of moves that hold the result;
//! - [`json`]: the JSON types that terminal, web and files share;
//! - [`diagram`]: boards as SVG and PNG, and sheets of them as PDF.
//!
//! Nothing here prints.

pub mod annotate;
pub mod diagram;
mod effort;
mod evaluation;
pub mod explain;
pub mod json;
mod language;
pub mod losses;
pub mod meaning;
pub mod mine;
mod motif;
mod moves;
mod origin;
pub mod puzzle;
mod seen;
pub mod solve;
mod stop;

pub use effort::Effort;
pub use evaluation::Evaluation;
pub use language::{Language, LanguageError};
pub use motif::{Motif, motifs};
pub use moves::{numbered, words};
pub use seen::Seen;
pub use stop::Stop;
