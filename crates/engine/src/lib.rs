//! The engine: evaluation, search, options, levels.

mod engine;
pub mod eval;
pub mod pool;
pub mod search;
pub mod settings;

pub use engine::*;
