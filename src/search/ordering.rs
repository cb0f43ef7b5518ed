//! The order in which the moves of a node are tried.

use super::history::{History, Known};
use super::params::Params;
use super::table::Hint;
use crate::rules::{Move, Position};

const TABLE_MOVE: i32 = 1 << 24;
const KING_TAKEN: i32 = 1 << 10;

/// What the order of a node's moves depends on.
pub(super) struct Context<'a> {
    pub params: &'a Params,
    pub history: &'a History,
    pub hint: Hint,
    pub ply: u32,
    pub previous: Option<Move>,
}

/// Sorts the moves: table move, promotions, killers, counter-move, then by history. Captures by kings taken.
pub(super) fn sort(moves: &mut [Move], position: &Position, context: &Context) {
    let color = position.turn();
    let hint = context.hint;
    let known = context.history.known(color, context.ply, context.previous);
    if moves.first().is_some_and(|mv| mv.is_capture()) {
        let kings = position.kings(!color);
        insertion_sort(moves, |mv| match hint.is(mv) {
            true => TABLE_MOVE,
            false => KING_TAKEN * (mv.captured() & kings).len() as i32 + known.credit(mv),
        });
    } else {
        let params = context.params;
        insertion_sort(moves, |mv| quiet(mv, position, hint, &known, params));
    }
}

#[inline(always)]
fn quiet(mv: Move, position: &Position, hint: Hint, known: &Known, params: &Params) -> i32 {
    let this = Hint::of(mv);
    if this == hint {
        return TABLE_MOVE;
    }
    let mut rank = known.credit(mv);
    if this == known.killers[0] {
        rank += params.order_killer_1;
    } else if this == known.killers[1] {
        rank += params.order_killer_2;
    } else if this == known.counter {
        rank += params.order_counter;
    }
    if position.promotes(mv) {
        rank += params.order_promotion;
    }
    rank
}

/// Stable, descending. Lists are short; ranks are computed once.
#[inline(always)]
fn insertion_sort(moves: &mut [Move], rank: impl Fn(Move) -> i32) {
    // Clearing room for the longest list costs more than sorting the usual ones.
    if moves.len() > 32 {
        return moves.sort_by_cached_key(|&mv| std::cmp::Reverse(rank(mv)));
    }
    let mut ranks = [0i32; 32];
    for i in 0..moves.len() {
        let mv = moves[i];
        let r = rank(mv);
        let mut at = i;
        while at > 0 && ranks[at - 1] < r {
            ranks[at] = ranks[at - 1];
            moves[at] = moves[at - 1];
            at -= 1;
        }
        ranks[at] = r;
        moves[at] = mv;
    }
}
