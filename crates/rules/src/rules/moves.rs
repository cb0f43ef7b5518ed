use crate::board::{Bitboard, Square};
use smallvec::SmallVec;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A move: origin, destination and the set of captured squares. Moves equal in these are the same move (by FMJD rules
/// the path does not matter). `from` and `to` may be equal in a circular capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    captured: Bitboard,
    from: Square,
    to: Square,
}

impl Move {
    /// A move with these parts; an empty set of captured squares makes a quiet move.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, captured: Bitboard) -> Move {
        Move { captured, from, to }
    }

    /// The origin square.
    #[inline(always)]
    pub const fn from(self) -> Square {
        self.from
    }

    /// The destination square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        self.to
    }

    /// The squares of the captured pieces.
    #[inline(always)]
    pub const fn captured(self) -> Bitboard {
        self.captured
    }

    /// Whether the move captures.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }
}

/// The full form of the Hub protocol: `32-28`, `28x19x23`, `19x28x23x33` (from, to, captured squares in ascending
/// order).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_capture() { 'x' } else { '-' };
        write!(f, "{}{sign}{}", self.from, self.to)?;
        self.captured
            .into_iter()
            .try_for_each(|square| write!(f, "x{square}"))
    }
}

/// The text is not the full form of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a move is from-to, as 32-28, or fromxto and every captured square, as 28x19x23",
        )
    }
}

impl Error for ParseMoveError {}

/// Reads what `Display` writes. What people write depends on the position: see
/// [`moves::parse`](crate::notation::moves::parse).
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let sign = if text.contains('x') { 'x' } else { '-' };
        let squares: Result<Vec<Square>, _> = text.split(sign).map(str::parse).collect();
        match squares.as_deref() {
            Ok(&[from, to]) if sign == '-' => Ok(Move::new(from, to, Bitboard::EMPTY)),
            Ok([from, to, captured @ ..]) if sign == 'x' && !captured.is_empty() => {
                let set: Bitboard = captured.iter().copied().collect();
                match set.len() as usize == captured.len() {
                    true => Ok(Move::new(*from, *to, set)),
                    false => Err(ParseMoveError),
                }
            }
            _ => Err(ParseMoveError),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The legal moves of a position.
///
/// There are at most 160 quiet moves: an empty square is reached by at most one king from each of four directions, so
/// `k` kings have at most `min(17 k, 4 (50 - k))` moves, and a man has fewer than a king; 128 is the most found.
/// Compositions can have more captures: 345 have been found. Game positions rarely have more than 64 moves, so there is
/// room for 64 on the stack: a search holds one list per ply, and they should be close together. A longer list moves to
/// the heap.
pub type MoveList = SmallVec<[Move; 64]>;
