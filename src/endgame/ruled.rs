//! Verdicts under the draw rules in force, and the moves that keep them.

use super::tables::View;
use super::verdict::{Value, Verdict};
use crate::rules::{DrawClock, Move, Position};

/// The verdict on a position under the counters of articles 6.2 to 6.4: a win that takes longer than they leave is a draw,
/// unless a sacrifice begins a new count; see [`is_certain`].
pub fn under_rules(verdict: Verdict, position: &Position, clock: &DrawClock) -> Verdict {
    match outlasts(verdict, position, clock) {
        true => Verdict::DRAW,
        false => verdict,
    }
}

/// Whether the verdict of [`under_rules`] is beyond doubt. It is not where the win takes longer than the counters leave: the
/// sacrifice that makes two pieces against a king of three begins a new count, and only a search sees whether it wins.
pub fn is_certain(verdict: Verdict, position: &Position, clock: &DrawClock) -> bool {
    !outlasts(verdict, position, clock)
}

/// Whether the shortest win takes longer than the counters leave.
fn outlasts(verdict: Verdict, position: &Position, clock: &DrawClock) -> bool {
    let left = clock.plies_left(position);
    matches!(verdict.distance.zip(left), Some((needed, left)) if needed > left)
}

/// A move with what it is worth to the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveVerdict {
    /// The move.
    pub mv: Move,
    /// Without the counters.
    pub value: Verdict,
    /// With them.
    pub ruled: Verdict,
}

/// What the tables say of a position and its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// Every legal move.
    pub moves: Vec<MoveVerdict>,
    /// The verdict on the position without the counters.
    pub value: Verdict,
    /// The verdict with them.
    pub ruled: Verdict,
}

impl Advice {
    /// What is known of a position with these counters. None unless it is known of every move.
    pub fn on(view: &View, position: &Position, clock: &DrawClock) -> Option<Advice> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let child = position.play(mv);
            let verdict = view.resolve(&child)?;
            let after = clock.after(position, mv, &child);
            moves.push(MoveVerdict {
                mv,
                value: verdict.before(),
                ruled: under_rules(verdict, &child, &after).before(),
            });
        }
        let best = |of: fn(&MoveVerdict) -> Verdict| {
            let all = moves.iter().map(of);
            all.max_by_key(|verdict| verdict.merit())
                .unwrap_or(Verdict::LOST)
        };
        Some(Advice {
            value: best(|mv| mv.value),
            ruled: best(|mv| mv.ruled),
            moves,
        })
    }

    /// The moves that keep the value under the counters: of the wins the shortest, of the losses the longest.
    pub fn best(&self) -> impl Iterator<Item = Move> + '_ {
        let keeps = |mv: &&MoveVerdict| mv.ruled.merit() == self.ruled.merit();
        self.moves.iter().filter(keeps).map(|mv| mv.mv)
    }

    /// Whether the end is known to the ply.
    pub fn is_exact(&self) -> bool {
        self.ruled.value != Value::Draw && self.ruled.distance.is_some()
    }
}
