//! For those who study games: what a score means, annotated games, pictures.
//!
//! - [`annotate`]: judges the moves of games and writes what it found as PDN, JSON or a page;
//! - [`solve`]: checks compositions: sound or not, defences, cooks and duals;
//! - [`mine`]: finds combinations in games;
//! - [`losses`]: finds the moves that lost games;
//! - [`batch`]: many games on many threads;
//! - [`explain`]: threats, and what the last move gave away;
//! - [`meaning`]: how likely win, draw and loss are, and how many moves hold the result;
//! - [`journal`]: what keeps long work through a kill;
//! - [`diagram`]: the board as SVG and PNG.
//!
//! Nothing here prints.

pub mod annotate;
pub mod batch;
pub mod diagram;
pub mod explain;
pub mod journal;
pub mod losses;
pub mod meaning;
pub mod mine;
mod moves;
mod origin;
mod searched;
pub mod solve;
mod stop;

pub use moves::numbered;
pub use stop::Stop;
