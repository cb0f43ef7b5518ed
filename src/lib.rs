//! Damier, a 10x10 international draughts engine: rules, search, protocols and tools as a library.
//!
//! Each part is a package of its own, named here as a module; `docs/architecture.md` has the map. The sessions, which
//! read and print, are in this one.

pub use damier_analysis as analysis;
pub use damier_arena as arena;
pub use damier_book as book;
pub use damier_endgame as endgame;
pub use damier_engine as engine;
pub use damier_engine::{eval, search, settings};
pub use damier_lab as lab;
pub use damier_os as os;
pub use damier_protocol as protocol;
pub use damier_rules as rules;
pub use damier_rules::{board, notation};
pub use damier_training as training;
pub use damier_web as web;

pub mod dxp;
pub mod hub;
pub mod terminal;
