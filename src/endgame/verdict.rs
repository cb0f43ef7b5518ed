use super::Slice;
use crate::rules::{MoveList, Position};
use std::fmt;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// It loses.
    Loss = 0,
    /// Nobody wins.
    Draw = 1,
    /// It wins.
    Win = 2,
}

impl Value {
    /// The same for the other side.
    #[inline(always)]
    pub const fn turned(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}

/// A value and, where it is known, the plies to the end with best play of both sides: until somebody has no move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// For the side to move.
    pub value: Value,
    /// Plies to the end; none for draws, and where only values are stored.
    pub distance: Option<u32>,
}

impl Verdict {
    /// Nobody wins.
    pub const DRAW: Verdict = Verdict {
        value: Value::Draw,
        distance: None,
    };
    /// The side to move has no move.
    pub const LOST: Verdict = Verdict {
        value: Value::Loss,
        distance: Some(0),
    };

    /// A value without a distance.
    #[inline(always)]
    pub const fn of(value: Value) -> Verdict {
        Verdict {
            value,
            distance: None,
        }
    }

    /// Reads [`Verdict::code`]: wins take an odd number of plies, losses an even one.
    #[inline(always)]
    pub(super) const fn from_code(code: u8) -> Verdict {
        if code == 0 {
            return Verdict::DRAW;
        }
        Verdict {
            value: if code & 1 == 0 {
                Value::Win
            } else {
                Value::Loss
            },
            distance: Some(code as u32 - 1),
        }
    }

    /// 0 for a draw, otherwise one more than the distance; none where that is unknown or too long.
    pub(super) fn code(self) -> Option<u8> {
        match (self.value, self.distance) {
            (Value::Draw, _) => Some(0),
            (_, Some(plies)) => u8::try_from(plies + 1).ok(),
            _ => None,
        }
    }

    /// The verdict on a position one ply earlier when the move that leads here is the best.
    #[inline(always)]
    pub fn before(self) -> Verdict {
        Verdict {
            value: self.value.turned(),
            distance: self.distance.map(|plies| plies + 1),
        }
    }

    /// How good it is for the side to move: shorter wins are better, longer losses too. A win that is known to the ply is better
    /// than one that is not, which may lead round in circles; a loss that is not known to the ply may be the longer one.
    #[inline(always)]
    pub(super) fn merit(self) -> i32 {
        match (self.value, self.distance) {
            (Value::Win, Some(plies)) => 10_000 - plies as i32,
            (Value::Win, None) => 5_000,
            (Value::Draw, _) => 0,
            (Value::Loss, None) => -5_000,
            (Value::Loss, Some(plies)) => plies as i32 - 10_000,
        }
    }
}

/// Where the verdicts on quiet positions come from.
pub(super) trait Source: Sync {
    /// The verdict on a position whose side to move need not capture. None where it is not known.
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict>;
}

/// The verdict on a position: as stored, or where the side to move must capture, by its captures. None where a table is
/// missing.
pub(super) fn resolve(source: &impl Source, position: &Position) -> Option<Verdict> {
    if position.pieces(position.turn()).is_empty() {
        return Some(Verdict::LOST);
    }
    if !position.must_capture() {
        return source.quiet(Slice::of(position), position);
    }
    captures(source, position)
}

/// The verdict on a position whose side to move must capture.
pub(super) fn captures(source: &impl Source, position: &Position) -> Option<Verdict> {
    let mut moves = MoveList::new();
    position.legal_moves_into(&mut moves);
    let mut best: Option<Verdict> = None;
    for &mv in &moves {
        let verdict = resolve(source, &position.play(mv))?.before();
        if best.is_none_or(|best| verdict.merit() > best.merit()) {
            best = Some(verdict);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_to_the_ply_wins_sooner_and_loses_later() {
        let verdict = |value, distance| Verdict { value, distance };
        let order = [
            verdict(Value::Loss, Some(0)),
            verdict(Value::Loss, Some(42)),
            verdict(Value::Loss, Some(1_000)),
            verdict(Value::Loss, None),
            Verdict::DRAW,
            verdict(Value::Win, None),
            verdict(Value::Win, Some(1_000)),
            verdict(Value::Win, Some(43)),
            verdict(Value::Win, Some(1)),
        ];
        assert!(
            order
                .windows(2)
                .all(|pair| pair[0].merit() < pair[1].merit())
        );
    }
}
