//! What `damier dataset` does with files of games.

pub mod merge;
pub mod show;
pub mod stat;
pub mod verify;
