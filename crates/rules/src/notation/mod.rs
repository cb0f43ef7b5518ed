//! Text to rules and back: FEN, the board of the Hub protocol, moves, games as PDN, and the board as a picture.
//!
//! Reading is lenient, writing has one form. Every error says what is wrong, where, and what was expected; its message
//! is one bounded line. Those of a position and of a single move have no double quotes, so that a protocol can carry
//! them; those of a file or of a line of moves show the text as it was written.

mod cursor;
pub mod fen;
pub mod hub_board;
pub mod moves;
pub mod pdn;
pub mod picture;
pub mod positions;
pub mod signs;
pub mod text;
pub mod variant;
