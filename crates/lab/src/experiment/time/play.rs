//! Games of the engine against itself, whose iterations are noted.

use super::costs::{Known, Seen};
use super::{ANSWER, FEWEST_PIECES, JUDGED_DEEPER, MAX_PLIES, MOST, Pace};
use damier_engine::search::params::Params;
use damier_engine::search::{Control, Depth, IterationTime, Outcome, Report};
use damier_engine::{Clock, Engine, Job, Level, Purpose};
use damier_rules::{Game, Move, Position, Status};
use std::time::{Duration, Instant};

/// Who plays, and who judges what an iteration that was broken off changed.
pub(super) struct Players {
    pub engines: [Engine; 2],
    pub judge: Engine,
}

impl Players {
    pub fn play(&mut self, opening: Game, pace: Pace, params: &Params, seen: &mut Seen) {
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
pub(super) fn note_iterations(
    outcome: &mut Outcome,
    reports: &[Report],
    used: Duration,
    time: Duration,
) {
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
