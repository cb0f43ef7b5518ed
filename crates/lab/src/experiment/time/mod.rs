//! How the engine uses its time: what an iteration costs beside what two predictors expect of it, the time used against
//! the target, and what becomes of the iterations that are broken off.
//!
//! Two engines play games from three-move ballots against each other, each with a clock, or a fixed time or number of
//! nodes for each move, and a memory of its own, as in a match, but within this process.

use super::cost::Engines;
use super::{Curve, Findings, Grid, Plan, Plot, Scale};
use crate::LabError;
use damier_arena::level::GameLevel;
use damier_arena::rng::Rng;
use damier_arena::schedule::openings::{self, OpeningSource};
use damier_engine::search::params::Params;
use damier_engine::search::{Control, Depth, IterationTime, Outcome, Report};
use damier_engine::{Clock, Engine, Job, Level, Purpose};
use damier_rules::{Game, Move, Position, Status};
use std::time::{Duration, Instant};

/// Clocks of the full form: seconds for the game; each move adds a hundredth of that.
const CLOCKS: [f64; 3] = [2.0, 10.0, 60.0];
/// Clocks of the quick form.
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
/// Both moves of an iteration that was broken off are judged by a search this many plies deeper.
const JUDGED_DEEPER: Depth = 4;
/// A search with a fixed time ends this much before its time at most.
const ANSWER: Duration = Duration::from_millis(2);
/// Scores beyond this, in hundredths of a man, count as this.
const MOST: i32 = 300;

/// How long a move may take.
#[derive(Clone, Copy)]
enum Pace {
    /// Seconds for the game; each move adds a hundredth.
    Clock(f64),
    /// The time of each move.
    Time(Duration),
    /// The nodes of each move. Costs are in nodes then, a microsecond for each, and do not depend on the machine.
    Nodes(u64),
}

impl Pace {
    fn all(plan: &Plan) -> Vec<Pace> {
        match (plan.fixed, plan.quick) {
            (Some(GameLevel::MoveTime(time)), _) => vec![Pace::Time(time)],
            (Some(GameLevel::Nodes(nodes)), _) => vec![Pace::Nodes(nodes)],
            (_, true) => QUICK_CLOCKS.map(Pace::Clock).into(),
            (_, false) => CLOCKS.map(Pace::Clock).into(),
        }
    }

    fn name(self) -> String {
        match self {
            Pace::Clock(seconds) => format!("{seconds}+{}", seconds / 100.0),
            Pace::Time(time) => format!("{} s a move", time.as_secs_f64()),
            Pace::Nodes(nodes) => format!("{nodes} nodes a move"),
        }
    }
}

/// Ways to tell what an iteration will cost: what its depth cost the last time in this game, the cost of the iteration
/// before times the growth, and what the engine uses.
const PREDICTORS: [&str; 3] = ["cost of this depth before", "growth", "mean of both"];

/// What was seen at one pace.
#[derive(Default)]
struct Seen {
    moves: u64,
    /// Time used for a move as a share of its target.
    used: Vec<f64>,
    /// Moves whose last iteration was broken off, and those of them that changed the move.
    broken_off: u64,
    salvaged: u64,
    /// What those that changed the move gained, in hundredths of a man.
    gained: Vec<f64>,
    /// Time in iterations that were broken off, and in all.
    lost: Duration,
    spent: Duration,
    /// Real cost as a share of the predicted one, by predictor; of iterations for which all predictors have a number.
    accuracy: [Vec<f64>; 3],
    /// Cost as a multiple of that of the iteration before, by the parity of the depth.
    growth: [Vec<f64>; 2],
    /// The real cost as a share of the one predicted by the last of [`PREDICTORS`], by depth.
    by_depth: Vec<Vec<f64>>,
    /// Moves that were out of time.
    flags: u64,
}

fn games(plan: &Plan) -> u64 {
    let usual = match plan.quick {
        true => GAMES.1,
        false => GAMES.0,
    };
    plan.matches.games.unwrap_or(usual)
}

/// Games at all paces.
pub(super) fn steps(plan: &Plan) -> usize {
    Pace::all(plan).len() * games(plan) as usize
}

pub(super) fn run(
    plan: &Plan,
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let mut ballots = openings::load(&OpeningSource::ThreeMove).map_err(LabError::step)?;
    Rng::new(SEED).shuffle(&mut ballots);
    let mut makers = Engines::default();
    let mut engine = || makers.engine(&plan.engine);
    let mut players = Players {
        engines: [engine()?, engine()?],
        judge: engine()?,
    };
    let mut all = Vec::new();
    for (index, pace) in Pace::all(plan).into_iter().enumerate() {
        let mut seen = Seen::default();
        for (number, opening) in (0..games(plan)).zip(ballots.iter().cycle()) {
            players.play(opening.game(), pace, &plan.engine.params, &mut seen);
            progress(index * games(plan) as usize + number as usize + 1)?;
        }
        all.push((pace.name(), seen));
    }
    let games = games(plan);
    Ok(Findings {
        experiment: plan.experiment.name(),
        positions: 0,
        depth: None,
        tables: vec![use_of_time(&all, games), predictions(&all), growth(&all)],
        plot: Plot {
            axis: "depth, plies",
            unit: "real cost of an iteration as a share of the predicted one, geometric mean"
                .to_owned(),
            scale: Scale::Linear,
            curves: all.iter().map(|(name, seen)| seen.curve(name)).collect(),
        },
    })
}

/// Who plays, and who judges what an iteration that was broken off changed.
struct Players {
    engines: [Engine; 2],
    judge: Engine,
}

impl Players {
    fn play(&mut self, opening: Game, pace: Pace, params: &Params, seen: &mut Seen) {
        self.engines.iter_mut().for_each(Engine::new_game);
        let mut left = match pace {
            Pace::Clock(seconds) => [seconds; 2],
            Pace::Time(_) | Pace::Nodes(_) => [f64::INFINITY; 2],
        };
        let mut known: [Known; 2] = Default::default();
        let mut game = opening;
        while game.status() == Status::Playing
            && game.moves().len() < MAX_PLIES
            && game.position().occupied().len() >= FEWEST_PIECES
        {
            let side = game.position().turn().index();
            let level = match pace {
                Pace::Clock(seconds) => Level {
                    clock: Some(Clock {
                        time: left[side],
                        increment: seconds / 100.0,
                        moves: None,
                    }),
                    ..Level::INFINITE
                },
                Pace::Time(time) => Level::move_time(time),
                Pace::Nodes(nodes) => Level::nodes(nodes),
            };
            let mut reports: Vec<Report> = Vec::new();
            let mut watch = |report: &Report| {
                let is_new = |last: &Report| report.depth > last.depth;
                if report.rank == 1 && reports.last().is_none_or(is_new) {
                    reports.push(report.clone());
                }
            };
            let began = Instant::now();
            let job = Job::new(game.clone(), level);
            let mut outcome = self.engines[side].run(&job, &Control::new(), &mut watch);
            let mut used = began.elapsed();
            match pace {
                Pace::Clock(seconds) => {
                    left[side] += seconds / 100.0 - used.as_secs_f64();
                    seen.flags += u64::from(left[side] < 0.0);
                }
                Pace::Time(time) => note_iterations(&mut outcome, &reports, used, time),
                Pace::Nodes(nodes) => {
                    used = Duration::from_micros(outcome.stats.nodes);
                    for report in &mut reports {
                        report.time = Duration::from_micros(report.nodes);
                    }
                    let all = Duration::from_micros(nodes);
                    note_iterations(&mut outcome, &reports, used, all);
                }
            }
            if game.position().legal_moves().len() > 1 {
                seen.add(&outcome, used, &mut known[side], params);
                let completed = reports.get((outcome.stats.iterations as usize).wrapping_sub(1));
                let changed = outcome.timing.iterations.last();
                let changed = changed.is_some_and(|last| !last.finished && last.changed);
                if let (true, Some(last), Some(after)) = (changed, completed, outcome.best) {
                    seen.gained.push(self.gain(game.position(), last, after));
                }
            }
            let Some(mv) = outcome.best else { return };
            game.play(mv);
        }
    }

    /// How much better a move is than that of a report, in hundredths of a man.
    fn gain(&mut self, position: &Position, report: &Report, after: Move) -> f64 {
        let level = Level::depth(report.depth as Depth + JUDGED_DEEPER - 1);
        let mut value = |mv| {
            self.judge.new_game();
            let job = Job::new(Game::new(position.play(mv)), level).with_purpose(Purpose::Measure);
            let found = self.judge.run(&job, &Control::new(), &mut ());
            -found.report.score.centimen().clamp(-MOST, MOST)
        };
        let before = report.pv.first().map_or(0, |&mv| value(mv));
        f64::from(value(after) - before)
    }
}

/// What a search at a clock notes of its iterations, for one with a fixed time, which has to be told by its reports.
fn note_iterations(outcome: &mut Outcome, reports: &[Report], used: Duration, time: Duration) {
    let completed = reports.iter().take(outcome.stats.iterations as usize);
    let (mut best, mut before) = (None, Duration::ZERO);
    let iterations = &mut outcome.timing.iterations;
    iterations.clear();
    for report in completed {
        let mv = report.pv.first().copied();
        iterations.push(IterationTime {
            depth: report.depth,
            predicted: None,
            cost: report.time.saturating_sub(before),
            finished: true,
            changed: mv != best,
        });
        (best, before) = (mv, report.time);
    }
    outcome.timing.target = Some(time);
    // Others end before, at a proven score.
    if used + ANSWER >= time && !iterations.is_empty() {
        iterations.push(IterationTime {
            depth: iterations.len() as u32 + 1,
            predicted: None,
            cost: used.saturating_sub(before),
            finished: false,
            changed: outcome.best != best,
        });
    }
}

/// What each depth cost a player the last time.
type Known = Vec<Option<Duration>>;

/// What an iteration costs as a multiple of what each predictor expects, when it is known what the two iterations
/// before it cost and what its depth cost before.
fn ratios(cost: Duration, known: Duration, last: [Duration; 2], params: &Params) -> [f64; 3] {
    let [one, two] = last.map(|cost| cost.as_secs_f64());
    let factor = |thousandths: u32| f64::from(thousandths) / 1000.0;
    let growth = (one / two)
        .max(factor(params.clock_growth_min))
        .min(factor(params.clock_growth_max));
    let (known, grown) = (known.as_secs_f64(), one * growth);
    [known, grown, (known + grown) / 2.0].map(|expected| cost.as_secs_f64() / expected)
}

impl Seen {
    fn add(&mut self, outcome: &Outcome, used: Duration, known: &mut Known, params: &Params) {
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
        vec![
            name.clone(),
            seen.moves.to_string(),
            format!("{:.0} %", 100.0 * mean(&seen.used)),
            format!("{:.0} %", 100.0 * quantile(&seen.used, 0.5)),
            format!("{:.0} %", 100.0 * quantile(&seen.used, 0.95)),
            share(seen.broken_off as f64, moves),
            share(seen.lost.as_secs_f64(), seen.spent.as_secs_f64()),
            share(seen.salvaged as f64, moves),
            match seen.gained.is_empty() {
                true => String::new(),
                false => format!("{:+.1}", mean(&seen.gained)),
            },
            seen.flags.to_string(),
        ]
    };
    Grid {
        title: format!(
            "{games} games at each clock, in seconds for the game and for each move, or at a fixed time or number of \
             nodes; moves with a choice. Time used is a share of the target, what the move should take when nothing is \
             special. Gain: how much better the moves are to which iterations changed before they were broken off, in \
             hundredths of a man, by a search {JUDGED_DEEPER} plies deeper."
        ),
        columns: vec![
            "clock",
            "moves",
            "used, mean",
            "used, median",
            "used, 95 % quantile",
            "last iteration broken off",
            "time in those",
            "which changed the move",
            "gain",
            "moves out of time",
        ],
        rows: all.iter().map(row).collect(),
    }
}

/// The predictors, on the iterations for which all have a number.
fn predictions(all: &[(String, Seen)]) -> Grid {
    let mut rows = Vec::new();
    for (name, seen) in all {
        for (predictor, ratios) in PREDICTORS.iter().zip(&seen.accuracy) {
            let errors: Vec<f64> = ratios.iter().map(|ratio| ratio.max(1.0 / ratio)).collect();
            rows.push(vec![
                name.clone(),
                (*predictor).to_owned(),
                ratios.len().to_string(),
                format!("{:.2}", geometric_mean(ratios)),
                format!("{:.2}", quantile(ratios, 0.1)),
                format!("{:.2}", quantile(ratios, 0.9)),
                format!("{:.2}", geometric_mean(&errors)),
            ]);
        }
    }
    Grid {
        title: format!(
            "Iterations of {} µs, or nodes, and more at a depth reached before in the game: the real cost as a share of \
             the predicted one, and the factor by which the prediction is wrong, either way. The engine uses the mean of \
             both. Means are geometric.",
            CHEAPEST.as_micros()
        ),
        columns: vec![
            "clock",
            "predicted by",
            "iterations",
            "real / predicted",
            "10 % quantile",
            "90 % quantile",
            "wrong by",
        ],
        rows,
    }
}

fn growth(all: &[(String, Seen)]) -> Grid {
    let row = |(name, seen): &(String, Seen)| {
        let mut cells = vec![name.clone()];
        for growth in &seen.growth {
            cells.extend([
                growth.len().to_string(),
                format!("{:.2}", geometric_mean(growth)),
            ]);
        }
        cells
    };
    Grid {
        title: "The cost of an iteration as a multiple of that of the one before, by the parity of its depth; \
                geometric means."
            .to_owned(),
        columns: vec![
            "clock",
            "to an even depth",
            "growth, even",
            "to an odd depth",
            "growth, odd",
        ],
        rows: all.iter().map(row).collect(),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
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
    use damier_engine::search::{Stats, Timing};

    const MS: Duration = Duration::from_millis(1);

    fn iteration(depth: u32, cost: u32, finished: bool) -> IterationTime {
        IterationTime {
            depth,
            predicted: None,
            cost: MS * cost,
            finished,
            changed: !finished,
        }
    }

    #[test]
    fn iterations_are_compared_with_what_was_predicted() {
        let params = Params::default();
        let outcome = |iterations| Outcome {
            timing: Timing {
                target: Some(MS * 100),
                iterations,
            },
            ..Outcome::default()
        };
        let (mut seen, mut known) = (Seen::default(), Known::default());
        let first = [(1, 10, true), (2, 20, true), (3, 60, true), (4, 30, false)];
        let second = [(1, 10, true), (2, 20, true), (3, 80, true)];
        for iterations in [&first[..], &second] {
            let iterations = iterations.iter();
            let iterations = iterations.map(|&(depth, cost, done)| iteration(depth, cost, done));
            seen.add(&outcome(iterations.collect()), MS * 80, &mut known, &params);
        }
        assert!(seen.used.len() == 2 && (seen.used[0] - 0.8).abs() < 1e-9);
        assert_eq!((seen.broken_off, seen.salvaged, seen.lost), (1, 1, MS * 30));
        assert_eq!((seen.growth[0].len(), seen.growth[1].len()), (2, 2));
        // 80 where the depth cost 60 before, and 20 doubled is 40.
        let expected = [80.0 / 60.0, 2.0, 80.0 / 50.0];
        for (found, expected) in seen.accuracy.iter().zip(expected) {
            assert!(found.len() == 1 && (found[0] - expected).abs() < 1e-9);
        }
        let [(depth, ratio)] = seen.curve("x").points[..] else {
            panic!("{:?}", seen.curve("x"));
        };
        assert!(depth == 3 && (ratio - 80.0 / 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_search_with_a_fixed_time_is_told_by_its_reports() {
        let moves = Position::start().legal_moves();
        let report = |depth, time, mv| Report {
            depth,
            time: MS * time,
            pv: vec![mv],
            ..Report::default()
        };
        // The third iteration was broken off when it had changed the move.
        let reports = [
            report(1, 10, moves[0]),
            report(2, 30, moves[1]),
            report(3, 90, moves[0]),
        ];
        let mut outcome = Outcome {
            best: Some(moves[0]),
            stats: Stats {
                iterations: 2,
                ..Stats::default()
            },
            ..Outcome::default()
        };
        note_iterations(&mut outcome, &reports, MS * 99, MS * 100);
        let found = &outcome.timing.iterations;
        assert_eq!(found[1].cost, MS * 20);
        let last = IterationTime {
            changed: true,
            ..iteration(3, 69, false)
        };
        assert_eq!((found.len(), found[2]), (3, last));
        note_iterations(&mut outcome, &reports, MS * 50, MS * 100);
        assert_eq!(outcome.timing.iterations.len(), 2, "it ended by itself");
    }

    #[test]
    fn quantiles_are_values() {
        assert_eq!(quantile(&[], 0.5), 0.0);
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 1.0), 3.0);
    }
}
