//! Patterns: what every arrangement of men in a window of twelve squares is worth, learned one by one, and the little that
//! such windows cannot see.
//!
//! Everything is seen by the side to move, whose men move up. A window is two columns wide and six rows high; four stand side by
//! side on the upper rows, and the same four tables serve the lower rows, turned by 180 degrees and with the colours exchanged.
//! Each weight is a pair, for an early and a late board; a position lies between the two by how far its men have to go.

mod evaluator;
mod features;
mod float;
#[cfg(test)]
mod tests;
mod weights;

pub use evaluator::Patterns;
pub use features::{
    ARRANGEMENTS, OTHERS, PHASES, WINDOWS, arrangements, boards, early, turned, visit_others,
};
pub use float::FloatPatterns;
pub use weights::{Pair, Weights};
