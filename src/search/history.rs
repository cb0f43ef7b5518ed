//! What quiet moves were worth elsewhere in the tree: history, killers, counter-moves.

use super::{Depth, MAX_PLY};
use crate::board::Color;
use crate::rules::Move;

/// Scores stay within this either way.
const HISTORY_MAX: i32 = 1 << 14;

/// The tables of one thread. Kept between searches, so that the next move starts with what is known.
pub struct History {
    /// By colour, from and to.
    butterfly: Box<[[i16; 64 * 64]; 2]>,
    /// The move that refuted a move, by colour of the refuter and the refuted move's from and to.
    counters: Box<[[Option<Move>; 64 * 64]; 2]>,
    killers: Vec<[Option<Move>; 2]>,
}

#[inline(always)]
fn index(mv: Move) -> usize {
    (mv.from().bit() & 63) << 6 | mv.to().bit() & 63
}

fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N]
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| unreachable!("built with this length"))
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: boxed([0; 64 * 64]),
            counters: boxed([None; 64 * 64]),
            killers: vec![[None; 2]; MAX_PLY as usize + 2],
        }
    }
}

impl History {
    /// Makes room for what the next search finds: old values fade, killers go.
    pub fn age(&mut self) {
        self.butterfly
            .iter_mut()
            .flatten()
            .for_each(|value| *value /= 2);
        self.killers.fill([None; 2]);
    }

    /// Credit of a quiet move.
    #[inline(always)]
    pub fn score(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[color.index()][index(mv)])
    }

    /// The killers of a ply.
    #[inline(always)]
    pub fn killers(&self, ply: u32) -> [Option<Move>; 2] {
        self.killers[ply as usize]
    }

    /// The move that last refuted `previous`, which the opponent of `color` played.
    #[inline(always)]
    pub fn counter(&self, color: Color, previous: Option<Move>) -> Option<Move> {
        self.counters[color.index()][index(previous?)]
    }

    /// `best` refuted a position; the moves in `tried` came before it and did not.
    pub fn cutoff(
        &mut self,
        color: Color,
        ply: u32,
        depth: Depth,
        best: Move,
        tried: &[Move],
        previous: Option<Move>,
    ) {
        let bonus = (depth * depth).min(400) * 4;
        self.add(color, best, bonus);
        tried.iter().for_each(|&mv| self.add(color, mv, -bonus));
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        if let Some(previous) = previous {
            self.counters[color.index()][index(previous)] = Some(best);
        }
    }

    #[inline(always)]
    fn add(&mut self, color: Color, mv: Move, bonus: i32) {
        let slot = &mut self.butterfly[color.index()][index(mv)];
        let value = i32::from(*slot);
        *slot = (value + bonus - value * bonus.abs() / HISTORY_MAX) as i16;
    }
}
