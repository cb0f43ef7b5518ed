//! Captures by search over states (square and set of captured pieces), each visited once. Slower than [`super::paths`]
//! if there are few paths, but in compositions many paths lead to the same state.

use super::{Sides, shift};
use crate::board::rays::{DIRECTIONS, open_and_blocker};
use crate::board::{Bitboard, Square};
use crate::rules::{Move, MoveList};
use damier_cpu::bits;
use std::collections::HashSet;

/// Appends the captures that take the most pieces to an empty list. Returns the number of states visited.
pub(super) fn generate(sides: &Sides, list: &mut MoveList) -> usize {
    let (mut best, mut states) = (1, 0);
    for (pieces, king) in [(sides.men, false), (sides.kings, true)] {
        for from in Bitboard(pieces) {
            let empty = sides.empty() | 1 << from.bit();
            let mut search = States {
                enemy: sides.enemy(),
                empty,
                king,
                best,
                ends: Vec::new(),
                seen: HashSet::new(),
            };
            search.visit(from, 0, 0);
            states += search.seen.len();
            if search.best > best {
                list.clear();
                best = search.best;
            }
            list.extend(
                search
                    .ends
                    .into_iter()
                    .map(|(to, captured)| Move::new(from, to, Bitboard(captured))),
            );
        }
    }
    states
}

struct States {
    enemy: u64,
    empty: u64,
    king: bool,
    best: u32,
    ends: Vec<(Square, u64)>,
    seen: HashSet<(Square, u64)>,
}

impl States {
    fn visit(&mut self, at: Square, captured: u64, taken: u32) {
        if !self.seen.insert((at, captured)) {
            return;
        }
        let mut stuck = true;
        for direction in 0..DIRECTIONS {
            let (over, landings) = self.jump(at, direction, captured);
            for to in landings {
                stuck = false;
                self.visit(to, captured | over, taken + 1);
            }
        }
        if stuck && taken >= self.best {
            if taken > self.best {
                self.best = taken;
                self.ends.clear();
            }
            self.ends.push((at, captured));
        }
    }

    /// The piece that can be jumped in a direction and the squares to land on; no squares if there is none.
    fn jump(&self, at: Square, direction: usize, captured: u64) -> (u64, Bitboard) {
        let occupied = Bitboard(!self.empty & Bitboard::ALL.0);
        let beside = if self.king {
            open_and_blocker(direction, at, occupied).1.0
        } else {
            shift(1 << at.bit(), direction)
        };
        let over = beside & self.enemy & !captured;
        let next = shift(over, direction) & self.empty;
        if next == 0 || !self.king {
            return (over, Bitboard(next));
        }
        let over_square = Square::from_bit(bits::lowest(over));
        (over, open_and_blocker(direction, over_square, occupied).0)
    }
}
