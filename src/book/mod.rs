//! The opening book: positions with the scores of their moves, in a compact sorted file or inside the program.
//!
//! [`Book`] reads and asks one; `docs/book.md` and [`mod@format`] describe the file. Books are built by `damier book`, far above
//! this module.

mod canonical;
mod entry;
pub mod format;
mod reader;

pub use canonical::{Canonical, Code, KEY_MAX, Settled, numbered_moves, settle};
pub use entry::{BookMove, Entry, Learned};
pub use format::Header;
pub use reader::{Book, BookError, BookPosition, Fault};

/// Games that weigh as much as the searches when scores are moved by results.
pub const LEARNING_WEIGHT: i64 = 8;

#[cfg(test)]
mod tests;
