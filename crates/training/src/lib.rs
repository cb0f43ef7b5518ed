#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! - [`selfplay`]: plays games for training; [`dataset`]: their files, and samples read from them;
//! - [`train`]: trains weights on these games;
//! - [`wdl`]: the model of win, draw and loss, fitted to games.

pub mod dataset;
pub mod selfplay;
mod signature;
pub mod train;
pub mod wdl;

pub use signature::signature;
