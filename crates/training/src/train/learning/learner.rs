//! The interface between training and the network trained, whatever its size.

use crate::train::learning::losses::Sums;
use crate::train::{Example, Labels, Losses, Objective};
use damier_engine::eval::network::Weights;
use rayon::prelude::*;

/// What a checkpoint keeps of a learner.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::train) struct LearnerState {
    /// The weights.
    pub parameters: Vec<f32>,
    /// What the optimiser remembers of the steps before.
    pub memory: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

/// Weights that learn.
pub(in crate::train) trait Learner: Send + Sync {
    /// Takes a step of this learning rate on a batch, given as indices into `examples`. Returns the sum of their losses
    /// before the step, as cross entropies whatever the objective. The outcome does not depend on the number of
    /// threads.
    fn learn(
        &mut self,
        examples: &[Example],
        batch: &[u32],
        goal: (&Labels, Objective),
        rate: f32,
    ) -> f64;

    /// The logit that these weights give an example.
    fn logit(&self, parameters: &[f32], example: &Example) -> f32;

    /// Begins with these weights, a logit of 1 being `scale` hundredths of a man. False where they are of another size.
    fn begin_with(&mut self, weights: &Weights, scale: f32) -> bool;

    /// What is needed to go on later.
    fn state(&self) -> LearnerState;

    /// Goes on from there. False where it is the state of something else.
    fn restore(&mut self, state: LearnerState) -> bool;

    /// The weights now.
    fn parameters(&self) -> &[f32];

    /// These weights quantised for play; `scale` is the hundredths of a man for a logit of 1.
    fn weights(&self, parameters: &[f32], scale: f32) -> Weights;

    /// These weights after quantisation, as floats again.
    fn rounded(&self, parameters: &[f32]) -> Vec<f32>;
}

/// The losses of weights on examples. None without examples.
pub(in crate::train) fn losses(
    learner: &dyn Learner,
    parameters: &[f32],
    examples: &[Example],
    labels: &Labels,
) -> Option<Losses> {
    // Summed in the order of the parts, whichever is done first.
    let parts: Vec<Sums> = examples
        .par_chunks(1 << 12)
        .map(|part| {
            let mut sums = Sums::default();
            for example in part {
                sums.add(labels, example, learner.logit(parameters, example));
            }
            sums
        })
        .collect();
    parts.into_iter().fold(Sums::default(), Sums::join).mean()
}
