//! An entry of the table, and how it is packed into a word.

use crate::eval::Score;
use crate::search::Depth;
use damier_rules::Move;
use damier_rules::board::{Bitboard, Square};

/// Searches until an entry's age comes round again.
pub(super) const AGES: u8 = 32;

/// What a stored score says about the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// No score, only a move.
    None = 0,
    /// The value is at least the score.
    Lower = 1,
    /// The value is at most the score.
    Upper = 2,
    /// The value is the score.
    Exact = 3,
}

impl Bound {
    /// Whether the value is at least the score.
    #[inline(always)]
    pub fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// Whether the value is at most the score.
    #[inline(always)]
    pub fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }
}

/// A move as a table entry holds it: from, to, and four bits of a hash of the captured set. It may stand for more than
/// one of the legal captures with the same ends, which then are sorted alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TtMove(pub(super) u16);

impl TtMove {
    /// No move.
    pub const NONE: TtMove = TtMove(0);

    /// The stored form of a move.
    #[inline(always)]
    pub fn of(mv: Move) -> TtMove {
        let captured = mv.captured().bits();
        let folded = (captured.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60) as u16;
        // Zero could only be a capture that ends where it began, in the corner of bit 0, and with no bit folded: it
        // goes unnamed.
        TtMove(folded << 12 | (mv.from().bit() as u16) << 6 | mv.to().bit() as u16)
    }

    /// The stored form of a move that captures nothing.
    #[inline(always)]
    pub fn of_quiet(mv: Move) -> TtMove {
        debug_assert!(!mv.is_capture());
        TtMove((mv.from().bit() as u16) << 6 | mv.to().bit() as u16)
    }

    /// Whether there is no move.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether this is the stored form of `mv`.
    #[inline(always)]
    pub fn is(self, mv: Move) -> bool {
        self == TtMove::of(mv)
    }

    /// The move, if it is quiet. Of the captures, one in sixteen is taken for quiet.
    #[inline(always)]
    pub fn quiet(self) -> Option<Move> {
        let (from, to) = self.squares();
        (self.0 >> 12 == 0 && !self.is_none()).then(|| Move::new(from, to, Bitboard::EMPTY))
    }

    /// The squares from and to.
    #[inline(always)]
    pub fn squares(self) -> (Square, Square) {
        (
            Square::from_bit(u32::from(self.0 >> 6 & 63)),
            Square::from_bit(u32::from(self.0 & 63)),
        )
    }
}

/// The entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move.
    pub tt_move: TtMove,
    /// Value from the position itself, not from the root.
    pub score: Score,
    /// How deep it was searched.
    pub depth: Depth,
    /// What the score bounds.
    pub bound: Bound,
    /// Plies back to the position whose repetition the score depends on; 0 where it depends on none. At most 127.
    pub back: u8,
}

/// Where a packed entry has [`TtEntry::back`]: seven bits.
const BACK_BIT: u32 = 56;

impl TtEntry {
    /// Bits 47 to 55 are free: [`policy`](super::policy) has a use for some.
    pub(super) fn pack(&self, age: u8) -> u64 {
        debug_assert!(self.back < 128, "no path is longer");
        u64::from(self.tt_move.0)
            | u64::from(self.score.centimen() as i16 as u16) << 16
            | (self.depth.clamp(-128, 127) as i8 as u8 as u64) << 32
            | (self.bound as u64) << 40
            | u64::from(age) << 42
            | u64::from(self.back & 127) << BACK_BIT
            | 1 << 63
    }

    pub(super) fn unpack(data: u64) -> TtEntry {
        let bound = match data >> 40 & 3 {
            0 => Bound::None,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        TtEntry {
            tt_move: TtMove(data as u16),
            score: Score::new(i32::from((data >> 16) as u16 as i16)),
            depth: Depth::from((data >> 32) as u8 as i8),
            bound,
            back: (data >> BACK_BIT) as u8 & 127,
        }
    }
}

/// The depth of a packed entry.
pub(super) fn depth_of(data: u64) -> i32 {
    i32::from((data >> 32) as u8 as i8)
}

/// The search that wrote it.
pub(super) fn age_of(data: u64) -> u8 {
    (data >> 42) as u8 & (AGES - 1)
}
