//! Damier, a 10x10 international draughts engine: rules, search, protocols and tools as a library.
//!
//! Re-exports the crates of the workspace as modules; `docs/architecture.md` describes them. This crate contains the
//! program: commands and sessions.

pub use damier_analysis as analysis;
pub use damier_arena as arena;
pub use damier_base as base;
pub use damier_book as book;
pub use damier_cpu as cpu;
pub use damier_endgame as endgame;
pub use damier_engine as engine;
pub use damier_engine::{eval, search, settings};
pub use damier_lab as lab;
pub use damier_os as os;
pub use damier_protocol as protocol;
pub use damier_rules as rules;
pub use damier_rules::{board, notation};
pub use damier_text as text;
pub use damier_training as training;
pub use damier_web as web;

pub mod dxp;
pub mod hub;
pub mod terminal;
