//! For those who study games: what a score means, annotated games, pictures.
//!
//! - [`annotate`]: judges the moves of games and writes what it found as PDN, JSON or a page;
//! - [`meaning`]: how likely win, draw and loss are, and how many moves hold the result;
//! - [`journal`]: what keeps long work through a kill;
//! - [`diagram`]: the board as SVG.
//!
//! Nothing here prints.

pub mod annotate;
pub mod batch;
pub mod diagram;
pub mod journal;
pub mod meaning;
mod stop;

pub use stop::Stop;
