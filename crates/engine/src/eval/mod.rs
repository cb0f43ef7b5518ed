//! Static evaluation: the score of a position without a search.

mod boxed;
mod handmade;
mod material;
pub mod network;
mod score;
pub mod wdl;
mod weights_file;

pub use boxed::BoxedEvaluator;
pub use handmade::Handmade;
pub use material::Material;
pub use score::Score;
pub use wdl::{Wdl, WdlModel};
pub use weights_file::{WeightsError, WeightsFile};

use damier_cpu::Cpu;
use damier_rules::Position;

/// A static evaluation: the seam between search and knowledge.
///
/// The search holds one [`Evaluator::Scratch`] for each thread and asks for a score only where it needs one. What is
/// updated incrementally is kept in the scratch and updated when a score is asked for.
pub trait Evaluator: Send + Sync {
    /// The level of processors for which the search with this evaluation is compiled.
    type Cpu: Cpu;

    /// What a thread keeps from one evaluation to the next.
    type Scratch: Send;

    /// The level of processors.
    fn cpu(&self) -> Self::Cpu;

    /// A scratch for a thread. What it holds changes no score.
    fn scratch(&self) -> Self::Scratch;

    /// The score for the side to move, `ply` plies from the root, within [`Score::EVAL_MAX`] either way. The turned
    /// position with the colours exchanged gets the same score.
    fn evaluate(&self, scratch: &mut Self::Scratch, ply: u32, position: &Position) -> Score;
}

/// Plies of a path for which a scratch keeps data.
const PLIES: usize = 160;
