use super::Slice;
use damier_cpu::Cpu;
use damier_rules::{MoveList, Position};
use std::fmt;

/// The result of a position under best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The side to move loses.
    Loss = 0,
    /// Neither side wins.
    Draw = 1,
    /// The side to move wins.
    Win = 2,
}

impl Value {
    /// The value for the other side.
    #[inline(always)]
    pub const fn opposite(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }

    /// The value as stored in tables without distances.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Value::Draw => 0,
            Value::Win => 1,
            Value::Loss => 2,
        }
    }

    /// The inverse of [`Value::code`].
    #[inline(always)]
    pub(crate) const fn from_code(code: u8) -> Value {
        match code {
            0 => Value::Draw,
            1 => Value::Win,
            _ => Value::Loss,
        }
    }

    /// Index of this value in counts of wins, draws and losses.
    pub(crate) const fn class(self) -> usize {
        match self {
            Value::Win => 0,
            Value::Draw => 1,
            Value::Loss => 2,
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

/// A value and, if known, the number of plies under best play until one side has no move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// The value for the side to move.
    pub value: Value,
    /// Plies to the end; None for draws and where only values are stored.
    pub distance: Option<u32>,
}

impl Verdict {
    /// A draw.
    pub const DRAW: Verdict = Verdict {
        value: Value::Draw,
        distance: None,
    };
    /// A loss in 0 plies: the side to move has no move.
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

    /// The inverse of [`Verdict::code`]: wins take an odd number of plies, losses an even one.
    #[inline(always)]
    pub(crate) const fn from_code(code: u8) -> Verdict {
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

    /// The verdict as stored in tables with distances: 0 for a draw, otherwise the distance plus one. None if the
    /// distance is unknown or too long.
    pub(crate) fn code(self) -> Option<u8> {
        match (self.value, self.distance) {
            (Value::Draw, _) => Some(0),
            (_, Some(plies)) => u8::try_from(plies + 1).ok(),
            _ => None,
        }
    }

    /// The verdict on the position one ply earlier, if the move that leads here is its best.
    #[inline(always)]
    pub fn before(self) -> Verdict {
        Verdict {
            value: self.value.opposite(),
            distance: self.distance.map(|plies| plies + 1),
        }
    }

    /// Order for the side to move: shorter wins and longer losses are better. A win with a distance
    /// is better than one without, which might make no progress; a loss without a distance may be the longer one.
    #[inline(always)]
    pub(crate) fn merit(self) -> i32 {
        match (self.value, self.distance) {
            (Value::Win, Some(plies)) => 10_000 - plies as i32,
            (Value::Win, None) => 5_000,
            (Value::Draw, _) => 0,
            (Value::Loss, None) => -5_000,
            (Value::Loss, Some(plies)) => plies as i32 - 10_000,
        }
    }
}

/// As in `win in 13 plies`, `draw`, `loss`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance {
            Some(1) => write!(f, "{} in 1 ply", self.value),
            Some(plies) => write!(f, "{} in {plies} plies", self.value),
            None => self.value.fmt(f),
        }
    }
}

/// A source of verdicts on quiet positions.
pub(crate) trait Source: Sync {
    /// The verdict on a position in which the side to move need not capture. None if unknown.
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict>;

    /// The verdict on any position, where those with a capture are stored too.
    #[inline(always)]
    fn any(&self, _slice: Slice, _position: &Position) -> Option<Verdict> {
        None
    }
}

/// The verdict on a position: as stored or, if the side to move must capture, by playing out its captures. None if a
/// table is missing.
pub(crate) fn resolve(source: &impl Source, position: &Position) -> Option<Verdict> {
    if position.pieces(position.turn()).is_empty() {
        return Some(Verdict::LOST);
    }
    let slice = Slice::of(position);
    if let Some(verdict) = source.any(slice, position) {
        return Some(verdict);
    }
    match position.must_capture() {
        true => captures(source, position),
        false => source.quiet(slice, position),
    }
}

/// The verdict on a position in which the side to move must capture.
pub(crate) fn captures(source: &impl Source, position: &Position) -> Option<Verdict> {
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

/// The value of a position, as by [`resolve`], in less time: no longer than until a win is found.
pub(crate) fn value_of(cpu: impl Cpu, source: &impl Source, position: &Position) -> Option<Value> {
    if position.pieces(position.turn()).is_empty() {
        return Some(Value::Loss);
    }
    let slice = Slice::of(position);
    if let Some(verdict) = source.any(slice, position) {
        return Some(verdict.value);
    }
    let mut list = MoveList::new();
    if position.captures_into_on(cpu, &mut list) {
        return best_capture(cpu, source, position, &list);
    }
    let verdict = source.quiet(slice, position)?;
    Some(verdict.value)
}

/// The value of a position in which the side to move must capture, as by [`captures`].
pub(crate) fn value_of_captures(
    cpu: impl Cpu,
    source: &impl Source,
    position: &Position,
) -> Option<Value> {
    let mut list = MoveList::new();
    position.captures_into_on(cpu, &mut list);
    best_capture(cpu, source, position, &list)
}

fn best_capture(
    cpu: impl Cpu,
    source: &impl Source,
    position: &Position,
    list: &MoveList,
) -> Option<Value> {
    let mut best = Value::Loss;
    for &mv in list {
        let value = value_of(cpu, source, &position.play(mv))?.opposite();
        best = best.max(value);
        if best == Value::Win {
            break;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merit_orders_verdicts() {
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
