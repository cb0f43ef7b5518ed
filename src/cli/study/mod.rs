//! The commands of those who study games.

pub(super) mod annotate;
mod batch;
mod input;
mod list;
pub(super) mod losses;
pub(super) mod mine;
pub(super) mod picture;
pub(super) mod solve;
mod source;
