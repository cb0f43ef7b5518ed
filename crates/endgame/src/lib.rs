//! Endgame tables, computed by Damier itself: the value of every position with few pieces and, up to four pieces, the
//! number of plies to the end.
//!
//! A [`Slice`] is the set of all positions with the same numbers of men and kings. It passes through these modules:
//!
//! - [`index`] numbers its positions;
//! - [`generate`] computes it together with the slice of the other side to move, after the slices that captures and
//!   promotions lead to;
//! - [`compress`] compresses it;
//! - [`store`] reads and writes its file, and unpacks it into a [`EndgameTable`];
//! - [`probe`] looks up positions in the built-in tables and those of a folder ([`Tables`], [`View`], [`Advice`]).
//!
//! Positions in which the side to move must capture are not stored: a probe plays out their captures.

mod compress;
mod generate;
mod index;
mod probe;
mod slice;
mod store;
mod verdict;

pub use generate::{BuildError, BuildOptions, BuildProgress, build, embed, order};
pub use probe::{
    Advice, MoveVerdict, ProblemReader, Tables, UnsoundEntry, View, WaitPolicy, is_certain,
    under_rules, verify,
};
pub use slice::{MAX_PIECES, ParseSliceError, Slice};
pub use store::{EndgameTable, Statistics, StoreError};
pub use verdict::{Value, Verdict};
