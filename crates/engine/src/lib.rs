#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! - [`mod@settings`]: the types and texts of options; [`eval`]: the evaluation; [`search`]: MTD(f) and alternatives;
//! - [`rng`]: random numbers, the same on every platform.

mod engine;
pub mod eval;
pub mod rng;
pub mod search;
pub mod settings;

pub use engine::*;

/// Name and version for people, as in tags of games.
pub const NAME_AND_VERSION: &str = concat!("Damier ", env!("CARGO_PKG_VERSION"));
/// Name and version of the program that wrote a file.
pub const PROGRAM: &str = concat!("damier ", env!("CARGO_PKG_VERSION"));
