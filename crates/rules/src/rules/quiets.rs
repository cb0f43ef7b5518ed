//! Quiet moves: men one step forward, kings any distance.

use super::sides::{Side, Sides};
use super::{Move, MoveList};
use crate::board::{Bitboard, Color, Square, rays};
use damier_cpu::Cpu;
use damier_cpu::bits;

/// The squares that men reach along either diagonal: (step 6, step 7).
#[inline(always)]
pub(crate) fn men_targets<S: Side>(men: u64, empty: u64) -> (u64, u64) {
    (S::ahead_six(men) & empty, S::ahead_seven(men) & empty)
}

/// Appends the quiet moves of the side to move. They are legal only if it has no capture.
#[inline(always)]
pub(crate) fn generate<S: Side>(cpu: impl Cpu, sides: &Sides, list: &mut MoveList) {
    cpu.run(
        #[inline(always)]
        || generate_on_level::<S>(sides, list),
    );
}

#[inline(always)]
fn generate_on_level<S: Side>(sides: &Sides, list: &mut MoveList) {
    let empty = sides.empty();
    let (six, seven) = men_targets::<S>(sides.men, empty);
    for (targets, step) in [(six, 6), (seven, 7)] {
        for to in Bitboard(targets) {
            let from = match S::COLOR {
                Color::White => to.bit() as u32 + step,
                Color::Black => to.bit() as u32 - step,
            };
            list.push(Move::new(Square::from_bit(from), to, Bitboard::EMPTY));
        }
    }
    let occupied = Bitboard(!empty & Bitboard::ALL.0);
    for from in Bitboard(sides.kings) {
        for to in rays::king_reach(from, occupied) {
            list.push(Move::new(from, to, Bitboard::EMPTY));
        }
    }
}

/// Number of quiet moves of the side to move.
#[inline(always)]
pub(crate) fn count<S: Side>(sides: &Sides) -> u64 {
    let empty = sides.empty();
    let occupied = Bitboard(!empty & Bitboard::ALL.0);
    let (six, seven) = men_targets::<S>(sides.men, empty);
    let kings: u32 = Bitboard(sides.kings)
        .map(|from| rays::king_reach(from, occupied).len())
        .sum();
    u64::from(bits::count(six) + bits::count(seven) + kings)
}

/// Whether the side to move has a quiet move.
#[inline(always)]
pub(crate) fn exists<S: Side>(sides: &Sides) -> bool {
    let empty = sides.empty();
    let (six, seven) = men_targets::<S>(sides.men, empty);
    let kings = sides.kings;
    six | seven != 0 || ((kings >> 6) | (kings >> 7) | (kings << 6) | (kings << 7)) & empty != 0
}
