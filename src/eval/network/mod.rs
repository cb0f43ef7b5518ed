//! A small network with accumulators (NNUE): 190 inputs for each side's view, one hidden layer shared by both views,
//! and one of twelve sets of output weights, chosen by the material. A second hidden layer, one of twelve too, may
//! stand between the hidden units and the output, beside the direct connection.

#[cfg(all(target_feature = "avx2", any(test, not(target_feature = "avx512bw"))))]
mod avx2;
#[cfg(target_feature = "avx512bw")]
mod avx512;
mod evaluator;
mod features;
mod float;
#[cfg(any(test, not(target_feature = "avx2")))]
mod lanes;
mod row;
mod second;
mod size;
#[cfg(test)]
mod tests;
mod weights;
#[cfg(target_feature = "avx2")]
mod x86;

pub use evaluator::{Network, Slots};
pub use features::{BUCKETS, INPUTS, bucket, input, inputs};
pub use float::FloatNetwork;
pub use size::{BySize, Size};
pub use weights::{WEIGHT_LIMIT, Weights};

#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
use avx2 as simd;
#[cfg(target_feature = "avx512bw")]
use avx512 as simd;
#[cfg(not(any(target_feature = "avx2", target_feature = "avx512bw")))]
use lanes as simd;
