//! Sessions for a person at a terminal: [`play`] a game, solve [`puzzles`], [`analyze`] positions; and [`eval`], what a
//! position is worth without a search. They read any `BufRead` and write to any `Write`, so that a script can use them
//! as well.

pub mod analyze;
mod board;
pub mod eval;
pub mod input;
pub mod play;
pub mod puzzles;
mod words;

pub use board::Style;
