//! What a position is worth when it is not searched further.

mod handmade;
pub mod network;
mod score;
mod weights_file;

pub use handmade::Handmade;
pub use score::Score;
pub use weights_file::{Weights, WeightsError, WeightsFile};

use crate::rules::{Move, Position};

/// The seam between search and knowledge: a static evaluation with state that is kept from move to move.
///
/// The search holds one [`Evaluator::State`] for each position on its path and asks for a score only where it needs one.
pub trait Evaluator: Sync {
    /// What is carried along: sums, accumulators, indices.
    type State: Copy + Send + Sync;

    /// The state of a position, computed from nothing.
    fn fresh(&self, position: &Position) -> Self::State;

    /// The state after `mv`, which leads from `before` to `after`. Equal to [`Evaluator::fresh`] of `after`.
    fn update(
        &self,
        state: &Self::State,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> Self::State;

    /// The score for the side to move, within [`Score::EVAL_MAX`] either way. The turned position with the colours
    /// exchanged gets the same score.
    fn evaluate(&self, state: &Self::State, position: &Position) -> Score;
}
