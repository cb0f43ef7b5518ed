//! Parse errors.

use damier_rules::SetupError;
use damier_rules::board::Square;
use damier_rules::notation::text;
use thiserror::Error;

/// Why bytes are not a message. `Display` is one line of ASCII without double quotes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{problem}", self.place())]
pub struct ParseError {
    /// The type of the message, if it is a known one.
    pub message: Option<&'static str>,
    /// The field with the error.
    pub field: Field,
    /// Position of the field's first character, counted from 1.
    pub column: usize,
    /// What is wrong.
    #[source]
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
    /// A square of a position, or all.
    Board,
    /// Code of a GAMEACC or BACKACC.
    Code,
    /// Seconds of a move.
    Time,
    /// Origin of a move.
    From,
    /// Destination of a move.
    To,
    /// Number of captured pieces.
    CapturedCount,
    /// A captured piece.
    Captured,
    /// Why a game ends.
    Reason,
    /// The stop code.
    StopCode,
    /// Number of a move.
    MoveNumber,
    /// After the last field.
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

/// The kinds of parse error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// The message has no characters.
    #[error("an empty message")]
    Empty,
    /// The message has more than 127 characters; how many.
    #[error("{0} characters; a message has at most {max}", max = super::MAX_MESSAGE)]
    TooLong(usize),
    /// The message ends before the field does.
    #[error("the message ends too early")]
    Missing,
    /// The first character is none of `R A M E C B K`; what it is.
    #[error("expected one of R A M E C B K, found {0}")]
    UnknownType(String),
    /// A version other than 1, whose layout is unknown.
    #[error("version {0} is not supported, only 1")]
    Version(u8),
    /// An unexpected character; which ones were expected, and what was found.
    #[error("expected {0}, found {1}")]
    Expected(&'static str, String),
    /// Not a number of the field's width; what was found.
    #[error("expected a number, found {0}")]
    NotANumber(String),
    /// Not a square from 1 to 50; what was found.
    #[error("expected a square, 01 to 50, found {0}")]
    NotASquare(String),
    /// More captured pieces than a side has.
    #[error("{0}, expected at most {max}", max = super::MAX_CAPTURED)]
    TooMany(u8),
    /// A piece is captured twice.
    #[error("{0} is captured twice")]
    Twice(Square),
    /// The pieces do not form a valid position.
    #[error(transparent)]
    Setup(SetupError),
    /// Something follows the last field; what.
    #[error("expected nothing more, found {0}")]
    Trailing(String),
}

impl ParseError {
    /// The place of the error, as the start of the message.
    fn place(&self) -> String {
        let mut place = self
            .message
            .map_or_else(String::new, |name| format!("{name}: "));
        if !matches!(self.problem, Problem::Empty | Problem::TooLong(_)) {
            place += &format!("{} (character {}): ", self.field.name(), self.column);
        }
        place
    }
}

/// Up to a few bytes of the input, for a message.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    text::excerpt(&bytes.escape_ascii().to_string())
}
