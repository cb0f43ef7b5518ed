//! From games to weights: self-play, files of games, training, and what scores mean.
//!
//! - [`selfplay`]: games for training; [`dataset`]: their files, and what is read from them.
//! - [`train`]: weights out of these games.
//! - [`wdl`]: what scores mean, fitted to games.

pub mod dataset;
pub mod selfplay;
mod signature;
pub mod train;
pub mod wdl;

pub use signature::signature;
