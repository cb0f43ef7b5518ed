//! `bench-positions/endings.fen` against exact play: for every entry with few pieces, the result is right and the moves
//! named are exactly those that keep it.

use crate::exact::{Exact, Value};
use damier::lab::{Solution, SuiteEntry, suite};
use damier::rules::GameResult;
use damier::rules::{EndgameClass, Position};

fn result(value: Value) -> GameResult {
    match value {
        Value::Win(_) => GameResult::Win,
        Value::Draw => GameResult::Draw,
        Value::Loss(_) => GameResult::Loss,
    }
}

/// Plies within which a game from here must be won.
fn limit(position: &Position) -> u8 {
    match EndgameClass::of(position) {
        Some(EndgameClass::ThreeVsKing) => 32,
        Some(EndgameClass::TwoVsKing) => 10,
        None => 50,
    }
}

fn check(exact: &mut Exact, entry: &SuiteEntry) {
    let id = &entry.id;
    let value = exact.value(&entry.position);
    assert_eq!(Some(result(value)), entry.result, "{id}: {value:?}");
    if let Value::Win(plies) | Value::Loss(plies) = value {
        assert!(
            plies <= limit(&entry.position),
            "{id}: {value:?} is too slow"
        );
    }
    let Solution::Moves(moves) = &entry.solution else {
        return;
    };
    for mv in entry.position.legal_moves() {
        let after = exact.value(&entry.position.play(mv));
        let keeps = match value {
            Value::Win(_) => matches!(after, Value::Loss(_)),
            Value::Draw => after == Value::Draw,
            Value::Loss(_) => true,
        };
        assert_eq!(keeps, moves.contains(&mv), "{id}: {mv} leads to {after:?}");
        // No win may fail only because of the move counters.
        if let Value::Loss(plies) = after {
            assert!(plies < limit(&entry.position), "{id}: {mv} is too slow");
        }
    }
}

fn check_up_to(pieces: u32, at_least: usize) {
    let mut exact = Exact::default();
    let entries = suite::load("endings").unwrap();
    let few: Vec<_> = entries
        .iter()
        .filter(|entry| entry.position.occupied().len() <= pieces)
        .collect();
    assert!(few.len() >= at_least, "{} entries", few.len());
    few.into_iter().for_each(|entry| check(&mut exact, entry));
}

#[test]
fn endings_of_three_pieces_are_right() {
    check_up_to(3, 8);
}

/// Some minutes and 400 MB: `cargo test --release --test endgame endings -- --ignored`.
#[test]
#[ignore = "minutes: cargo test --release --test endgame endings -- --ignored"]
fn endings_of_four_pieces_are_right() {
    check_up_to(4, 30);
}

#[test]
fn the_solver_knows_textbook_endings() {
    let mut exact = Exact::default();
    let mut value = |text: &str| exact.value(&damier::notation::fen::parse(text).unwrap());
    // A king alone against two: the corners of the long diagonal hold, so does any free king.
    assert_eq!(value("W:WK2,K50:BK46"), Value::Draw);
    // Opposition: 33-28 leaves 18-22 and 18-23, both into a capture.
    assert_eq!(value("W:W33:B18"), Value::Win(3));
    assert_eq!(value("B:W33:B28"), Value::Win(1));
    assert_eq!(value("W:W:BK1"), Value::Loss(0));
    assert_eq!(value("W:WK1:BK6"), Value::Draw);
    assert_eq!(value("W:WK28:BK6"), Value::Draw);
    assert_eq!(value("W:WK28:BK23"), Value::Win(1));
    assert_eq!(value("B:WK28:BK23"), Value::Win(1));
}
