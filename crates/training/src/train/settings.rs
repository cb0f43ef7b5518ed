//! What decides the weights, beside the data.

use super::Labels;
use crate::dataset::{Filter, Stillness};
use damier_engine::eval::network::Size;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What is made small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// The cross entropy of label and expectation, as in logistic regression.
    #[default]
    Logistic,
    /// The square of their difference, as in Samuel's and later fits.
    Squares,
}

impl Objective {
    /// The derivative by the logit, whose expectation is given; of about the same size for both near a draw.
    #[inline]
    pub(super) fn slope(self, expected: f32, label: f32) -> f32 {
        let difference = expected - label;
        match self {
            Objective::Logistic => difference,
            Objective::Squares => 4.0 * expected * (1.0 - expected) * difference,
        }
    }

    fn is_usual(&self) -> bool {
        *self == Objective::default()
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Objective::Logistic => "logistic",
            Objective::Squares => "squares",
        })
    }
}

impl FromStr for Objective {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Objective, &'static str> {
        match text {
            "logistic" => Ok(Objective::Logistic),
            "squares" => Ok(Objective::Squares),
            _ => Err("expected logistic or squares"),
        }
    }
}

/// How to train. In JSON, what a checkpoint and the record of the weights keep of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TrainingSettings {
    /// The network to train.
    #[serde(rename = "arch", serialize_with = "as_text")]
    pub size: Size,
    /// Times that all positions are seen.
    pub epochs: u32,
    /// How positions are labelled.
    #[serde(flatten)]
    pub labels: Labels,
    /// What is made small. In older records, which do not say, the cross entropy.
    #[serde(skip_serializing_if = "Objective::is_usual")]
    pub objective: Objective,
    /// Learning rate at the start; it falls to a hundredth along half a cosine.
    pub rate: f64,
    /// Positions in a step.
    pub batch: usize,
    /// Decides the first weights and the order of the positions.
    pub seed: u64,
    /// Percent of the games that are held out.
    pub hold_out: u32,
    /// Weight, in the mean of the weights over the steps, of the mean so far; 0 for the weights of the last step alone.
    pub ema: f64,
    /// Most positions taken, from the last file backwards.
    pub positions: Option<usize>,
    /// Which positions are taken.
    #[serde(flatten)]
    pub filter: Filter,
    /// Whether positions that are the same are made one, with the mean of their labels.
    pub merge_duplicates: bool,
    /// Random positions beside those of the games, labelled by the endgame tables in the program.
    pub table_positions: u32,
}

impl Default for TrainingSettings {
    fn default() -> TrainingSettings {
        TrainingSettings {
            size: Size::default(),
            epochs: 20,
            labels: Labels::default(),
            objective: Objective::default(),
            rate: 0.002,
            batch: 1 << 12,
            seed: 1,
            hold_out: 3,
            ema: 0.999,
            positions: None,
            filter: Filter {
                stillness: Stillness::Quiet,
                largest_score: Some(2_000),
                one_of_kings: 3,
                exchanges: false,
                ..Filter::default()
            },
            merge_duplicates: true,
            table_positions: 0,
        }
    }
}

fn as_text<S: Serializer>(size: &Size, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_the_derivative_of_the_objective() {
        let expected = |logit: f64| 1.0 / (1.0 + (-logit).exp());
        let loss = |objective, logit: f64, label: f64| match objective {
            Objective::Logistic => (1.0 + logit.exp()).ln() - label * logit,
            Objective::Squares => 2.0 * (expected(logit) - label).powi(2),
        };
        for objective in [Objective::Logistic, Objective::Squares] {
            for (logit, label) in [(0.3, 1.0), (-2.0, 0.5), (1.5, 0.0)] {
                let step = 1e-5;
                let change =
                    loss(objective, logit + step, label) - loss(objective, logit - step, label);
                let slope = objective.slope(expected(logit) as f32, label as f32);
                assert!(
                    (f64::from(slope) - change / (2.0 * step)).abs() < 1e-5,
                    "{objective}"
                );
            }
            assert_eq!(objective.to_string().parse(), Ok(objective));
        }
    }
}
