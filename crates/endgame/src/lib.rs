#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! In the order in which a [`Slice`] passes through them:
//!
//! - [`index`] numbers its positions;
//! - [`generate`] computes it together with the slice of the other side to move, after the slices reached by captures
//!   and promotions;
//! - [`pack`] packs it in blocks, which can be read one by one;
//! - [`store`] reads and writes its file;
//! - [`probe`] looks up positions in the built-in tables and those of a folder ([`Tables`], [`View`], [`Advice`]).
//!
//! Positions with a capture are not stored: a probe plays the captures out.

mod generate;
mod index;
mod pack;
mod probe;
mod slice;
mod store;
mod verdict;

pub use generate::{BuildError, BuildOptions, BuildProgress, build, embed, order};
pub use probe::{
    Advice, MoveVerdict, ProblemReader, TableAdjudicator, Tables, UnsoundEntry, View, is_certain,
    under_rules, verify,
};
pub use slice::{MAX_PIECES, ParseSliceError, Slice};
pub use store::{Contents, Statistics, StoreError, convert};
pub use verdict::{Value, Verdict};
