//! Probing the tables: values with and without draw rules, and the moves that preserve them.

mod adjudicate;
mod advice;
mod cache;
mod tables;
mod verify;
mod view;

pub use adjudicate::TableAdjudicator;
pub use advice::{Advice, MoveVerdict, is_certain, under_rules};
pub use tables::{ProblemReader, Tables};
pub use verify::{UnsoundEntry, verify};
pub use view::View;
