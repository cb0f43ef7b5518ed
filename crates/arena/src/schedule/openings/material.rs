//! A material search: does a side win a man soon?

use damier_rules::{Key, Move, MoveList, Position};
use std::collections::HashMap;

/// Counts pieces under best play, with a cache of results.
#[derive(Default)]
pub(super) struct Material {
    /// Lower and upper bound for a position and a number of quiet moves to look ahead.
    known: HashMap<(Key, u32), (i32, i32)>,
    /// The best move of the last search.
    best: HashMap<Key, Move>,
}

/// More than the number of pieces of a side.
const MANY: i32 = 99;

impl Material {
    /// Whether the side to move wins (1) or loses (-1) material under best play, relative to `base`, its current
    /// material balance. Searches this many quiet moves ahead and plays out all captures.
    pub(super) fn change(&mut self, position: &Position, quiets: u32, base: i32) -> i32 {
        if self.search(position, quiets, base) > base {
            1
        } else if self.search(position, quiets, base - 1) < base {
            -1
        } else {
            0
        }
    }

    /// Pieces of the side to move minus those of the other.
    pub(super) fn difference(position: &Position) -> i32 {
        let count = |color| position.pieces(color).len() as i32;
        count(position.turn()) - count(!position.turn())
    }

    /// A bound on the final balance: a lower bound if it is above `low`, else an upper bound.
    fn search(&mut self, position: &Position, quiets: u32, low: i32) -> i32 {
        let captures = position.must_capture();
        if !captures && quiets == 0 {
            return Material::difference(position);
        }
        let key = position.key();
        let place = (key, quiets);
        let (least, most) = self.known.get(&place).copied().unwrap_or((-MANY, MANY));
        if least > low {
            return least;
        }
        if most <= low {
            return most;
        }
        let mut legal = position.legal_moves();
        self.put_best_first(key, &mut legal);
        let left = if captures { quiets } else { quiets - 1 };
        let mut best = -MANY;
        for &mv in &legal {
            let value = -self.search(&position.play(mv), left, -low - 1);
            if value > best {
                best = value;
                self.best.insert(key, mv);
            }
            if best > low {
                break;
            }
        }
        let bounds = if best > low {
            (best, most)
        } else {
            (least, best)
        };
        self.known.insert(place, bounds);
        best
    }

    fn put_best_first(&self, key: Key, legal: &mut MoveList) {
        if let Some(best) = self.best.get(&key)
            && let Some(at) = legal.iter().position(|mv| mv == best)
        {
            legal.swap(0, at);
        }
    }
}
