//! What scores mean: fits [`WdlModel`] to games and checks it on others.

mod calibration;
mod fit;
mod plot;

pub use calibration::{Bin, Calibration};
pub use fit::{adapt, fit};
pub use plot::plot;

use crate::dataset::{DatasetError, Order, Reader};
use damier_engine::eval::{Score, WdlModel};
use std::path::Path;

/// Largest score that is counted by itself, in hundredths of a man.
const LARGEST: i32 = 1_000;
/// Most pieces.
const PIECES: usize = 50;

/// Results of searched positions by score and pieces. A negative score is counted as the positive one of the other
/// side.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    counts: Vec<[u64; 3]>,
    /// Positions.
    pub positions: u64,
    /// Games.
    pub games: u64,
}

/// Positions with the same score and number of pieces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// The score, zero or more.
    pub score: Score,
    /// Men and kings.
    pub pieces: u32,
    /// Positions that were won, drawn and lost by the side with this score.
    pub results: [u64; 3],
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram {
            counts: vec![[0; 3]; (PIECES + 1) * (LARGEST as usize + 1)],
            positions: 0,
            games: 0,
        }
    }
}

impl Histogram {
    /// The results of the games in files. Damaged games are left out; random and forced moves have no score.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn read(files: &[impl AsRef<Path>]) -> Result<Histogram, DatasetError> {
        let mut histogram = Histogram::default();
        for game in Reader::open(files, Order::Stored)?.games() {
            histogram.games += 1;
            let mut position = game.start;
            for played in &game.moves {
                if let Some(score) = played.score {
                    let result = match game.winner {
                        None => 1,
                        Some(winner) if winner == position.turn() => 0,
                        Some(_) => 2,
                    };
                    histogram.add(score, position.occupied().len(), result);
                }
                position = position.play(played.mv);
            }
        }
        Ok(histogram)
    }

    /// Counts a position: `result` is 0 for a win of the side to move, 1 for a draw, 2 for a loss. Proven scores need
    /// no model.
    pub fn add(&mut self, score: Score, pieces: u32, result: usize) {
        if !score.is_eval() || pieces as usize > PIECES {
            return;
        }
        let size = score.centimen().abs().min(LARGEST);
        let result = match score < Score::DRAW {
            true => 2 - result,
            false => result,
        };
        let row = pieces as usize * (LARGEST as usize + 1);
        self.counts[row + size as usize][result] += 1;
        self.positions += 1;
    }

    /// The cells that hold positions.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let width = LARGEST as usize + 1;
        let cell = move |(at, &results): (usize, &[u64; 3])| Cell {
            score: Score::new((at % width) as i32),
            pieces: (at / width) as u32,
            results,
        };
        let full = |cell: &Cell| cell.results != [0; 3];
        self.counts.iter().enumerate().map(cell).filter(full)
    }

    /// Mean cross entropy of the model on these positions.
    pub fn loss(&self, model: &WdlModel) -> f64 {
        let losses = self.cells().map(|cell| {
            let wdl = model.wdl(cell.score, cell.pieces);
            let shares = [wdl.win, wdl.draw, wdl.loss];
            let terms = cell.results.iter().zip(shares);
            let sum = terms.map(|(&count, share)| -(count as f64) * share.max(1e-12).ln());
            sum.sum::<f64>()
        });
        losses.sum::<f64>() / self.positions.max(1) as f64
    }
}
