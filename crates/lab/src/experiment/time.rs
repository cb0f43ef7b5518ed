//! How the engine uses its clock: what the next iteration was expected to cost and what it cost, the time used against
//! the target, and the iterations that were broken off.
//!
//! Two engines play games from three-move ballots against each other, each with a clock and a memory of its own, as in
//! a match, but within this process.

use super::cost::Engines;
use super::{Curve, Findings, Grid, Plan, Plot, Scale};
use crate::LabError;
use damier_arena::rng::Rng;
use damier_arena::schedule::openings::{self, OpeningSource};
use damier_engine::search::{Control, IterationTime, Outcome};
use damier_engine::{Clock, Engine, Job, Level};
use damier_rules::{Game, Status};
use std::time::{Duration, Instant};

/// Clocks of the full form: seconds for the game; each move adds a hundredth of that.
const CLOCKS: [f64; 3] = [2.0, 10.0, 60.0];
/// Those of the quick form.
const QUICK_CLOCKS: [f64; 3] = [0.1, 0.2, 0.4];
/// Games at each clock, unless another number is given.
const GAMES: (u64, u64) = (10, 1);
/// Longer games are left.
const MAX_PLIES: usize = 200;
/// With so few pieces the endgame tables play.
const FEWEST_PIECES: u32 = 5;
/// Cheaper iterations say nothing about time.
const CHEAPEST: Duration = Duration::from_micros(100);
/// Seed of the order of the ballots.
const SEED: u64 = 1;

/// What was seen at one clock.
#[derive(Default)]
struct Seen {
    moves: u64,
    /// Time used for a move as a share of its target.
    used: Vec<f64>,
    /// Moves whose last iteration was broken off, and those of them that changed the move.
    broken_off: u64,
    salvaged: u64,
    /// Time in iterations that were broken off, and in all.
    lost: Duration,
    spent: Duration,
    /// Real cost as a share of the predicted one, by the parity of the depth.
    accuracy: [Vec<f64>; 2],
    /// Cost as a multiple of that of the iteration before, by the parity of the depth.
    growth: [Vec<f64>; 2],
    /// Logarithms of the real cost as a share of the predicted one, by depth.
    by_depth: Vec<Vec<f64>>,
    /// Games lost on time.
    flags: u64,
}

fn clocks(plan: &Plan) -> [f64; 3] {
    match plan.quick {
        true => QUICK_CLOCKS,
        false => CLOCKS,
    }
}

fn games(plan: &Plan) -> u64 {
    let usual = match plan.quick {
        true => GAMES.1,
        false => GAMES.0,
    };
    plan.matches.games.unwrap_or(usual)
}

/// Games at all clocks.
pub(super) fn steps(plan: &Plan) -> usize {
    clocks(plan).len() * games(plan) as usize
}

pub(super) fn run(
    plan: &Plan,
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let mut ballots = openings::load(&OpeningSource::ThreeMove).map_err(LabError::step)?;
    Rng::new(SEED).shuffle(&mut ballots);
    let mut makers = Engines::default();
    let mut engines = [makers.engine(&plan.engine)?, makers.engine(&plan.engine)?];
    let mut all = Vec::new();
    for (index, seconds) in clocks(plan).into_iter().enumerate() {
        let mut seen = Seen::default();
        for (number, opening) in (0..games(plan)).zip(ballots.iter().cycle()) {
            seen.play(&mut engines, opening.game(), seconds);
            progress(index * games(plan) as usize + number as usize + 1)?;
        }
        all.push((format!("{seconds}+{}", seconds / 100.0), seen));
    }
    let games = games(plan);
    Ok(Findings {
        experiment: plan.experiment.name(),
        positions: 0,
        depth: None,
        tables: vec![use_of_time(&all, games), predictions(&all)],
        plot: Plot {
            axis: "depth, plies",
            unit: "real cost of an iteration as a share of the predicted one, geometric mean"
                .to_owned(),
            scale: Scale::Linear,
            curves: all.iter().map(|(name, seen)| seen.curve(name)).collect(),
        },
    })
}

impl Seen {
    fn play(&mut self, engines: &mut [Engine; 2], opening: Game, seconds: f64) {
        engines.iter_mut().for_each(Engine::new_game);
        let increment = seconds / 100.0;
        let mut left = [seconds; 2];
        let mut game = opening;
        while game.status() == Status::Playing
            && game.moves().len() < MAX_PLIES
            && game.position().occupied().len() >= FEWEST_PIECES
        {
            let side = game.position().turn().index();
            let level = Level {
                clock: Some(Clock {
                    time: left[side],
                    increment,
                    moves: None,
                }),
                ..Level::INFINITE
            };
            let began = Instant::now();
            let job = Job::new(game.clone(), level);
            let outcome = engines[side].run(&job, &Control::new(), &mut ());
            let used = began.elapsed();
            left[side] += increment - used.as_secs_f64();
            self.flags += u64::from(left[side] < 0.0);
            if game.position().legal_moves().len() > 1 {
                self.add(&outcome, used);
            }
            let Some(mv) = outcome.best else { return };
            game.play(mv);
        }
    }

    fn add(&mut self, outcome: &Outcome, used: Duration) {
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
        let mut before: Option<IterationTime> = None;
        for iteration in timing.iterations.iter().filter(|at| at.finished) {
            if iteration.cost >= CHEAPEST {
                let parity = (iteration.depth % 2) as usize;
                let cost = iteration.cost.as_secs_f64();
                if let Some(predicted) = iteration.predicted.filter(|cost| !cost.is_zero()) {
                    let ratio = cost / predicted.as_secs_f64();
                    self.accuracy[parity].push(ratio);
                    let depth = iteration.depth as usize;
                    self.by_depth
                        .resize(self.by_depth.len().max(depth + 1), Vec::new());
                    self.by_depth[depth].push(ratio);
                }
                if let Some(before) = before.filter(|before| before.cost >= CHEAPEST) {
                    self.growth[parity].push(cost / before.cost.as_secs_f64());
                }
            }
            before = Some(*iteration);
        }
    }

    fn curve(&self, name: &str) -> Curve {
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

fn use_of_time(all: &[(String, Seen)], games: u64) -> Grid {
    let row = |(name, seen): &(String, Seen)| {
        let share = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole.max(1e-9));
        let moves = seen.moves as f64;
        let mean = seen.used.iter().sum::<f64>() / seen.used.len().max(1) as f64;
        vec![
            name.clone(),
            seen.moves.to_string(),
            format!("{:.0} %", 100.0 * mean),
            format!("{:.0} %", 100.0 * quantile(&seen.used, 0.5)),
            format!("{:.0} %", 100.0 * quantile(&seen.used, 0.95)),
            share(seen.broken_off as f64, moves),
            share(seen.salvaged as f64, moves),
            share(seen.lost.as_secs_f64(), seen.spent.as_secs_f64()),
            seen.flags.to_string(),
        ]
    };
    Grid {
        title: format!(
            "{games} games at each clock, in seconds for the game and for each move; moves with a choice. Time used is \
             a share of the target, what the move should take when nothing is special."
        ),
        columns: vec![
            "clock",
            "moves",
            "used, mean",
            "used, median",
            "used, 95 % quantile",
            "last iteration broken off",
            "which changed the move",
            "time in those",
            "moves out of time",
        ],
        rows: all.iter().map(row).collect(),
    }
}

fn predictions(all: &[(String, Seen)]) -> Grid {
    let mut rows = Vec::new();
    for (name, seen) in all {
        for (parity, word) in [(0, "even"), (1, "odd")] {
            let (accuracy, growth) = (&seen.accuracy[parity], &seen.growth[parity]);
            rows.push(vec![
                name.clone(),
                word.to_owned(),
                accuracy.len().to_string(),
                format!("{:.2}", geometric_mean(accuracy)),
                format!("{:.2}", quantile(accuracy, 0.1)),
                format!("{:.2}", quantile(accuracy, 0.9)),
                format!("{:.2}", geometric_mean(growth)),
            ]);
        }
    }
    Grid {
        title: format!(
            "Iterations of {} µs and more: the real cost as a share of the predicted one, and as a multiple of the cost \
             of the iteration before, by the parity of the depth. Means are geometric.",
            CHEAPEST.as_micros()
        ),
        columns: vec![
            "clock",
            "depth",
            "iterations",
            "real / predicted",
            "10 % quantile",
            "90 % quantile",
            "growth",
        ],
        rows,
    }
}

fn geometric_mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (sum / values.len().max(1) as f64).exp()
}

/// The value below which this share of the values lies; 0 without values.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted
        .get((last as f64 * share).round() as usize)
        .copied()
        .unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_engine::search::Timing;

    #[test]
    fn iterations_are_compared_with_what_was_predicted() {
        let ms = Duration::from_millis;
        let iteration = |depth, predicted, cost, finished| IterationTime {
            depth,
            predicted,
            cost,
            finished,
            changed: !finished,
        };
        let outcome = Outcome {
            timing: Timing {
                target: Some(ms(100)),
                iterations: vec![
                    iteration(1, None, ms(10), true),
                    iteration(2, Some(ms(20)), ms(40), true),
                    iteration(3, Some(ms(80)), ms(30), false),
                ],
            },
            ..Outcome::default()
        };
        let mut seen = Seen::default();
        seen.add(&outcome, ms(80));
        assert!(seen.used.len() == 1 && (seen.used[0] - 0.8).abs() < 1e-9);
        assert_eq!((seen.accuracy[0].len(), seen.accuracy[1].len()), (1, 0));
        assert!((seen.accuracy[0][0] - 2.0).abs() < 1e-9 && (seen.growth[0][0] - 4.0).abs() < 1e-9);
        assert_eq!((seen.broken_off, seen.salvaged, seen.lost), (1, 1, ms(30)));
        assert_eq!(seen.curve("x").points.len(), 1);
    }

    #[test]
    fn quantiles_are_values() {
        assert_eq!(quantile(&[], 0.5), 0.0);
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 1.0), 3.0);
    }
}
