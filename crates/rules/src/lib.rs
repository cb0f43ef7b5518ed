#![doc = include_str!("../README.md")]

pub mod board;
#[doc(hidden)]
pub mod internal;
pub mod notation;
mod rules;
#[cfg(feature = "serde")]
mod serde;

pub use board::{Bitboard, Color, Square};
pub use rules::*;
