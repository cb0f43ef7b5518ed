//! Exchange offers: quiet moves of men that force a capture and allow a recapture.

use super::{Move, MoveList, Position};
use crate::board::{Bitboard, Color, Square, bits};

/// The squares one step from the set in one direction, down the board (`step` > 0) or up.
#[inline(always)]
fn shift(bits: u64, step: i32) -> u64 {
    if step > 0 {
        bits << step
    } else {
        bits >> -step
    }
}

/// The four directions, as distances between bits.
const STEPS: [i32; 4] = [6, 7, -6, -7];

impl Position {
    /// Appends the quiet moves of men after which the opponent must capture and a man can recapture. Only for a
    /// position without kings in which the side to move has no capture.
    #[inline]
    pub fn offers_into(&self, list: &mut MoveList) {
        generate(self, list);
    }
}

/// Appends the offers. Either the moved man is captured on its new square, or the square it left allows the capture of
/// a man behind it.
fn generate(position: &Position, list: &mut MoveList) {
    let us = position.turn();
    let (own, enemy) = (position.men(us).0, position.men(!us).0);
    let empty = position.empty().0;
    let steps: [i32; 2] = if us == Color::White { [-6, -7] } else { [6, 7] };
    for step in steps {
        for to in Bitboard(shift(own, step) & empty) {
            let to_bit = 1u64 << to.bit();
            let from_bit = shift(to_bit, -step);
            let (own, empty) = (own ^ from_bit ^ to_bit, empty ^ from_bit ^ to_bit);
            if retaken(own, enemy, empty, to_bit) || retaken_behind(own, enemy, empty, from_bit) {
                let from = Square::from_bit(bits::lowest(from_bit));
                list.push(Move::new(from, to, Bitboard::EMPTY));
            }
        }
    }
}

/// Whether the man on `taken` can be captured by a man that can then be recaptured where it lands. Sets are those after
/// the move.
#[inline(always)]
fn retaken(own: u64, enemy: u64, empty: u64, taken: u64) -> bool {
    STEPS.iter().any(|&step| {
        let attacker = shift(taken, -step) & enemy;
        let landing = shift(taken, step) & empty;
        attacker != 0 && landing != 0 && hit(own & !taken, empty | taken | attacker, landing)
    })
}

/// Whether some man can be captured by a jump that lands on `landing`, and the capturing man be recaptured there.
#[inline(always)]
fn retaken_behind(own: u64, enemy: u64, empty: u64, landing: u64) -> bool {
    STEPS.iter().any(|&step| {
        let taken = shift(landing, -step) & own;
        let attacker = shift(taken, -step) & enemy;
        attacker != 0 && hit(own & !taken, empty | taken | attacker, landing)
    })
}

/// Whether one of `own` can capture a man on `target`.
#[inline(always)]
fn hit(own: u64, empty: u64, target: u64) -> bool {
    let empty = empty & !target;
    STEPS
        .iter()
        .any(|&step| shift(target, -step) & own != 0 && shift(target, step) & empty != 0)
}
