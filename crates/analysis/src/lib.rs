//! For those who study games: what a score means, annotated games, pictures.
//!
//! - [`annotate`]: judges the moves of games and writes what it found as PDN, JSON or a page;
//! - [`solve`]: checks compositions: sound or not, defences, cooks and duals;
//! - [`mine`]: finds combinations in games;
//! - [`losses`]: finds the moves that lost games;
//! - [`batch`]: many games on many threads;
//! - [`explain`]: threats, and what the last move gave away;
//! - [`meaning`]: how likely win, draw and loss are, and how many moves hold the result;
//! - [`json`]: what the JSON of terminal, web and files has in common;
//! - [`journal`]: what keeps long work through a kill;
//! - [`diagram`]: the board as SVG and PNG.
//!
//! Nothing here prints.

pub mod annotate;
pub mod batch;
pub mod diagram;
mod effort;
pub mod explain;
pub mod journal;
pub mod json;
pub mod losses;
pub mod meaning;
pub mod mine;
mod moves;
mod origin;
mod searched;
mod seen;
pub mod solve;
mod stop;

pub use effort::Effort;
pub use moves::numbered;
pub use seen::Seen;
pub use stop::Stop;
