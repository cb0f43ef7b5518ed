use crate::notation::fen::FenError;
use crate::notation::moves::MoveError;
use thiserror::Error;

/// Why a game of a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game}, line {line}, character {column}: {kind}")]
pub struct PdnError {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    #[source]
    pub kind: PdnErrorKind,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PdnErrorKind {
    /// It is a game of another variant: its name, or the number of its type.
    #[error("a game of {0}; only international draughts (type 20) can be read")]
    Variant(String),
    /// A line that begins with `[` but is no tag; what stands there.
    #[error("expected a tag such as [White 'name'] with double quotes, found {0}")]
    Tag(String),
    /// More tags than any program writes.
    #[error("more than 1,000 tags")]
    TooManyTags,
    /// The `FEN` tag, or a position set up before the first move.
    #[error(transparent)]
    Fen(FenError),
    /// A position set up in the middle of the game.
    #[error("a position is set up in the middle of the game")]
    Setup,
    /// A comment that does not end.
    #[error("the comment has no end, }} is missing")]
    UnclosedComment,
    /// A variation that does not end.
    #[error("the variation has no end, ) is missing")]
    UnclosedVariation,
    /// Text that is no part of a game; what stands there.
    #[error("expected a move, a comment or the end of the game, found {0}")]
    Unexpected(String),
    /// A move that is malformed or not legal.
    #[error("ply {ply} ({text}): {error}")]
    Move {
        /// Number of the move from 1, both sides counted.
        ply: usize,
        /// The move as it stands there, shortened, printable.
        text: String,
        /// What is wrong with it.
        #[source]
        error: MoveError,
    },
}

/// An error at a byte of the file.
pub(super) struct Flaw {
    pub at: usize,
    pub kind: PdnErrorKind,
}

impl Flaw {
    pub fn new(at: usize, kind: PdnErrorKind) -> Flaw {
        Flaw { at, kind }
    }
}
