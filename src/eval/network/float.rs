//! The network as it is trained, in single precision.

use super::Weights;
use super::features::{BUCKETS, INPUTS, bucket, inputs};
use crate::rules::Position;

/// Largest absolute value of a weight: products of the whole-numbered network then fit their registers.
pub const WEIGHT_LIMIT: f32 = 127.0 / 64.0;

/// Inputs to one hidden layer shared by both views, clipped at 0 and 1 and squared; both views' units, that of the side to move
/// first, to one output chosen by the bucket. The output is the logit of the expected result for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    /// Hidden units of a view.
    pub hidden: usize,
    /// [`INPUTS`] rows of `hidden`.
    pub input: Vec<f32>,
    /// `hidden`.
    pub bias: Vec<f32>,
    /// [`BUCKETS`] rows of `2 * hidden`.
    pub output: Vec<f32>,
    /// [`BUCKETS`].
    pub output_bias: Vec<f32>,
}

impl FloatNetwork {
    /// All weights zero.
    pub fn new(hidden: usize) -> FloatNetwork {
        FloatNetwork {
            hidden,
            input: vec![0.0; INPUTS * hidden],
            bias: vec![0.0; hidden],
            output: vec![0.0; BUCKETS * 2 * hidden],
            output_bias: vec![0.0; BUCKETS],
        }
    }

    /// The logit of the expected result for the side to move. Slow; what the trainer and the whole-numbered network are
    /// compared with.
    pub fn forward(&self, position: &Position) -> f32 {
        let bucket = bucket(position);
        let mut logit = self.output_bias[bucket];
        for (side, view) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let mut sums = self.bias.clone();
            for input in inputs(position, view) {
                let row = &self.input[input * self.hidden..][..self.hidden];
                sums.iter_mut().zip(row).for_each(|(sum, w)| *sum += w);
            }
            let row = &self.output[(2 * bucket + side) * self.hidden..][..self.hidden];
            for (sum, weight) in sums.iter().zip(row) {
                logit += sum.clamp(0.0, 1.0).powi(2) * weight;
            }
        }
        logit
    }

    /// Rounded to whole numbers. `scale` is the hundredths of a man that a logit of 1 is worth.
    pub fn quantize(&self, scale: f32) -> Weights {
        let limit = |w: &f32| w.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        let unit = |w: &f32| (limit(w) * Weights::UNIT as f32).round() as i16;
        // As fine as the largest output weight lets it be.
        let largest = self
            .output
            .iter()
            .fold(0.01, |top: f32, w| top.max(limit(w).abs()));
        let sets = self.output.chunks(2 * self.hidden).zip(&self.output_bias);
        let sums =
            sets.map(|(set, bias)| set.iter().map(|w| limit(w).abs()).sum::<f32>() + bias.abs());
        let sum = sums.fold(0.01, f32::max) * (Weights::UNIT * Weights::UNIT) as f32;
        // And no set's sum may leave its whole number, however the units are.
        let step = (f32::from(Weights::OUTPUT_LIMIT) / largest).min(0.9 * i32::MAX as f32 / sum);
        let output = |w: &f32| (limit(w) * step).round() as i16;
        let one = (Weights::UNIT * Weights::UNIT) as f32 * step;
        Weights {
            hidden: self.hidden,
            input: self.input.iter().map(unit).collect(),
            bias: self.bias.iter().map(unit).collect(),
            output: self.output.iter().map(output).collect(),
            output_bias: self
                .output_bias
                .iter()
                .map(|w| (w * one).round() as i32)
                .collect(),
            scale: scale / one,
        }
    }
}
