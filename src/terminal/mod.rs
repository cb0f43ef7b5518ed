//! Sessions for a person at a terminal: [`play`] a game, [`analyze`] positions; and [`eval`], what a position
//! is worth without a search. Both read any `BufRead` and write to any
//! `Write`, so that a script can hold them as well.

pub mod analyze;
pub mod eval;
pub mod input;
mod json;
pub mod play;
mod words;
