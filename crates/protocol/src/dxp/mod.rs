//! DamExchange (DXP), the protocol by which draughts programs have played each other since the nineties
//! (mesander.nl/damexchange).
//!
//! A message is 1 to 127 ASCII characters: a type character and fields of fixed width. On the wire a NUL ends it. Which
//! side listens for the connection is independent of which is the initiator, the side that asks for games.
//!
//! * [`Message`]: a message. `Message::parse` accepts any bytes; [`Message::encode`] writes one with its NUL.
//! * [`Framer`]: splits a stream of bytes into messages, with bounded memory.
//! * [`ParseError`]: why bytes are not a message, with the field and the column.
//!
//! Parsing is strict, except for what programs are known to send:
//! * minutes and seconds with a decimal point (`.05`), which Scan and Moby Dam read and some forum programs write;
//! * blanks, tabs and line endings after the last field (pydraughts strips them, so its users never notice), except in
//!   a chat;
//! * names that begin with a blank, are empty, or hold bytes beyond ASCII (Windows programs send their code page). In
//!   names and chats such bytes, and control characters, become `?`;
//! * a chat without text.

mod address;
mod error;
mod fields;
mod framer;
mod message;
mod reader;

pub use address::{addresses, first_of};
pub use error::{Field, ParseError, Problem};
pub use fields::{ChatText, Minutes, MoveLimit, MoveNumber, Name, Seconds};
pub use framer::{Framer, TooLong};
pub use message::{
    Acceptance, BackAnswer, BackReq, GameAcc, GameEnd, GameReq, Message, MoveMsg, Reason, Start,
};

/// The default port of DXP programs.
pub const PORT: u16 = 27531;

/// The longest message, in bytes, without the NUL.
pub const MAX_MESSAGE: usize = 127;

/// Maximum number of captured pieces in a MOVE.
pub const MAX_CAPTURED: usize = 20;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
