//! Maximum likelihood, by Adam on the logarithms of the constants.

use super::{Cell, Histogram};
use damier_engine::eval::WdlModel;
use damier_engine::eval::wdl::{KNOTS, Knot, compressed};

/// Steps of the fit; the loss no longer changes in the seventh place.
const STEPS: i32 = 800;
/// Step size at the start; it falls linearly to zero.
const RATE: f64 = 0.03;
/// Constants of a knot: margin, spread, tail and upset.
const CONSTANTS: usize = 4;
/// Bounds of `upset`, as multiples of `spread`: with few pieces hardly any game is won from behind, and the data do not
/// determine it.
const UPSET: (f64, f64) = (0.1, 3.0);
/// Minimum number of won and of drawn positions for a meaningful fit.
const FEWEST: u64 = 1_000;

/// The model that fits the results best, from the present one on. None where they are too few.
pub fn fit(histogram: &Histogram) -> Option<WdlModel> {
    let cells: Vec<Cell> = histogram.cells().collect();
    let count = |result: usize| cells.iter().map(|cell| cell.results[result]).sum::<u64>();
    if count(0) < FEWEST || count(1) < FEWEST {
        return None;
    }
    let first = WdlModel::default();
    let knots = KNOTS.map(|pieces| first.constants(pieces));
    let mut model = WdlModel::new(knots.to_vec())?;
    let size = model.knots().len() * CONSTANTS;
    let (mut mean, mut square) = (vec![0.0; size], vec![0.0; size]);
    for step in 1..=STEPS {
        let gradient = gradient(&model, &cells, histogram.positions);
        let rate = RATE * f64::from(STEPS - step) / f64::from(STEPS);
        let steps: Vec<f64> = (0..size)
            .map(|at| {
                mean[at] = 0.9 * mean[at] + 0.1 * gradient[at];
                square[at] = 0.999 * square[at] + 0.001 * gradient[at] * gradient[at];
                let mean = mean[at] / (1.0 - 0.9_f64.powi(step));
                let square: f64 = square[at] / (1.0 - 0.999_f64.powi(step));
                (-rate * mean / (square.sqrt() + 1e-12)).exp()
            })
            .collect();
        let knots = model.knots().iter().zip(steps.chunks(CONSTANTS));
        let knots = knots.map(|(knot, steps)| {
            let spread = knot.spread * steps[1];
            Knot {
                margin: knot.margin * steps[0],
                spread,
                tail: knot.tail * steps[2],
                upset: (knot.upset * steps[3]).clamp(UPSET.0 * spread, UPSET.1 * spread),
                ..*knot
            }
        });
        model = WdlModel::new(knots.collect())?;
    }
    let knots = model.knots().iter().map(|knot| Knot {
        margin: rounded(knot.margin),
        spread: rounded(knot.spread),
        tail: rounded(knot.tail),
        upset: rounded(knot.upset),
        ..*knot
    });
    WdlModel::new(knots.collect())
}

/// The model with all margins and all spreads scaled, each by one factor, so that it fits the results best: for few
/// games of the level wanted, where a model is fitted to many of another level. None where the results are too few.
pub fn adapt(model: &WdlModel, histogram: &Histogram) -> Option<WdlModel> {
    let count = |result: usize| {
        histogram
            .cells()
            .map(|cell| cell.results[result])
            .sum::<u64>()
    };
    if count(0) < FEWEST || count(1) < FEWEST {
        return None;
    }
    let scaled = |factors: [f64; 2]| {
        let knots = model.knots().iter().map(|knot| Knot {
            margin: rounded(knot.margin * factors[0]),
            spread: rounded(knot.spread * factors[1]),
            tail: rounded(knot.tail * factors[1]),
            upset: rounded(knot.upset * factors[1]),
            ..*knot
        });
        WdlModel::new(knots.collect())
    };
    let loss = |factors| scaled(factors).map_or(f64::INFINITY, |model| histogram.loss(&model));
    let mut factors = [1.0, 1.0];
    let (mut least, mut step) = (loss(factors), 0.1);
    while step > 1e-3 {
        let near = [(0, step), (0, -step), (1, step), (1, -step)].map(|(at, by)| {
            let mut near: [f64; 2] = factors;
            near[at] += by;
            (loss(near), near)
        });
        let best = near.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        match best.0 < least {
            true => (least, factors) = best,
            false => step /= 2.0,
        }
    }
    scaled(factors)
}

/// Three decimals are enough.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// The derivative of the mean cross entropy by the logarithms of the constants of each knot.
fn gradient(model: &WdlModel, cells: &[Cell], positions: u64) -> Vec<f64> {
    let knots = model.knots();
    let mut gradient = vec![0.0; knots.len() * CONSTANTS];
    for cell in cells {
        let (left, right, share) = model.between(cell.pieces);
        let by = derivatives(cell, &model.constants(cell.pieces));
        for (at, weight) in [(left, 1.0 - share), (right, share)] {
            let knot = knots[at];
            let constants = [knot.margin, knot.spread, knot.tail, knot.upset];
            let sums = gradient[CONSTANTS * at..].iter_mut();
            for ((sum, by), constant) in sums.zip(by).zip(constants) {
                *sum += weight * by * constant;
            }
        }
    }
    gradient.iter_mut().for_each(|by| *by /= positions as f64);
    gradient
}

/// The derivatives of a cell's cross entropy by margin, spread, tail and upset.
fn derivatives(cell: &Cell, constants: &Knot) -> [f64; CONSTANTS] {
    let x = compressed(cell.score);
    let counts = cell.results.map(|count| count as f64);
    let side = |x: f64| {
        let share = constants.share(x);
        let slope = share * (1.0 - share);
        let by = constants.derivatives(x).map(|by_logit| slope * by_logit);
        (share.max(1e-12), by)
    };
    let (win, by_win) = side(x);
    let (loss, by_loss) = side(-x);
    let draw = (1.0 - win - loss).max(1e-12);
    std::array::from_fn(|at| {
        let by_draw = -by_win[at] - by_loss[at];
        -(counts[0] / win * by_win[at]
            + counts[1] / draw * by_draw
            + counts[2] / loss * by_loss[at])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_engine::eval::Score;
    use damier_engine::rng::Rng;

    #[test]
    fn the_constants_behind_results_are_found() {
        let knot = |pieces, margin, spread| Knot {
            pieces,
            margin,
            spread,
            tail: 1.5 * spread,
            upset: 2.0 * spread,
        };
        let knots = KNOTS.map(|pieces| knot(pieces, 1.8 - 0.03 * f64::from(pieces), 0.3));
        let truth = WdlModel::new(knots.to_vec()).expect("a model");
        let (mut rng, mut histogram) = (Rng::new(7), Histogram::default());
        for _ in 0..600_000 {
            let score = Score::new((rng.below(800) as i32) - 400);
            let pieces = 4 + rng.below(37) as u32;
            let wdl = truth.wdl(score, pieces);
            let at = rng.below(1_000_000) as f64 / 1e6;
            let result = usize::from(at >= wdl.win) + usize::from(at >= wdl.win + wdl.draw);
            histogram.add(score, pieces, result);
        }
        let found = fit(&histogram).expect("a model");
        for pieces in (6..40).step_by(4) {
            for centimen in (0..400).step_by(50) {
                let score = Score::new(centimen);
                let (a, b) = (truth.wdl(score, pieces), found.wdl(score, pieces));
                assert!(
                    (a.win - b.win).abs() + (a.loss - b.loss).abs() < 0.02,
                    "{pieces} {centimen} {a:?} {b:?}"
                );
            }
        }
        assert!(histogram.loss(&found) <= histogram.loss(&truth) + 1e-4);
        assert!(fit(&Histogram::default()).is_none());
        // From a model of another level two factors lead there too.
        let other = truth.knots().iter().map(|knot| Knot {
            margin: knot.margin * 0.8,
            spread: knot.spread * 1.3,
            tail: knot.tail * 1.3,
            upset: knot.upset * 1.3,
            ..*knot
        });
        let other = WdlModel::new(other.collect()).expect("a model");
        let adapted = adapt(&other, &histogram).expect("a model");
        assert!(histogram.loss(&adapted) <= histogram.loss(&truth) + 1e-3);
    }
}
