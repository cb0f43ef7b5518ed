//! Endgame tables that Damier computes itself: the value of every position of few pieces, and up to four pieces the
//! plies to the end.
//!
//! A [`Slice`] is all positions with the same numbers of men and kings. A slice goes through the rooms in this order:
//!
//! - [`index`] numbers its positions;
//! - [`generate`] computes it together with the slice of the other side to move, after the slices that captures and
//!   promotions lead to;
//! - [`compress`] packs it;
//! - [`store`] reads and writes its file, and unpacks it into a [`Table`];
//! - [`probe`] finds the tables in the program and in a folder ([`Tables`]) and answers questions about positions
//!   ([`View`], [`Advice`]).
//!
//! Positions whose side to move must capture are not stored: their captures are played out.

mod compress;
mod generate;
mod index;
mod probe;
mod slice;
mod store;
mod verdict;

pub use generate::{BuildError, BuildOptions, BuildProgress, build, embed, order};
pub use probe::{
    Advice, Fault, MoveVerdict, ProblemReader, Tables, View, WaitPolicy, is_certain, under_rules,
    verify,
};
pub use slice::{MAX_PIECES, ParseSliceError, Slice};
pub use store::{Statistics, StoreError, Table};
pub use verdict::{Value, Verdict};
