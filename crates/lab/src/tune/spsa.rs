//! Simultaneous perturbation stochastic approximation (Spall 1992), with the schedule that fishtest uses.
//!
//! Every pair of games moves all parameters at once, each up or down by its perturbation, and compares the two sides of
//! the present values. Which side wins says little of one parameter in one pair; over thousands of pairs the drift of
//! each shows its slope.

use damier_engine::rng::Rng;
use damier_engine::search::params::Params;
use damier_engine::settings::{Kind, SettingError};

/// How fast the rate falls with the number of pairs.
const ALPHA: f64 = 0.602;
/// How fast the perturbations fall.
const GAMMA: f64 = 0.101;
/// Share of the pairs by which the fall of the rate is delayed.
const DELAY: f64 = 0.1;

/// How the names of parameters begin that no game of a run depends on.
const IDLE: [&str; 2] = ["clock_", "team_"];

/// A parameter to tune.
#[derive(Clone, PartialEq, Debug)]
pub struct Tunable {
    /// Name in [`Params`].
    pub name: &'static str,
    /// Value at the beginning.
    pub start: f64,
    /// By how much it is moved up and down in the last pairs; more in the first.
    pub step: f64,
    /// The least and the greatest value that it takes.
    range: (f64, f64),
}

/// Why a parameter cannot be tuned.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TunableError {
    /// There is none of this name.
    #[error(transparent)]
    Unknown(SettingError),
    /// The parameter is no whole number in a range.
    #[error("{name} takes {values}; only whole numbers in a range can be tuned")]
    #[allow(missing_docs)]
    Kind { name: &'static str, values: String },
    /// No search of these games depends on it.
    #[error("{0} changes nothing in games at a fixed number of nodes on one thread")]
    Idle(&'static str),
    /// The step is not usable.
    #[error("the step of {name} must be a number from 0.5 to {most}, not `{step:.40}`")]
    #[allow(missing_docs)]
    Step {
        name: &'static str,
        most: f64,
        step: String,
    },
}

impl Tunable {
    /// Reads `NAME` or `NAME=STEP`. It begins with its value in `params`; without a step, it moves by a tenth of that,
    /// but at least by one.
    ///
    /// # Errors
    /// No such parameter, one that is no whole number, or a step of less than a half or more than half the range.
    pub fn read(text: &str, params: &Params) -> Result<Tunable, TunableError> {
        let (name, step) = match text.split_once('=') {
            Some((name, step)) => (name.trim(), Some(step.trim())),
            None => (text.trim(), None),
        };
        let value = params.get(name).map_err(TunableError::Unknown)?;
        let spec = Params::specs().iter().find(|spec| spec.name == name);
        let spec = spec.unwrap_or_else(|| unreachable!("{name} has a value"));
        let (Kind::Int(least, most), Ok(start)) = (spec.kind, value.parse::<f64>()) else {
            return Err(TunableError::Kind {
                name: spec.name,
                values: spec.kind.to_string(),
            });
        };
        if IDLE.iter().any(|family| spec.name.starts_with(family)) {
            return Err(TunableError::Idle(spec.name));
        }
        let range = (least as f64, most as f64);
        let widest = (range.1 - range.0) / 2.0;
        let usual = (start.abs() / 10.0).clamp(1.0, widest.max(1.0));
        let given = step.map_or(Some(usual), |step| step.parse().ok());
        let step = given
            .filter(|step: &f64| (0.5..=widest).contains(step))
            .ok_or_else(|| TunableError::Step {
                name: spec.name,
                most: widest,
                step: step.unwrap_or_default().to_owned(),
            })?;
        Ok(Tunable {
            name: spec.name,
            start,
            step,
            range,
        })
    }
}

/// The values of all parameters, and how they move.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spsa {
    tunables: Vec<Tunable>,
    /// Pairs of games in all.
    pairs: f64,
    /// Share of its step by which a parameter moves, in the last pairs, for a game won more than lost.
    rate: f64,
    seed: u64,
    values: Vec<f64>,
}

impl Spsa {
    /// Values at their beginning.
    pub fn new(tunables: &[Tunable], pairs: u64, rate: f64, seed: u64) -> Spsa {
        Spsa {
            tunables: tunables.to_vec(),
            pairs: pairs as f64,
            rate,
            seed,
            values: tunables.iter().map(|tunable| tunable.start).collect(),
        }
    }

    /// The present values, before they are rounded.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values of the two sides of a pair, from its number; the pairs of a batch have the same present values.
    ///
    /// A value between two whole numbers is rounded to either of them at random, the nearer one more often, so that
    /// fractions count.
    pub fn sides(&self, pair: u64) -> [Vec<i64>; 2] {
        let signs = self.signs(pair);
        let mut rng = Rng::stream(self.seed, 2 * pair + 1);
        [1.0, -1.0].map(|side| {
            let moved = self.tunables.iter().zip(&self.values).zip(&signs);
            let moved = moved.map(|((tunable, value), sign)| {
                let (least, most) = tunable.range;
                let exact = value + side * sign * perturbation(tunable.step, self.pairs, pair);
                (exact + rng.unit()).floor().clamp(least, most) as i64
            });
            moved.collect()
        })
    }

    /// Moves the values by the result of a pair: games won less games lost by the first side.
    pub fn learn(&mut self, pair: u64, result: i32) {
        let signs = self.signs(pair);
        let (k, delay) = (pair as f64 + 1.0, DELAY * self.pairs);
        for ((tunable, value), sign) in self.tunables.iter().zip(&mut self.values).zip(signs) {
            // fishtest: a_k / c_k, from which the rate at the end and the step at the end are left to choose.
            let last = self.rate * tunable.step * tunable.step;
            let gain = last * ((delay + self.pairs) / (delay + k)).powf(ALPHA);
            let moved = gain / perturbation(tunable.step, self.pairs, pair);
            let (least, most) = tunable.range;
            *value = (*value + moved * f64::from(result) * sign).clamp(least, most);
        }
    }

    /// In which direction the first side of a pair moves each parameter.
    fn signs(&self, pair: u64) -> Vec<f64> {
        let mut rng = Rng::stream(self.seed, 2 * pair);
        let sign = |_| if rng.percent(50) { 1.0 } else { -1.0 };
        self.tunables.iter().map(sign).collect()
    }
}

/// By how much a parameter is moved up and down in a pair.
fn perturbation(step: f64, pairs: f64, pair: u64) -> f64 {
    step * (pairs / (pair as f64 + 1.0)).powf(GAMMA)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunables(texts: &[&str]) -> Vec<Tunable> {
        let params = Params::default();
        let read = |text: &&str| Tunable::read(text, &params).expect("a parameter");
        texts.iter().map(read).collect()
    }

    #[test]
    fn parameters_are_named_with_their_steps() {
        let read = |text| Tunable::read(text, &Params::default());
        let margin = read("rfp_margin").expect("known");
        assert_eq!((margin.start, margin.step), (40.0, 4.0));
        assert_eq!(read("lmr_first = 0.5").expect("known").step, 0.5);
        assert_eq!(read("lmr_min_depth").expect("known").step, 1.0);
        for (text, words) in [
            ("rfp_margins", "did you mean"),
            ("grain", "only whole numbers"),
            ("threats=1", "only whole numbers"),
            ("table", "only whole numbers"),
            ("rfp_margin=", "from 0.5 to 500"),
            ("rfp_margin=0.4", "from 0.5 to 500"),
            ("rfp_margin=501", "from 0.5 to 500"),
            ("rfp_margin=nan", "from 0.5 to 500"),
            ("rfp_margin=-3", "from 0.5 to 500"),
            ("clock_hard", "changes nothing"),
            ("team_share_depth=1", "changes nothing"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    /// Games decided by a made-up strength, which is best at 52 and 300, against noise as large as that of games.
    #[test]
    fn values_go_to_where_games_are_won() {
        let pairs = 8_000;
        let mut spsa = Spsa::new(
            &tunables(&["rfp_margin=4", "lmr_divisor=20"]),
            pairs,
            0.01,
            7,
        );
        let elo = |values: &[i64]| {
            let off = |value: i64, best: f64, width: f64| ((value as f64 - best) / width).powi(2);
            -30.0 * (off(values[0], 52.0, 12.0) + off(values[1], 300.0, 110.0))
        };
        let mut noise = Rng::new(3);
        for pair in 0..pairs {
            let [first, second] = spsa.sides(pair);
            let lead = (elo(&first) - elo(&second)) / 700.0;
            let game = |noise: &mut Rng| {
                let won = noise.unit();
                i32::from(won < 0.2 + lead) - i32::from(won > 0.8 + lead)
            };
            let result = game(&mut noise) + game(&mut noise);
            spsa.learn(pair, result);
        }
        let [margin, divisor] = *spsa.values() else {
            panic!("two values");
        };
        assert!((margin - 52.0).abs() < 5.0, "{margin}");
        assert!((divisor - 300.0).abs() < 45.0, "{divisor}");
    }

    /// The schedule of fishtest, worked out by hand: 0.602 and 0.101 are its exponents, a tenth its delay.
    #[test]
    fn the_first_and_the_last_pair_move_values_as_scheduled() {
        let moved = |pair, result| {
            let mut spsa = Spsa::new(&tunables(&["rfp_margin=4"]), 1_000, 0.01, 1);
            spsa.learn(pair, result);
            (spsa.values()[0] - 40.0).abs()
        };
        // Rate times step; a step is as wide.
        assert!((moved(999, 1) - 0.04).abs() < 1e-12);
        assert!((moved(999, -2) - 0.08).abs() < 1e-12);
        assert!((perturbation(4.0, 1_000.0, 999) - 4.0).abs() < 1e-12);
        // 4 * 1000^0.101, and 0.01 * 16 * (1100 / 101)^0.602 divided by it.
        assert!((perturbation(4.0, 1_000.0, 0) - 8.03637).abs() < 1e-5);
        assert!((moved(0, 1) - 0.083826).abs() < 1e-6);
    }

    #[test]
    fn sides_are_whole_in_range_and_fair() {
        let mut spsa = Spsa::new(&tunables(&["lmr_first=3", "rfp_margin=2"]), 1_000, 0.01, 1);
        let (mut above, mut sum) = (0, 0.0);
        for pair in 0..1_000 {
            let [first, second] = spsa.sides(pair);
            assert!(first[0] >= 1 && second[0] >= 1, "{first:?} {second:?}");
            above += i32::from(first[1] > second[1]);
            sum += (first[1] + second[1]) as f64 / 2.0;
            spsa.learn(pair, 0);
        }
        assert!((above - 500i32).abs() < 60, "{above}");
        assert!((sum / 1_000.0 - 40.0).abs() < 0.1, "{sum}");
        assert_eq!(spsa.values(), [2.0, 40.0]);
        // All won by the first side: each goes its own way, and stays in range.
        (0..1_000).for_each(|pair| spsa.learn(pair, 2));
        assert!(spsa.values()[0] >= 1.0);
    }
}
