//! How far predicted shares are from observed ones.

use super::{Cell, Histogram};
use damier_engine::eval::WdlModel;
use serde::Serialize;

/// Bins with equally many positions.
const BINS: u64 = 10;

/// A tenth of the positions, by what was predicted.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Bin {
    /// Positions, each counted for both sides where the bin is one of wins.
    pub positions: u64,
    /// Mean of the probabilities predicted.
    pub predicted: f64,
    /// Share observed.
    pub observed: f64,
}

impl Bin {
    /// How far the prediction is from what was observed.
    pub fn error(&self) -> f64 {
        (self.predicted - self.observed).abs()
    }
}

/// Predictions beside results, in deciles of the predictions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Calibration {
    /// Of wins, and so of losses, of either side.
    pub win: Vec<Bin>,
    /// Of draws.
    pub draw: Vec<Bin>,
}

impl Calibration {
    /// Compares a model with results that it was not fitted to.
    pub fn new(histogram: &Histogram, model: &WdlModel) -> Calibration {
        let (mut wins, mut draws) = (Vec::new(), Vec::new());
        for cell in histogram.cells() {
            let Cell {
                score,
                pieces,
                results,
            } = cell;
            let wdl = model.wdl(score, pieces);
            let all = results.iter().sum();
            wins.push((wdl.win, all, results[0]));
            wins.push((wdl.loss, all, results[2]));
            draws.push((wdl.draw, all, results[1]));
        }
        Calibration {
            win: deciles(wins),
            draw: deciles(draws),
        }
    }

    /// The largest error of a bin.
    pub fn worst(&self) -> f64 {
        let errors = self.win.iter().chain(&self.draw).map(Bin::error);
        errors.fold(0.0, f64::max)
    }
}

/// Puts predictions, with positions and how many of them came true, into bins of equal size. A prediction that is
/// shared by more positions than a bin holds goes on in the next.
fn deciles(mut cells: Vec<(f64, u64, u64)>) -> Vec<Bin> {
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: u64 = cells.iter().map(|cell| cell.1).sum();
    let mut bins = vec![Bin::default(); BINS as usize];
    let mut before = 0;
    for (predicted, count, true_count) in cells {
        let share = true_count as f64 / count.max(1) as f64;
        let mut left = count;
        while left > 0 {
            let bin = (before * BINS / total).min(BINS - 1);
            let end = (total * (bin + 1)).div_ceil(BINS);
            let part = left.min((end - before).max(1));
            let into = &mut bins[bin as usize];
            into.positions += part;
            into.predicted += predicted * part as f64;
            into.observed += share * part as f64;
            (before, left) = (before + part, left - part);
        }
    }
    for bin in &mut bins {
        let count = bin.positions.max(1) as f64;
        bin.predicted /= count;
        bin.observed /= count;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_engine::eval::Score;

    #[test]
    fn deciles_hold_the_same_number_and_show_errors() {
        let cells = (0..100).map(|n| (f64::from(n) / 100.0, 10, if n < 50 { 0 } else { 10 }));
        let bins = deciles(cells.collect());
        assert!(bins.iter().all(|bin| bin.positions == 100));
        assert!((bins[2].predicted - 0.245).abs() < 1e-9 && bins[2].observed == 0.0);
        assert!((bins[9].error() - 0.055).abs() < 1e-9);
        let one = deciles(vec![(0.5, 1_000, 400)]);
        assert!(
            one.iter()
                .all(|bin| bin.positions == 100 && (bin.error() - 0.1).abs() < 1e-9)
        );
    }

    #[test]
    fn both_sides_of_a_position_count() {
        let mut histogram = Histogram::default();
        histogram.add(Score::new(-300), 20, 2);
        let calibration = Calibration::new(&histogram, &WdlModel::default());
        assert_eq!(
            calibration.win.iter().map(|bin| bin.positions).sum::<u64>(),
            2
        );
        assert!(calibration.worst() > 0.0 && calibration.worst() < 0.1);
    }
}
