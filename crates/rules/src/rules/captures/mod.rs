//! Captures: all sequences that take the most pieces (article 4.13); moves are distinct by from, to and captured set.
//!
//! Captured pieces stay on the board until the move is complete: none is jumped twice, and they block (articles 4.8,
//! 4.9). The capturing piece's own square is free during the capture. A man that passes the promotion row in a capture
//! does not promote (4.15).
//!
//! Captures by men of one or two pieces are found set-wise ([`Jumps`]). All others are found by depth-first search over
//! paths ([`paths`]); if there are too many paths, as in some compositions, [`states`] visits each state of a capture
//! only once.

mod paths;
mod states;
#[cfg(test)]
mod tests;

use super::sides::Sides;
use super::{Move, MoveList};
use crate::board::Bitboard;
use crate::board::rays::{DIRECTIONS, STEPS, open_and_blocker};
use damier_cpu::Cpu;

/// Maximum number of jumps that the search over paths examines before it gives up. Game positions need a few dozen; the
/// worst found by hill climbing needs 12,916 (a quarter of a millisecond).
const MOST_STEPS: u32 = 20_000;

/// All squares of a set, shifted one step in a direction.
#[inline(always)]
pub(super) fn shift(bits: u64, direction: usize) -> u64 {
    let step = STEPS[direction];
    if step > 0 {
        bits << step
    } else {
        bits >> -step
    }
}

/// The opposite of a direction.
#[inline(always)]
pub(super) const fn opposite(direction: usize) -> usize {
    direction ^ 2
}

/// The enemy pieces with an empty square behind them, by direction: those that an adjacent man can jump.
#[inline(always)]
pub(super) fn jumpable(enemy: u64, empty: u64) -> [u64; DIRECTIONS] {
    std::array::from_fn(|direction| enemy & shift(empty, opposite(direction)))
}

/// The first jumps of all men at once, as sets of jumped squares by direction.
///
/// Two paths of men make the same move, or a man lands on the square it came from, only if the jumps close a circle,
/// which takes four. So as long as no path has more than three jumps, each member of these sets is a distinct move.
#[derive(Clone, Copy)]
pub(super) struct Jumps {
    jumpable: [u64; DIRECTIONS],
    /// Squares jumped first.
    pub first: [u64; DIRECTIONS],
}

impl Jumps {
    #[inline(always)]
    pub fn new(men: u64, enemy: u64, empty: u64) -> Jumps {
        let jumpable = jumpable(enemy, empty);
        Jumps {
            jumpable,
            first: std::array::from_fn(|d| shift(men, d) & jumpable[d]),
        }
    }

    #[inline(always)]
    pub fn any(&self) -> bool {
        union(self.first) != 0
    }

    /// Squares jumped in direction `next` right after a jump over `over` in direction `last`.
    #[inline(always)]
    pub fn then(&self, over: u64, last: usize, next: usize) -> u64 {
        shift(shift(over, last), next) & self.jumpable[next]
    }

    /// Squares jumped right after the jumps over `overs`, without recording which jump led to which. A fourth jump may
    /// be missing if it ends where the man began.
    #[inline(always)]
    pub fn next(&self, overs: [u64; DIRECTIONS]) -> [u64; DIRECTIONS] {
        let landed: [u64; DIRECTIONS] = std::array::from_fn(|d| shift(overs[d], d));
        std::array::from_fn(|d| {
            let [a, b, c] = onward(d);
            shift(landed[a] | landed[b] | landed[c], d) & self.jumpable[d]
        })
    }
}

/// The three directions in which a jump in this direction can continue: any but backwards.
#[inline(always)]
pub(super) const fn onward(direction: usize) -> [usize; 3] {
    [direction, direction ^ 1, direction ^ 3]
}

/// The squares of all directions together.
#[inline(always)]
pub(super) fn union(sets: [u64; DIRECTIONS]) -> u64 {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// Whether the side to move has a capture.
#[inline(always)]
pub(super) fn exists(cpu: impl Cpu, sides: &Sides) -> bool {
    let (enemy, empty) = (sides.enemy(), sides.empty());
    Jumps::new(sides.men, enemy, empty).any()
        || sides.kings != 0
            && cpu.call(
                #[inline(always)]
                |kings, enemy, empty, ()| king_jump_exists(kings, enemy, empty),
                sides.kings,
                enemy,
                empty,
                (),
            )
}

#[inline(always)]
fn king_jump_exists(kings: u64, enemy: u64, empty: u64) -> bool {
    let jumpable = jumpable(enemy, empty);
    let occupied = Bitboard(!empty & Bitboard::ALL.0);
    Bitboard(kings).into_iter().any(|from| {
        (0..DIRECTIONS).any(|d| open_and_blocker(d, from, occupied).1.0 & jumpable[d] != 0)
    })
}

/// Appends the captures that take the most pieces, each once, to an empty list. False if there are none.
#[inline(always)]
pub(super) fn generate(cpu: impl Cpu, sides: &Sides, list: &mut MoveList) -> bool {
    let there = exists(cpu, sides);
    if there {
        cpu.run(
            #[inline(always)]
            || {
                if !each_short(sides, |mv| list.push(mv)) {
                    generate_long(cpu, sides, list);
                }
            },
        );
    }
    there
}

/// Visits the captures that take the most pieces, each once, if all are captures by men of one or two pieces. Otherwise
/// visits none and returns false.
#[inline(always)]
pub(super) fn each_short(sides: &Sides, mut visit: impl FnMut(Move)) -> bool {
    if sides.kings != 0 {
        return false;
    }
    let jumps = Jumps::new(sides.men, sides.enemy(), sides.empty());
    let second = jumps.next(jumps.first);
    if union(second) == 0 {
        each_single(&jumps, &mut visit);
        return true;
    }
    let short = union(jumps.next(second)) == 0;
    if short {
        each_double(&jumps, &mut visit);
    }
    short
}

/// Appends the captures that take the most pieces, of any length and by any piece, to an empty list.
#[inline(always)]
pub(super) fn generate_long(cpu: impl Cpu, sides: &Sides, list: &mut MoveList) {
    cpu.run(
        #[inline(always)]
        || {
            if paths::generate(cpu, sides, list, MOST_STEPS).is_err() {
                list.clear();
                states::generate(sides, list);
            }
        },
    );
}

#[inline(always)]
fn each_single(jumps: &Jumps, visit: &mut impl FnMut(Move)) {
    singles::<0>(jumps, visit);
    singles::<1>(jumps, visit);
    singles::<2>(jumps, visit);
    singles::<3>(jumps, visit);
}

/// Captures of one piece in a direction, which is a constant so that every shift is by a constant.
#[inline(always)]
fn singles<const D: usize>(jumps: &Jumps, visit: &mut impl FnMut(Move)) {
    for over in Bitboard(jumps.first[D]) {
        let (from, to) = (over.stepped(-STEPS[D]), over.stepped(STEPS[D]));
        visit(Move::new(from, to, Bitboard::of(over)));
    }
}

#[inline(always)]
fn each_double(jumps: &Jumps, visit: &mut impl FnMut(Move)) {
    doubles_from::<0>(jumps, visit);
    doubles_from::<1>(jumps, visit);
    doubles_from::<2>(jumps, visit);
    doubles_from::<3>(jumps, visit);
}

#[inline(always)]
fn doubles_from<const D: usize>(jumps: &Jumps, visit: &mut impl FnMut(Move)) {
    if jumps.first[D] == 0 {
        return;
    }
    for then in onward(D) {
        for second in Bitboard(jumps.then(jumps.first[D], D, then)) {
            let first = second.stepped(-STEPS[then] - STEPS[D]);
            let (from, to) = (first.stepped(-STEPS[D]), second.stepped(STEPS[then]));
            let captured = Bitboard::of(first) | Bitboard::of(second);
            visit(Move::new(from, to, captured));
        }
    }
}
