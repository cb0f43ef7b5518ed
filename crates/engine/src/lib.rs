#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! - [`mod@settings`]: the types and texts of options; [`eval`]: the evaluation; [`search`]: MTD(f) and alternatives;
//! - [`pool`]: ordered work on many threads.

mod engine;
pub mod eval;
pub mod pool;
pub mod search;
pub mod settings;

pub use engine::*;
