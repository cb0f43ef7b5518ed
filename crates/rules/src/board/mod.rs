//! The board alone: squares, sets of squares, colours and rays, independent of pieces and rules.
//!
//! The 50 playable squares are stored in 63 bits, 13 bits for every two rows. Between and beside the rows are unused
//! *ghost* bits, so that a step or jump over the edge ends on a ghost and never wraps to another row:
//!
//! ```text
//! squares 1..5     bits  0  1  2  3  4          (5 ghost)
//! squares 6..10    bits  6  7  8  9 10          (11, 12 ghosts)
//! squares 11..15   bits 13 14 15 16 17          (18 ghost)
//! ...
//! squares 46..50   bits 58 59 60 61 62          (63 ghost)
//! ```
//!
//! One diagonal step down the board is `+6` (left) or `+7` (right), up the board `-6` (right) or `-7` (left).
//!
//! ```
//! use damier_rules::board::rays::king_reach;
//! use damier_rules::{Bitboard, Square};
//!
//! let square: Square = "46".parse()?;
//! assert_eq!((square.row(), square.column()), (9, 0));
//! let set: Bitboard = Square::all().filter(|square| square.column() == 0).collect();
//! assert!(set.contains(square) && set.len() == 5);
//! assert_eq!(king_reach(square, Bitboard::EMPTY), Bitboard::LONG_DIAGONAL.without(set));
//! # Ok::<(), damier_rules::board::ParseSquareError>(())
//! ```

mod bitboard;
mod color;
pub mod rays;
mod square;

pub use bitboard::Bitboard;
pub use color::Color;
pub use square::{ParseSquareError, Square};
