//! What decides the weights, beside the data.

use super::Labels;
use crate::eval::network::Size;
use crate::lab::dataset::{Filter, Stillness};
use serde::{Serialize, Serializer};

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
