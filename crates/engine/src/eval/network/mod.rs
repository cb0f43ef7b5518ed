//! A small network with accumulators (NNUE): 190 inputs for each side's view, one hidden layer shared by both views,
//! and one of twelve sets of output weights, chosen by the material. A second hidden layer, one of twelve too, may
//! stand between the hidden units and the output, beside the direct connection.

mod evaluator;
mod features;
mod float;
mod simd;
mod size;
#[cfg(test)]
mod tests;
mod weights;

pub use evaluator::{Network, Slots};
pub use features::{BUCKETS, INPUTS, bucket, input, inputs};
pub use float::FloatNetwork;
pub use size::{BySize, Size};
pub use weights::{WEIGHT_LIMIT, Weights};
