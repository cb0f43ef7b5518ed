//! What quiet moves were worth elsewhere in the tree: history, killers, counter-moves.

use crate::search::MAX_PLY;
use crate::search::params::{HISTORY_MAX, Params};
use crate::search::table::TtMove;
use damier_rules::Move;
use damier_rules::board::{Color, Square};

/// The tables of one thread. The lead keeps its own between searches, so that the next move starts with what is known;
/// a helper gets those of the lead with each pass.
#[derive(Clone)]
pub(in crate::search) struct History {
    /// By colour, from and to.
    butterfly: Box<[[i16; 64 * 64]; 2]>,
    /// The move that refuted a move, by colour of the refuter and the refuted move's from and to.
    counters: Box<[[TtMove; 64 * 64]; 2]>,
    killers: Vec<[TtMove; 2]>,
}

/// What the history says about the moves of one node.
pub(super) struct MoveScores<'a> {
    /// The killers of the ply.
    pub killers: [TtMove; 2],
    /// The move that last refuted the one before.
    pub counter: TtMove,
    history: &'a [i16; 64 * 64],
}

impl MoveScores<'_> {
    /// History score of a quiet move.
    #[inline(always)]
    pub fn history(&self, mv: Move) -> i32 {
        i32::from(self.history[index(mv.from(), mv.to())])
    }
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: boxed([0; 64 * 64]),
            counters: boxed([TtMove::NONE; 64 * 64]),
            killers: vec![[TtMove::NONE; 2]; MAX_PLY as usize + 2],
        }
    }
}

impl History {
    /// Copies into the tables that are there: a helper does so with every pass.
    pub fn copy_from(&mut self, from: &History) {
        self.butterfly.clone_from_slice(&*from.butterfly);
        self.counters.clone_from_slice(&*from.counters);
        self.killers.clone_from(&from.killers);
    }

    /// Prepares for the next search: reduces old values, clears killers.
    pub fn age(&mut self, params: &Params) {
        self.butterfly.iter_mut().flatten().for_each(|value| {
            *value = (i32::from(*value) * params.history_kept_percent / 100) as i16
        });
        self.killers.fill([TtMove::NONE; 2]);
    }

    /// What the history says about the moves of `color` at a ply, after the opponent's move `previous`.
    #[inline(always)]
    pub(super) fn scores(
        &self,
        color: Color,
        ply: u32,
        previous: Option<(Square, Square)>,
    ) -> MoveScores<'_> {
        let counters = &self.counters[color.index()];
        MoveScores {
            killers: self.killers[ply as usize],
            counter: previous.map_or(TtMove::NONE, |(from, to)| counters[index(from, to)]),
            history: &self.butterfly[color.index()],
        }
    }

    /// The last killer of a ply.
    #[inline(always)]
    pub fn killer(&self, ply: u32) -> TtMove {
        self.killers[ply as usize][0]
    }

    /// `best` refuted a position, which earns it a bonus of at most [`HISTORY_MAX`]; the moves in `tried` came before
    /// it and did not.
    pub fn cutoff(
        &mut self,
        color: Color,
        ply: u32,
        bonus: i32,
        best: Move,
        tried: &[Move],
        previous: Option<(Square, Square)>,
    ) {
        self.add(color, best, bonus);
        tried.iter().for_each(|&mv| self.add(color, mv, -bonus));
        let best = TtMove::of(best);
        let killers = &mut self.killers[ply as usize];
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        if let Some((from, to)) = previous {
            self.counters[color.index()][index(from, to)] = best;
        }
    }

    #[inline(always)]
    fn add(&mut self, color: Color, mv: Move, bonus: i32) {
        let slot = &mut self.butterfly[color.index()][index(mv.from(), mv.to())];
        let value = i32::from(*slot);
        *slot = (value + bonus - value * bonus.abs() / HISTORY_MAX) as i16;
    }
}

/// Index of a move in a table by the squares that it goes from and to.
#[inline(always)]
fn index(from: Square, to: Square) -> usize {
    (from.bit() & 63) << 6 | to.bit() & 63
}

/// A table full of one value, made without ever being on the stack.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N]
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| unreachable!("built with this length"))
}
