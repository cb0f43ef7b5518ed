//! Quiet moves on sets of pieces, forwards and backwards, for retrograde analysis.
//!
//! White is to move, up the board. A backward move is one that black has just made. Neither side may have a capture:
//! the caller checks that with [`Position::must_capture`](crate::Position::must_capture).

use crate::board::{Bitboard, Square, rays};
use crate::rules::quiets::men_targets;
use crate::rules::sides::White;

/// Calls `visit` with the white men after each step that does not promote.
#[inline(always)]
pub fn each_step(men: Bitboard, occupied: Bitboard, visit: impl FnMut(Bitboard)) {
    each_moved(men, (!occupied).without(Bitboard::TOP_ROW), visit);
}

/// Calls `visit` with the black men before each step that may have led here. A black man moves backwards as a white man
/// moves forwards.
#[inline(always)]
pub fn each_step_back(men: Bitboard, occupied: Bitboard, visit: impl FnMut(Bitboard)) {
    each_moved(men, !occupied, visit);
}

#[inline(always)]
fn each_moved(men: Bitboard, targets: Bitboard, mut visit: impl FnMut(Bitboard)) {
    let (six, seven) = men_targets::<White>(men.0, targets.0);
    for (targets, step) in [(six, 6), (seven, 7)] {
        for to in Bitboard(targets) {
            let to = 1 << to.bit();
            visit(men ^ Bitboard(to | to << step));
        }
    }
}

/// The promotions of white men: the remaining men, and the new king.
pub fn promotions(men: Bitboard, occupied: Bitboard) -> impl Iterator<Item = (Bitboard, Bitboard)> {
    let targets = !occupied & Bitboard::TOP_ROW;
    let (six, seven) = men_targets::<White>(men.0, targets.0);
    [(six, 6), (seven, 7)]
        .into_iter()
        .flat_map(move |(targets, step)| {
            Bitboard(targets).map(move |to| {
                let king = Bitboard::of(to);
                (men ^ Bitboard(king.0 << step), king)
            })
        })
}

/// Calls `visit` with the origin and destination of each king move. Kings move backwards as they move forwards.
#[inline(always)]
pub fn each_king_move(kings: Bitboard, occupied: Bitboard, mut visit: impl FnMut(Square, Square)) {
    for from in kings {
        for to in rays::king_reach(from, occupied) {
            visit(from, to);
        }
    }
}

/// Number of moves of white, promotions excluded.
#[inline(always)]
pub fn count(men: Bitboard, kings: Bitboard, occupied: Bitboard) -> u32 {
    let targets = (!occupied).without(Bitboard::TOP_ROW);
    let (six, seven) = men_targets::<White>(men.0, targets.0);
    let kings: u32 = kings
        .map(|from| rays::king_reach(from, occupied).len())
        .sum();
    Bitboard(six).len() + Bitboard(seven).len() + kings
}
