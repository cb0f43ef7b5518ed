//! Play below full strength: the levels of `elo`, and the handicaps of lidraughts.

use crate::common::position;
use crate::hub_client::{Client, LONG, board, engine, forced};
use damier::engine::{Clock, Engine, Handicap, Job, Level, Options, Purpose, Strength};
use damier::eval::Score;
use damier::lab::bench;
use damier::rules::{Game, Position, Status};
use damier::search::{Control, Outcome};
use std::time::Duration;

const LEVELS: [u32; 11] = [
    800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800,
];
/// One legal move: 28x19.
const FORCED: &str = "W:W28,48:B23,2";
/// No legal move.
const LOST: &str = "W:W46:B41,37";

fn player(elo: u32, seed: u32) -> Engine {
    let options = Options {
        tt_size: 16,
        elo,
        elo_seed: seed,
        ..Options::default()
    };
    Engine::new(options).expect("an engine")
}

/// The answer to a position at the level of the options, with few nodes even at the highest.
fn answer(engine: &mut Engine, position: Position) -> Outcome {
    reply(engine, &Game::new(position))
}

fn reply(engine: &mut Engine, game: &Game) -> Outcome {
    let job = Job::new(game.clone(), Level::nodes(3_000)).at(Strength::AsOptions);
    engine.run(&job, &Control::new(), &mut ())
}

/// A game of two engines; the first has white. Points of white in halves.
fn play(white: &mut Engine, black: &mut Engine, start: Position) -> (Game, u32) {
    let mut game = Game::new(start);
    while game.status() == Status::Playing && game.moves().len() < 200 {
        let first = game.moves().len() % 2 == usize::from(start.turn().index() != 0);
        let best = reply(if first { white } else { black }, &game).best;
        game.play(best.expect("a legal move"));
    }
    let points = match game.status() {
        Status::WonBy(color) => 2 * u32::from(color.index() == 0),
        _ => 1,
    };
    (game, points)
}

#[test]
fn every_level_plays_legal_moves_and_says_what_it_saw() {
    let positions = bench::positions().expect("positions");
    for elo in LEVELS {
        let mut engine = player(elo, 1);
        for position in positions.iter().step_by(4) {
            let found = answer(&mut engine, *position);
            let best = found.best.expect("a move");
            assert!(position.is_legal(best), "{elo} {position:?}");
            assert_eq!(found.lines.len(), 1);
            assert_eq!(found.report.pv.first(), Some(&best));
            assert!(found.report.rank == 1 && found.report.depth > 0);
        }
        let only = answer(&mut engine, position(FORCED)).best;
        assert_eq!(only.map(|mv| mv.to_string()).as_deref(), Some("28x19x23"));
        assert_eq!(answer(&mut engine, position(LOST)).best, None);
    }
}

#[test]
fn a_seed_repeats_a_game_and_another_one_does_not() {
    let game = |seed| {
        play(
            &mut player(1000, seed),
            &mut player(1200, seed),
            Position::start(),
        )
        .0
    };
    let first = game(1);
    assert_eq!(game(1).moves(), first.moves());
    assert_ne!(game(2).moves(), first.moves());
    assert!([3, 4, 5].iter().any(|_| game(0).moves() != first.moves()));
}

#[test]
fn a_higher_level_wins() {
    for (low, high) in [(800, 1200), (1200, 2000)] {
        let (mut weak, mut strong) = (player(low, 1), player(high, 1));
        let points: u32 = (0..4)
            .map(|_| {
                let white = play(&mut strong, &mut weak, Position::start()).1;
                white + 2 - play(&mut weak, &mut strong, Position::start()).1
            })
            .sum();
        assert!(points >= 12, "{high} has {points} of 16 half points");
    }
}

/// A move that gives away several men is seen by everyone who follows captures to their end, unless it wins them back
/// later.
#[test]
fn from_1600_on_no_level_gives_several_men_for_nothing() {
    let mut judge = player(0, 1);
    let mut given = 0;
    for position in bench::positions()
        .expect("positions")
        .into_iter()
        .step_by(2)
    {
        let moves = position.legal_moves().len();
        let lost: Vec<Vec<_>> = [1, 2, 3, 5]
            .map(|depth| {
                let job = Job::new(Game::new(position), Level::depth(depth))
                    .with_purpose(Purpose::Analyse)
                    .with_lines(moves);
                let lines = judge.run(&job, &Control::new(), &mut ()).lines;
                let best = lines.first().expect("a line").score;
                // Not where endgame tables say so.
                let is_lost = |score: Score| best.is_eval() && score < best - 250;
                let lost = lines.iter().filter(|line| is_lost(line.score));
                lost.filter_map(|line| line.pv.first().copied()).collect()
            })
            .into();
        let bad: Vec<_> = lost[0]
            .iter()
            .filter(|mv| lost.iter().all(|lost| lost.contains(mv)))
            .collect();
        given += bad.len();
        for elo in [1600, 1800, 2000, 2400] {
            let best = answer(&mut player(elo, given as u32 + 1), position).best;
            assert!(
                !bad.iter().any(|mv| Some(**mv) == best),
                "{elo} {position:?}"
            );
        }
    }
    assert!(given > 10, "{given}");
}

#[test]
fn values_off_the_ladder_are_refused_with_the_range() {
    let mut options = Options::default();
    for bad in ["1", "799", "2801", "-800", "1400.5", "strong", ""] {
        let why = options.set("elo", bad).expect_err(bad).to_string();
        assert!(why.contains("800 to 2800"), "{why}");
    }
    for good in ["0", "800", "1234", "2800"] {
        options.set("elo", good).expect(good);
    }
}

#[test]
fn only_moves_to_play_are_weakened() {
    let game = Game::new(Position::start());
    let nodes = |elo, job: &Job| {
        player(elo, 1)
            .run(job, &Control::new(), &mut ())
            .stats
            .nodes
    };
    for purpose in [Purpose::Analyse, Purpose::Measure] {
        let job = Job::new(game.clone(), Level::depth(8)).with_purpose(purpose);
        let job = job.at(Strength::AsOptions);
        assert_eq!(nodes(0, &job), nodes(800, &job));
    }
    let full = Job::new(game, Level::depth(8));
    let at = |strength| full.clone().at(strength);
    assert_eq!(nodes(0, &at(Strength::AsOptions)), nodes(800, &full));
    assert!(nodes(800, &at(Strength::AsOptions)) < nodes(0, &full));
    assert_eq!(
        nodes(0, &at(Strength::Elo(800))),
        nodes(800, &at(Strength::AsOptions))
    );
}

#[test]
fn a_handicap_searches_less() {
    let mut engine = player(0, 1);
    let positions = bench::positions().expect("positions");
    let mut nodes = |step, ply| -> u64 {
        let strength = Strength::Handicap(Handicap { step, ply });
        let of = |position: &Position| {
            let job = Job::new(Game::new(*position), Level::depth(6)).at(strength);
            engine.new_game();
            let found = engine.run(&job, &Control::new(), &mut ());
            assert!(found.best.is_some_and(|mv| position.is_legal(mv)));
            found.stats.nodes
        };
        positions.iter().step_by(4).map(of).sum()
    };
    let full = nodes(0, 0);
    let steps = [1, 2, 3, 5].map(|step| nodes(step, 0));
    assert!(steps.iter().all(|&step| step != full), "{full} {steps:?}");
    assert!(steps[2] < steps[1] && steps[3] < steps[2], "{steps:?}");
    assert!(nodes(0, 1) < full);
}

/// Seconds that a move takes over Hub.
fn takes(client: &mut Client, pos: &str, level: &str) -> Duration {
    let begun = client.send(format!("pos pos={pos}\nlevel {level}\ngo think"));
    let answer = client.answer();
    assert!(!answer.best().is_empty());
    answer.at - begun
}

#[test]
fn a_level_takes_its_time_on_a_clock_only() {
    let mut client = engine();
    client.send("set-param name=elo value=1400");
    let open = board('W', "w28 w32 w37 w38 w42 w43 b8 b12 b13 b17 b18 b19");
    let long = takes(&mut client, &open, "time=60");
    assert!(long > Duration::from_millis(150), "{long:?}");
    assert!(long < Duration::from_secs(20), "{long:?}");
    let short = Duration::from_millis(150);
    for level in [
        "move-time=9",
        "depth=9",
        "nodes=100000",
        "time=300 nodes=100000",
    ] {
        // On a busy machine some take longer.
        assert!(
            (0..20).any(|_| takes(&mut client, &open, level) < short),
            "{level}"
        );
    }
    assert!((0..20).any(|_| takes(&mut client, &forced(), "time=600") < short));
    // A stop ends the waiting.
    client.send(format!("pos pos={open}\nlevel time=9000\ngo think"));
    let begun = client.send("stop");
    assert!(client.answer().at - begun < LONG / 2);
}

#[test]
fn a_clock_is_never_used_up() {
    let mut engine = player(1400, 3);
    let start = Position::start();
    for time in [0.05, 0.5, 1.5, 4.0] {
        let clock = Clock {
            time,
            increment: 0.0,
            moves: None,
        };
        let level = Level {
            clock: Some(clock),
            ..Level::INFINITE
        };
        let control = Control::new();
        let job = Job::new(Game::new(start), level).at(Strength::AsOptions);
        engine.run(&job, &control, &mut ());
        let spent = control.spent().as_secs_f64();
        assert!(spent < 0.3 + time / 4.0, "{spent} s of {time} s");
    }
}
