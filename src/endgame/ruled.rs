//! Verdicts under the draw rules in force, and the moves that keep them.

use super::verdict::{Value, Verdict};
use super::view::View;
use crate::rules::{DrawClock, KINGS_ONLY_PLIES, Key, Move, Position};

/// The verdict on a position under the counters of articles 6.2 to 6.4: a win that takes longer than they leave is a draw,
/// unless a sacrifice begins a new count; see [`is_certain`]. As long as there are men, whose moves end the count of kings only,
/// that count changes nothing here.
pub fn under_rules(verdict: Verdict, position: &Position, clock: &DrawClock) -> Verdict {
    match outlasts(verdict, clock.plies_left(position)) {
        true => Verdict::DRAW,
        false => verdict,
    }
}

/// Whether the verdict of [`under_rules`] is beyond doubt. It is not where the win takes longer than the counters leave: the
/// sacrifice that makes two pieces against a king of three begins a new count, the move of a man ends that of kings only, and
/// only a search sees whether it wins.
pub fn is_certain(verdict: Verdict, position: &Position, clock: &DrawClock) -> bool {
    let kings = KINGS_ONLY_PLIES.saturating_sub(clock.kings_only());
    !outlasts(verdict, clock.plies_left(position)) && !outlasts(verdict, Some(u32::from(kings)))
}

/// Whether the shortest win takes longer than what is left.
fn outlasts(verdict: Verdict, left: Option<u32>) -> bool {
    matches!(verdict.distance.zip(left), Some((needed, left)) if needed > left)
}

/// A move with what it is worth to the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveVerdict {
    /// The move.
    pub mv: Move,
    /// Without the draw rules.
    pub value: Verdict,
    /// With them.
    pub ruled: Verdict,
    /// Whether `ruled` is beyond doubt; see [`is_certain`].
    pub certain: bool,
}

impl MoveVerdict {
    /// How good the move is: a certain win, the shorter the better, before one that only a search can see; that before draws,
    /// and those before losses in the same way. Of draws, those are better that are more without the rules.
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

/// What the tables say of a position and its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// Every legal move.
    pub moves: Vec<MoveVerdict>,
    /// The verdict on the position without the draw rules.
    pub value: Verdict,
    /// The verdict with them.
    pub ruled: Verdict,
    /// Whether `ruled` is beyond doubt.
    pub certain: bool,
}

impl Advice {
    /// What is known of a position with these counters. None unless it is known of every move.
    pub fn on(view: &View, position: &Position, clock: &DrawClock) -> Option<Advice> {
        Advice::in_game(view, position, clock, &[])
    }

    /// The same in a game that went through positions with these keys: the third occurrence of one is a draw.
    pub fn in_game(
        view: &View,
        position: &Position,
        clock: &DrawClock,
        keys: &[Key],
    ) -> Option<Advice> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let child = position.play(mv);
            let verdict = view.resolve(&child)?;
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
            });
        }
        let value = moves.iter().map(|mv| mv.value);
        let best = moves.iter().max_by_key(|mv| mv.rank());
        Some(Advice {
            value: value
                .max_by_key(|verdict| verdict.merit())
                .unwrap_or(Verdict::LOST),
            ruled: best.map_or(Verdict::LOST, |mv| mv.ruled),
            certain: best.is_none_or(|mv| mv.certain),
            moves,
        })
    }

    /// The same in a game that is drawn already: nothing is played on, whatever the moves would bring.
    pub fn drawn(mut self) -> Advice {
        (self.ruled, self.certain) = (Verdict::DRAW, true);
        for mv in &mut self.moves {
            (mv.ruled, mv.certain) = (Verdict::DRAW, true);
        }
        self
    }

    /// The moves that keep the value under the rules: of the wins the shortest, of the losses the longest. Where it takes a
    /// search to see what wins, or holds, all that may.
    pub fn best(&self) -> impl Iterator<Item = Move> + '_ {
        let best = self.moves.iter().map(MoveVerdict::rank).max();
        let keeps = move |mv: &&MoveVerdict| Some(mv.rank()) == best;
        self.moves.iter().filter(keeps).map(|mv| mv.mv)
    }

    /// Whether the end is known to the ply.
    pub fn is_exact(&self) -> bool {
        self.certain && self.ruled.value != Value::Draw && self.ruled.distance.is_some()
    }
}

/// Whether a game that comes to this position is drawn there and then.
fn is_over(position: &Position, clock: &DrawClock, keys: &[Key]) -> bool {
    let now = position.key();
    let before = keys.iter().filter(|&&key| key == now).count();
    before >= 2 || clock.verdict().is_some()
}
