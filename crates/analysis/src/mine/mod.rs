//! Finds combinations in games: positions in which exactly one move is good, begins with an offer, and wins material.
//!
//! ```no_run
//! use damier_analysis::Stop;
//! use damier_analysis::mine::{Miner, MineSettings};
//! use damier_engine::{Engine, Options};
//! use damier_rules::notation::pdn;
//!
//! let mut miner = Miner::new(Engine::new(Options::default())?, MineSettings::default());
//! for game in pdn::read("1. 32-28 19-23 2. 28x19 14x23 *").flatten() {
//!     let puzzles = miner.mine(&game, &Stop::new());
//! }
//! # Ok::<(), damier_engine::EngineError>(())
//! ```

mod combination;
mod miner;
mod puzzle;
#[cfg(test)]
mod tests;

pub use combination::{Combination, is_offer};
pub use miner::{MineSettings, Miner};
pub use puzzle::{MinedPuzzle, MinedPuzzleError, MinedPuzzleObject};
