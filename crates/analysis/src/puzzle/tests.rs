use super::*;
use crate::{Stop, motifs};
use damier_engine::{Engine, Options};
use damier_rules::notation::{fen, moves, pdn};
use damier_rules::{Game, Position};
use std::collections::HashSet;

const DAY: u64 = 86_400;
const POSITION: &str = "W:W22,28,32,34,37:B9,11,17,19,24";

fn puzzle(text: &str, answer: &str, grade: u32) -> Puzzle {
    let start = fen::parse(text).expect("a position");
    Puzzle {
        start,
        answer: moves::parse_line(&start, answer).expect("legal"),
        grade,
        motifs: Vec::new(),
    }
}

/// Only the first move of it wins.
fn shot() -> Puzzle {
    puzzle(POSITION, "34-29 24x33 28x39 17x28 32x3", 1)
}

fn judge() -> Judge {
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    Judge::new(Engine::new(options).expect("an engine"))
}

fn read(text: &str) -> Result<Puzzle, PuzzleError> {
    let game = pdn::read(text).next().expect("a game").expect("sound");
    Puzzle::of(&game)
}

#[test]
fn a_game_with_a_position_and_moves_is_a_puzzle() {
    let head = format!("[FEN \"{POSITION}\"]\n");
    let line = "1. 34-29 24x33 2. 28x39 17x28 3. 32x3 11-16 *";
    let told = read(&format!(
        "{head}[Grade \"3\"]\n[Motif \"one, two\"]\n{line}"
    ));
    let told = told.expect("a puzzle");
    assert_eq!((told.grade, &told.answer), (3, &shot().answer));
    assert_eq!(told.motifs, ["one", "two"]);
    assert_eq!(told.rating(), 1700.0);
    let unnamed = read(&format!("{head}[Motif \" ,\"]\n{line}")).expect("a puzzle");
    assert!(unnamed.motifs.is_empty());
    // What is not told follows from the answer.
    let plain = read(&format!("{head}{line}")).expect("a puzzle");
    assert_eq!(
        (plain.grade, &plain.motifs[..]),
        (2, &["coup de talon".to_owned()][..])
    );
    assert_eq!(
        read(&format!("{head}[Grade \"99\"]\n{line}")).map(|puzzle| puzzle.grade),
        Ok(GRADES)
    );
    assert_eq!(read("1. 32-28 19-23 *"), Err(PuzzleError::NoPosition));
    assert_eq!(read(&format!("{head}*")), Err(PuzzleError::NoAnswer));
}

#[test]
fn moves_as_good_as_the_answer_are_told_from_worse_ones() {
    let mut judge = judge();
    let puzzle = shot();
    let game = Game::new(puzzle.start);
    let mv = |game: &Game, text| moves::parse(game.position(), text).expect("legal");
    let answer = puzzle.answer[0];
    let mut is_good =
        |game: &Game, tried, answer| judge.is_as_good(game, tried, answer, &Stop::new());
    assert_eq!(is_good(&game, answer, answer), Ok(true));
    assert_eq!(is_good(&game, mv(&game, "32-27"), answer), Ok(false));
    // Two ways to win.
    let won = Game::new(fen::parse("W:WK5,K46,31:B20").expect("a position"));
    let [one, other] = ["31-26", "31-27"].map(|text| mv(&won, text));
    assert_eq!(is_good(&won, one, other), Ok(true));
    let mut wrong = puzzle.clone();
    wrong.answer = vec![mv(&game, "32-27")];
    assert_eq!(judge.is_only(&puzzle, &Stop::new()), Ok(true));
    let mut two = puzzle.clone();
    (two.start, two.answer) = (*won.position(), vec![one]);
    assert_eq!(judge.is_only(&two, &Stop::new()), Ok(false));
    assert_eq!(judge.is_best(&puzzle, &Stop::new()), Ok(true));
    assert_eq!(judge.is_best(&wrong, &Stop::new()), Ok(false));
}

#[test]
fn what_was_missed_comes_again_later_each_time_it_is_solved() {
    let puzzles = [shot(), puzzle("W:W31:B1", "31-26", 4)];
    let mut progress = Progress::default();
    let next = |progress: &Progress, now| progress.next(&puzzles, now, 7, |_| true);
    let first = next(&progress, 0).expect("a puzzle");
    let other = 1 - first;
    progress.note(&puzzles[first], Outcome::Missed, 1000);
    assert_eq!(next(&progress, 1000), Some(other));
    // One that is due comes before new ones.
    assert_eq!(next(&progress, 1600), Some(first));
    progress.note(&puzzles[other], Outcome::Solved, 1000);
    assert_eq!(next(&progress, 1599), None);
    assert_eq!(progress.next_due(&puzzles, 1599), Some(1600));
    let mut now = 1600;
    for days in [1, 3, 7, 21] {
        assert_eq!(next(&progress, now), Some(first));
        progress.note(&puzzles[first], Outcome::Solved, now);
        assert_eq!(next(&progress, now + days * DAY - 1), None);
        now += days * DAY;
    }
    assert_eq!(next(&progress, now), Some(first));
    progress.note(&puzzles[first], Outcome::Helped, now);
    assert_eq!(progress.next_due(&puzzles, now), Some(now + 600));
    for _ in 0..5 {
        now = progress.next_due(&puzzles, now).expect("comes again");
        progress.note(&puzzles[first], Outcome::Solved, now);
    }
    assert_eq!(progress.next_due(&puzzles, now), None);
}

#[test]
fn a_clock_set_back_and_a_second_session_keep_the_order() {
    let puzzles = [shot()];
    let mut progress = Progress::default();
    let next = |progress: &Progress, now| progress.next(&puzzles, now, 7, |_| true);
    progress.note(&puzzles[0], Outcome::Missed, 3000 * DAY);
    assert_eq!(next(&progress, 3000 * DAY), None);
    // The clock was years ahead.
    assert_eq!(next(&progress, 1000 * DAY), Some(0));
    assert_eq!(progress.next_due(&puzzles, 1000 * DAY), Some(1000 * DAY));
    // Solved in two sessions that both had it on the board.
    progress.note(&puzzles[0], Outcome::Solved, 1000 * DAY);
    progress.note(&puzzles[0], Outcome::Solved, 1000 * DAY);
    assert_eq!(progress.next_due(&puzzles, 1000 * DAY), Some(1001 * DAY));
    progress.note(&puzzles[0], Outcome::Missed, 1000 * DAY);
    assert_eq!(
        progress.next_due(&puzzles, 1000 * DAY),
        Some(1000 * DAY + 600)
    );
}

#[test]
fn the_rating_follows_the_first_result_of_each_puzzle() {
    let puzzle = shot();
    let mut progress = Progress::default();
    progress.note(&puzzle, Outcome::Solved, 0);
    // 1200 against 1100: 64 % were expected.
    assert_eq!(progress.rating.round(), 1212.0);
    assert_eq!((progress.count, progress.streak), (1, 1));
    progress.note(&puzzle, Outcome::Missed, 0);
    assert_eq!(progress.rating.round(), 1212.0);
    assert_eq!(
        (progress.count, progress.streak, progress.best_streak),
        (1, 0, 1)
    );
    let mut missed = Progress::default();
    missed.note(&puzzle, Outcome::Missed, 0);
    assert_eq!(missed.rating.round(), 1180.0);
    let mut helped = Progress::default();
    helped.note(&puzzle, Outcome::Helped, 0);
    assert_eq!(helped.rating.round(), 1196.0);
}

#[test]
fn progress_is_stored_and_nothing_else_is_taken_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/puzzles.json");
    assert_eq!(
        Progress::load(&path).expect("none yet"),
        Progress::default()
    );
    let mut progress = Progress::default();
    progress.note(&shot(), Outcome::Missed, 5);
    for _ in 0..2 {
        progress.save(&path).expect("written");
        assert_eq!(Progress::load(&path).expect("read"), progress);
    }
    for (text, is_wanted) in [
        (
            "{\"damier_puzzles\":2}",
            (|error| matches!(error, ProgressError::Newer(2))) as fn(ProgressError) -> bool,
        ),
        ("{\"damier_puzzles\":1}", |error| {
            matches!(error, ProgressError::Damaged(_))
        }),
        ("[Event \"x\"]", |error| {
            matches!(error, ProgressError::Damaged(_))
        }),
    ] {
        std::fs::write(&path, text).expect("written");
        assert!(Progress::load(&path).is_err_and(is_wanted), "{text}");
    }
    // The file of somebody else is not replaced.
    assert!(progress.save(&path).is_err());
}

#[test]
fn puzzles_that_are_shifted_or_turned_are_alike() {
    let one = puzzle("W:W28,32,33,37,38:B8,18,19", "28-23 19x39", 1);
    let shifted = puzzle("W:W27,31,32,36,37:B7,17,18", "27-22 18x38", 1);
    let turned = puzzle("B:B23,19,18,14,13:W43,33,32", "23-28 32x12", 1);
    let more = puzzle("W:W28,32,33,37,38,50:B8,18,19", "28-23 19x39", 1);
    let other = puzzle("W:W28,32,33,37,38,50:B8,18,19", "28-22 18x27", 1);
    assert_eq!(one.shapes(), shifted.shapes());
    assert_eq!(one.shapes(), turned.shapes());
    assert!(one.shapes()[0] != more.shapes()[0] && one.shapes()[1] == more.shapes()[1]);
    assert_ne!(more.shapes()[1], other.shapes()[1]);
}

#[test]
fn a_damaged_set_is_refused() {
    let sound = built_in_text().expect("sound").as_bytes();
    for at in [0, sound.len() / 2, sound.len() - 1] {
        let mut changed = sound.to_vec();
        changed[at] ^= 1;
        assert_eq!(set::checked(&changed), Err(DamagedSet), "{at}");
    }
    assert_eq!(set::checked(&sound[1..]), Err(DamagedSet));
    assert_eq!(set::checked(b"\xff"), Err(DamagedSet));
}

#[test]
fn the_built_in_set_is_graded_named_and_has_no_two_alike() {
    let text = built_in_text().expect("sound");
    assert!(text.len() <= 200_000, "{}", text.len());
    let games = pdn::read(text).count();
    let puzzles = built_in().expect("sound");
    assert!(
        puzzles.len() >= 500 && puzzles.len() == games,
        "{}",
        puzzles.len()
    );
    let mut shapes = HashSet::new();
    for puzzle in &puzzles {
        let name = puzzle.name();
        assert_ne!(puzzle.start, Position::start());
        for shape in puzzle.shapes() {
            assert!(shapes.insert(shape), "{name} is like another one");
        }
        let names: Vec<_> = motifs(&puzzle.start, &puzzle.answer)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, puzzle.motifs, "{name}");
    }
    for grade in 1..=GRADES {
        assert!(
            puzzles.iter().any(|puzzle| puzzle.grade == grade),
            "grade {grade}"
        );
    }
}
