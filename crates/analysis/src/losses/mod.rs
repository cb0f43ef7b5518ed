//! Finds the moves that lost games: the last move of the loser that turned a position which could be held into a lost
//! one.
//!
//! ```no_run
//! use damier_analysis::Stop;
//! use damier_analysis::losses::{Finder, LossSettings};
//! use damier_engine::{Engine, Options};
//! use damier_rules::notation::pdn;
//!
//! let mut finder = Finder::new(Engine::new(Options::default())?, LossSettings::default());
//! for game in pdn::read("1. 32-28 19-23 2. 28x19 14x23 0-2").flatten() {
//!     let found = finder.find(&game, &Stop::new());
//! }
//! # Ok::<(), damier_engine::EngineError>(())
//! ```

mod finder;
mod losing_move;
#[cfg(test)]
mod tests;

pub use finder::{Finder, LossSettings, loser};
pub use losing_move::{LosingMove, LosingMoveObject};
