//! 10x10 international draughts: board, rules and notation.

pub mod board;
pub mod notation;
mod rules;

pub use rules::*;
