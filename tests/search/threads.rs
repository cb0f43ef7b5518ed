//! Searches with several threads, as the engine makes them: stops, limits, crashes, repeatability.

use damier::cpu::Baseline;
use damier::eval::{Evaluator, Material, Score};
use damier::rules::{Game, Position};
use damier::search::params::Params;
use damier::search::{Control, Limits, Outcome, Request, Searcher};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A searcher whose threads work together from the first ply.
fn team<E: Evaluator>(evaluator: E, threads: usize, lock_step: bool) -> Searcher<E> {
    let mut searcher = Searcher::new(evaluator, 16).expect("a small table");
    searcher.set_params(Params {
        team_min_depth: 1,
        team_share_depth: 2,
        lock_step,
        ..Params::default()
    });
    searcher.set_threads(threads);
    searcher
}

fn start() -> Game {
    Game::new(Position::start())
}

fn to_depth(depth: i32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn search<E: Evaluator>(searcher: &mut Searcher<E>, game: &Game, limits: Limits) -> Outcome {
    searcher.search(&Request::analysis(game, limits), &Control::new(), &mut ())
}

/// A number between 0 and 1, another one each time.
fn next(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
    (*seed >> 40) as f64 / (1u64 << 24) as f64
}

/// Starts a search on a thread of its own, stops it after a while, and gives the time until it is over.
fn stop_after(searcher: &mut Searcher<Material>, game: &Game, wait: Duration) -> Duration {
    let control = Control::new();
    std::thread::scope(|scope| {
        let control = &control;
        let running = scope.spawn(move || {
            let request = Request::analysis(game, Limits::default());
            let outcome = searcher.search(&request, control, &mut ());
            (outcome, Instant::now())
        });
        std::thread::sleep(wait);
        let stopped = Instant::now();
        control.stop();
        let (outcome, ended) = running.join().expect("the search ends");
        let best = outcome.best.expect("a move, however short the search");
        assert!(game.position().legal_moves().contains(&best));
        ended.saturating_duration_since(stopped)
    })
}

#[test]
fn stop_is_heeded_at_once_with_more_threads_than_cores() {
    let (mut searcher, game) = (team(Material, 8, false), start());
    let mut seed = 1;
    let mut times: Vec<Duration> = (0..40)
        .map(|_| {
            let wait = Duration::from_secs_f64(0.002 + 0.03 * next(&mut seed));
            stop_after(&mut searcher, &game, wait)
        })
        .collect();
    times.sort();
    // Other tests run beside this one, perhaps on one core.
    assert!(times[20] < Duration::from_secs(2), "{times:?}");
}

/// As many searches as the variable STRESS_SEARCHES says, each with another number of threads, table and end.
#[test]
fn many_short_searches_end_with_a_legal_move() {
    let wanted = std::env::var("STRESS_SEARCHES").ok();
    let searches = wanted.map_or(400, |n| n.parse().expect("a number of searches"));
    let mut seed = 7;
    let mut game = start();
    let mut searcher = team(Material, 1, false);
    for number in 0..searches {
        if number % 16 == 0 {
            searcher.set_threads(1 + (next(&mut seed) * 8.0) as usize);
            searcher.new_game();
        }
        match number % 4 {
            0 => {
                let wait = Duration::from_secs_f64(0.004 * next(&mut seed));
                stop_after(&mut searcher, &game, wait);
            }
            1 => {
                let nodes = 1 + (next(&mut seed) * 20_000.0) as u64;
                let limits = Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                assert!(search(&mut searcher, &game, limits).stats.nodes <= nodes);
            }
            2 => {
                let limits = Limits {
                    move_time: Some(Duration::from_secs_f64(0.004 * next(&mut seed))),
                    ..Limits::default()
                };
                assert!(search(&mut searcher, &game, limits).best.is_some());
            }
            _ => {
                let outcome = search(&mut searcher, &game, to_depth(6));
                assert!(outcome.report.depth >= 6 || outcome.report.score.end_in().is_some());
            }
        }
        let moves = game.position().legal_moves();
        let at = (next(&mut seed) * moves.len() as f64) as usize;
        match moves.get(at) {
            Some(&mv) if game.clock().verdict().is_none() => game.play(mv),
            _ => game = start(),
        }
        if game.position().is_terminal() {
            game = start();
        }
    }
}

#[test]
fn in_lock_step_a_team_does_the_same_every_time() {
    for threads in [2, 5, 16] {
        let run = || {
            let mut searcher = team(Material, threads, true);
            let outcome = search(&mut searcher, &start(), to_depth(12));
            (outcome.best, outcome.stats, outcome.report.score)
        };
        let first = run();
        assert!(
            first.1.nodes > first.1.own_nodes * 3 / 2,
            "the helpers do their part: {first:?}"
        );
        assert_eq!(run(), first);
        assert_eq!(run(), first);
    }
}

/// Like counting pieces, until one thread has done it so often that it breaks down.
struct Breaks {
    after: u64,
    count: AtomicU64,
}

impl Evaluator for Breaks {
    type Cpu = Baseline;
    type Scratch = ();

    fn cpu(&self) -> Baseline {
        Baseline
    }

    fn scratch(&self) {}

    fn evaluate(&self, scratch: &mut (), ply: u32, position: &Position) -> Score {
        let helper = std::thread::current().name() != Some(LEADS);
        if helper && self.count.fetch_add(1, Relaxed) == self.after {
            panic!("this thread breaks down on purpose");
        }
        Material.evaluate(scratch, ply, position)
    }
}

/// Name of the thread that leads in the next test.
const LEADS: &str = "lead";

#[test]
fn a_helper_that_breaks_down_neither_hangs_nor_hides() {
    for lock_step in [false, true] {
        let run = move || {
            let evaluator = Breaks {
                after: 20,
                count: AtomicU64::new(0),
            };
            let mut searcher = team(evaluator, 3, lock_step);
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                search(&mut searcher, &start(), to_depth(9));
            }));
            assert!(result.is_err(), "the crash is told");
            // The searcher can be used again.
            searcher.set_threads(1);
            assert!(search(&mut searcher, &start(), to_depth(3)).best.is_some());
        };
        let thread = std::thread::Builder::new().name(LEADS.to_owned());
        thread
            .spawn(run)
            .expect("a thread")
            .join()
            .expect("no hang");
    }
}

#[test]
fn several_lines_are_the_best_moves_with_threads_too() {
    let game = start();
    let request = Request {
        lines: 4,
        ..Request::analysis(&game, to_depth(8))
    };
    let outcome = team(Material, 4, false).search(&request, &Control::new(), &mut ());
    assert_eq!(outcome.lines.len(), 4);
    let scores: Vec<Score> = outcome.lines.iter().map(|line| line.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}
