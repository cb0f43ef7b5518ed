use crate::notation::fen::FenError;
use crate::notation::moves::MoveError;
use std::fmt;
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
    /// More text than a game has.
    #[error("more than {} MiB of text in one game", super::LONGEST >> 20)]
    TooLong,
    /// More moves than a game has.
    #[error("more than {} plies in one game", super::MOST_PLIES)]
    TooManyPlies,
    /// A comment that does not end.
    #[error("the comment has no end, a closing brace is missing")]
    UnclosedComment,
    /// A variation that does not end.
    #[error("the variation has no end, a closing parenthesis is missing")]
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
    /// Where a variation is no line of legal moves any more, and why.
    #[error("the rest of a variation is kept as a comment: {0}")]
    Variation(#[source] Box<PdnErrorKind>),
    /// Another result behind the moves than in the `Result` tag.
    #[error("the moves end with the result {moves}, the tag Result says {tag} and is kept")]
    Results {
        /// That of the tag.
        tag: &'static str,
        /// That behind the moves.
        moves: &'static str,
    },
    /// A variation inside [`MAX_DEPTH`](super::MAX_DEPTH) others.
    #[error("a variation inside {} others is kept as a comment", super::MAX_DEPTH)]
    TooDeep,
    /// A variation where there is no move that it could replace.
    #[error("a variation before the first move is kept as a comment")]
    NoMoveBefore,
}

/// What of the variations of a game is no line of legal moves, and is kept as comments; and whether its results
/// contradict each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unread {
    /// The first places, at most ten, and that of another result.
    pub places: Vec<PdnError>,
    /// How many there are.
    pub count: usize,
}

impl Unread {
    /// Where another result stands than in the `Result` tag.
    pub fn other_result(&self) -> Option<&PdnError> {
        let is_result = |place: &&PdnError| matches!(place.kind, PdnErrorKind::Results { .. });
        self.places.iter().find(is_result)
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = self.other_result().or(self.places.first()) {
            write!(f, "{first}")?;
        }
        match self.count {
            0 | 1 => Ok(()),
            2 => write!(f, "; and one more such place"),
            count => write!(f, "; and {} more such places", count - 1),
        }
    }
}

/// What a reader remarks in variations.
#[derive(Default)]
pub(super) struct Remarks {
    first: Vec<Flaw>,
    count: usize,
}

impl Remarks {
    /// Most places that are kept.
    const MOST: usize = 10;

    pub fn add(&mut self, at: usize, kind: PdnErrorKind) {
        self.count += 1;
        // Results contradict each other once in a game, at its end.
        if self.first.len() < Remarks::MOST || matches!(kind, PdnErrorKind::Results { .. }) {
            self.first.push(Flaw::new(at, kind));
        }
    }

    /// What they are in the file; the places come in ascending order.
    pub fn located(self, locate: impl FnMut(Flaw) -> PdnError) -> Unread {
        Unread {
            count: self.count,
            places: self.first.into_iter().map(locate).collect(),
        }
    }
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
