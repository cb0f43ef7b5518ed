use crate::notation::fen::FenError;
use crate::notation::moves::MoveError;
use std::error::Error;
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

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, line, column) = (self.game, self.line, self.column);
        write!(
            f,
            "game {game}, line {line}, character {column}: {}",
            self.kind
        )
    }
}

impl Error for PdnError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.kind)
    }
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PdnErrorKind {
    /// It is a game of another variant: its name, or the number of its type.
    Variant(String),
    /// A tag without the quotes of PDN; its name.
    Tag(String),
    /// A tag that a game has already, with another value; its name.
    TagTwice(String),
    /// A result that is not known.
    Result(String),
    /// A `GameType` that is not known.
    GameType(String),
    /// Words between moves or before them; the first of them.
    Words(String),
    /// A capture that several legal moves fit; its text, and the one that is taken.
    Ambiguous(String, String),
    /// More tags than any program writes.
    TooManyTags,
    /// The `FEN` tag, or a position set up before the first move.
    Fen(FenError),
    /// A position set up in the middle of the game.
    Setup,
    /// More text than a game has.
    TooLong,
    /// More moves than a game has.
    TooManyPlies,
    /// A comment that does not end: it goes on to the end of the game.
    UnclosedComment,
    /// A variation that does not end.
    UnclosedVariation,
    /// A capture that is not written, and is the only legal move.
    LeftOut(String),
    /// A `FEN` tag that is kept as a comment, as the moves are legal from the initial position.
    FenInVain(FenError),
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
    /// Where a variation is no line of legal moves any more, and why.
    Variation(Box<PdnErrorKind>),
    /// Another result behind the moves than in the `Result` tag.
    Results {
        /// That of the tag.
        tag: &'static str,
        /// That behind the moves.
        moves: &'static str,
    },
    /// A variation inside [`MAX_DEPTH`](super::MAX_DEPTH) others.
    TooDeep,
    /// A variation where there is no move that it could replace.
    NoMoveBefore,
}

impl fmt::Display for PdnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PdnErrorKind::Variant(it) => write!(
                f,
                "a game of {it}; only international draughts (type 20) can be read"
            ),
            PdnErrorKind::Tag(it) => write!(
                f,
                "the value of the tag {it} is taken as it stands, without double quotes around it"
            ),
            PdnErrorKind::TagTwice(it) => write!(f, "a second tag {it} is kept as a comment"),
            PdnErrorKind::Result(it) => write!(f, "the result {it} is not known and is kept"),
            PdnErrorKind::GameType(it) => write!(
                f,
                "the game type {it} is not known and is kept; the moves are read as those of type 20"
            ),
            PdnErrorKind::Words(it) => write!(f, "words are kept as a comment: {it}"),
            PdnErrorKind::Ambiguous(text, mv) => {
                let which = if mv.contains('x') {
                    "captures"
                } else {
                    "moves"
                };
                write!(f, "several {which} fit {text}; {mv} is taken")
            }
            PdnErrorKind::TooManyTags => f.write_str("more than 1,000 tags"),
            PdnErrorKind::Fen(error) => error.fmt(f),
            PdnErrorKind::Setup => f.write_str("a position is set up in the middle of the game"),
            PdnErrorKind::TooLong => write!(
                f,
                "more than {} MiB of text in one game",
                super::LONGEST >> 20
            ),
            PdnErrorKind::TooManyPlies => {
                write!(f, "more than {} plies in one game", super::MOST_PLIES)
            }
            PdnErrorKind::UnclosedComment => f.write_str(
                "the comment has no closing brace and is kept up to the end of the game",
            ),
            PdnErrorKind::UnclosedVariation => {
                f.write_str("the variation has no end, a closing parenthesis is missing")
            }
            PdnErrorKind::LeftOut(it) => {
                write!(f, "the only legal move, {it}, is not written and is added")
            }
            PdnErrorKind::FenInVain(error) => write!(
                f,
                "the FEN is kept as a comment, the moves begin from the initial position: {error}"
            ),
            PdnErrorKind::Unexpected(it) => write!(
                f,
                "expected a move, a comment or the end of the game, found {it}"
            ),
            PdnErrorKind::Move { ply, text, error } => write!(f, "ply {ply} ({text}): {error}"),
            PdnErrorKind::Variation(it) => {
                write!(f, "the rest of a variation is kept as a comment: {it}")
            }
            PdnErrorKind::Results { tag, moves } => write!(
                f,
                "the moves end with the result {moves}, the tag Result says {tag} and is kept"
            ),
            PdnErrorKind::TooDeep => write!(
                f,
                "a variation inside {} others is kept as a comment",
                super::MAX_DEPTH
            ),
            PdnErrorKind::NoMoveBefore => {
                f.write_str("a variation before the first move is kept as a comment")
            }
        }
    }
}

impl Error for PdnErrorKind {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PdnErrorKind::Fen(error) | PdnErrorKind::FenInVain(error) => error.source(),
            PdnErrorKind::Move { error, .. } => Some(error),
            PdnErrorKind::Variation(error) => Some(error.as_ref()),
            _ => None,
        }
    }
}

/// What of a game is not as PDN has it: parts of variations and words that are kept as comments, tags and results that
/// are kept as they stand, results that contradict each other.
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

    /// Another result, or else the first place that is not in a variation.
    pub fn outside_variations(&self) -> Option<&PdnError> {
        let is_outside = |place: &&PdnError| {
            use PdnErrorKind::{NoMoveBefore, TooDeep, Variation};
            !matches!(place.kind, Variation(_) | TooDeep | NoMoveBefore)
        };
        let first = || self.places.iter().find(is_outside);
        self.other_result().or_else(first)
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

/// What a reader remarks in a game.
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

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes in those of a part of the game.
    pub fn take_in(&mut self, part: Remarks) {
        for flaw in part.first {
            if !matches!(flaw.kind, PdnErrorKind::Words(_))
                || !self.has(|kind| matches!(kind, PdnErrorKind::Words(_)))
            {
                self.add(flaw.at, flaw.kind);
            }
        }
    }

    /// Whether one of a kind is among them.
    pub fn has(&self, is_it: impl Fn(&PdnErrorKind) -> bool) -> bool {
        self.first.iter().any(|flaw| is_it(&flaw.kind))
    }

    /// The one that stands before the others.
    pub fn into_first(self) -> Option<Flaw> {
        self.first.into_iter().min_by_key(|flaw| flaw.at)
    }

    /// What they are in the file, in the order of their places.
    pub fn located(mut self, locate: impl FnMut(Flaw) -> PdnError) -> Unread {
        self.first.sort_by_key(|flaw| flaw.at);
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
