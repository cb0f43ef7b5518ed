//! Endgame tables that Damier computes itself: who wins each position of few pieces, and up to four in how many plies.
//!
//! A [`Slice`] is all positions with the same numbers of men and kings; [`index`] numbers them. A slice is built together
//! with its turned one, after those that captures and promotions lead to: with distances ([`distances`]) or without
//! ([`values`]). [`compress`] packs it, [`store`] keeps it as a file, [`build`] does all of this in order. [`Tables`] has
//! the tables inside the program and those of a folder, unpacked when they are first asked for; a [`View`] asks them.
//!
//! Positions whose side to move must capture are not stored: their captures are played out.

pub mod build;
mod coder;
mod compress;
mod distances;
mod index;
mod loader;
mod plan;
mod ruled;
mod slice;
mod start;
mod store;
mod table;
mod tables;
mod values;
mod verdict;
mod verify;
mod view;
mod work;

pub use build::{BuildError, BuildOptions, BuildProgress, build, embed};
pub use plan::order;
pub use ruled::{Advice, MoveVerdict, is_certain, under_rules};
pub use slice::{MAX_PIECES, ParseSliceError, Slice};
pub use store::StoreError;
pub use table::{Statistics, Table};
pub use tables::{Tables, WaitPolicy};
pub use verdict::{Value, Verdict};
pub use verify::{Fault, verify};
pub use view::View;
