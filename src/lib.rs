//! Damier, a 10x10 international draughts engine: rules, search, protocols and tools as a library.
//!
//! Data flows down on the way in and up on the way out; a module imports only from those below it (docs/architecture.md
//! has the map).

pub mod analysis;
pub mod board;
pub mod book;
pub mod dxp;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod hub;
pub mod lab;
pub mod notation;
pub mod os;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod settings;
pub mod terminal;
pub mod web;
