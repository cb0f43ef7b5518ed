//! The curve of the score by the logarithm of the factor, and where it passes one half.

use damier_arena::standings::statistics::{Tally, score_of};

/// Standard deviations in half a 95 % interval.
const Z95: f64 = 1.96;
/// Steps of Newton's method: many more than it takes.
const STEPS: usize = 200;

/// A fitted curve: the score at a factor `f` is `1 / (1 + exp(-(a + b ln f)))`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Fit {
    /// `a` and `b`.
    line: [f64; 2],
    /// The variances of `a` and `b`, and their covariance between them.
    spread: [f64; 3],
}

impl Fit {
    /// The most likely curve through the results at these factors. The variance is that of the pairs of games around
    /// the curve, so that draws and openings that favour a side count as they should (a sandwich estimator). None
    /// without results at two factors, or where a larger factor does not score more.
    pub fn new(results: &[(f64, Tally)]) -> Option<Fit> {
        let points: Vec<(f64, &Tally)> = results.iter().map(|(f, tally)| (f.ln(), tally)).collect();
        let first = points.first()?.0;
        if points.iter().all(|(x, _)| *x == first) {
            return None;
        }
        let mut line = [0.0; 2];
        for _ in 0..STEPS {
            let (gradient, curvature) = slopes(&points, line);
            let step = solve(curvature, gradient)?;
            let largest = step[0].abs().max(step[1].abs());
            let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
            line = [line[0] + scale * step[0], line[1] + scale * step[1]];
            if largest < 1e-12 {
                break;
            }
        }
        let inverse = inverse(slopes(&points, line).1)?;
        let mut noise = [0.0; 3];
        for (x, tally) in &points {
            let score = logistic(line, *x);
            // Half a virtual drawn game, as in `slopes`, has the variance of a game without draws.
            let variance = tally.squares_around(score) + 0.5 * score * (1.0 - score);
            add(&mut noise, *x, variance);
        }
        let fit = Fit {
            line,
            spread: sandwich(inverse, noise),
        };
        (line[1] > 0.0).then_some(fit)
    }

    /// The factor at which the match is even.
    pub fn even(&self) -> f64 {
        (-self.line[0] / self.line[1]).exp()
    }

    /// The 95 % interval of that factor, by Fieller's method: the factors at which the curve is not significantly away
    /// from one half. None if the slope itself is not known to be above zero.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let [a, b] = self.line;
        let [vaa, vab, vbb] = self.spread.map(|variance| Z95 * Z95 * variance);
        let (square, half, constant) = (b * b - vbb, a * b - vab, a * a - vaa);
        let root = (half * half - square * constant).max(0.0).sqrt();
        (square > 0.0).then(|| {
            (
                ((-half - root) / square).exp(),
                ((-half + root) / square).exp(),
            )
        })
    }

    /// The expected score at a factor, 0 to 1.
    pub fn score(&self, factor: f64) -> f64 {
        logistic(self.line, factor.ln())
    }
}

fn logistic([a, b]: [f64; 2], x: f64) -> f64 {
    score_of((a + b * x) * 400.0 / std::f64::consts::LN_10)
}

/// Adds a weight at a place to the sums of a symmetric matrix.
fn add(matrix: &mut [f64; 3], x: f64, weight: f64) {
    matrix[0] += weight;
    matrix[1] += weight * x;
    matrix[2] += weight * x * x;
}

/// The derivatives of the likelihood. Half a drawn game is added to each match, so that no slope is infinite.
fn slopes(points: &[(f64, &Tally)], line: [f64; 2]) -> ([f64; 2], [f64; 3]) {
    let (mut gradient, mut curvature) = ([0.0; 2], [0.0; 3]);
    for (x, tally) in points {
        let (games, score) = (tally.games() as f64 + 0.5, logistic(line, *x));
        let excess = tally.points() + 0.25 - games * score;
        gradient[0] += excess;
        gradient[1] += excess * x;
        add(&mut curvature, *x, games * score * (1.0 - score));
    }
    (gradient, curvature)
}

fn inverse([p, q, r]: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = p * r - q * q;
    (determinant > 1e-12).then(|| [r / determinant, -q / determinant, p / determinant])
}

fn solve(matrix: [f64; 3], [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let [p, q, r] = inverse(matrix)?;
    Some([p * x + q * y, q * x + r * y])
}

/// `inverse * noise * inverse`.
fn sandwich([p, q, r]: [f64; 3], [k, l, m]: [f64; 3]) -> [f64; 3] {
    [
        p * p * k + 2.0 * p * q * l + q * q * m,
        p * q * k + (p * r + q * q) * l + q * r * m,
        q * q * k + 2.0 * q * r * l + r * r * m,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::GameResult::{Draw, Loss, Win};

    fn tally(counts: [usize; 5]) -> Tally {
        let pairs = [
            (Loss, Loss),
            (Loss, Draw),
            (Draw, Draw),
            (Draw, Win),
            (Win, Win),
        ];
        let mut tally = Tally::new();
        for ((first, second), count) in pairs.into_iter().zip(counts) {
            (0..count).for_each(|_| tally.add_pair(first, second));
        }
        tally
    }

    #[test]
    fn the_even_factor_lies_between_a_won_and_a_lost_match() {
        let (won, lost) = (tally([0, 2, 30, 12, 1]), tally([1, 12, 30, 2, 0]));
        let fit = Fit::new(&[(0.25, won), (0.0625, lost)]).expect("a curve");
        // Between the two, in the middle by ratio.
        assert!((fit.even() - 0.125).abs() < 1e-6, "{fit:?}");
        let (low, high) = fit.interval().expect("bounded");
        assert!(
            0.0625 < low && low < 0.125 && 0.125 < high && high < 0.25,
            "{low} {high}"
        );
        assert!((low * high - 0.125 * 0.125).abs() < 1e-6);
        assert!((fit.score(0.25) - won.score()).abs() < 0.01);
        // Four times the games: half the width.
        let many = [
            (0.25, tally([0, 8, 120, 48, 4])),
            (0.0625, tally([4, 48, 120, 8, 0])),
        ];
        let (closer, _) = Fit::new(&many)
            .and_then(|fit| fit.interval())
            .expect("bounded");
        let ratio = (low / 0.125).ln() / (closer / 0.125).ln();
        assert!((1.8..2.6).contains(&ratio), "{ratio}");
    }

    /// The interval contains the truth in about 95 of 100 experiments.
    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says() {
        let mut rng = damier_engine::rng::Rng::new(5);
        let truth = 0.16f64;
        let mut covered = 0;
        const EXPERIMENTS: usize = 400;
        for _ in 0..EXPERIMENTS {
            let mut played = Vec::new();
            for factor in [0.25f64, 0.125, 0.0625] {
                let score = 1.0 / (1.0 + (-0.5 * (factor / truth).ln()).exp());
                let mut tally = Tally::new();
                let mut game = || match rng.unit() {
                    // Four games of five are drawn.
                    it if it < score - 0.4 => Win,
                    it if it < score + 0.4 => Draw,
                    _ => Loss,
                };
                (0..60).for_each(|_| tally.add_pair(game(), game()));
                played.push((factor, tally));
            }
            let interval = Fit::new(&played).and_then(|fit| fit.interval());
            covered +=
                usize::from(interval.is_none_or(|(low, high)| low <= truth && truth <= high));
        }
        let share = covered as f64 / EXPERIMENTS as f64;
        assert!((0.92..0.98).contains(&share), "{share}");
    }

    #[test]
    fn without_two_factors_or_a_rise_there_is_no_curve() {
        let (won, lost) = (tally([0, 0, 5, 5, 0]), tally([0, 5, 5, 0, 0]));
        assert_eq!(Fit::new(&[]), None);
        assert_eq!(Fit::new(&[(0.5, won), (0.5, lost)]), None);
        assert_eq!(Fit::new(&[(0.5, lost), (0.25, won)]), None);
        // A rise that may be chance bounds nothing.
        let fit = Fit::new(&[
            (0.5, tally([0, 1, 2, 2, 0])),
            (0.25, tally([0, 2, 2, 1, 0])),
        ]);
        assert_eq!(fit.map(|fit| fit.interval()), Some(None));
        // All won and all lost is no infinite slope.
        let sure = [
            (0.5, tally([0, 0, 0, 0, 20])),
            (0.25, tally([20, 0, 0, 0, 0])),
        ];
        assert!(Fit::new(&sure).is_some_and(|fit| fit.even().is_finite()));
    }
}
