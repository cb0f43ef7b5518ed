//! The order in which the moves of a node are tried.

use super::history::{History, Known};
use super::table::Hint;
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
    let hint = context.hint;
    let known = context.history.known(color, context.ply, context.previous);
    if moves.first().is_some_and(|mv| mv.is_capture()) {
        let kings = position.kings(!color);
        insertion_sort(moves, |mv| match hint.is(mv) {
            true => TABLE_MOVE,
            false => KING_TAKEN * (mv.captured() & kings).len() as i32 + known.credit(mv),
        });
    } else {
        insertion_sort(moves, |mv| quiet(mv, position, hint, &known));
    }
}

/// Puts the quiet moves that give the opponent nothing to capture before the others, each kind in its order.
#[inline(always)]
pub(super) fn givers_last(moves: &mut [Move], position: &Position) {
    let mut keepers = 0;
    for at in 0..moves.len() {
        let mv = moves[at];
        if position.gives(mv) {
            continue;
        }
        let mut to = at;
        while to > keepers {
            moves[to] = moves[to - 1];
            to -= 1;
        }
        moves[to] = mv;
        keepers += 1;
    }
}

#[inline(always)]
fn quiet(mv: Move, position: &Position, hint: Hint, known: &Known) -> i32 {
    let this = Hint::of(mv);
    if this == hint {
        return TABLE_MOVE;
    }
    let mut rank = known.credit(mv);
    if this == known.killers[0] {
        rank += KILLER[0];
    } else if this == known.killers[1] {
        rank += KILLER[1];
    } else if this == known.counter {
        rank += COUNTER;
    }
    if position.promotes(mv) {
        rank += PROMOTION;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn moves_that_give_nothing_come_first_and_each_kind_keeps_its_order() {
        let position = fen::parse("W:W32,33:B23").expect("a position");
        let moves = position.legal_moves();
        let givers = moves.iter().filter(|mv| position.gives(**mv));
        assert_eq!((moves.len(), givers.count()), (4, 2));
        for rotated in 0..moves.len() {
            let mut list = moves.clone();
            list.rotate_left(rotated);
            let mut expected = list.clone();
            expected.sort_by_key(|mv| position.gives(*mv));
            givers_last(&mut list, &position);
            assert_eq!(list, expected);
        }
    }
}
