//! A small network, kept up to date from position to position: 190 inputs for each side's view, one hidden layer shared by both,
//! one output out of twelve by what is on the board.

mod features;
mod float;
mod weights;

pub use features::{BUCKETS, INPUTS, bucket, input, inputs};
pub use float::{FloatNetwork, WEIGHT_LIMIT};
pub use weights::Weights;
