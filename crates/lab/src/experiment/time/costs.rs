//! What iterations cost, beside what was predicted.

use super::CHEAPEST;
use super::tables::geometric_mean;
use crate::experiment::Curve;
use damier_engine::search::Outcome;
use damier_engine::search::params::Params;
use std::time::Duration;

/// Ways to tell what an iteration will cost: what its depth cost the last time in this game, the cost of the iteration
/// before times the growth, and what the engine uses.
pub(super) const PREDICTORS: [&str; 3] = ["cost of this depth before", "growth", "mean of both"];

/// What was seen at one pace.
#[derive(Default)]
pub(super) struct Seen {
    pub moves: u64,
    /// Time used for a move as a share of its target.
    pub used: Vec<f64>,
    /// Moves whose last iteration was broken off, and those of them that changed the move.
    pub broken_off: u64,
    pub salvaged: u64,
    /// What those that changed the move gained, in hundredths of a man.
    pub gained: Vec<f64>,
    /// Time in iterations that were broken off, and in all.
    pub lost: Duration,
    pub spent: Duration,
    /// Real cost as a share of the predicted one, by predictor; of iterations for which all predictors have a number.
    pub accuracy: [Vec<f64>; 3],
    /// Cost as a multiple of that of the iteration before, by the parity of the depth.
    pub growth: [Vec<f64>; 2],
    /// The real cost as a share of the one predicted by the last of [`PREDICTORS`], by depth.
    pub by_depth: Vec<Vec<f64>>,
    /// Moves that were out of time.
    pub flags: u64,
}

/// What each depth cost a player the last time.
pub(super) type Known = Vec<Option<Duration>>;

/// What an iteration costs as a multiple of what each predictor expects, when it is known what the two iterations
/// before it cost and what its depth cost before.
pub(super) fn ratios(
    cost: Duration,
    known: Duration,
    last: [Duration; 2],
    params: &Params,
) -> [f64; 3] {
    let [one, two] = last.map(|cost| cost.as_secs_f64());
    let factor = |thousandths: u32| f64::from(thousandths) / 1000.0;
    let growth = (one / two)
        .max(factor(params.clock_growth_min))
        .min(factor(params.clock_growth_max));
    let (known, grown) = (known.as_secs_f64(), one * growth);
    [known, grown, (known + grown) / 2.0].map(|expected| cost.as_secs_f64() / expected)
}

impl Seen {
    pub fn add(&mut self, outcome: &Outcome, used: Duration, known: &mut Known, params: &Params) {
        self.moves += 1;
        self.spent += used;
        let timing = &outcome.timing;
        if let Some(target) = timing.target {
            self.used
                .push(used.as_secs_f64() / target.as_secs_f64().max(1e-6));
        }
        if let Some(last) = timing.iterations.last().filter(|last| !last.finished) {
            self.broken_off += 1;
            self.salvaged += u64::from(last.changed);
            self.lost += last.cost;
        }
        let mut before: [Option<Duration>; 2] = [None; 2];
        for iteration in timing.iterations.iter().filter(|at| at.finished) {
            let (cost, depth) = (iteration.cost, iteration.depth as usize);
            let is_seen = |cost: &Duration| *cost >= CHEAPEST;
            let lasts = before.map(|cost| cost.filter(is_seen));
            known.resize(known.len().max(depth + 1), None);
            if is_seen(&cost) {
                if let [Some(last), _] = lasts {
                    self.growth[depth % 2].push(cost.as_secs_f64() / last.as_secs_f64());
                }
                if let ([Some(last), Some(two)], Some(known)) = (lasts, known[depth]) {
                    let ratios = ratios(cost, known.max(CHEAPEST), [last, two], params);
                    for (all, ratio) in self.accuracy.iter_mut().zip(ratios) {
                        all.push(ratio);
                    }
                    self.by_depth
                        .resize(self.by_depth.len().max(depth + 1), Vec::new());
                    self.by_depth[depth].push(ratios[2]);
                }
            }
            known[depth] = Some(cost);
            before = [Some(cost), before[0]];
        }
    }

    pub fn curve(&self, name: &str) -> Curve {
        let points = self.by_depth.iter().enumerate();
        let points = points.filter(|(_, ratios)| !ratios.is_empty());
        Curve {
            name: name.to_owned(),
            points: points
                .map(|(depth, ratios)| (depth as u32, geometric_mean(ratios)))
                .collect(),
        }
    }
}
