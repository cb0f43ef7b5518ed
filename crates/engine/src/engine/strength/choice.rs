//! Which of the moves found is played: the one that looks best to a player whose judgement is not exact.

use super::dice::Dice;
use crate::eval::{Score, WdlModel, wdl};
use crate::search::{Outcome, Report};

/// A move that is seen to lose more than this against the best, in hundredths of a man, is not played: this with little
/// noise, and otherwise so many times the noise.
const MOST_GIVEN: f64 = 150.0;
const GIVEN_PER_NOISE: f64 = 150.0;
/// Nor is one that is seen to lose more expected points than this many times the noise, and a little.
const POINTS_PER_NOISE: f64 = 0.6;
const LEAST_POINTS: f64 = 0.02;

/// Chooses among the lines of a search.
pub(super) struct Chooser<'a> {
    /// What scores mean.
    pub meaning: &'a WdlModel,
    /// Pieces on the board.
    pub pieces: u32,
    /// See [`Rung::noise`](super::ladder::Rung::noise).
    pub noise: f64,
}

impl Chooser<'_> {
    /// The outcome of the search with only the line that is played.
    pub fn choose(&self, found: Outcome, dice: &mut Dice) -> Outcome {
        let chosen = self.pick(&found.lines, dice);
        let Some(mut line) = found.lines.into_iter().nth(chosen) else {
            return Outcome {
                lines: Vec::new(),
                ..found
            };
        };
        line.rank = 1;
        Outcome {
            best: line.pv.first().copied().or(found.best),
            ponder: line.pv.get(1).copied(),
            whole: line.score,
            report: line.clone(),
            lines: vec![line],
            stats: found.stats,
            timing: found.timing,
        }
    }

    /// The index of the line that looks best.
    fn pick(&self, lines: &[Report], dice: &mut Dice) -> usize {
        let Some(best) = lines.first().map(|line| line.score) else {
            return 0;
        };
        let mut chosen = (0, f64::NEG_INFINITY);
        for (index, line) in lines.iter().enumerate() {
            let noise = dice.normal() * self.noise;
            let looks = seen(line.score) + if line.score.is_eval() { noise } else { 0.0 };
            if looks > chosen.1 && (index == 0 || self.is_sane(line.score, best)) {
                chosen = (index, looks);
            }
        }
        chosen.0
    }

    /// Whether a player of this noise may prefer a move of this score to the best one.
    fn is_sane(&self, score: Score, best: Score) -> bool {
        let points = |score| self.meaning.wdl(score, self.pieces).expected();
        let lost = points(best) - points(score);
        let given = f64::from(best.centimen() - score.centimen());
        given <= MOST_GIVEN.max(GIVEN_PER_NOISE * self.noise)
            && lost <= LEAST_POINTS + POINTS_PER_NOISE * self.noise
    }
}

/// A score as the noise is measured.
fn seen(score: Score) -> f64 {
    wdl::compressed(score)
}
