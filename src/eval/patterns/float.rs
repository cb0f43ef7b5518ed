//! The patterns in single precision.

use super::features::{
    ARRANGEMENTS, OTHERS, PHASES, WINDOWS, arrangements, boards, early, turned, visit_others,
};
use super::{Pair, Weights};
use crate::rules::Position;

/// Weights of which the sum is the logit of the expected result for the side to move. A pair has the early and the late weight.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatPatterns {
    /// [`WINDOWS`] tables of [`ARRANGEMENTS`].
    pub windows: Vec<[f32; 2]>,
    /// [`OTHERS`].
    pub others: Vec<[f32; 2]>,
}

impl FloatPatterns {
    /// All weights zero.
    pub fn new() -> FloatPatterns {
        FloatPatterns {
            windows: vec![[0.0; 2]; WINDOWS * ARRANGEMENTS],
            others: vec![[0.0; 2]; OTHERS],
        }
    }

    /// The logit of the expected result for the side to move. What the trainer and the whole-numbered patterns are compared
    /// with.
    pub fn forward(&self, position: &Position) -> f32 {
        let boards = boards(position);
        let share = early(&boards) as f32 / PHASES as f32;
        let mix = |[early, late]: [f32; 2]| share * early + (1.0 - share) * late;
        let mut logit = 0.0;
        for (boards, sign) in [(boards, 1.0), (turned(boards), -1.0)] {
            for (window, at) in arrangements(&boards).into_iter().enumerate() {
                logit += sign * mix(self.windows[window * ARRANGEMENTS + at as usize]);
            }
        }
        visit_others(&boards, |other, times| {
            logit += times as f32 * mix(self.others[other]);
        });
        logit
    }

    /// Rounded to whole numbers. `scale` is the hundredths of a man that a logit of 1 is worth.
    pub fn quantize(&self, scale: f32) -> Weights {
        let whole = |pair: &[f32; 2]| -> Pair {
            // A cast to a smaller type keeps to its limits.
            pair.map(|weight| (weight * Weights::UNIT).round() as i16)
        };
        Weights {
            windows: self.windows.iter().map(whole).collect(),
            others: self.others.iter().map(whole).collect(),
            scale: scale / Weights::UNIT,
        }
    }
}

impl Default for FloatPatterns {
    fn default() -> FloatPatterns {
        FloatPatterns::new()
    }
}
