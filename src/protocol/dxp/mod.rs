//! DamExchange (DXP), the protocol by which draughts programs have played each other since the nineties
//! (mesander.nl/damexchange).
//!
//! A message is 1 to 127 ASCII characters, its first one the type, its fields of fixed width; a NUL ends it on the
//! wire. Who listens for the connection has nothing to do with who is the initiator, the side that asks for games.
//!
//! * [`Message`]: a message. `Message::parse` reads any bytes, [`Message::encode`] writes, the NUL included.
//! * [`Framer`]: a stream of bytes into messages, with bounded memory.
//! * [`ParseError`]: why bytes are not a message, with the field and the column.
//!
//! Reading is strict, except for what programs are known to do:
//! * minutes and seconds with a decimal point (`.05`), which Scan and Moby Dam read and some forum programs write;
//! * blanks, tabs and ends of line after the last field (pydraughts strips them, so its users never see them), unless
//!   the message is a chat;
//! * names that begin with a blank, are empty, or hold bytes beyond ASCII: programs for Windows send their code page.
//!   Such bytes, and control characters, are read as `?`; so are those of a chat;
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

/// The port that programs use unless told otherwise.
pub const PORT: u16 = 27531;

/// The longest message, in bytes, the NUL not counted.
pub const MAX_MESSAGE: usize = 127;

/// Most captured pieces a MOVE names.
pub const MAX_CAPTURED: usize = 20;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
