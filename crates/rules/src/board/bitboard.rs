use super::Square;
use damier_cpu::bits;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 50 squares.
    pub const ALL: Bitboard = Bitboard(0x7DF3_EF9F_7CFB_E7DF);
    /// Squares 1 to 5, where white men promote.
    pub const TOP_ROW: Bitboard = Bitboard(0x1F);
    /// Squares 46 to 50, where black men promote.
    pub const BOTTOM_ROW: Bitboard = Bitboard(0x1F << 58);

    /// The diagonal from 46 to 5, the longest one.
    pub const LONG_DIAGONAL: Bitboard = Bitboard(0x0410_4104_1041_0410);

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.bit())
    }

    /// The set of these bits, laid out as in [`board`](super). Ghost bits must be clear.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Bitboard {
        debug_assert!(bits & !Bitboard::ALL.0 == 0);
        Bitboard(bits)
    }

    /// The bits of the set, laid out as in [`board`](super).
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Number of squares in the set.
    #[inline(always)]
    pub fn len(self) -> u32 {
        bits::count(self.0)
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.bit() & 1 != 0
    }

    /// Whether the two sets are disjoint.
    #[inline(always)]
    pub const fn is_disjoint(self, other: Bitboard) -> bool {
        self.0 & other.0 == 0
    }

    /// The squares of `self` that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The lowest square (smallest number).
    #[inline(always)]
    pub fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_bit(bits::lowest(self.0)))
        }
    }

    /// The set rotated by 180 degrees: every square `n` becomes `51 - n`.
    #[inline(always)]
    pub const fn rotated(self) -> Bitboard {
        Bitboard(self.0.reverse_bits() >> 1)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 = bits::without_lowest(self.0);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = bits::count(self.0) as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Bitboard {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

/// The squares that are not in the set.
impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & Bitboard::ALL.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_exactly_the_fifty_squares() {
        assert_eq!(Square::all().collect::<Bitboard>(), Bitboard::ALL);
        assert_eq!(Bitboard::ALL.len(), 50);
        assert_eq!(Bitboard::ALL.size_hint(), (50, Some(50)));
        assert_eq!(!Bitboard::EMPTY, Bitboard::ALL);
        assert_eq!(
            Bitboard::ALL.map(|s| s.number()).collect::<Vec<_>>(),
            (1..=50).collect::<Vec<_>>()
        );
        assert_eq!(Bitboard::TOP_ROW.rotated(), Bitboard::BOTTOM_ROW);
        assert_eq!(
            Bitboard::LONG_DIAGONAL
                .map(|s| s.number())
                .collect::<Vec<_>>(),
            [5, 10, 14, 19, 23, 28, 32, 37, 41, 46]
        );
    }
}
