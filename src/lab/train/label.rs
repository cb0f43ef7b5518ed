//! What a position's evaluation should come to, and how far it is from that.

use super::Example;

/// How the game's result and the search's score make a label: the result that the side to move should expect, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labels {
    /// Weight of the result; the rest is the score.
    pub blend: f32,
    /// Hundredths of a man for a logit of 1.
    pub scale: f32,
}

impl Labels {
    /// What the search expected.
    #[inline]
    pub fn score(self, example: &Example) -> f32 {
        sigmoid(f32::from(example.score) / self.scale)
    }

    /// The label.
    #[inline]
    pub fn label(self, example: &Example) -> f32 {
        self.blend * example.points() + (1.0 - self.blend) * self.score(example)
    }
}

/// The expected result of a logit.
#[inline]
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// `ln(1 + exp(logit))`: the cross entropy is this less the label times the logit.
#[inline]
pub(super) fn softplus(logit: f32) -> f32 {
    logit.max(0.0) + (-logit.abs()).exp().ln_1p()
}

/// Mean cross entropies over many positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// Against the label.
    pub loss: f64,
    /// Against the result alone.
    pub result: f64,
    /// Against the score alone.
    pub score: f64,
}

impl Losses {
    /// Adds an example with its logit.
    pub(super) fn add(&mut self, labels: Labels, example: &Example, logit: f32) {
        let entropy = |label: f32| f64::from(softplus(logit)) - f64::from(label) * f64::from(logit);
        self.loss += entropy(labels.label(example));
        self.result += entropy(example.points());
        self.score += entropy(labels.score(example));
    }

    /// Adds the sums of other examples.
    pub(super) fn join(self, other: Losses) -> Losses {
        Losses {
            loss: self.loss + other.loss,
            result: self.result + other.result,
            score: self.score + other.score,
        }
    }

    /// The means, to six places: what is compared is what is told, and it is read back from JSON as it was.
    pub(super) fn mean(self, count: usize) -> Losses {
        let mean = |sum: f64| round(sum / count.max(1) as f64);
        Losses {
            loss: mean(self.loss),
            result: mean(self.result),
            score: mean(self.score),
        }
    }
}

/// To six places.
pub(super) fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
