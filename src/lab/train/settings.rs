//! What decides the weights, beside the data.

use crate::eval::network::Size;
use crate::lab::dataset::{Filter, Stillness};
use serde_json::{Value, json};

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The network to train.
    pub size: Size,
    /// Times that all positions are seen, unless training ends early.
    pub epochs: u32,
    /// Weight of the game's result in the label, from 0 to 1; the rest is the search's score.
    pub blend: f32,
    /// Hundredths of a man for a logit of 1, in the scores read and in the evaluation written.
    pub scale: f32,
    /// Step of the optimiser at the start; it falls to nearly nothing along half a cosine.
    pub rate: f32,
    /// Positions for a step.
    pub batch: usize,
    /// Another seed, other first weights and another order of the positions.
    pub seed: u64,
    /// Percent of the games that are held out.
    pub hold_out: u32,
    /// Epochs in a row without a smaller loss on the games held out after which training ends.
    pub patience: u32,
    /// Most positions taken, from the last file backwards.
    pub positions: usize,
    /// Which positions are taken.
    pub filter: Filter,
    /// Random positions beside those of the games, labelled by the endgame tables in the program.
    pub table_positions: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            size: Size::default(),
            epochs: 20,
            blend: 0.3,
            scale: 150.0,
            rate: 0.002,
            batch: 1 << 12,
            seed: 1,
            hold_out: 3,
            patience: 5,
            positions: usize::MAX,
            filter: Filter {
                stillness: Stillness::Quiet,
                largest_score: Some(2_000),
                one_of_kings: 3,
                ..Filter::default()
            },
            table_positions: 0,
        }
    }
}

impl Settings {
    /// As an object of JSON: what a checkpoint and the record of the weights say of them.
    pub fn to_json(&self) -> Value {
        // Through their text: 0.3, not 0.30000001192092896.
        let short = |number: f32| number.to_string().parse::<f64>().unwrap_or_default();
        json!({
            "arch": self.size.to_string(),
            "epochs": self.epochs,
            "blend": short(self.blend),
            "scale": short(self.scale),
            "rate": short(self.rate),
            "batch": self.batch,
            "seed": self.seed,
            "hold_out": self.hold_out,
            "patience": self.patience,
            "positions": (self.positions != usize::MAX).then_some(self.positions),
            "still": self.filter.stillness.name(),
            "table_positions": self.table_positions,
            "largest_score": self.filter.largest_score,
            "first_ply": self.filter.first_ply,
            "fewest_pieces": self.filter.fewest_pieces,
            "one_of_kings": self.filter.one_of_kings,
        })
    }
}
