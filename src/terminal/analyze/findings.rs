//! What was found of a position.

use super::explained::Explained;
use crate::book::Entry;
use crate::endgame::Advice;
use crate::search::Outcome;

/// What was found of a position.
pub(super) struct Findings {
    pub outcome: Outcome,
    /// What the endgame tables say, where they know every move.
    pub table: Option<Advice>,
    /// How many moves hold the result, unless the user would not wait for it.
    pub safe_moves: Option<usize>,
    /// What the opening book says, where it is asked and knows the position.
    pub book: Option<Entry>,
    /// What else is said of it, where that is asked.
    pub explained: Option<Explained>,
    /// The user ended the search.
    pub interrupted: bool,
}
