//! The order in which the moves of a node are tried.

mod butterfly;
mod experimental;
mod history;

pub(super) use history::History;

use super::params::Params;
use super::table::TtMove;
use damier_cpu::{Baseline, Cpu};
use damier_rules::board::Color;
use damier_rules::{Move, Position};
use history::MoveScores;

const TABLE_MOVE: i32 = 1 << 24;

/// What the order of a node's moves depends on.
pub(super) struct Context<'a> {
    pub params: &'a Params,
    pub history: &'a History,
    pub tt_move: TtMove,
    pub ply: u32,
    pub previous: Option<Move>,
}

/// Sorts the moves: table move, promotions, killers, counter-move, then by history. Captures by kings taken.
#[inline(always)]
pub(super) fn sort(cpu: impl Cpu, moves: &mut [Move], position: &Position, context: &Context) {
    cpu.call(
        #[inline(always)]
        |moves, position, context, ()| sort_on_level(moves, position, context),
        moves,
        position,
        context,
        (),
    );
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
    let this = TtMove::of(mv);
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

/// Sorts the moves by all parameters, those that only experiments set included.
pub(super) fn sort_experimentally(moves: &mut [Move], position: &Position, context: &Context) {
    let Some(other) = &context.history.experimental else {
        return sort(Baseline, moves, position, context);
    };
    if moves.first().is_some_and(|mv| mv.is_capture()) {
        return sort(Baseline, moves, position, context);
    }
    let (color, params) = (position.turn(), context.params);
    let scores = context.history.scores(color, context.ply, context.previous);
    let killers = other.killers[context.ply as usize];
    let rank = |mv: Move| {
        let this = TtMove::of(mv);
        if this == context.tt_move {
            return TABLE_MOVE;
        }
        let mut rank = match params.history_relative {
            true => other.share(color, mv),
            false => scores.history(mv),
        };
        rank += params.order_forward * rows_forward(color, mv);
        if this == killers[0] {
            rank += params.order_killer_1;
        } else if this == killers[1] {
            rank += params.order_killer_2;
        } else if this == killers[2] && params.order_killer_3 > 0 {
            rank += params.order_killer_3;
        } else if this == scores.counter {
            rank += params.order_counter;
        }
        if position.promotes(mv) {
            rank += params.order_promotion;
        }
        rank
    };
    insertion_sort(moves, rank);
}

/// Rows from the own edge of the board to where a move ends.
fn rows_forward(color: Color, mv: Move) -> i32 {
    let row = i32::from(mv.to().row());
    match color {
        Color::White => 9 - row,
        Color::Black => row,
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

#[cfg(test)]
mod tests {
    use super::*;
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

    fn params(settings: &[(&str, &str)]) -> Params {
        let mut params = Params::default();
        for (name, value) in settings {
            params.set(name, value).unwrap();
        }
        params
    }

    /// The legal moves in the order that the parameters give them, after what `learn` taught.
    fn sorted(
        text: &str,
        params: &Params,
        learn: impl Fn(&mut History, Color, &[Move]),
    ) -> (Vec<Move>, Vec<Move>) {
        let position = fen::parse(text).unwrap();
        let mut history = History::default();
        history.age(params);
        let moves = position.legal_moves().to_vec();
        learn(&mut history, position.turn(), &moves);
        let mut after = moves.clone();
        let context = Context {
            params,
            history: &history,
            tt_move: TtMove::NONE,
            ply: 3,
            previous: None,
        };
        sort_experimentally(&mut after, &position, &context);
        (moves, after)
    }

    const START: &str = "W:W31-50:B1-20";

    #[test]
    fn with_the_usual_parameters_the_other_order_is_the_usual_one() {
        let params = Params::default();
        let position = fen::parse("W:WK3,26-50:B1,2,4-20").unwrap();
        let moves = position.legal_moves().to_vec();
        let previous = fen::parse("B:W31-50:B1-20").unwrap().legal_moves()[0];
        let mut history = History::default();
        history.experimental = Some(Box::default());
        let mut sorted = 0;
        for turn in 0..200 {
            let (best, tried) = (moves[turn * 7 % moves.len()], &moves[..turn % 4]);
            let bonus = params.bonus(turn as i32 % 20);
            let previous = (turn % 3 == 0).then_some(previous);
            history.cutoff(position.turn(), 3, bonus, best, tried, previous);
            let context = Context {
                params: &params,
                history: &history,
                tt_move: TtMove::of(moves[turn * 11 % moves.len()]),
                ply: 3,
                previous,
            };
            let [mut usual, mut other] = [moves.clone(), moves.clone()];
            sort(Baseline, &mut usual, &position, &context);
            sort_experimentally(&mut other, &position, &context);
            assert_eq!(usual, other, "after {turn} cutoffs");
            sorted += usize::from(usual != moves);
        }
        assert!(sorted > 190);
    }

    #[test]
    fn three_killers_come_first_the_last_of_them_before_the_others() {
        // All earn nothing but to be killers.
        let learn = |history: &mut History, color, moves: &[Move]| {
            for at in [5, 6, 7, 6] {
                history.cutoff(color, 3, 0, moves[at], &[], None);
            }
        };
        let shifted = params(&[("order_killer_3", "98304")]);
        let (moves, after) = sorted(START, &shifted, learn);
        assert_eq!(after[..3], [moves[6], moves[7], moves[5]]);
        assert_eq!(after[3], moves[0]);
        let stays = params(&[("order_killer_3", "98304"), ("killers_stay", "true")]);
        let learn_more = |history: &mut History, color, moves: &[Move]| {
            learn(history, color, moves);
            history.cutoff(color, 3, 0, moves[8], &[], None);
        };
        let (moves, after) = sorted(START, &stays, learn_more);
        assert_eq!(after[..3], [moves[5], moves[6], moves[8]]);
    }

    #[test]
    fn relative_history_prefers_the_move_that_takes_its_chances() {
        // One cutoff of two chances, against three of ten.
        let learn = |history: &mut History, color, moves: &[Move]| {
            (0..3).for_each(|_| history.cutoff(color, 9, 100, moves[4], &[], None));
            (0..7).for_each(|_| history.none_failed_high(color, 100, &[moves[4]]));
            history.cutoff(color, 9, 100, moves[5], &[], None);
            history.cutoff(color, 9, 100, moves[4], &[moves[5]], None);
        };
        let (moves, after) = sorted(START, &params(&[("history_relative", "true")]), learn);
        assert_eq!(after[..2], [moves[5], moves[4]]);
        let (moves, after) = sorted(START, &params(&[("order_killer_3", "1")]), learn);
        assert_eq!(after[0], moves[4], "the usual history");
    }

    #[test]
    fn moves_that_end_further_forward_come_first() {
        for (fen, best) in [("W:W46,31,22:B1", "22"), ("B:W50:B5,20,29", "29")] {
            let (_, after) = sorted(fen, &params(&[("order_forward", "100")]), |_, _, _| {});
            assert!(after[0].to_string().starts_with(best), "{after:?}");
            let last = after[after.len() - 1].to_string();
            assert!(
                last.starts_with("46") || last.starts_with("5-"),
                "{after:?}"
            );
        }
    }
}
