//! PDN, games as text, in the form of PDN 3.0 (pdn.fmjd.org).
//!
//! Read is what programs have written since 1995: several games a file, any order of tags, results as terminators or `*` or none,
//! captures short, long or in pieces, move numbers of every kind, comments `{}`, `;` and `%`, `$n` and `!?` marks, `/FEN "..."/`
//! before the first move, UTF-8 or Latin-1. Variations are skipped. A damaged game is an error of its own, and the next is read.
//!
//! Written is PDN 3.0 to the letter where its readers agree with it: the result stands in the `Result` tag as `2-0`, `1-1` or
//! `0-2`, and `*` ends a game (`1-0` and `1-1` look like moves); a capture names the squares on its way only where it must.

mod error;
mod read;
mod scan;
mod write;

pub use error::{PdnError, PdnErrorKind};
pub use read::{Games, read};

use crate::rules::{Move, Position};

/// A game as a file holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Names and values, in the order of the file. `Result`, `GameType` and `FEN` are in it when they were read; what is written
    /// for these follows from the other fields.
    pub tags: Vec<(String, String)>,
    /// Where the game begins.
    pub start: Position,
    /// The moves, each legal where it stands.
    pub moves: Vec<Annotated>,
    /// How it ended.
    pub result: Outcome,
}

/// A move with what is said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotated {
    /// The move.
    pub mv: Move,
    /// The comments behind it, joined by spaces.
    pub comment: Option<String>,
}

impl From<Move> for Annotated {
    fn from(mv: Move) -> Annotated {
        Annotated { mv, comment: None }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// White won.
    White,
    /// Drawn.
    Draw,
    /// Black won.
    Black,
    /// Lost for both.
    Nobody,
    /// Not finished, or not known.
    #[default]
    Unknown,
}

impl Outcome {
    /// Every way in which a result is written.
    const TEXTS: [(&'static str, Outcome); 9] = [
        ("2-0", Outcome::White),
        ("1-1", Outcome::Draw),
        ("0-2", Outcome::Black),
        ("0-0", Outcome::Nobody),
        ("*", Outcome::Unknown),
        ("1-0", Outcome::White),
        ("1/2-1/2", Outcome::Draw),
        ("0-1", Outcome::Black),
        ("\u{bd}-\u{bd}", Outcome::Draw),
    ];

    /// Reads a result: `2-0`, `1-1`, `0-2`, `0-0`, `*`, or the older `1-0`, `1/2-1/2`, `0-1`.
    pub fn parse(text: &str) -> Option<Outcome> {
        let found = Outcome::TEXTS.iter().find(|(known, _)| *known == text);
        found.map(|&(_, outcome)| outcome)
    }

    /// The value of the `Result` tag.
    pub fn text(self) -> &'static str {
        let found = Outcome::TEXTS.iter().find(|(_, outcome)| *outcome == self);
        found.map_or("*", |&(text, _)| text)
    }
}

impl Game {
    /// A game without tags, moves and result.
    pub fn new(start: Position) -> Game {
        Game {
            tags: Vec::new(),
            start,
            moves: Vec::new(),
            result: Outcome::Unknown,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The moves without what is said of them.
    pub fn plain_moves(&self) -> Vec<Move> {
        self.moves.iter().map(|annotated| annotated.mv).collect()
    }
}

#[cfg(test)]
mod tests;
