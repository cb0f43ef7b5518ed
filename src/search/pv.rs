//! The principal variation, read back from the table.

use super::Table;
use super::table::Hint;
use crate::rules::{DrawClock, Move, MoveList, Position};

/// The line that begins with `first` and goes on with the moves the table holds, every one legal, until it knows none, a
/// position recurs, or there are `length` moves.
pub(super) fn line(
    table: &Table,
    root: &Position,
    clock: DrawClock,
    first: Move,
    length: usize,
) -> Vec<Move> {
    let (mut position, mut clock) = (*root, clock);
    let mut seen = vec![position.key()];
    let mut line = Vec::new();
    // One list for all plies: a list returned by value is copied whole, which took a tenth of a search of 2,000 nodes.
    let mut moves = MoveList::new();
    let mut next = Some(first);
    while let Some(mv) = next {
        line.push(mv);
        let after = position.play(mv);
        clock = clock.after(&position, mv, &after);
        position = after;
        if line.len() >= length.max(1) || seen.contains(&position.key()) {
            break;
        }
        seen.push(position.key());
        let hint = table
            .probe(position.key() ^ clock.key())
            .map_or(Hint::NONE, |entry| entry.hint);
        position.legal_moves_into(&mut moves);
        next = match moves.as_slice() {
            [only] => Some(*only),
            _ if hint.is_none() => None,
            all => all.iter().copied().find(|&mv| hint.is(mv)),
        };
    }
    line
}
