//! Hunts for positions with more moves than any known, and for positions whose moves take long to find.
//!
//! Found so far by hill-climbing: 128 quiet moves, 345 captures, a quarter of a millisecond. What is worse than the
//! limits here is a find, worth a line in tests/rules/move_lists.rs or crates/rules/src/rules/captures/tests.rs.
#![no_main]

use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Position, Setup};
use libfuzzer_sys::fuzz_target;
use std::time::{Duration, Instant};

const MOST_QUIETS: usize = 128;
const MOST_CAPTURES: usize = 345;
const LONGEST: Duration = Duration::from_millis(100);

/// Two bits of input a square and one for the turn: empty or a piece; a man where one may stand, or a king.
fn position(data: &[u8]) -> Option<Position> {
    let turn = match data.first()? % 2 {
        0 => Color::White,
        _ => Color::Black,
    };
    let mut setup = Setup::empty(turn);
    for (i, square) in Square::all().enumerate() {
        let piece = Bitboard::of(square);
        let color = match data.get(1 + i / 2)? >> (4 * (i % 2)) & 15 {
            0..6 => continue,
            6..9 => {
                setup.kings[0] |= piece;
                continue;
            }
            9..11 => {
                setup.kings[1] |= piece;
                continue;
            }
            11..13 => 0,
            _ => 1,
        };
        let promotion_row = [Bitboard::TOP_ROW, Bitboard::BOTTOM_ROW][color];
        setup.men[color] |= piece.without(promotion_row);
    }
    Position::try_from(setup).ok()
}

fuzz_target!(|data: &[u8]| {
    let Some(position) = position(data) else {
        return;
    };
    let start = Instant::now();
    let list = position.legal_moves();
    let elapsed = start.elapsed();
    assert!(elapsed < LONGEST, "{elapsed:?}: {position:?}");
    let most = match position.must_capture() {
        true => MOST_CAPTURES,
        false => MOST_QUIETS,
    };
    assert!(list.len() <= most, "{} moves: {position:?}", list.len());
    assert_eq!(list.is_empty(), position.is_terminal());
    for &mv in list.iter().take(16) {
        let next = position.play(mv);
        assert_eq!(next.key(), position.key_after(position.key(), mv));
        next.legal_moves();
    }
});
