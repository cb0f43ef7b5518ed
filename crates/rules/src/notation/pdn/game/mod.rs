//! A game as PDN has it.

mod date;
pub(super) mod goal;
mod main_line;
mod outcome;
pub(super) mod variant;

use super::Unread;
use crate::rules::{Move, Position};
pub use date::date;
pub use outcome::Outcome;

/// A game as a file holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Names and values, in the order of the file. `Result`, `GameType` and `FEN` are among them after reading; when
    /// writing they are derived from the other fields.
    pub tags: Vec<(String, String)>,
    /// Where the game begins.
    pub start: Position,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves, each legal where it stands.
    pub moves: Vec<Annotated>,
    /// How it ended.
    pub result: Outcome,
    /// What could not be read as it stands, and where that is.
    pub unread: Unread,
}

/// A move with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotated {
    /// The move.
    pub mv: Move,
    /// Its marks, as numbers (numeric annotation glyphs), each once: see [`Annotated::mark`].
    pub nags: Vec<u8>,
    /// The comments behind it, joined by spaces.
    pub comment: Option<String>,
    /// The variations that begin in its place.
    pub variations: Vec<Variation>,
}

/// Moves that could have been played instead of one of a game or of another variation, from the same position on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves, each legal where it stands; at least one.
    pub moves: Vec<Annotated>,
}

impl Annotated {
    /// Marks and their numbers; of those with one number the first is the usual one.
    const MARKS: [(&'static str, u8); 36] = [
        ("!", 1),
        ("?", 2),
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
        ("\u{203c}", 3),
        ("\u{2047}", 4),
        ("\u{2049}", 5),
        ("\u{203d}", 5),
        ("\u{2048}", 6),
        ("*", 7),
        ("\u{25a1}", 7),
        ("\u{25a2}", 7),
        ("\u{25fb}", 7),
        ("=", 10),
        ("\u{221e}", 13),
        ("\u{2a72}", 14),
        ("+=", 14),
        ("+/=", 14),
        ("\u{2a71}", 15),
        ("=+", 15),
        ("=/+", 15),
        ("\u{b1}", 16),
        ("+/-", 16),
        ("\u{2213}", 17),
        ("-/+", 17),
        ("+-", 18),
        ("-+", 19),
        ("\u{2a00}", 22),
        ("\u{2299}", 22),
        ("\u{2191}", 36),
        ("\u{21c6}", 132),
        ("\u{2295}", 138),
        ("\u{2206}", 140),
        ("N", 146),
    ];

    /// The number of a mark behind a move: `!` 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6, `*` and `□` (the only move) 7,
    /// `=` 10, `+-` 18 and so on, as in PGN; `$5` is 5.
    pub fn mark(text: &str) -> Option<u8> {
        match text.strip_prefix('$') {
            Some(number) => number.trim_start().parse().ok(),
            None => {
                let found = Annotated::MARKS.iter().find(|(mark, _)| *mark == text);
                found.map(|&(_, nag)| nag)
            }
        }
    }
}

impl From<Move> for Annotated {
    fn from(mv: Move) -> Annotated {
        Annotated {
            mv,
            nags: Vec::new(),
            comment: None,
            variations: Vec::new(),
        }
    }
}

impl Game {
    /// A game without tags, moves and result.
    pub fn new(start: Position) -> Game {
        Game {
            tags: Vec::new(),
            start,
            comment: None,
            moves: Vec::new(),
            result: Outcome::Unknown,
            unread: Unread::default(),
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The comment at the end.
    pub(super) fn last_comment(&mut self) -> &mut Option<String> {
        let last = self.moves.last_mut().map(|last| &mut last.comment);
        last.unwrap_or(&mut self.comment)
    }

    /// The moves without their annotations.
    pub fn plain_moves(&self) -> Vec<Move> {
        self.moves.iter().map(|annotated| annotated.mv).collect()
    }
}
