//! What a position is worth when it is not searched further.

mod handmade;
mod material;
pub mod network;
pub mod patterns;
mod score;
mod weights_file;

pub use handmade::Handmade;
pub use material::Material;
pub use score::Score;
pub use weights_file::{Weights, WeightsError, WeightsFile};

use crate::rules::{Move, Position};

/// The seam between search and knowledge: a static evaluation with state that is kept from move to move.
///
/// The search holds one [`Evaluator::State`] for each position on its path and one [`Evaluator::Scratch`] for each thread, and asks
/// for a score only where it needs one. What is cheap to carry along is a state; what is large or seldom needed is kept in the
/// scratch, and worked out when a score is asked for.
pub trait Evaluator: Send + Sync {
    /// What is carried along: sums, indices.
    type State: Copy + Send + Sync;

    /// What a thread keeps from one evaluation to the next.
    type Scratch: Send;

    /// A scratch for a thread. What it holds changes no score.
    fn scratch(&self) -> Self::Scratch;

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

    /// The score for the side to move, `ply` plies from the root, within [`Score::EVAL_MAX`] either way. The turned position with the colours
    /// exchanged gets the same score.
    fn evaluate(
        &self,
        scratch: &mut Self::Scratch,
        ply: u32,
        state: &Self::State,
        position: &Position,
    ) -> Score;
}

/// Plies of a path for which a scratch keeps something of each.
const PLIES: usize = 160;
