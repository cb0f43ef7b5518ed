//! The network as it is trained, in single precision.

use super::features::{BUCKETS, INPUTS, bucket, inputs};
use super::size::Size;
use super::weights::{WEIGHT_LIMIT, Weights};
use damier_rules::Position;

/// Inputs to one hidden layer shared by both views, clipped at 0 and 1 and squared; both views' units, that of the side
/// to move first, to one output chosen by the bucket; and through a second layer chosen by the bucket, clipped and
/// squared too, to the same output. The output is the logit of the expected result for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    /// How many units there are.
    pub size: Size,
    /// [`INPUTS`] rows of `hidden`.
    pub input: Vec<f32>,
    /// `hidden`.
    pub bias: Vec<f32>,
    /// [`BUCKETS`] rows of `2 * hidden`.
    pub output: Vec<f32>,
    /// [`BUCKETS`].
    pub output_bias: Vec<f32>,
    /// For each of [`BUCKETS`] `second` rows of `2 * hidden`.
    pub second: Vec<f32>,
    /// For each of [`BUCKETS`] `second`.
    pub second_bias: Vec<f32>,
    /// For each of [`BUCKETS`] `second`: the weights of the second layer's units in the output.
    pub last: Vec<f32>,
}

impl FloatNetwork {
    /// All weights zero.
    pub fn new(size: Size) -> FloatNetwork {
        let (hidden, second) = size.units();
        FloatNetwork {
            size,
            input: vec![0.0; INPUTS * hidden],
            bias: vec![0.0; hidden],
            output: vec![0.0; BUCKETS * 2 * hidden],
            output_bias: vec![0.0; BUCKETS],
            second: vec![0.0; BUCKETS * second * 2 * hidden],
            second_bias: vec![0.0; BUCKETS * second],
            last: vec![0.0; BUCKETS * second],
        }
    }

    /// The logit of the expected result for the side to move. Slow: the reference for the trainer and the quantised
    /// network.
    pub fn forward(&self, position: &Position) -> f32 {
        let (hidden, second) = self.size.units();
        let bucket = bucket(position);
        let mut squares = Vec::new();
        for view in [position.turn(), !position.turn()] {
            let mut sums = self.bias.clone();
            for input in inputs(position, view) {
                let row = &self.input[input * hidden..][..hidden];
                sums.iter_mut().zip(row).for_each(|(sum, w)| *sum += w);
            }
            squares.extend(sums.iter().map(|sum| sum.clamp(0.0, 1.0).powi(2)));
        }
        let dot = |row: &[f32]| -> f32 { row.iter().zip(&squares).map(|(w, s)| w * s).sum() };
        let mut logit = self.output_bias[bucket] + dot(&self.output[bucket * 2 * hidden..]);
        for unit in bucket * second..(bucket + 1) * second {
            let sum = self.second_bias[unit] + dot(&self.second[unit * 2 * hidden..]);
            logit += sum.clamp(0.0, 1.0).powi(2) * self.last[unit];
        }
        logit
    }

    /// Quantised. `scale` is the hundredths of a man for a logit of 1.
    pub fn quantize(&self, scale: f32) -> Weights {
        let (hidden, second) = self.size.units();
        let limit = |w: &f32| w.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        let unit = |w: &f32| (limit(w) * Weights::UNIT as f32).round() as i16;
        // As fine as the largest output weight allows.
        let largest = self
            .output
            .iter()
            .fold(0.01, |top: f32, w| top.max(limit(w).abs()));
        let sum = |bucket: usize| -> f32 {
            let output = &self.output[bucket * 2 * hidden..][..2 * hidden];
            let last = &self.last[bucket * second..][..second];
            let weights = output.iter().chain(last);
            weights.map(|w| limit(w).abs()).sum::<f32>() + self.output_bias[bucket].abs()
        };
        let square = (Weights::UNIT * Weights::UNIT) as f32;
        let sum = (0..BUCKETS).map(sum).fold(0.01, f32::max) * square;
        // The second layer's weights in the output, in the same unit, fit 16 bits.
        let last_unit = square / Weights::SECOND_SQUARE as f32;
        let last_step = match second {
            0 => f32::INFINITY,
            _ => f32::from(i16::MAX) / (last_unit * WEIGHT_LIMIT),
        };
        // No set's sum may overflow, whatever the units.
        let step = (f32::from(Weights::OUTPUT_LIMIT) / largest)
            .min(0.9 * i32::MAX as f32 / sum)
            .min(last_step);
        let output = |w: &f32| (limit(w) * step).round() as i16;
        let one = square * step;
        let whole = |unit: f32| move |w: &f32| (w * unit).round() as i32;
        let last = |w: &f32| (limit(w) * last_unit * step).round() as i16;
        let second_weight = |w: &f32| (limit(w) * Weights::SECOND_WEIGHT as f32).round() as i8;
        let second_bias = whole(Weights::SECOND_ONE as f32);
        Weights {
            size: self.size,
            input: self.input.iter().map(unit).collect(),
            bias: self.bias.iter().map(unit).collect(),
            output: self.output.iter().map(output).collect(),
            output_bias: self.output_bias.iter().map(whole(one)).collect(),
            second: self.second.iter().map(second_weight).collect(),
            second_bias: self.second_bias.iter().map(second_bias).collect(),
            last: self.last.iter().map(last).collect(),
            scale: scale / one,
        }
    }
}
