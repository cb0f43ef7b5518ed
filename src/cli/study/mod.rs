//! The commands that study positions and games.

pub(super) mod analyze;
pub(super) mod annotate;
mod batch;
pub(super) mod eval;
mod input;
mod list;
pub(super) mod losses;
pub(super) mod mine;
pub(super) mod picture;
pub(super) mod puzzles;
pub(super) mod solve;
mod source;
