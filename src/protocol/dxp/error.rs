//! What can be wrong with a message.

use crate::board::Square;
use crate::notation::text;
use crate::rules::SetupError;
use std::fmt;

/// Why bytes are no message. `Display` is one line of ASCII without double quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The type of the message, where it is a known one.
    pub message: Option<&'static str>,
    /// Where it went wrong.
    pub field: Field,
    /// Number of the first character of the field, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// A field of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The first character: the type.
    Header,
    /// Version of the protocol.
    Version,
    /// Name of a program.
    Name,
    /// Colour of the follower.
    FollowerColor,
    /// Minutes of a game.
    Minutes,
    /// Moves of a game.
    Moves,
    /// Whether a position follows.
    StartKind,
    /// Side to move.
    SideToMove,
    /// One of the squares of a position, or all.
    Board,
    /// Code of a GAMEACC or BACKACC.
    Code,
    /// Seconds of a move.
    Time,
    /// Where a move begins.
    From,
    /// Where a move ends.
    To,
    /// Number of captured pieces.
    CapturedCount,
    /// A captured piece.
    Captured,
    /// Why a game ends.
    Reason,
    /// Whether to end altogether.
    StopCode,
    /// Number of a move.
    MoveNumber,
    /// What follows the last field.
    End,
}

impl Field {
    fn name(self) -> &'static str {
        match self {
            Field::Header => "type of the message",
            Field::Version => "version",
            Field::Name => "name",
            Field::FollowerColor => "colour of the follower",
            Field::Minutes => "minutes",
            Field::Moves => "number of moves",
            Field::StartKind => "kind of start",
            Field::SideToMove => "side to move",
            Field::Board => "board",
            Field::Code => "code",
            Field::Time => "time",
            Field::From => "from",
            Field::To => "to",
            Field::CapturedCount => "number of captured pieces",
            Field::Captured => "captured piece",
            Field::Reason => "reason",
            Field::StopCode => "stop code",
            Field::MoveNumber => "move number",
            Field::End => "end",
        }
    }
}

/// What can be wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The message has no characters.
    Empty,
    /// It has more than 127; how many.
    TooLong(usize),
    /// It ends before the field does.
    Missing,
    /// The type is none of `R A M E C B K`; what stands there.
    UnknownType(String),
    /// A version other than 1, whose layout nobody knows.
    Version(u8),
    /// Not one of the characters expected; those, and what stands there.
    Expected(&'static str, String),
    /// No number of so many characters; what stands there.
    NotANumber(String),
    /// Not a square from 1 to 50; what stands there.
    NotASquare(String),
    /// More captured pieces than there are.
    TooMany(u8),
    /// A piece is captured twice.
    Twice(Square),
    /// The pieces are no position.
    Setup(SetupError),
    /// Something follows the last field; what.
    Trailing(String),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(message) = self.message {
            write!(f, "{message}: ")?;
        }
        match &self.problem {
            Problem::Empty => return f.write_str("an empty message"),
            Problem::TooLong(n) => {
                return write!(
                    f,
                    "{n} characters; a message has at most {}",
                    super::MAX_MESSAGE
                );
            }
            _ => write!(f, "{} (character {}): ", self.field.name(), self.column)?,
        }
        match &self.problem {
            Problem::Missing => f.write_str("the message ends too early"),
            Problem::UnknownType(found) => {
                write!(f, "expected one of R A M E C B K, found {found}")
            }
            Problem::Version(version) => {
                write!(f, "version {version} is not known here, only 1")
            }
            Problem::Expected(wanted, found) => write!(f, "expected {wanted}, found {found}"),
            Problem::NotANumber(found) => write!(f, "expected a number, found {found}"),
            Problem::NotASquare(found) => write!(f, "expected a square, 01 to 50, found {found}"),
            Problem::TooMany(count) => {
                write!(f, "{count}, at most {} can be", super::MAX_CAPTURED)
            }
            Problem::Twice(square) => write!(f, "{square} is captured twice"),
            Problem::Setup(error) => error.fmt(f),
            Problem::Trailing(found) => write!(f, "expected nothing more, found {found}"),
            Problem::Empty | Problem::TooLong(_) => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// The beginning of somebody's bytes, for a message.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    text::excerpt(&String::from_utf8_lossy(bytes))
}
