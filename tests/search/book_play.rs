//! Playing from an opening book.

use damier::book::format::{self, Header, RawEntry, RawMove};
use damier::book::{Canonical, Learned, numbered_moves};
use damier::engine::{Engine, Job, Level, Options, Purpose};
use damier::notation::hub_board;
use damier::rules::{Game, Move, Position};
use damier::search::{Control, Outcome, Report};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("damier-book-play-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Scores of the moves from the start, and of all replies.
const FIRST: [i32; 5] = [10, 10, 8, 6, -20];

/// A book of the start position and of every position after one ply.
fn write(path: &Path) {
    let start = Position::start();
    let entry = |position: &Position, scores: &[i32]| {
        let raw = |(number, &score): (usize, &i32)| RawMove {
            number: number as u8,
            score,
            learned: Learned::default(),
        };
        RawEntry {
            key: Canonical::of(position).code().key(),
            depth: 17,
            moves: scores.iter().enumerate().map(raw).collect(),
        }
    };
    let mut entries = vec![entry(&start, &FIRST)];
    let replies = start.legal_moves().into_iter().map(|mv| start.play(mv));
    entries.extend(replies.map(|position| entry(&position, &[0, 0, -4])));
    let header = Header {
        program: "test".to_owned(),
        positions: 0,
        nodes: 1_000,
        lines: 5,
        roots: vec![hub_board::format(&start)],
        learning_bound: 0,
    };
    fs::write(path, format::encode(&header, entries)).expect("written");
}

fn options(book: &Path) -> Options {
    Options {
        tt_size: 16,
        book_file: book.to_path_buf(),
        book_line: 1,
        ..Options::default()
    }
}

fn run(engine: &mut Engine, game: &Game) -> (Outcome, Vec<Report>) {
    let mut reports = Vec::new();
    let job = Job::new(game.clone(), Level::nodes(2_000)).with_book();
    let outcome = engine.run(&job, &Control::new(), &mut |report: &Report| {
        reports.push(report.clone())
    });
    (outcome, reports)
}

/// The first moves that seeds choose.
fn choices(options: &Options) -> HashSet<Move> {
    let game = Game::new(Position::start());
    let choose = |seed| {
        let options = Options {
            book_seed: seed,
            ..options.clone()
        };
        let mut engine = Engine::new(options).expect("an engine");
        run(&mut engine, &game).0.best.expect("a move")
    };
    (1..60).map(choose).collect()
}

#[test]
fn a_book_move_comes_with_a_whole_report() {
    let path = folder("report").join("x.dbk");
    write(&path);
    let mut engine = Engine::new(options(&path)).expect("an engine");
    assert_eq!(engine.problems(), Vec::<String>::new());
    let (outcome, reports) = run(&mut engine, &Game::new(Position::start()));
    let [report] = reports.as_slice() else {
        panic!("{reports:?}")
    };
    assert_eq!((report.depth, report.rank), (17, 1));
    assert!(report.nodes > 0 && report.pv.len() == 2);
    assert_eq!(
        (outcome.best, outcome.ponder),
        (Some(report.pv[0]), Some(report.pv[1]))
    );
    assert_eq!(outcome.report.score, report.score);
    let mut position = Position::start();
    for &mv in &report.pv {
        assert!(position.is_legal(mv));
        position = position.play(mv);
    }
}

#[test]
fn margin_and_ply_mean_what_they_mean_in_scan() {
    let path = folder("margin").join("x.dbk");
    write(&path);
    let first = numbered_moves(&Position::start());
    let with = |book_margin, book_ply| {
        choices(&Options {
            book_margin,
            book_ply,
            ..options(&path)
        })
    };
    let set = |count: usize| first[..count].iter().copied().collect::<HashSet<Move>>();
    // Equally good moves are drawn with no margin, too.
    assert_eq!(with(0, 20), set(2));
    assert_eq!(with(2, 20), set(3));
    assert_eq!(with(4, 20), set(4));
    assert_eq!(with(100, 20), set(5));
    // After so many plies only the best ones.
    assert_eq!(with(100, 0), set(2));
    let mut game = Game::new(Position::start());
    game.play(first[0]);
    let reply = |book_ply| {
        let replies = (1..60).map(|book_seed| {
            let options = Options {
                book_margin: 4,
                book_ply,
                book_seed,
                ..options(&path)
            };
            run(&mut Engine::new(options).expect("an engine"), &game)
                .0
                .best
        });
        replies.collect::<HashSet<_>>().len()
    };
    assert_eq!((reply(1), reply(2)), (2, 3));
}

#[test]
fn moves_at_the_fringe_are_not_played() {
    let path = folder("fringe").join("x.dbk");
    write(&path);
    let mut game = Game::new(Position::start());
    let is_book = |game: &Game, book_line| {
        let options = Options {
            book_line,
            ..options(&path)
        };
        let mut engine = Engine::new(options).expect("an engine");
        run(&mut engine, game).0.stats.nodes == 0
    };
    // The line from the start has two moves, the one after a move has one.
    assert!(is_book(&game, 2) && !is_book(&game, 3));
    game.play(numbered_moves(&Position::start())[0]);
    assert!(is_book(&game, 1) && !is_book(&game, 2));
}

#[test]
fn a_seed_answers_the_same_game_in_the_same_way() {
    let path = folder("seed").join("x.dbk");
    write(&path);
    let options = Options {
        book_margin: 100,
        book_seed: 7,
        ..options(&path)
    };
    let game = Game::new(Position::start());
    let mut engine = Engine::new(options.clone()).expect("an engine");
    let first = run(&mut engine, &game).0.best;
    for _ in 0..20 {
        assert_eq!(run(&mut engine, &game).0.best, first);
        engine.new_game();
    }
    // Without one an engine does not repeat itself.
    engine
        .set_options(Options {
            book_seed: 0,
            ..options
        })
        .expect("set");
    let drawn: HashSet<_> = (0..100).map(|_| run(&mut engine, &game).0.best).collect();
    assert!(drawn.len() > 2);
}

#[test]
fn the_book_is_used_only_where_it_is_wanted() {
    let path = folder("wanted").join("x.dbk");
    write(&path);
    let mut engine = Engine::new(options(&path)).expect("an engine");
    let game = Game::new(Position::start());
    let searched =
        |engine: &mut Engine, job: &Job| engine.run(job, &Control::new(), &mut ()).stats.nodes > 0;
    let job = Job::new(game.clone(), Level::nodes(2_000));
    assert!(searched(&mut engine, &job));
    assert!(!searched(&mut engine, &job.clone().with_book()));
    for purpose in [Purpose::Analyse, Purpose::Measure] {
        assert!(searched(
            &mut engine,
            &job.clone().with_book().with_purpose(purpose)
        ));
    }
    assert!(engine.book_entry(&Position::start()).is_some());
    // Switched off and on again at any time.
    engine
        .set_options(Options {
            book: false,
            ..options(&path)
        })
        .expect("set");
    assert!(searched(&mut engine, &job.clone().with_book()));
    engine.set_options(options(&path)).expect("set");
    assert!(!searched(&mut engine, &job.clone().with_book()));
    // Not in the book.
    let mut later = game;
    for _ in 0..2 {
        let mv = later.position().legal_moves()[0];
        later.play(mv);
    }
    let job = Job::new(later, Level::nodes(2_000)).with_book();
    assert!(searched(&mut engine, &job));
}

#[test]
fn a_damaged_book_is_named_once_and_the_engine_plays_on() {
    let folder = folder("damaged");
    let (good, bad) = (folder.join("good.dbk"), folder.join("bad.dbk"));
    write(&good);
    let mut bytes = fs::read(&good).expect("a book");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&bad, bytes).expect("written");
    let game = Game::new(Position::start());
    for file in [bad, folder.join("missing.dbk")] {
        let mut engine = Engine::new(options(&file)).expect("an engine");
        let problems = engine.problems();
        let name = file
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        assert!(
            problems.len() == 1 && problems[0].contains(&name),
            "{problems:?}"
        );
        assert!(engine.problems().is_empty());
        let (outcome, _) = run(&mut engine, &game);
        assert!(outcome.best.is_some() && outcome.stats.nodes > 0);
        // Another size of the table changes nothing.
        engine
            .set_options(Options {
                tt_size: 17,
                ..options(&file)
            })
            .expect("set");
        assert!(engine.problems().is_empty());
        // Another book does.
        engine.set_options(options(&good)).expect("set");
        assert_eq!(run(&mut engine, &game).0.stats.nodes, 0);
    }
}

#[test]
fn a_pondered_book_move_is_played_at_the_ponder_hit() {
    let path = folder("ponder").join("x.dbk");
    write(&path);
    let mut engine = Engine::new(options(&path)).expect("an engine");
    let job = Job::new(Game::new(Position::start()), Level::nodes(2_000));
    let job = job.with_purpose(Purpose::Ponder).with_book();
    let control = Control::pondering(Instant::now());
    let outcome = std::thread::scope(|scope| {
        let played = scope.spawn(|| engine.run(&job, &control, &mut ()));
        std::thread::sleep(Duration::from_millis(50));
        assert!(!played.is_finished(), "before the ponder hit");
        control.ponder_hit();
        played.join().expect("an outcome")
    });
    assert_eq!(outcome.report.depth, 17, "the depth of the book");
}
