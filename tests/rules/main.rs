//! The rules, move generation, and games as text.

#[path = "../common/mod.rs"]
mod common;
mod game;
mod move_lists;
mod pdn;
mod perft;
