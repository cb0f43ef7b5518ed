//! The opening book: positions with the scores of their moves, in a compact sorted file or inside the program.
//!
//! [`Book`] reads and asks one; `docs/book.md` and [`mod@format`] describe the file. Books are built by `damier book`,
//! far above this module.

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
