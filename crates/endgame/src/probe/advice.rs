//! Verdicts under the draw rules, and the moves that preserve them.

use super::view::View;
use crate::{Value, Verdict};
use damier_rules::{DrawClock, KINGS_ONLY_PLIES, Key, Move, Position};

/// The verdict on a position under the counters of articles 6.2 to 6.4: a win that takes longer than they allow becomes
/// a draw, unless a sacrifice restarts the count (see [`is_certain`]). With men on the board the count of 6.2 is
/// ignored here, because a move of a man restarts it.
pub fn under_rules(verdict: Verdict, position: &Position, clock: &DrawClock) -> Verdict {
    match outlasts(verdict, clock.plies_left(position)) {
        true => Verdict::DRAW,
        false => verdict,
    }
}

/// Whether the verdict of [`under_rules`] is certain. It is not if the win takes longer than the counters allow: a
/// sacrifice that leaves two pieces against a king instead of three restarts the count, and a move of a man restarts
/// the count of kings only. Only a search can decide whether that wins; so too where the distance is not known and a
/// count has begun.
pub fn is_certain(verdict: Verdict, position: &Position, clock: &DrawClock) -> bool {
    if verdict.distance.is_none() && verdict.value != Value::Draw {
        return clock.kings_only() == 0 && clock.class().is_none();
    }
    let kings = KINGS_ONLY_PLIES.saturating_sub(clock.kings_only());
    !outlasts(verdict, clock.plies_left(position)) && !outlasts(verdict, Some(u32::from(kings)))
}

/// Whether the end is more than `left` plies away.
fn outlasts(verdict: Verdict, left: Option<u32>) -> bool {
    matches!(verdict.distance.zip(left), Some((needed, left)) if needed > left)
}

/// A move with its verdict for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveVerdict {
    /// The move.
    pub mv: Move,
    /// The verdict without draw rules.
    pub value: Verdict,
    /// The verdict under the draw rules.
    pub ruled: Verdict,
    /// Whether `ruled` is certain; see [`is_certain`].
    pub certain: bool,
    /// Whether a man of the winner can be expected to restart the count of kings only, which is the only one that runs,
    /// before it ends.
    pub restarts: bool,
}

impl MoveVerdict {
    /// The rank of the move, best first: certain wins, the shortest first; wins that a search must confirm; draws;
    /// uncertain losses; certain losses, the longest last. Draws are ordered by their value without the draw rules.
    fn rank(&self) -> (u8, i32) {
        match (self.certain, self.ruled.value, self.value.value) {
            (true, Value::Win, _) => (4, self.ruled.merit()),
            (false, _, Value::Win) => (3, 0),
            (true, Value::Draw, value) => (2, value as i32),
            (false, _, Value::Draw) => (2, Value::Draw as i32),
            (false, _, Value::Loss) => (1, 0),
            (true, Value::Loss, _) => (0, self.ruled.merit()),
        }
    }
}

/// The verdicts on a position and all its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// Every legal move.
    pub moves: Vec<MoveVerdict>,
    /// The verdict on the position without draw rules.
    pub value: Verdict,
    /// The verdict under the draw rules.
    pub ruled: Verdict,
    /// Whether `ruled` is certain.
    pub certain: bool,
}

impl Advice {
    /// Advice on a position with these counters. None unless the tables cover every move.
    pub fn on(view: &View, position: &Position, clock: &DrawClock) -> Option<Advice> {
        Advice::in_game(view, position, clock, &[])
    }

    /// Advice within a game: `keys` are those of earlier positions; a third occurrence is a draw.
    pub fn in_game(
        view: &View,
        position: &Position,
        clock: &DrawClock,
        keys: &[Key],
    ) -> Option<Advice> {
        let view = view.exact();
        let children = position.legal_moves().into_iter().map(|mv| {
            let child = position.play(mv);
            (mv, child, view.resolve(&child))
        });
        // All are asked for before one is missed.
        let children: Vec<_> = children.collect();
        let mut moves = Vec::new();
        for (mv, child, verdict) in children {
            let verdict = verdict?;
            let after = clock.after(position, mv, &child);
            let over = !child.is_terminal() && is_over(&child, &after, keys);
            let ruled = match over {
                true => Verdict::DRAW,
                false => under_rules(verdict, &child, &after).before(),
            };
            moves.push(MoveVerdict {
                mv,
                value: verdict.before(),
                ruled,
                certain: over || is_certain(verdict, &child, &after),
                restarts: restarts(verdict, &child, &after),
            });
        }
        let value = moves.iter().map(|mv| mv.value);
        // Uncertain moves have the same rank: of them the shortest win or the longest loss is shown.
        let best = moves.iter().max_by_key(|mv| (mv.rank(), mv.value.merit()));
        Some(Advice {
            value: value
                .max_by_key(|verdict| verdict.merit())
                .unwrap_or(Verdict::LOST),
            ruled: best.map_or(Verdict::LOST, |mv| mv.ruled),
            certain: best.is_none_or(|mv| mv.certain),
            moves,
        })
    }

    /// Advice for a game that is already drawn: every move draws.
    pub fn drawn(mut self) -> Advice {
        (self.ruled, self.certain) = (Verdict::DRAW, true);
        for mv in &mut self.moves {
            (mv.ruled, mv.certain) = (Verdict::DRAW, true);
        }
        self
    }

    /// The moves that preserve the value under the rules: the shortest wins, the longest losses; where only a search
    /// can decide, all moves that may preserve it.
    pub fn best(&self) -> impl Iterator<Item = Move> + '_ {
        let best = self.moves.iter().map(MoveVerdict::rank).max();
        let keeps = move |mv: &&MoveVerdict| Some(mv.rank()) == best;
        self.moves.iter().filter(keeps).map(|mv| mv.mv)
    }

    /// Advice whose every verdict is taken for the result, in a game or a composition: those under the rules where they
    /// are certain; where a man of the winner can be expected to restart the count of kings only, those without draw
    /// rules. None where only a search can tell.
    pub fn settled(mut self) -> Option<Advice> {
        for mv in self.moves.iter_mut().filter(|mv| !mv.certain) {
            if !mv.restarts {
                return None;
            }
            (mv.ruled, mv.certain) = (mv.value, true);
        }
        let best = self.moves.iter().max_by_key(|mv| mv.rank())?;
        (self.ruled, self.certain) = (best.ruled, true);
        Some(self)
    }

    /// Whether the number of plies to the end is certain.
    pub fn is_exact(&self) -> bool {
        self.certain && self.ruled.value != Value::Draw && self.ruled.distance.is_some()
    }
}

/// Plies without a capture or a move of a man in the shortest wins of a side with a man: at most 20 in those of 3,000
/// random positions of five pieces that take 36 plies or more.
const LONGEST_RUN: u8 = 25;

/// See [`MoveVerdict::restarts`].
fn restarts(verdict: Verdict, position: &Position, clock: &DrawClock) -> bool {
    let winner = match verdict.value {
        Value::Win => position.turn(),
        Value::Draw => return false,
        Value::Loss => !position.turn(),
    };
    clock.class().is_none()
        && clock.kings_only() <= KINGS_ONLY_PLIES - LONGEST_RUN
        && !position.men(winner).is_empty()
}

/// Whether a game that reaches this position is drawn by a counter or by repetition.
fn is_over(position: &Position, clock: &DrawClock, keys: &[Key]) -> bool {
    let now = position.key();
    let before = keys.iter().filter(|&&key| key == now).count();
    before >= 2 || clock.verdict().is_some()
}
