use crate::board::{Color, Square};
use crate::rules::Move;
use std::fmt;

/// Why a text is not a legal move. The message is a sentence for the player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Something else than a square; number of the character, from 1, and what stands there.
    #[error("expected a move such as 32-28 or 28x19, found {found} at character {column}")]
    Syntax {
        /// Number of the character, from 1.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// A number that is no square.
    #[error("{0} is no square; squares are numbers from 1 to 50")]
    NoSuchSquare(String),
    /// Only one square is named.
    #[error("a move names the square it leaves and the one it goes to, as 32-28")]
    OneSquare,
    /// More squares are named than a move can have.
    #[error("too many squares for one move")]
    TooLong,
    /// The text fits all these moves.
    #[error("it could be any of {}", List(.0))]
    Ambiguous(Vec<Move>),
    /// There are moves from and to these squares, but they take other pieces.
    #[error("it takes other pieces: {}", List(.0))]
    OtherCaptured(Vec<Move>),
    /// There are moves from and to these squares, but they go another way.
    #[error("it cannot go that way; possible is {}", List(.0))]
    OtherPath(Vec<Move>),
    /// The side to move has no legal move: the game is over.
    #[error("{0} has no legal move, the game is over")]
    NoLegalMove(Color),
    /// No piece stands there.
    #[error("there is no piece on {0}")]
    EmptySquare(Square),
    /// The piece belongs to the side that is not to move.
    #[error("the piece on {0} is {1}, and it is {turn}'s turn", turn = !*.1)]
    OpponentsPiece(Square, Color),
    /// A piece stands where the move would end.
    #[error("{0} is not empty")]
    Occupied(Square),
    /// From and to are the same, without a circular capture.
    #[error("the piece on {0} cannot end where it began")]
    SameSquare(Square),
    /// The squares are not on one diagonal.
    #[error("pieces move along diagonals, and {from} and {to} are not on one diagonal")]
    NotDiagonal {
        /// First square.
        from: Square,
        /// Last square.
        to: Square,
    },
    /// A man goes back.
    #[error("a man moves forward only (it may capture backward)")]
    ManBackward,
    /// A man goes more than one step.
    #[error("a man moves one step only")]
    ManTooFar,
    /// A man would jump over a piece of its own side.
    #[error("the piece on {0} is your own, it cannot be jumped")]
    JumpsOwn(Square),
    /// The piece there cannot be taken so.
    #[error("the piece on {0} cannot be taken so")]
    CannotTake(Square),
    /// A piece of the own side is in a king's way.
    #[error("your own piece on {0} is in the way")]
    OwnPieceInTheWay(Square),
    /// A king would jump over two pieces at once.
    #[error("a king takes one piece at a time, and {0} and {1} are both in the way")]
    JumpsTwo(Square, Square),
    /// A capture is possible, but none of this piece ends there.
    #[error("no capture leads from {from} to {to}; possible is {}", List(legal))]
    NoSuchCapture {
        /// First square.
        from: Square,
        /// Last square.
        to: Square,
        /// The legal moves.
        legal: Vec<Move>,
    },
    /// One of these captures must be made.
    #[error("a capture is compulsory: {}", List(.0))]
    MustCapture(Vec<Move>),
    /// The capture is possible but takes too few pieces.
    #[error(
        "you must take the most pieces: this takes {}, {most} can be taken: {}",
        pieces(*taken),
        List(legal)
    )]
    MustTakeMost {
        /// Pieces this move takes.
        taken: u32,
        /// Pieces that can be taken.
        most: u32,
        /// The legal moves.
        legal: Vec<Move>,
    },
    /// The capture takes too few pieces, and the same piece can take more.
    #[error(
        "the capture is not complete: this takes {}, {most} can and must be taken: {}",
        pieces(*taken),
        List(legal)
    )]
    CaptureGoesOn {
        /// Pieces this move takes.
        taken: u32,
        /// Pieces that can be taken.
        most: u32,
        /// The legal moves.
        legal: Vec<Move>,
    },
}

/// Moves for a message: at most six of them.
struct List<'a>(&'a [Move]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 6;
        for (i, mv) in self.0.iter().take(SHOWN).enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{mv}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

fn pieces(n: u32) -> String {
    match n {
        1 => "1 piece".to_owned(),
        n => format!("{n} pieces"),
    }
}
