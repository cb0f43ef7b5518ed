//! Quiet moves: men one step forward, kings any distance.

use super::{Move, MoveList, Position};
use crate::board::{Bitboard, Color, Square, rays};

/// The squares that men of a colour reach with a step to either side: (step 6, step 7).
#[inline(always)]
fn men_targets(men: u64, empty: u64, color: Color) -> (u64, u64) {
    match color {
        Color::White => ((men >> 6) & empty, (men >> 7) & empty),
        Color::Black => ((men << 6) & empty, (men << 7) & empty),
    }
}

/// Appends the quiet moves of the side to move. Only legal when it has no capture.
#[inline]
pub(super) fn generate(position: &Position, list: &mut MoveList) {
    let us = position.turn();
    let empty = position.empty();
    let (six, seven) = men_targets(position.men(us).0, empty.0, us);
    for (targets, step) in [(six, 6), (seven, 7)] {
        for to in Bitboard(targets) {
            let from = match us {
                Color::White => to.bit() as u32 + step,
                Color::Black => to.bit() as u32 - step,
            };
            list.push(Move::new(Square::from_bit(from), to, Bitboard::EMPTY));
        }
    }
    for from in position.kings(us) {
        for to in rays::king_reach(from, !empty) {
            list.push(Move::new(from, to, Bitboard::EMPTY));
        }
    }
}

/// Whether the side to move has a quiet move.
#[inline]
pub(super) fn exists(position: &Position) -> bool {
    let us = position.turn();
    let empty = position.empty().0;
    let (six, seven) = men_targets(position.men(us).0, empty, us);
    let kings = position.kings(us).0;
    let king_steps = (kings >> 6) | (kings >> 7) | (kings << 6) | (kings << 7);
    (six | seven | king_steps & empty) != 0
}
