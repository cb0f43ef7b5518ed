//! For the other crates of Damier: what their tables and files are built on. It may change in any version.

pub mod retro;

pub use crate::rules::choices::Choices;
pub use crate::rules::zobrist::mix;

use crate::board::{Bitboard, Color};
use crate::rules::Position;

/// A position from the men and kings of white and of black, which must be as [`Setup`](crate::Setup) demands: no square
/// taken twice, no man on its last row. Nothing is checked.
#[inline(always)]
pub fn unchecked(men: [Bitboard; 2], kings: [Bitboard; 2], turn: Color) -> Position {
    Position::unchecked(men, kings, turn)
}
