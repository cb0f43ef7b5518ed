//! Damier, a 10x10 international draughts engine: rules, search, protocols and tools as a library.

pub mod hub;
pub mod protocol;
