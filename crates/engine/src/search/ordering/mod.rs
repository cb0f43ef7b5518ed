//! The order in which the moves of a node are tried.

mod history;

pub(super) use history::History;

use super::params::Params;
use super::table::TtMove;
use damier_cpu::Cpu;
use damier_rules::board::Square;
use damier_rules::{Move, Position};
use history::MoveScores;

const TABLE_MOVE: i32 = 1 << 24;

/// What the order of a node's moves depends on.
pub(super) struct Context<'a> {
    pub params: &'a Params,
    pub history: &'a History,
    pub tt_move: TtMove,
    pub ply: u32,
    pub previous: Option<(Square, Square)>,
}

/// Sorts the moves: table move, promotions, killers, counter-move, then by history. Captures by kings taken.
#[inline(always)]
pub(super) fn sort(cpu: impl Cpu, moves: &mut [Move], position: &Position, context: &Context) {
    if moves.len() > 1 {
        cpu.call(
            #[inline(always)]
            |moves, position, context, ()| sort_on_level(moves, position, context),
            moves,
            position,
            context,
            (),
        );
    }
}

#[inline(always)]
fn sort_on_level(moves: &mut [Move], position: &Position, context: &Context) {
    let color = position.turn();
    let tt_move = context.tt_move;
    if moves.first().is_some_and(|mv| mv.is_capture()) {
        let kings = position.kings(!color);
        insertion_sort(moves, |mv| match tt_move.is(mv) {
            true => TABLE_MOVE,
            false => (mv.captured() & kings).len() as i32,
        });
    } else {
        let scores = context.history.scores(color, context.ply, context.previous);
        let params = context.params;
        insertion_sort(moves, |mv| quiet(mv, position, tt_move, &scores, params));
    }
}

#[inline(always)]
fn quiet(
    mv: Move,
    position: &Position,
    tt_move: TtMove,
    scores: &MoveScores,
    params: &Params,
) -> i32 {
    let this = TtMove::of_quiet(mv);
    if this == tt_move {
        return TABLE_MOVE;
    }
    let mut rank = scores.history(mv);
    if this == scores.killers[0] {
        rank += params.order_killer_1;
    } else if this == scores.killers[1] {
        rank += params.order_killer_2;
    } else if this == scores.counter {
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
        // A copy that is looked into would be copied field by field.
        let r = rank(moves[i]);
        let mv = moves[i];
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
    use damier_cpu::Baseline;
    use damier_rules::notation::fen;

    #[test]
    fn captures_are_sorted_by_kings_taken_whatever_quiet_moves_were_worth() {
        // 28x19x10 takes two men, 28x17x8 a man and a king.
        let position = fen::parse("W:W28:B23,14,22,K12").unwrap();
        let mut moves = position.legal_moves();
        let rank = |mv: &Move| (mv.captured() & position.kings(!position.turn())).len();
        assert!(moves.len() > 1 && moves.iter().any(|mv| rank(mv) != rank(&moves[0])));
        let params = Params::default();
        let mut history = History::default();
        for &mv in moves.iter().filter(|mv| rank(mv) == 0) {
            for _ in 0..1000 {
                history.cutoff(position.turn(), 3, params.bonus(20), mv, &[], None);
            }
        }
        let context = Context {
            params: &params,
            history: &history,
            tt_move: TtMove::NONE,
            ply: 0,
            previous: None,
        };
        sort(Baseline, &mut moves, &position, &context);
        assert!(
            moves.is_sorted_by_key(|mv| std::cmp::Reverse(rank(mv))),
            "{moves:?}"
        );
        assert_eq!(rank(&moves[0]), 1);
    }
}
