//! The ways a piece can go to make a capture. The rules do not keep them: they are no part of a move.

use crate::board::rays::{DIRECTIONS, open_and_blocker, ray};
use crate::board::{Bitboard, Square};
use crate::rules::{Move, Position};

/// Whether the capture can be made so that the piece lands on these squares in this order, and perhaps on others
/// between.
pub(super) fn lands_on(position: &Position, mv: Move, through: &[Square]) -> bool {
    let walk = Walk::new(position, mv.from());
    walk.reaches(mv.from(), mv.to(), mv.captured(), through)
}

/// Whether the piece on `from` can get to `to` by taking exactly these pieces, even if it could take more.
pub(super) fn takes(position: &Position, from: Square, to: Square, captured: Bitboard) -> bool {
    Walk::new(position, from).reaches(from, to, captured, &[])
}

/// The squares where the piece stands on its way, first and last included. Of several ways the first by direction
/// (down-left, down-right, up-right, up-left), then by the length of the jump.
pub(super) fn first(position: &Position, mv: Move) -> Vec<Square> {
    let walk = Walk::new(position, mv.from());
    let mut squares = vec![mv.from()];
    walk.trace(mv.to(), mv.captured(), &mut squares);
    squares
}

/// Every way to make a capture, in the order of [`first`], at most so many: the squares where the piece stands, first
/// and last included.
pub(super) fn all(position: &Position, mv: Move, most: usize) -> Vec<Vec<Square>> {
    let walk = Walk::new(position, mv.from());
    let (mut squares, mut found) = (vec![mv.from()], Vec::new());
    walk.collect(mv.to(), mv.captured(), &mut squares, &mut found, most);
    found
}

/// The most pieces that the piece on `from` can take on its way to `to`, ending there even if it could take more; 0
/// when it cannot get there by captures. `limit` bounds the steps tried.
pub(super) fn most_on_the_way(position: &Position, from: Square, to: Square) -> u32 {
    let walk = Walk::new(position, from);
    let mut most = 0;
    let mut steps = 100_000;
    walk.explore(from, to, Bitboard::EMPTY, &mut most, &mut steps);
    most
}

/// A capturing piece: what does not change while it goes.
struct Walk {
    king: bool,
    enemy: Bitboard,
    /// All pieces but the one that goes.
    occupied: Bitboard,
}

/// One captured piece and the squares behind it where the piece may land, nearest first.
struct Jump {
    over: Square,
    landings: Vec<Square>,
}

impl Walk {
    fn new(position: &Position, from: Square) -> Walk {
        let us = position.turn();
        Walk {
            king: position.kings(us).contains(from),
            enemy: position.pieces(!us),
            occupied: position.occupied().without(Bitboard::of(from)),
        }
    }

    /// The jumps from a square over pieces of `targets`.
    fn jumps(&self, at: Square, targets: Bitboard) -> Vec<Jump> {
        (0..DIRECTIONS)
            .filter_map(|direction| {
                let (open, blocker) = open_and_blocker(direction, at, self.occupied);
                let over = (blocker & targets).first()?;
                if !self.king && !open.is_empty() {
                    return None;
                }
                let (behind, _) = open_and_blocker(direction, over, self.occupied);
                let mut landings: Vec<Square> = behind.collect();
                if direction >= 2 {
                    landings.reverse();
                }
                landings.truncate(if self.king { landings.len() } else { 1 });
                (!landings.is_empty()).then_some(Jump { over, landings })
            })
            .collect()
    }

    /// Whether the piece gets from `at` to `to` taking exactly `left` and landing on `through` in order.
    fn reaches(&self, at: Square, to: Square, left: Bitboard, through: &[Square]) -> bool {
        if left.is_empty() {
            return at == to && through.is_empty();
        }
        self.jumps(at, left).into_iter().any(|jump| {
            let left = left.without(Bitboard::of(jump.over));
            jump.landings.into_iter().any(|landing| {
                let met = usize::from(through.first() == Some(&landing));
                self.reaches(landing, to, left, &through[met..])
            })
        })
    }

    /// Extends a way that takes exactly `left` and ends on `to`; false, and the way as it was, when there is none.
    fn trace(&self, to: Square, left: Bitboard, squares: &mut Vec<Square>) -> bool {
        let Some(&at) = squares.last() else {
            return false;
        };
        if left.is_empty() {
            return at == to;
        }
        self.jumps(at, left).into_iter().any(|jump| {
            let left = left.without(Bitboard::of(jump.over));
            jump.landings.into_iter().any(|landing| {
                squares.push(landing);
                let found = self.trace(to, left, squares);
                if !found {
                    squares.pop();
                }
                found
            })
        })
    }

    /// Adds the ways on from the last of `squares` that take exactly `left` and end on `to`.
    fn collect(
        &self,
        to: Square,
        left: Bitboard,
        squares: &mut Vec<Square>,
        found: &mut Vec<Vec<Square>>,
        most: usize,
    ) {
        let Some(&at) = squares.last() else {
            return;
        };
        if left.is_empty() && at == to {
            found.push(squares.clone());
        }
        for jump in self.jumps(at, left) {
            let left = left.without(Bitboard::of(jump.over));
            for landing in jump.landings {
                if found.len() >= most {
                    return;
                }
                squares.push(landing);
                self.collect(to, left, squares, found, most);
                squares.pop();
            }
        }
    }

    fn explore(&self, at: Square, to: Square, taken: Bitboard, most: &mut u32, steps: &mut u32) {
        if at == to {
            *most = taken.len().max(*most);
        }
        if *steps == 0 {
            return;
        }
        *steps -= 1;
        for jump in self.jumps(at, self.enemy.without(taken)) {
            for landing in jump.landings {
                self.explore(landing, to, taken | Bitboard::of(jump.over), most, steps);
            }
        }
    }
}

/// The pieces that stand between two squares of one diagonal, nearest to `from` first; `None` when they share no
/// diagonal.
pub(super) fn between(position: &Position, from: Square, to: Square) -> Option<Vec<Square>> {
    let direction = (0..DIRECTIONS).find(|&direction| ray(direction, from).contains(to))?;
    let way = ray(direction, from).without(ray(direction, to) | Bitboard::of(to));
    let mut pieces: Vec<Square> = (way & position.occupied()).collect();
    if direction >= 2 {
        pieces.reverse();
    }
    Some(pieces)
}
