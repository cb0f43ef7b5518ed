//! Questions to the tables: the value of a position, without and with the draw rules, and the moves that keep it.

mod advice;
mod queue;
mod tables;
mod verify;
mod view;

pub use advice::{Advice, MoveVerdict, is_certain, under_rules};
pub use tables::{ProblemReader, Tables, WaitPolicy};
pub use verify::{Fault, verify};
pub use view::View;
