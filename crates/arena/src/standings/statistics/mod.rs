//! Statistics of the results between two engines.
//!
//! The two games of an opening, with colours exchanged, are not independent: an opening that favours white costs each
//! engine one of them. So pairs are counted (pentanomial), and every interval and test treats a pair as one
//! observation.
//!
//! Intervals, the likelihood of superiority and the sequential test all use one likelihood, that of the true score
//! given the results ([`likelihood`]). They also hold for few games and for scores of 0 and 100 %, where a normal
//! approximation gives intervals of zero width or none at all.

mod crosstable;
mod likelihood;
mod sprt;

pub use crosstable::{CrossTable, Rating};
pub use sprt::{EloUnit, Hypothesis, Sprt, SprtBounds, SprtBoundsError};

use damier_rules::GameResult;
use likelihood::Likelihood;

/// Results of one engine against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Wins, draws and losses.
    wdl: [u64; 3],
    /// Pairs by points in halves: 0, 1, 2, 3, 4.
    pairs: [u64; 5],
    /// Single games by points in halves: 0, 1, 2.
    singles: [u64; 3],
}

/// An estimate with its 95 % interval, in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end; minus infinity if unbounded.
    pub low: f64,
    /// The estimate; minus infinity if every game was lost, infinity if every game was won.
    pub value: f64,
    /// The upper end; infinity if unbounded.
    pub high: f64,
}

/// Points of a result, in halves.
fn halves(result: GameResult) -> usize {
    match result {
        GameResult::Loss => 0,
        GameResult::Draw => 1,
        GameResult::Win => 2,
    }
}

impl Tally {
    /// No games.
    pub fn new() -> Tally {
        Tally::default()
    }

    /// Counts the two games of an opening, each as it ended for the engine.
    pub fn add_pair(&mut self, first: GameResult, second: GameResult) {
        self.wdl[2 - halves(first)] += 1;
        self.wdl[2 - halves(second)] += 1;
        self.pairs[halves(first) + halves(second)] += 1;
    }

    /// Counts a game without its pair, as it ended for the engine.
    pub fn add_single(&mut self, result: GameResult) {
        self.wdl[2 - halves(result)] += 1;
        self.singles[halves(result)] += 1;
    }

    /// Adds all results of another tally.
    pub fn add(&mut self, other: &Tally) {
        let add = |mine: &mut [u64], theirs: &[u64]| {
            mine.iter_mut().zip(theirs).for_each(|(m, t)| *m += t);
        };
        add(&mut self.wdl, &other.wdl);
        add(&mut self.pairs, &other.pairs);
        add(&mut self.singles, &other.singles);
    }

    /// The same results from the opponent's point of view.
    pub fn reversed(&self) -> Tally {
        let mut reversed = *self;
        reversed.wdl.reverse();
        reversed.pairs.reverse();
        reversed.singles.reverse();
        reversed
    }

    /// Games won, drawn and lost.
    pub fn wdl(&self) -> [u64; 3] {
        self.wdl
    }

    /// Pairs by points: 0, 1/2, 1, 1 1/2, 2.
    pub fn pentanomial(&self) -> [u64; 5] {
        self.pairs
    }

    /// Pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Games.
    pub fn games(&self) -> u64 {
        self.wdl.iter().sum()
    }

    /// Points, a win counting 1.
    pub fn points(&self) -> f64 {
        self.wdl[0] as f64 + 0.5 * self.wdl[1] as f64
    }

    /// Points per game, 0 to 1; 1/2 if there is no game.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / games as f64,
        }
    }

    /// Share of drawn games, 0 to 1; 0 if there is no game.
    pub fn draw_rate(&self) -> f64 {
        self.wdl[1] as f64 / self.games().max(1) as f64
    }

    /// Share of pairs won by either engine, 0 to 1; 0 if there is no pair.
    pub fn decisive_pair_rate(&self) -> f64 {
        let decisive = self.pairs() - self.pairs[2];
        decisive as f64 / self.pairs().max(1) as f64
    }

    /// Difference in logistic Elo. None without games.
    pub fn elo(&self) -> Option<Interval> {
        let (low, high) = self.likelihood().interval()?;
        let score = self.score();
        Some(Interval {
            low: elo_of(low.min(score)),
            value: elo_of(score),
            high: elo_of(high.max(score)),
        })
    }

    /// Difference in normalised Elo: (score - 1/2) / s * 800 / ln 10, where s is the standard deviation per game,
    /// computed from pairs where possible (Van den Bergh, "Normalized Elo"). Unlike Elo it does not depend on the draw
    /// rate. None if all games had the same result, or with fewer than two pairs or games.
    pub fn normalised_elo(&self) -> Option<Interval> {
        let games = self.games() as f64;
        let deviation = self.deviation()?;
        let variance = deviation * deviation;
        let value = (self.score() - 0.5) / deviation;
        // The delta method: how far each observation moves the estimate.
        let influence = |&(n, size, d): &(f64, f64, f64)| {
            let moved = d / deviation - 0.5 * value * (d * d / variance - size);
            n * moved * moved
        };
        let moved: f64 = self.blocks(self.score()).iter().map(influence).sum();
        let error = moved.sqrt() / games;
        let scaled = |value: f64| value * NORMALISED;
        Some(Interval {
            low: scaled(value - Z95 * error),
            value: scaled(value),
            high: scaled(value + Z95 * error),
        })
    }

    /// Standard deviation of the score of a game, computed from pairs where possible. None if all had the same result,
    /// or with fewer than two pairs or games.
    fn deviation(&self) -> Option<f64> {
        let observed: u64 = self.pairs.iter().chain(&self.singles).sum();
        let variance = self.squares_around(self.score()) / self.games().max(1) as f64;
        (observed > 1 && variance > 0.0).then(|| variance.sqrt())
    }

    /// For every kind of pair and single game: how many, games in it, points in excess of those that a score predicts.
    fn blocks(&self, score: f64) -> Vec<(f64, f64, f64)> {
        let blocks = |counts: &[u64], size: f64| {
            let count =
                |(halves, &n): (usize, &u64)| (n as f64, size, halves as f64 / 2.0 - size * score);
            counts.iter().enumerate().map(count).collect::<Vec<_>>()
        };
        [blocks(&self.pairs, 2.0), blocks(&self.singles, 1.0)].concat()
    }

    /// Sum over pairs and single games of the squared excess of points over those that a score predicts.
    pub fn squares_around(&self, score: f64) -> f64 {
        let squares = |(n, _, excess): &(f64, f64, f64)| n * excess * excess;
        self.blocks(score).iter().map(squares).sum()
    }

    /// Likelihood of superiority: the probability, 0 to 1, that the engine is the stronger one; 1/2 without games.
    pub fn los(&self) -> f64 {
        self.likelihood().above(0.5)
    }

    /// The sequential test of a difference of `elo0` or less against `elo1` or more. The likelihood ratio is that of
    /// the generalised test (GSPRT): each hypothesis is represented by the best-fitting distribution of pairs with its
    /// score. In normalised Elo the score of a hypothesis follows from the standard deviation observed so far, as in
    /// fishtest; without one nothing is known.
    pub fn sprt(&self, bounds: SprtBounds) -> Sprt {
        let likelihood = self.likelihood();
        let deviation = self.deviation();
        let score = |elo: f64| match bounds.unit {
            EloUnit::Elo => Some(score_of(elo)),
            EloUnit::Normalised => {
                let score = 0.5 + elo / NORMALISED * deviation?;
                Some(score.clamp(1e-3, 1.0 - 1e-3))
            }
        };
        let of = |elo: f64| score(elo).map_or(0.0, |score| likelihood.log(score));
        Sprt::new(of(bounds.elo1) - of(bounds.elo0), bounds)
    }

    fn likelihood(&self) -> Likelihood<'_> {
        Likelihood {
            counts: [&self.pairs, &self.singles],
        }
    }
}

/// Normalised Elo of a score that is one standard deviation of a game above a half.
const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// Standard deviations in half a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// The Elo difference at which this score, 0 to 1, is expected; minus infinity for 0, infinity for 1.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score, 0 to 1, that is expected at this Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests;
