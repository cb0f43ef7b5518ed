//! The principal variation, read back from the table.

use crate::search::TranspositionTable;
use crate::search::table::TtMove;
use damier_endgame::{Advice, View};
use damier_rules::{DrawClock, Move, MoveList, Position};

/// The longest line that endgame tables make: longer than their longest win.
const LONGEST: usize = 100;

/// The line that begins with `first` and goes on with the moves the table holds, every one legal, until it knows none,
/// a position recurs, or there are `length` moves.
pub(super) fn line(
    table: &TranspositionTable,
    root: &Position,
    clock: DrawClock,
    first: Move,
    length: usize,
) -> Vec<Move> {
    let (mut position, mut clock) = (*root, clock);
    let mut key = position.key();
    let mut seen = vec![key];
    let mut line = Vec::new();
    // One list for all plies: a list returned by value is copied whole, which took a tenth of a search of 2,000 nodes.
    let mut moves = MoveList::new();
    let mut next = Some(first);
    while let Some(mv) = next {
        line.push(mv);
        let after;
        (after, key) = position.play_keyed(key, mv);
        clock = clock.after(&position, mv, &after);
        position = after;
        if line.len() >= length.max(1) || seen.contains(&key) {
            break;
        }
        seen.push(key);
        let tt_move = table
            .probe(key ^ clock.key())
            .map_or(TtMove::NONE, |entry| entry.tt_move);
        position.legal_moves_into(&mut moves);
        next = match moves.as_slice() {
            [only] => Some(*only),
            _ if tt_move.is_none() => None,
            all => all.iter().copied().find(|&mv| tt_move.is(mv)),
        };
    }
    line
}

/// Goes on with a line to its end, where it leads to a position whose end the endgame tables know to the ply.
pub(super) fn extend(tables: &View, root: &Position, clock: DrawClock, line: &mut Vec<Move>) {
    let (mut position, mut clock) = (*root, clock);
    for &mv in line.iter() {
        let after = position.play(mv);
        clock = clock.after(&position, mv, &after);
        position = after;
    }
    while line.len() < LONGEST && position.occupied().len() <= tables.limit() {
        let advice = Advice::on(tables, &position, &clock).filter(Advice::is_exact);
        let Some(mv) = advice.and_then(|advice| advice.best().next()) else {
            return;
        };
        line.push(mv);
        let after = position.play(mv);
        clock = clock.after(&position, mv, &after);
        position = after;
    }
}
