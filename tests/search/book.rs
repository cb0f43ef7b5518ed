//! Books: the same bytes whatever happens on the way, and what they say.

use damier::book::{Book, Canonical, play_forced};
use damier::lab::book::{
    self, BookBuildError, BookSettings, BuildRun, JsonBook, LineSearcher, OpeningsWanted,
    ScoredMove, SearchTask, Selection, compile,
};
use damier::notation::fen;
use damier::os::shard::Shard;
use damier::rules::{Move, Position};
use damier::search::Control;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Scores moves by a hash of the positions after them: always the same, and nothing like chess.
#[derive(Clone)]
struct Fake {
    /// Searches after which it stops the run; each searcher counts for all.
    left: Arc<AtomicU64>,
}

impl Fake {
    fn endless() -> Fake {
        Fake {
            left: Arc::new(AtomicU64::new(u64::MAX)),
        }
    }
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

impl LineSearcher for Fake {
    fn search(
        &mut self,
        position: &Position,
        excluded: &[Move],
        lines: usize,
        control: &Control,
    ) -> Option<(Vec<ScoredMove>, u64)> {
        let left = self
            .left
            .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        if left.is_err() {
            control.stop();
            return None;
        }
        let mut found: Vec<ScoredMove> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| !excluded.contains(mv))
            .map(|mv| ScoredMove {
                mv,
                score: (hash(&fen::format(&position.play(mv))) % 17) as i32 * 8 - 64,
                depth: 10,
            })
            .collect();
        found.sort_by_key(|line| -line.score);
        found.truncate(lines);
        // Threads finish in another order than they began.
        std::thread::sleep(std::time::Duration::from_micros(
            hash(&fen::format(position)) % 300,
        ));
        Some((found, 1_000))
    }

    fn signature(&mut self) -> String {
        "fake 1".to_owned()
    }
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("damier-book-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn run(folder: &std::path::Path, name: &str, positions: u64) -> BuildRun {
    BuildRun {
        settings: BookSettings {
            round: 16,
            lines: 3,
            ..BookSettings::default()
        },
        journal: folder.join(name),
        positions,
        shard: Shard::WHOLE,
        asked: Vec::new(),
    }
}

fn build(run: &BuildRun, threads: usize) -> book::BuildSummary {
    build_with(run, vec![Fake::endless(); threads])
}

/// Other tests start processes, which hold all that is open here until they run: a journal may be busy for a moment.
fn build_with(run: &BuildRun, searchers: Vec<Fake>) -> book::BuildSummary {
    loop {
        match book::build(run, searchers.clone(), &Control::new(), |_| ()) {
            Err(BookBuildError::Busy(_)) => std::thread::sleep(Duration::from_millis(5)),
            built => return built.expect("built"),
        }
    }
}

#[test]
fn threads_stops_and_cut_lines_make_no_difference() {
    let folder = folder("same");
    let whole = run(&folder, "whole", 500);
    let summary = build(&whole, 1);
    assert_eq!(summary.progress.positions, 500);
    assert!(!summary.stopped && summary.progress.searches >= 500);
    let bytes = fs::read(&whole.journal).expect("a journal");
    let three = run(&folder, "three", 500);
    build(&three, 3);
    assert_eq!(fs::read(&three.journal).expect("a journal"), bytes);
    // Stopped 20 times, each time with a line half written; another size in between.
    let broken = run(&folder, "broken", 500);
    for stop in 0..20u64 {
        let searcher = Fake {
            left: Arc::new(AtomicU64::new(11 + stop * 2)),
        };
        let part = BuildRun {
            positions: if stop == 7 { 123 } else { 500 },
            ..broken.clone()
        };
        let threads = 1 + stop as usize % 3;
        build_with(&part, vec![searcher; threads]);
        let mut there = fs::read(&broken.journal).expect("a journal");
        assert!(bytes.starts_with(&there), "after stop {stop}");
        let half = &bytes[there.len()..bytes.len().min(there.len() + 1 + stop as usize * 5)];
        let cut = half
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(half.len());
        there.extend_from_slice(&half[..cut]);
        fs::write(&broken.journal, there).expect("written");
    }
    let summary = build(&broken, 2);
    assert!(summary.progress.found > 100);
    assert_eq!(fs::read(&broken.journal).expect("a journal"), bytes);
    // Built already: nothing changes.
    build(&broken, 2);
    assert_eq!(fs::read(&broken.journal).expect("a journal"), bytes);
}

#[test]
fn shards_of_rounds_make_the_same_book() {
    let folder = folder("shards");
    let whole = run(&folder, "whole", 60);
    build(&whole, 2);
    let bytes = fs::read(&whole.journal).expect("a journal");
    let base = run(&folder, "base", 60);
    // A journal in the middle of a round.
    build(
        &BuildRun {
            positions: 25,
            ..base.clone()
        },
        1,
    );
    for _ in 0..100 {
        if fs::read(&base.journal).expect("a journal").len() >= bytes.len() {
            break;
        }
        let parts: Vec<PathBuf> = (1..=3)
            .map(|n| folder.join(format!("base.{n}-of-3")))
            .collect();
        for number in [2, 1, 3] {
            let shard = Shard::new(number, 3).expect("a shard");
            let share = BuildRun {
                shard,
                positions: u64::MAX,
                ..base.clone()
            };
            build(&share, 1);
            // Again: it is there already.
            let before = fs::read(&parts[number as usize - 1]).expect("a part");
            build(&share, 2);
            assert_eq!(
                fs::read(&parts[number as usize - 1]).expect("a part"),
                before
            );
        }
        let error = book::merge(&base.journal, &parts[..1], false);
        let lone = error.as_ref().is_ok_and(|merged| merged.added == 0);
        assert!(
            lone || matches!(error, Err(BookBuildError::Missing { .. })),
            "{error:?}"
        );
        let merged = book::merge(&base.journal, &parts, false).expect("merged");
        assert_eq!(merged.out_of_order, 0);
        assert!(merged.added > 0);
        assert_eq!(
            book::merge(&base.journal, &parts, false)
                .expect("nothing new")
                .added,
            0
        );
    }
    let there = fs::read(&base.journal).expect("a journal");
    assert!(
        there.starts_with(&bytes),
        "the same searches in the same order"
    );
}

#[test]
fn a_journal_damaged_before_its_end_is_named_and_refused() {
    let folder = folder("damage");
    let run = run(&folder, "journal", 12);
    build(&run, 1);
    let good = fs::read(&run.journal).expect("a journal");
    let last = good[..good.len() - 1]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .expect("lines");
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 2;
        fs::write(&run.journal, &bad).expect("written");
        match book::read_journal(&run.journal) {
            // The end of the last line may be cut off by a kill.
            Ok(contents) => assert!(at > last && contents.positions() < 12, "byte {at}"),
            Err(error) => assert!(error.to_string().contains("journal"), "{error}"),
        }
    }
    fs::write(&run.journal, &good).expect("written");
    let other = BuildRun {
        settings: BookSettings {
            lines: 5,
            ..run.settings.clone()
        },
        ..run.clone()
    };
    let error = book::build(&other, vec![Fake::endless()], &Control::new(), |_| ());
    assert!(matches!(
        error,
        Err(BookBuildError::Settings { name: "lines", .. })
    ));
    assert_eq!(fs::read(&run.journal).expect("a journal"), good);
    fs::write(&run.journal, "something else\n").expect("written");
    let error = book::build(&run, vec![Fake::endless()], &Control::new(), |_| ());
    assert!(matches!(error, Err(BookBuildError::Foreign(_))));
    assert_eq!(fs::read(&run.journal).expect("a file"), b"something else\n");
}

/// A book of some hundred positions.
fn small(name: &str) -> (Book, Vec<u8>) {
    let folder = folder(name);
    let mut summary = build(&run(&folder, "journal", 400), 2);
    summary.contents.close();
    let bytes = compile(&mut summary.contents.graph, &Selection::default());
    (Book::from_bytes(bytes.clone()).expect("a book"), bytes)
}

#[test]
fn a_compiled_book_is_complete_and_goes_through_text_unchanged() {
    let (book, bytes) = small("text");
    assert_eq!(book.header().positions, 400);
    let mut seen = HashSet::new();
    for known in book.walk().expect("a root") {
        assert!(known.entry.moves.is_sorted_by_key(|mv| -mv.score));
        assert!(
            known.position.legal_moves().len() > 1,
            "a position with a choice"
        );
        assert!(seen.insert(Canonical::of(&known.position).code()));
        // Its twin gives the same.
        let twin = book.find(&known.position.flipped()).expect("the twin");
        assert_eq!(twin.moves.len(), known.entry.moves.len());
        assert_eq!(twin.moves[0].score, known.entry.moves[0].score);
        // What is behind a move is the move's score.
        for mv in &known.entry.moves {
            let settled = play_forced(&known.position.play(mv.mv));
            let sign = if settled.forced.len().is_multiple_of(2) {
                -1
            } else {
                1
            };
            if let Some(entry) = book.find(&settled.position) {
                assert_eq!(entry.moves[0].score * sign, mv.score);
            }
        }
    }
    assert_eq!(seen.len(), 400, "everything can be reached");
    let json = serde_json::to_vec(&JsonBook::new(&book).expect("a root")).expect("JSON");
    assert_eq!(
        book::from_json(Path::new("x.json"), &json).expect("read back"),
        bytes
    );
    let mut pdn = Vec::new();
    book::write_pdn(&book, 6, &mut pdn).expect("written");
    let games: Vec<_> = damier::notation::pdn::read(&damier::notation::pdn::decode(&pdn)).collect();
    let [Ok(game)] = games.as_slice() else {
        panic!("{games:?}")
    };
    let best = book.find(&Position::start()).expect("in it").moves[0].mv;
    assert_eq!(game.moves[0].mv, best);
    assert!(game.moves.len() >= 3);
}

#[test]
fn wrong_text_is_refused_with_its_place() {
    let (book, _) = small("wrong");
    let mut json = JsonBook::new(&book).expect("a root");
    json.book[3].moves[0].mv = "1-50".to_owned();
    let wrong = serde_json::to_vec(&json).expect("JSON");
    let error = book::from_json(Path::new("x.json"), &wrong)
        .expect_err("an illegal move")
        .to_string();
    assert!(
        error.contains("x.json") && error.contains(&json.book[3].fen[..20]),
        "{error}"
    );
    for text in ["", "{}", "[1]", "nonsense"] {
        assert!(
            book::from_json(Path::new("x.json"), text.as_bytes()).is_err(),
            "{text}"
        );
    }
}

#[test]
fn the_small_form_keeps_the_cheapest_lines() {
    let folder = folder("cut");
    let mut summary = build(&run(&folder, "journal", 400), 2);
    summary.contents.close();
    let graph = &mut summary.contents.graph;
    let size = |selection: &Selection, graph: &mut book::Graph| {
        let bytes = compile(graph, selection);
        let book = Book::from_bytes(bytes.clone()).expect("a book");
        let reached = book.walk().expect("a root").count() as u64;
        assert_eq!(reached, book.header().positions, "whole lines only");
        (bytes.len(), reached)
    };
    let (_, count) = size(
        &Selection {
            positions: 100,
            ..Selection::default()
        },
        graph,
    );
    assert_eq!(count, 100);
    let (bytes, count) = size(
        &Selection {
            bytes: 2_000,
            ..Selection::default()
        },
        graph,
    );
    assert!(
        bytes <= 2_000 && count > 50,
        "{bytes} bytes, {count} positions"
    );
}

#[test]
fn games_move_scores_within_the_bound() {
    let (book, _) = small("learn");
    let start = Position::start();
    let best = book.find(&start).expect("in it").moves[0];
    let game = format!("[Result \"0-2\"]\n\n1. {} *\n\n", best.mv);
    let (bytes, lessons) = book::learn(&book, game.repeat(50).as_bytes(), 16).expect("learned");
    assert_eq!((lessons.games, lessons.moves), (50, 50));
    let learned = Book::from_bytes(bytes).expect("a book");
    let entry = learned.find(&start).expect("in it");
    let moved = entry
        .moves
        .iter()
        .find(|mv| mv.mv == best.mv)
        .expect("still there");
    assert_eq!(
        (moved.searched, moved.learned.games, moved.learned.points),
        (best.searched, 50, 0)
    );
    assert!(moved.score < best.score && moved.score > best.score - 16);
    // More games go on from these.
    let (bytes, _) = book::learn(&learned, game.as_bytes(), 16).expect("learned");
    let again = Book::from_bytes(bytes)
        .expect("a book")
        .find(&start)
        .expect("in it");
    assert!(again.moves.iter().any(|mv| mv.learned.games == 51));
    let (_, none) = book::learn(&book, b"1. 32-28 *\n\nnonsense 1. 99-98\n", 16).expect("learned");
    assert_eq!(none.games, 0);
}

#[test]
fn openings_are_distinct_and_in_the_window() {
    let (book, _) = small("openings");
    let wanted = OpeningsWanted {
        plies: 3,
        window: 8..=40,
        count: 20,
        seed: 1,
    };
    let found = book::openings(&book, &wanted).expect("found");
    assert_eq!(found.len(), 20);
    let distinct: HashSet<String> = found
        .iter()
        .map(|opening| fen::format(&opening.position))
        .collect();
    assert_eq!(distinct.len(), 20);
    for opening in &found {
        assert!((8..=40).contains(&opening.score.abs()));
        assert_eq!(opening.moves.len(), 3);
        let reached = opening.moves.iter().fold(opening.root, |position, mv| {
            assert!(position.is_legal(*mv));
            position.play(*mv)
        });
        assert_eq!(reached, opening.position);
    }
    assert_eq!(book::openings(&book, &wanted).expect("found"), found);
    let other = OpeningsWanted { seed: 2, ..wanted };
    assert_ne!(book::openings(&book, &other).expect("found"), found);
}

#[test]
fn moves_asked_for_are_searched_however_bad_they_are() {
    let folder = folder("asked");
    let start = Position::start();
    let plain = build(&run(&folder, "plain", 3), 1);
    let known = |contents: &book::Contents, mv: Move| {
        let mut contents = contents.clone();
        contents.close();
        contents.graph.has_move(&start, mv)
    };
    let legal = start.legal_moves();
    let asked = legal
        .iter()
        .copied()
        .find(|mv| !known(&plain.contents, *mv));
    // A wider first search would know them all; then there is nothing to ask for.
    let asked = asked.expect("a move that was not looked at");
    let with = BuildRun {
        asked: vec![(Canonical::of(&start).code(), asked)],
        ..run(&folder, "with", 3)
    };
    let mut summary = build(&with, 1);
    assert!(known(&summary.contents, asked));
    // The same again, with the games named again.
    let bytes = fs::read(&with.journal).expect("a journal");
    build(&with, 1);
    assert_eq!(fs::read(&with.journal).expect("a journal"), bytes);
    summary.contents.close();
    summary.contents.graph.back_up();
    let next = summary.contents.graph.next(50);
    assert!(
        next.iter()
            .all(|work| !matches!(work.task, SearchTask::Try(_)))
    );
}
