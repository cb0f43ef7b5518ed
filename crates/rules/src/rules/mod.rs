//! The rules of international draughts: positions, legal moves, draws, the history of a game, perft.
//!
//! Everything that depends on the variant is in this module. Article numbers refer to Annex 1 of the FMJD rules.

mod captures;
pub(crate) mod choices;
mod draws;
mod game;
mod moves;
mod offers;
pub mod perft;
mod position;
pub(crate) mod quiets;
mod setup;
pub(crate) mod sides;
pub(crate) mod zobrist;

pub use draws::{DrawClock, DrawRule, EndgameClass, KINGS_ONLY_PLIES};
pub use game::{Game, GameResult, Status};
pub use moves::{Move, MoveList, ParseMoveError};
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use zobrist::Key;
