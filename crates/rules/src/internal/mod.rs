//! For the other crates of Damier: what their tables and files are built on. It may change in any version.

pub mod retro;

pub use crate::rules::choices::Choices;
pub use crate::rules::zobrist::mix;
