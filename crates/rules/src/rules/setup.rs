use crate::board::{Bitboard, Color, Square};
use std::error::Error;
use std::fmt;

/// Pieces and side to move as parsed from text, not yet checked. [`Position::try_from`](super::Position) checks it and
/// makes it a position.
///
/// ```
/// use damier_rules::{Bitboard, Color, Position, Setup, Square};
///
/// let mut setup = Setup::empty(Color::White);
/// setup.men[Color::White.index()] = Square::new(5).map(Bitboard::of).unwrap_or_default();
/// let error = Position::try_from(setup).unwrap_err();
/// assert_eq!(error.to_string(), "a white man on 5, its promotion row (a king is K5)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Men by colour index.
    pub men: [Bitboard; 2],
    /// Kings by colour index.
    pub kings: [Bitboard; 2],
    /// Side to move.
    pub turn: Color,
}

/// Why a [`Setup`] is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// Two pieces on one square.
    Overlap(Square),
    /// A man on its promotion row.
    ManOnPromotionRow(Color, Square),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Overlap(it) => write!(f, "two pieces on square {it}"),
            SetupError::ManOnPromotionRow(a, b) => {
                write!(f, "a {a} man on {b}, its promotion row (a king is K{b})")
            }
        }
    }
}

impl Error for SetupError {}

impl Setup {
    /// An empty board.
    pub fn empty(turn: Color) -> Setup {
        Setup {
            men: [Bitboard::EMPTY; 2],
            kings: [Bitboard::EMPTY; 2],
            turn,
        }
    }
}
