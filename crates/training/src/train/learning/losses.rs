//! Losses: how far evaluations are from their labels.

use crate::train::examples::labels::softplus;
use crate::train::{Example, Labels};
use serde::{Deserialize, Serialize};

/// Mean cross entropies over many positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Losses {
    /// Against the label.
    pub loss: f64,
    /// Against the result alone, over the positions that have one. None where no position has.
    pub result: Option<f64>,
    /// Against the score alone.
    pub score: f64,
}

/// Sums of cross entropies.
#[derive(Clone, Copy, Default)]
pub(in crate::train) struct Sums {
    loss: f64,
    result: f64,
    score: f64,
    count: u64,
    results: u64,
}

impl Sums {
    /// Adds an example with its logit.
    pub fn add(&mut self, labels: &Labels, example: &Example, logit: f32) {
        let entropy = |label: f32| f64::from(softplus(logit)) - f64::from(label) * f64::from(logit);
        self.loss += entropy(example.label(labels));
        self.score += entropy(example.score());
        self.count += 1;
        if let Some(result) = example.result() {
            self.result += entropy(result);
            self.results += 1;
        }
    }

    /// Adds the sums of other examples.
    pub fn join(self, other: Sums) -> Sums {
        Sums {
            loss: self.loss + other.loss,
            result: self.result + other.result,
            score: self.score + other.score,
            count: self.count + other.count,
            results: self.results + other.results,
        }
    }

    /// The means, to six places: what is compared is what is printed. None without examples.
    pub fn mean(self) -> Option<Losses> {
        let mean = |sum: f64, count: u64| (count > 0).then(|| round(sum / count as f64));
        Some(Losses {
            loss: mean(self.loss, self.count)?,
            result: mean(self.result, self.results),
            score: mean(self.score, self.count)?,
        })
    }
}

/// To six places.
pub(in crate::train) fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
