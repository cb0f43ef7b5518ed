use crate::notation::fen::FenError;
use crate::notation::moves::MoveError;
use std::fmt;

/// Why a game of a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnError {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: PdnErrorKind,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PdnErrorKind {
    /// It is a game of another variant: its name, or the number of its type.
    Variant(String),
    /// A line that begins with `[` but is no tag; what stands there.
    Tag(String),
    /// The `FEN` tag, or a position set up before the first move.
    Fen(FenError),
    /// A position set up in the middle of the game.
    Setup,
    /// A comment that does not end.
    UnclosedComment,
    /// A variation that does not end.
    UnclosedVariation,
    /// Text that is no part of a game; what stands there.
    Unexpected(String),
    /// A move that is malformed or not legal.
    Move {
        /// Number of the move from 1, both sides counted.
        ply: usize,
        /// The move as it stands there, shortened, printable.
        text: String,
        /// What is wrong with it.
        error: MoveError,
    },
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PdnError {
            game, line, column, ..
        } = self;
        write!(
            f,
            "game {game}, line {line}, character {column}: {}",
            self.kind
        )
    }
}

impl std::error::Error for PdnError {}

impl fmt::Display for PdnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PdnErrorKind::Variant(name) => {
                write!(
                    f,
                    "a game of {name}; only international draughts (type 20) can be read"
                )
            }
            PdnErrorKind::Tag(found) => {
                write!(
                    f,
                    "expected a tag such as [White 'name'] with double quotes, found {found}"
                )
            }
            PdnErrorKind::Fen(error) => error.fmt(f),
            PdnErrorKind::Setup => f.write_str("a position is set up in the middle of the game"),
            PdnErrorKind::UnclosedComment => f.write_str("the comment has no end, } is missing"),
            PdnErrorKind::UnclosedVariation => {
                f.write_str("the variation has no end, ) is missing")
            }
            PdnErrorKind::Unexpected(found) => {
                write!(
                    f,
                    "expected a move, a comment or the end of the game, found {found}"
                )
            }
            PdnErrorKind::Move { ply, text, error } => write!(f, "ply {ply} ({text}): {error}"),
        }
    }
}
