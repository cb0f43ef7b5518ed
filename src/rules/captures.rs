//! Captures: all sequences that take the most pieces (article 4.13), as moves that differ in from, to or captured set.
//!
//! Captured pieces stay on the board until the move is over: none is jumped twice, and they block (articles 4.8, 4.9). The
//! square the piece came from is free during the capture. A man does not promote in passing (4.15).

use super::{Move, MoveList, Position};
use crate::board::rays::{DIRECTIONS, STEPS, open_and_blocker};
use crate::board::{Bitboard, Color, Square, bits};

#[inline(always)]
fn shift(bits: u64, step: i32) -> u64 {
    if step > 0 {
        bits << step
    } else {
        bits >> -step
    }
}

/// Whether a man could take in some direction, set-wise.
#[inline(always)]
fn men_exist(men: u64, enemy: u64, empty: u64) -> bool {
    let six = (men << 6) & enemy & (empty >> 6) | (men >> 6) & enemy & (empty << 6);
    let seven = (men << 7) & enemy & (empty >> 7) | (men >> 7) & enemy & (empty << 7);
    six | seven != 0
}

/// Whether `color` has a capture.
#[inline(always)]
pub(super) fn exists(position: &Position, color: Color) -> bool {
    let enemy = position.pieces(!color).0;
    let empty = position.empty().0;
    men_exist(position.men(color).0, enemy, empty)
        || position.kings(color).into_iter().any(|from| {
            (0..DIRECTIONS).any(|direction| {
                let (_, blocker) =
                    open_and_blocker(direction, from, Bitboard(!empty & Bitboard::ALL.0));
                shift(blocker.0 & enemy, STEPS[direction]) & empty != 0
            })
        })
}

/// Appends the captures of the side to move that take the most pieces, each once.
pub(super) fn generate(position: &Position, list: &mut MoveList) {
    let us = position.turn();
    let enemy = position.pieces(!us).0;
    let empty = position.empty().0;
    let mut search = Captures {
        enemy,
        best: 1,
        list,
        from: Square::from_bit(0),
        empty,
        occupied: !empty,
    };
    for from in Bitboard(men_starts(position.men(us).0, enemy, empty)) {
        search.start(from, empty);
        search.man(from.bit(), 0, 0);
    }
    for from in position.kings(us) {
        search.start(from, empty);
        search.king(from, 0, 0);
    }
}

/// The men that can take at least one piece.
#[inline(always)]
fn men_starts(men: u64, enemy: u64, empty: u64) -> u64 {
    STEPS.iter().fold(0, |starts, &step| {
        starts | men & shift(enemy & shift(empty, -step), -step)
    })
}

struct Captures<'a> {
    enemy: u64,
    /// Most pieces taken so far; shorter captures are not legal.
    best: u32,
    list: &'a mut MoveList,
    from: Square,
    /// Squares free for the capturing piece: the empty ones and the one it came from.
    empty: u64,
    occupied: u64,
}

impl Captures<'_> {
    fn start(&mut self, from: Square, empty: u64) {
        self.from = from;
        self.empty = empty | 1 << from.bit();
        self.occupied = !self.empty & Bitboard::ALL.0;
    }

    fn man(&mut self, at: usize, captured: u64, taken: u32) {
        let mut stuck = true;
        for step in STEPS {
            let over = shift(1 << at, step) & self.enemy & !captured;
            let to = shift(over, step) & self.empty;
            if to != 0 {
                stuck = false;
                self.man(bits::lowest(to) as usize, captured | over, taken + 1);
            }
        }
        if stuck {
            self.finish(Square::from_bit(at as u32), captured, taken);
        }
    }

    fn king(&mut self, at: Square, captured: u64, taken: u32) {
        let mut stuck = true;
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (_, blocker) = open_and_blocker(direction, at, Bitboard(self.occupied));
            let over = blocker.0 & self.enemy & !captured;
            if shift(over, step) & self.empty == 0 {
                continue;
            }
            stuck = false;
            let over_square = Square::from_bit(bits::lowest(over));
            let (landings, _) = open_and_blocker(direction, over_square, Bitboard(self.occupied));
            for to in landings {
                self.king(to, captured | over, taken + 1);
            }
        }
        if stuck {
            self.finish(at, captured, taken);
        }
    }

    fn finish(&mut self, to: Square, captured: u64, taken: u32) {
        if taken < self.best || taken == 0 {
            return;
        }
        if taken > self.best {
            self.best = taken;
            self.list.clear();
        }
        let mv = Move::new(self.from, to, Bitboard(captured));
        // One piece taken: a landing square tells the moves apart. More: another path may have made the same move.
        if taken == 1 || !self.list.contains(&mv) {
            self.list.push(mv);
        }
    }
}
