//! The commands of those who study games.

pub(super) mod annotate;
mod input;
pub(super) mod picture;
pub(super) mod wdl;
