//! Captures: all sequences that take the most pieces (article 4.13), as moves that differ in from, to or captured set.
//!
//! Captured pieces stay on the board until the move is over: none is jumped twice, and they block (articles 4.8, 4.9).
//! The square the piece came from is free during the capture. A man does not promote in passing (4.15).
//!
//! Captures of men only, of one or two pieces each, are found set-wise ([`Jumps`]); all others by a search over the
//! paths ([`paths`]), which in a composition may be very many: [`states`] then looks at every state of a capture once.

mod paths;
mod states;
#[cfg(test)]
mod tests;

use super::sides::Sides;
use super::{Move, MoveList};
use crate::board::rays::{DIRECTIONS, STEPS, open_and_blocker};
use crate::board::{Bitboard, Square};

/// Most jumps that the search over paths examines before it gives up. Positions of games need some dozens; the worst
/// found by hill-climbing, 12,916 (a quarter of a millisecond).
const MOST_STEPS: u32 = 20_000;

/// All squares of a set, moved one step in a direction.
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

/// The enemy pieces with an empty square behind them, by direction: what a man beside them can jump.
#[inline(always)]
pub(super) fn jumpable(enemy: u64, empty: u64) -> [u64; DIRECTIONS] {
    std::array::from_fn(|direction| enemy & shift(empty, opposite(direction)))
}

/// The first jumps of all men at once, as sets of jumped squares by direction.
///
/// Two paths of men make the same move, or a man lands on the square it came from, only where jumps close a circle,
/// which takes four. So as long as no path has more than three, the members of these sets are the moves.
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

    /// Squares jumped right after the jumps over `overs`; without which jump led to which. The fourth
    /// jump may not be there, if it ends where the man began.
    #[inline(always)]
    pub fn next(&self, overs: [u64; DIRECTIONS]) -> [u64; DIRECTIONS] {
        let landed: [u64; DIRECTIONS] = std::array::from_fn(|d| shift(overs[d], d));
        std::array::from_fn(|d| {
            let [a, b, c] = onward(d);
            shift(landed[a] | landed[b] | landed[c], d) & self.jumpable[d]
        })
    }
}

/// The three directions that a jump in this direction can be followed by: any but back.
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
pub(super) fn exists(sides: &Sides) -> bool {
    let (enemy, empty) = (sides.enemy(), sides.empty());
    Jumps::new(sides.men, enemy, empty).any()
        || sides.kings != 0 && king_jump_exists(sides.kings, enemy, empty)
}

fn king_jump_exists(kings: u64, enemy: u64, empty: u64) -> bool {
    let jumpable = jumpable(enemy, empty);
    let occupied = Bitboard(!empty & Bitboard::ALL.0);
    Bitboard(kings).into_iter().any(|from| {
        (0..DIRECTIONS).any(|d| open_and_blocker(d, from, occupied).1.0 & jumpable[d] != 0)
    })
}

/// Appends the captures of the side to move that take the most pieces, each once, to an empty list. False where there
/// are none.
#[inline(always)]
pub(super) fn generate(sides: &Sides, list: &mut MoveList) -> bool {
    let there = exists(sides);
    if there {
        generate_existing(sides, list);
    }
    there
}

#[inline(never)]
fn generate_existing(sides: &Sides, list: &mut MoveList) {
    if !each_short(sides, |mv| list.push(mv)) {
        generate_long(sides, list);
    }
}

/// Visits the captures that take the most pieces, each once, if they are captures by men of one or two pieces.
/// Otherwise visits none and returns false.
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
#[inline(never)]
pub(super) fn generate_long(sides: &Sides, list: &mut MoveList) {
    if paths::generate(sides, list, MOST_STEPS).is_err() {
        list.clear();
        states::generate(sides, list);
    }
}

#[inline(always)]
fn each_single(jumps: &Jumps, visit: &mut impl FnMut(Move)) {
    for (d, first) in jumps.first.into_iter().enumerate() {
        for over in Bitboard(first) {
            let over = Bitboard::of(over);
            let from = square_of(shift(over.0, opposite(d)));
            visit(Move::new(from, square_of(shift(over.0, d)), over));
        }
    }
}

#[inline(always)]
fn each_double(jumps: &Jumps, visit: &mut impl FnMut(Move)) {
    for (d, first) in jumps.first.into_iter().enumerate() {
        for then in onward(d) {
            for second in Bitboard(jumps.then(first, d, then)) {
                let second = Bitboard::of(second).0;
                let first = shift(shift(second, opposite(then)), opposite(d));
                let from = square_of(shift(first, opposite(d)));
                let to = square_of(shift(second, then));
                visit(Move::new(from, to, Bitboard(first | second)));
            }
        }
    }
}

#[inline(always)]
fn square_of(bit: u64) -> Square {
    Square::from_bit(crate::board::bits::lowest(bit))
}
