//! Move lists have room for any position: the longest that hill-climbing finds, of quiet moves and of captures.

use crate::common::{fen, plain_perft, position};
use damier::board::{Bitboard, Color, Square};
use damier::rules::perft::perft;
use damier::rules::{Position, Setup};
use std::collections::HashSet;

/// Random numbers (xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }
}

/// Puts a random piece, or none, on a few random squares.
fn changed(position: &Position, random: &mut Random, enemies: u64) -> Position {
    let mut setup = Setup::from(position);
    for _ in 0..=random.below(3) {
        let Some(square) = Square::new(1 + random.below(50) as u8) else {
            continue;
        };
        let bit = Bitboard::of(square);
        for set in setup.men.iter_mut().chain(&mut setup.kings) {
            *set = set.without(bit);
        }
        match random.below(6 + enemies) {
            0..3 => {}
            3..6 => setup.kings[0] |= bit,
            6 => setup.kings[1] |= bit,
            _ => setup.men[1] |= bit.without(Bitboard::BOTTOM_ROW),
        }
    }
    Position::try_from(setup).unwrap()
}

/// The best position by `value`, climbing from an empty board several times.
fn climb(seed: u64, enemies: u64, value: impl Fn(&Position) -> usize) -> (usize, Position) {
    let mut random = Random(seed);
    let start = Position::try_from(Setup::empty(Color::White)).unwrap();
    let climbs = (0..8).map(|_| {
        let mut best = (0, start);
        for _ in 0..6_000 {
            let next = changed(&best.1, &mut random, enemies);
            let value = value(&next);
            if value >= best.0 {
                best = (value, next);
            }
        }
        best
    });
    climbs.max_by_key(|best| best.0).unwrap()
}

#[test]
fn quiet_moves_fit() {
    let (most, best) = climb(0x5EED, 0, |p| p.legal_moves().len());
    assert!(most >= 100, "the climb works: {most}, {}", fen(&best));
    assert!(
        most <= 160,
        "the bound of `MoveList` is wrong: {}",
        fen(&best)
    );
}

#[test]
fn captures_fit() {
    let captures = |p: &Position| match p.must_capture() {
        true => p.legal_moves().len(),
        false => 0,
    };
    let (most, best) = climb(0xFEED, 6, captures);
    assert!(most >= 60, "the climb works: {most}, {}", fen(&best));
}

/// The longest lists known, found by 300 climbs of 20,000 steps. Neither fits into the room on the stack.
#[test]
fn the_longest_known_lists() {
    let p = position("W:WK1,K2,K3,K4,K5,K6,K15,K16,K25,K26,K35,K36,K45,K46,K47,K48,K49,K50:B");
    assert_eq!(p.legal_moves().len(), 128);
    let p = position(
        "W:WK1,K6,K13,K16,K45,K47,K48,K49,K50:B2,4,8,9,18,19,22,24,26,27,30,31,35,37,40,42,43,44",
    );
    let list = p.legal_moves();
    assert_eq!(list.len(), 345);
    let distinct: HashSet<_> = list.iter().collect();
    assert_eq!(distinct.len(), 345);
    assert!(list.iter().all(|&mv| p.is_legal(mv)));
    assert_eq!(perft(&p, 1), 345);
    assert_eq!(perft(&p, 2), plain_perft(&p, 2));
}
