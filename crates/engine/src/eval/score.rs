use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move, in hundredths of a man.
///
/// Three ranges, far apart: evaluations up to [`Score::EVAL_MAX`] either way; wins and losses in endgame tables, 9000
/// minus the plies to reach the table; wins and losses on the board, 10000 minus the plies to the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Beyond every value a search can return.
    pub const INFINITE: Score = Score(10_001);
    /// The largest evaluation.
    pub const EVAL_MAX: Score = Score(8_000);
    const WIN: i32 = 10_000;
    const TABLE_WIN: i32 = 9_000;
    /// Room for the plies of a win: scores above `EVAL_MAX` are wins of one kind or the other.
    const PLIES: i32 = 500;

    /// A score of so many hundredths of a man.
    #[inline(always)]
    pub const fn new(centimen: i32) -> Score {
        Score(centimen)
    }

    /// Hundredths of a man.
    #[inline(always)]
    pub const fn centimen(self) -> i32 {
        self.0
    }

    /// Men, as people read it.
    pub fn men(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The opponent has no move in so many plies from the root.
    #[inline(always)]
    pub const fn win_in(plies: u32) -> Score {
        Score(Score::WIN - plies as i32)
    }

    /// The side to move has no move in so many plies from the root.
    #[inline(always)]
    pub const fn loss_in(plies: u32) -> Score {
        Score(plies as i32 - Score::WIN)
    }

    /// A won endgame table position is reached in so many plies.
    #[inline(always)]
    pub const fn table_win_in(plies: u32) -> Score {
        Score(Score::TABLE_WIN - plies as i32)
    }

    /// Whether this is an evaluation, not a proven result.
    #[inline(always)]
    pub const fn is_eval(self) -> bool {
        self.0.abs() <= Score::EVAL_MAX.0
    }

    /// Whether this is a win or loss on the board, and in how many plies.
    pub const fn end_in(self) -> Option<u32> {
        let plies = Score::WIN - self.0.abs();
        if plies >= 0 && plies < Score::PLIES {
            Some(plies as u32)
        } else {
            None
        }
    }

    /// The result seen from a position `plies` further down: as stored in the transposition table.
    #[inline(always)]
    pub const fn from_root(self, plies: u32) -> Score {
        match self.0 {
            s if s > Score::EVAL_MAX.0 => Score(s + plies as i32),
            s if s < -Score::EVAL_MAX.0 => Score(s - plies as i32),
            s => Score(s),
        }
    }

    /// The inverse of [`Score::from_root`].
    #[inline(always)]
    pub const fn to_root(self, plies: u32) -> Score {
        match self.0 {
            s if s > Score::EVAL_MAX.0 => Score(s - plies as i32),
            s if s < -Score::EVAL_MAX.0 => Score(s + plies as i32),
            s => Score(s),
        }
    }

    /// The nearest multiple of `grain`, a power of two, an evaluation at most [`Score::EVAL_MAX`]; symmetric for both
    /// sides.
    #[inline(always)]
    pub const fn on_grain(self, grain: i32) -> Score {
        debug_assert!(grain > 0 && grain & (grain - 1) == 0);
        // No division: this is done at every leaf.
        let whole = -grain;
        let (size, top) = (
            (self.0.abs() + grain / 2) & whole,
            Score::EVAL_MAX.0 & whole,
        );
        let size = if size > top { top } else { size };
        Score(if self.0 < 0 { -size } else { size })
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// A score so many hundredths of a man higher.
impl Add<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, centimen: i32) -> Score {
        Score(self.0 + centimen)
    }
}

/// A score so many hundredths of a man lower.
impl Sub<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, centimen: i32) -> Score {
        Score(self.0 - centimen)
    }
}

/// In men, two decimals: `0.12`, `-99.95`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.abs() / 100, self.0.abs() % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_men_with_two_decimals() {
        assert_eq!(Score::new(-5).to_string(), "-0.05");
        assert_eq!(Score::new(123).to_string(), "1.23");
        assert_eq!(Score::win_in(5).to_string(), "99.95");
        assert_eq!((-Score::table_win_in(4)).to_string(), "-89.96");
        assert_eq!(Score::loss_in(0).to_string(), "-100.00");
    }

    #[test]
    fn grain_is_symmetric_and_bounded() {
        for s in -9000..9000 {
            let on = Score::new(s).on_grain(8);
            assert_eq!(on.centimen() % 8, 0);
            assert_eq!(-on, Score::new(-s).on_grain(8));
            assert!(on.is_eval() && ((on.centimen() - s).abs() <= 4 || s.abs() > 7996));
        }
    }

    #[test]
    fn root_distance_round_trips() {
        for s in [
            Score::win_in(7),
            Score::loss_in(7),
            Score::table_win_in(9),
            Score::new(55),
        ] {
            assert_eq!(s.from_root(5).to_root(5), s);
        }
        assert_eq!(Score::win_in(7).from_root(5), Score::win_in(2));
        assert_eq!(Score::win_in(7).end_in(), Some(7));
        assert_eq!(Score::loss_in(12).end_in(), Some(12));
        assert_eq!(Score::table_win_in(12).end_in(), None);
    }
}
