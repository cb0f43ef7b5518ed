//! What users rely on in the search: exact limits, reproducibility, sound moves, the draw rules, no horizon tricks.

use damier::eval::{Handmade, Score};
use damier::notation::{fen, moves};
use damier::rules::{Game, Move, Position, Status};
use damier::search::params::Params;
use damier::search::{Control, Driver, Limits, Outcome, Report, Request, Searcher, TimeControl};
use std::time::{Duration, Instant};

/// Longer than a busy machine takes, and shorter than a search that does not end.
const LONG: Duration = Duration::from_secs(30);

fn game(text: &str) -> Game {
    Game::new(fen::parse(text).expect("a good FEN"))
}

fn start() -> Game {
    Game::new(Position::start())
}

fn searcher() -> Searcher<Handmade> {
    Searcher::new(Handmade, 18).expect("a small table")
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn depth(depth: i32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn search(searcher: &mut Searcher<Handmade>, game: &Game, limits: Limits) -> Outcome {
    searcher.search(&Request::new(game, limits), &Control::new(), &mut ())
}

fn best(game: &Game, limits: Limits) -> Move {
    search(&mut searcher(), game, limits).best.expect("a move")
}

#[test]
fn node_limits_are_exact() {
    for driver in Driver::ALL {
        for limit in [1, 2, 10, 511, 512, 513, 1000, 54_321] {
            let mut searcher = searcher();
            searcher.set_driver(driver);
            let outcome = search(&mut searcher, &start(), nodes(limit));
            assert_eq!(outcome.report.nodes, limit, "{driver}");
            assert!(outcome.best.is_some());
        }
    }
}

#[test]
fn threads_share_the_node_limit() {
    let mut searcher = searcher();
    searcher.set_threads(4);
    for limit in [1, 1000, 200_000] {
        let outcome = search(&mut searcher, &start(), nodes(limit));
        assert!(
            outcome.report.nodes <= limit,
            "{} of {limit}",
            outcome.report.nodes
        );
        assert!(outcome.best.is_some());
    }
}

#[test]
fn depth_limits_are_exact() {
    for limit in [1, 2, 7] {
        let mut depths = Vec::new();
        let game = start();
        let request = Request::new(&game, depth(limit));
        let outcome = searcher().search(&request, &Control::new(), &mut |r: &Report| {
            depths.push(r.depth as i32)
        });
        assert_eq!(outcome.report.depth as i32, limit);
        assert_eq!(depths, (1..=limit).collect::<Vec<_>>());
    }
}

#[test]
fn one_thread_is_reproducible() {
    let game = start();
    for driver in Driver::ALL {
        let run = || {
            let mut searcher = searcher();
            searcher.set_driver(driver);
            [nodes(30_000), depth(9), nodes(77_777)].map(|limits| {
                let outcome = search(&mut searcher, &game, limits);
                (
                    outcome.best,
                    outcome.report.score,
                    outcome.report.nodes,
                    outcome.report.pv,
                )
            })
        };
        assert_eq!(run(), run(), "{driver}");
    }
}

#[test]
fn a_new_game_forgets_everything() {
    let game = start();
    let mut searcher = searcher();
    let first = search(&mut searcher, &game, depth(9)).report.nodes;
    assert!(
        search(&mut searcher, &game, depth(9)).report.nodes < first,
        "the table helps"
    );
    searcher.new_game();
    assert_eq!(search(&mut searcher, &game, depth(9)).report.nodes, first);
}

#[test]
fn time_limits_are_kept() {
    for ms in [5, 20, 100] {
        for threads in [1, 2] {
            let mut searcher = searcher();
            searcher.set_threads(threads);
            let limits = Limits {
                move_time: Some(Duration::from_millis(ms)),
                ..Limits::default()
            };
            let began = Instant::now();
            let outcome = search(&mut searcher, &start(), limits);
            assert!(outcome.best.is_some());
            // Loose, as test machines are busy; the clients' test measures it. Without a limit it would never end.
            assert!(
                began.elapsed() < Duration::from_millis(ms) + LONG,
                "{:?}",
                began.elapsed()
            );
        }
    }
    let zero = Limits {
        move_time: Some(Duration::ZERO),
        ..Limits::default()
    };
    assert!(search(&mut searcher(), &start(), zero).best.is_some());
}

#[test]
fn a_stop_ends_an_unlimited_search_with_a_move() {
    let control = Control::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            control.stop();
        });
        let game = start();
        let request = Request::analysis(&game, Limits::default());
        let mut searcher = searcher();
        searcher.set_threads(2);
        assert!(searcher.search(&request, &control, &mut ()).best.is_some());
    });
}

#[test]
fn pondering_waits_for_its_clock() {
    let began = Instant::now();
    let control = Control::pondering(began);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            control.ponder_hit();
        });
        let limits = Limits {
            move_time: Some(Duration::from_millis(50)),
            ..Limits::default()
        };
        let game = start();
        let request = Request::new(&game, limits);
        assert!(
            searcher()
                .search(&request, &control, &mut ())
                .best
                .is_some()
        );
        assert!(
            began.elapsed() >= Duration::from_millis(145),
            "{:?}",
            began.elapsed()
        );
    });
}

#[test]
fn no_move_is_a_loss_and_a_forced_move_comes_at_once() {
    let outcome = search(&mut searcher(), &game("W:W:B1"), depth(5));
    assert_eq!(
        (outcome.best, outcome.report.score),
        (None, Score::loss_in(0))
    );
    let forced = game("W:W28,31:B22,1");
    assert_eq!(forced.position().legal_moves().len(), 1);
    let outcome = search(&mut searcher(), &forced, depth(20));
    assert_eq!(
        outcome.best.map(|m| m.to_string()),
        Some("28x17x22".to_owned())
    );
    assert_eq!(outcome.report.depth, 1);
    assert!(outcome.report.nodes > 0);
}

#[test]
fn lines_are_legal_in_all_kinds_of_positions() {
    let fens = [
        "W:W31-50:B1-20",
        "W:WK3,25,34,45:B38,K47",
        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
        "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
        "W:W15,25,26,K27:BK14,17",
    ];
    for text in fens {
        let game = game(text);
        for driver in Driver::ALL {
            let mut searcher = searcher();
            searcher.set_driver(driver);
            let mut check = |report: &Report| {
                let mut position = *game.position();
                assert!(!report.pv.is_empty() && report.pv.len() <= 60);
                for &mv in &report.pv {
                    assert!(
                        position.is_legal(mv),
                        "{text} {driver}: {mv} of {:?}",
                        report.pv
                    );
                    position = position.play(mv);
                }
            };
            let request = Request::analysis(&game, nodes(60_000));
            let outcome = searcher.search(&request, &Control::new(), &mut check);
            check(&outcome.report);
            assert_eq!(outcome.report.pv.first().copied(), outcome.best);
            assert_eq!(outcome.report.pv.get(1).copied(), outcome.ponder);
        }
    }
}

#[test]
fn the_only_move_is_pondered_and_played_at_the_hit() {
    // Of nearly all pieces: at the hit an iteration is under way that takes much longer than what is waited for.
    let mut forced = start();
    for text in ["31-26", "17-21"] {
        play(&mut forced, text);
    }
    assert_eq!(forced.position().legal_moves().len(), 1);
    let control = Control::pondering(Instant::now());
    let mut hit = Instant::now();
    let request = Request::new(
        &forced,
        Limits {
            move_time: Some(Duration::from_secs(60)),
            ..Limits::default()
        },
    );
    let outcome = std::thread::scope(|scope| {
        let thinking = scope.spawn(|| searcher().search(&request, &control, &mut ()));
        std::thread::sleep(Duration::from_millis(1000));
        hit = Instant::now();
        control.ponder_hit();
        thinking.join().expect("an outcome")
    });
    assert!(hit.elapsed() < LONG, "{:?}", hit.elapsed());
    assert!(outcome.report.depth > 2, "{:?}", outcome.report);
    assert_eq!(
        outcome.best,
        forced.position().legal_moves().first().copied()
    );
}

#[test]
fn a_short_win_is_found_and_counted_in_plies() {
    // 28-22 and black's only move 17x28 is answered by 33x22: three plies to the end.
    let outcome = search(&mut searcher(), &game("W:W28,33,39:B17"), depth(9));
    assert_eq!(
        outcome.best.map(|m| m.to_string()),
        Some("28-22".to_owned())
    );
    assert_eq!(outcome.report.score, Score::win_in(3));
    assert_eq!(outcome.report.score.to_string(), "99.97");
}

/// Plays moves in short notation.
fn play(game: &mut Game, text: &str) {
    for mv in moves::parse_line(game.position(), text).expect("legal moves") {
        game.play(mv);
    }
}

#[test]
fn the_leader_does_not_repeat_into_a_draw() {
    // White is far ahead. Both have shuffled twice; 46-41 would make the position stand for the third time.
    let mut game = game("W:W28,32,33,37,38,K46:B1,K5");
    play(&mut game, "46-41 5-10 41-46 10-5 46-41 5-10 41-46 10-5");
    assert_eq!(game.occurrences(), 3);
    let outcome = search(&mut searcher(), &game, depth(8));
    assert!(
        outcome.report.score > Score::new(50),
        "{}",
        outcome.report.score
    );
    game.play(outcome.best.unwrap());
    assert_ne!(game.occurrences(), 3, "{:?}", outcome.best);
}

#[test]
fn the_search_knows_how_few_moves_are_left() {
    // Two kings against one: after nine plies of ten every move draws, however good it looks.
    let mut game = game("W:WK1,K2:BK46");
    play(&mut game, "2-8 46-41 8-2 41-46 1-7 46-41 7-1 41-46 2-8");
    assert_eq!(game.status(), Status::Playing);
    let outcome = search(&mut searcher(), &game, depth(6));
    let drawn_moves = game.position().legal_moves().iter().all(|&mv| {
        let mut next = game.clone();
        next.play(mv);
        next.status() != Status::Playing
    });
    assert!(drawn_moves, "the tenth ply ends it");
    assert_eq!(outcome.report.score, Score::DRAW);
}

#[test]
fn a_game_already_drawn_is_still_searched() {
    let mut game = game("W:W32,37,K46:B9,14,K5");
    for _ in 0..13 {
        play(&mut game, "46-41 5-10 41-46 10-5");
    }
    assert!(matches!(game.status(), Status::Drawn(_)));
    let outcome = search(&mut searcher(), &game, depth(9));
    assert!(outcome.best.is_some() && outcome.report.nodes > 1000);
}

#[test]
fn an_exchange_at_the_horizon_is_not_a_win_of_a_man() {
    // 27-22 offers; after 18x27 31x22 everything is level. No depth may think that a man was won or lost.
    let game = game("W:W27,31,36:B8,13,18");
    for d in 1..=6 {
        let score = search(&mut searcher(), &game, depth(d)).report.score;
        assert!(score.centimen().abs() < 60, "depth {d}: {score}");
    }
}

#[test]
fn a_capture_is_not_pushed_over_the_horizon() {
    // Black threatens 23x32. White can only delay by giving men away; the man is lost all the same, and no depth may
    // prefer to lose two.
    let game = game("W:W28,36,41,46:B23,18,6,11");
    assert!(game.position().must_capture());
    for d in 1..=8 {
        let outcome = search(&mut searcher(), &game, depth(d));
        let score = outcome.report.score;
        assert!(
            score.centimen() > -250,
            "depth {d}: {score} {:?}",
            outcome.report.pv
        );
    }
}

#[test]
fn a_promotion_is_not_pushed_over_the_horizon_by_giving_men() {
    // White promotes in two moves whatever black does. Black can interpose the offers 24-29 or 20-25; at every depth
    // the quiet race must be preferred to giving a man for nothing.
    let game = game("B:W12,34,40:B24,20,36");
    let material = |position: &Position| position.men(game.position().turn()).len();
    for d in 1..=10 {
        let mut after = game.clone();
        after.play(best(&game, depth(d)));
        let reply = after.position().legal_moves()[0];
        let given = reply.is_capture() && {
            let next = after.position().play(reply);
            material(&next) < material(game.position()) && !next.must_capture()
        };
        assert!(!given, "depth {d}: {:?}", after.moves());
    }
}

#[test]
fn draws_by_repetition_do_not_poison_the_table() {
    // White wins. After the shuffle the same moves draw by repetition; what that search leaves in the table must not
    // hide the win from a search without the history. Storing such draws loses the wins.
    let cases = [
        ("W:W11,13,23,43,K7,K9:B31,K36", "9-20 36-47 20-9 47-36"),
        ("W:W16,32,K23,K28:BK24", "28-11 24-35 11-28 35-24"),
    ];
    // The depths at which this shows: negative extension moves them.
    let searcher = || {
        let mut searcher = searcher();
        searcher.set_params(Params {
            singular_negative: 0,
            ..Params::default()
        });
        searcher
    };
    for (text, shuffle) in cases {
        let fresh = search(&mut searcher(), &game(text), depth(7)).report.score;
        assert!(fresh > Score::EVAL_MAX, "{text} {fresh}");
        let mut shuffled = game(text);
        play(&mut shuffled, shuffle);
        play(&mut shuffled, shuffle);
        let mut searcher = searcher();
        for d in [5, 6, 7] {
            let request = Request::analysis(&shuffled, depth(d));
            searcher.search(&request, &Control::new(), &mut ());
        }
        let after = search(&mut searcher, &game(text), depth(7)).report.score;
        assert!(after > Score::EVAL_MAX, "{text} {after}");
    }
}

/// Wiping two gigabytes takes a second and more, in which no `stop` would be heard; and then all of them are in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_large_table_is_cleared_at_once_before_a_search() {
    let resident = || -> u64 {
        let text = std::fs::read_to_string("/proc/self/status").expect("a process");
        let line = text.lines().find(|line| line.starts_with("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().nth(1));
        kib.and_then(|kib| kib.parse().ok()).expect("a size")
    };
    let mut searcher = Searcher::new(Handmade, 27).expect("a table of 2 GiB");
    searcher.set_driver(Driver::MtdfClear);
    for _ in 0..3 {
        search(&mut searcher, &start(), depth(3));
        assert!(resident() < 3 << 19, "{} KiB", resident());
    }
}

/// The clock would have this move take two thirds of a second, and 2.5 seconds at most.
#[test]
fn a_limit_of_depth_or_nodes_leaves_the_clock_its_say() {
    let clock = TimeControl {
        time: Duration::from_secs(20),
        ..TimeControl::default()
    };
    for limits in [depth(60), nodes(1 << 40)] {
        let limits = Limits {
            clock: Some(clock),
            ..limits
        };
        let began = Instant::now();
        search(&mut searcher(), &start(), limits);
        assert!(began.elapsed() < LONG);
    }
}
