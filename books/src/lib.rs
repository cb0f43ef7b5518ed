#![doc = include_str!("../README.md")]

mod canonical;
mod entry;
pub mod format;
mod reader;

pub use canonical::{Canonical, Code, KEY_MAX, Settled, numbered_moves, play_forced};
pub use entry::{BookMove, Entry, Learned};
pub use format::{Header, MAGIC};
pub use reader::{Book, BookError, BookPosition, Fault};

/// Number of games at which results weigh as much as the search score.
pub const LEARNING_WEIGHT: i64 = 8;

#[cfg(test)]
mod tests;
