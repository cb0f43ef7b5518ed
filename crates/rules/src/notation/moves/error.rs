use crate::board::{Color, Square};
use crate::notation::cursor::found;
use crate::notation::signs;
use crate::rules::Move;
use std::error::Error;
use std::fmt;

/// Why a text is not a legal move. The message is a sentence for the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// Something else than a square; number of the character, from 1, and what stands there.
    Syntax {
        /// Number of the character, from 1.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// A number that is no square.
    NoSuchSquare(String),
    /// Only one square is named.
    OneSquare,
    /// More squares are named than a move can have.
    TooLong,
    /// More moves follow each other than are expected, which is so many at most.
    TooManyMoves(usize),
    /// The text fits all these moves.
    Ambiguous(Vec<Move>),
    /// There are moves from and to these squares, but they take other pieces.
    OtherCaptured(Vec<Move>),
    /// There are moves from and to these squares, but they go another way.
    OtherPath(Vec<Move>),
    /// The side to move has no legal move: the game is over.
    NoLegalMove(Color),
    /// No piece stands there.
    EmptySquare(Square),
    /// The piece belongs to the side that is not to move.
    OpponentsPiece(Square, Color),
    /// A piece stands where the move would end.
    Occupied(Square),
    /// From and to are the same, without a circular capture.
    SameSquare(Square),
    /// The squares are not on one diagonal.
    NotDiagonal {
        /// First square.
        from: Square,
        /// Last square.
        to: Square,
    },
    /// A man goes back.
    ManBackward,
    /// A man goes more than one step.
    ManTooFar,
    /// A man would jump over a piece of its own side.
    JumpsOwn(Square),
    /// The piece there cannot be taken so.
    CannotTake(Square),
    /// A piece of the own side is in a king's way.
    OwnPieceInTheWay(Square),
    /// A king would jump over two pieces at once.
    JumpsTwo(Square, Square),
    /// A capture is possible, but none of this piece ends there.
    NoSuchCapture {
        /// First square.
        from: Square,
        /// Last square.
        to: Square,
        /// The legal moves.
        legal: Vec<Move>,
    },
    /// One of these captures must be made.
    MustCapture(Vec<Move>),
    /// The capture is possible but takes too few pieces.
    MustTakeMost {
        /// Pieces this move takes.
        taken: u32,
        /// Pieces that can be taken.
        most: u32,
        /// The legal moves.
        legal: Vec<Move>,
    },
    /// The capture takes too few pieces, and the same piece can take more.
    CaptureGoesOn {
        /// Pieces this move takes.
        taken: u32,
        /// Pieces that can be taken.
        most: u32,
        /// The legal moves.
        legal: Vec<Move>,
    },
}

impl MoveError {
    /// The error in a text that was written otherwise than in the plain signs where it was found.
    pub(super) fn written_as(self, text: &str) -> MoveError {
        let MoveError::Syntax { column, .. } = self else {
            return self;
        };
        let plain = signs::plain(text);
        let at = plain.char_indices().nth(column - 1);
        let at = signs::written(text, at.map_or(plain.len(), |(at, _)| at));
        MoveError::Syntax {
            column: text[..at].chars().count() + 1,
            found: found(text[at..].chars().next()),
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Syntax { column, found } => write!(
                f,
                "expected a move such as 32-28 or 28x19, found {found} at character {column}"
            ),
            MoveError::NoSuchSquare(it) => {
                write!(f, "{it} is no square; squares are numbers from 1 to 50")
            }
            MoveError::OneSquare => {
                f.write_str("a move names the square it leaves and the one it goes to, as 32-28")
            }
            MoveError::TooLong => f.write_str("too many squares for one move"),
            MoveError::TooManyMoves(1) => f.write_str("expected a single move"),
            MoveError::TooManyMoves(most) => write!(f, "more than {most} moves"),
            MoveError::Ambiguous(it) => write!(f, "it could be any of {}", List(it)),
            MoveError::OtherCaptured(it) => write!(f, "it takes other pieces: {}", List(it)),
            MoveError::OtherPath(it) => {
                write!(f, "it cannot go that way; possible is {}", List(it))
            }
            MoveError::NoLegalMove(it) => write!(f, "{it} has no legal move, the game is over"),
            MoveError::EmptySquare(it) => write!(f, "there is no piece on {it}"),
            MoveError::OpponentsPiece(a, b) => write!(
                f,
                "the piece on {a} is {b}, and it is {turn}'s turn",
                turn = !*b
            ),
            MoveError::Occupied(it) => write!(f, "{it} is not empty"),
            MoveError::SameSquare(it) => write!(f, "the piece on {it} cannot end where it began"),
            MoveError::NotDiagonal { from, to } => write!(
                f,
                "pieces move along diagonals, and {from} and {to} are not on one diagonal"
            ),
            MoveError::ManBackward => {
                f.write_str("a man moves forward only (it may capture backward)")
            }
            MoveError::ManTooFar => f.write_str("a man moves one step only"),
            MoveError::JumpsOwn(it) => {
                write!(f, "the piece on {it} is your own, it cannot be jumped")
            }
            MoveError::CannotTake(it) => write!(f, "the piece on {it} cannot be taken so"),
            MoveError::OwnPieceInTheWay(it) => write!(f, "your own piece on {it} is in the way"),
            MoveError::JumpsTwo(a, b) => write!(
                f,
                "a king takes one piece at a time, and {a} and {b} are both in the way"
            ),
            MoveError::NoSuchCapture { from, to, legal } => write!(
                f,
                "no capture leads from {from} to {to}; possible is {}",
                List(legal)
            ),
            MoveError::MustCapture(it) => write!(f, "a capture is compulsory: {}", List(it)),
            MoveError::MustTakeMost { taken, most, legal } => write!(
                f,
                "you must take the most pieces: this takes {}, {most} can be taken: {}",
                pieces(*taken),
                List(legal)
            ),
            MoveError::CaptureGoesOn { taken, most, legal } => write!(
                f,
                "the capture is not complete: this takes {}, {most} can and must be taken: {}",
                pieces(*taken),
                List(legal)
            ),
        }
    }
}

impl Error for MoveError {}

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
