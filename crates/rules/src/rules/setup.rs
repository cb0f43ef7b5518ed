use crate::board::{Bitboard, Color, Square};
use thiserror::Error;

/// Pieces and side to move as parsed from text, not yet checked. [`Position::try_from`](super::Position) checks it and
/// makes it a position.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// Two pieces on one square.
    #[error("two pieces on square {0}")]
    Overlap(Square),
    /// A man on its promotion row.
    #[error("a {0} man on {1}, its promotion row (a king is K{1})")]
    ManOnPromotionRow(Color, Square),
}

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
