//! The order in which the moves of a node are tried.

use super::history::History;
use super::table::Hint;
use crate::board::{Bitboard, Color};
use crate::rules::{Move, Position};

const TABLE_MOVE: i32 = 1 << 24;
const PROMOTION: i32 = 1 << 20;
const KILLER: [i32; 2] = [1 << 18, 1 << 17];
const COUNTER: i32 = 1 << 16;
const KING_TAKEN: i32 = 1 << 10;

/// What the order of a node's moves depends on.
pub(super) struct Context<'a> {
    pub history: &'a History,
    pub hint: Hint,
    pub ply: u32,
    pub previous: Option<Move>,
}

/// Sorts the moves: table move, promotions, killers, counter-move, then by history. Captures by kings taken.
pub(super) fn sort(moves: &mut [Move], position: &Position, context: &Context) {
    let color = position.turn();
    let rank = |mv: Move| -> i32 {
        if context.hint.is(mv) {
            TABLE_MOVE
        } else if mv.is_capture() {
            capture(mv, position.kings(!color)) + context.history.score(color, mv)
        } else {
            quiet(mv, position, context, color)
        }
    };
    insertion_sort(moves, rank);
}

fn capture(mv: Move, enemy_kings: Bitboard) -> i32 {
    KING_TAKEN * (mv.captured() & enemy_kings).len() as i32
}

#[inline(always)]
fn quiet(mv: Move, position: &Position, context: &Context, color: Color) -> i32 {
    let killers = context.history.killers(context.ply);
    let mut rank = context.history.score(color, mv);
    if killers[0] == Some(mv) {
        rank += KILLER[0];
    } else if killers[1] == Some(mv) {
        rank += KILLER[1];
    } else if context.history.counter(color, context.previous) == Some(mv) {
        rank += COUNTER;
    }
    if position.promotes(mv) {
        rank + PROMOTION
    } else {
        rank
    }
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
