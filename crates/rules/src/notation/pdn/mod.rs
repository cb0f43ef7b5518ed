//! PDN, games as text, in the form of PDN 3.0 (pdn.fmjd.org).
//!
//! The reader takes what programs have written since 1995: several games a file, any order of tags, results as
//! terminators or `*` or none, captures short, long or in pieces, move numbers of every kind, comments `{}`, `;` and
//! `%`, `$n` and `!?` marks, `/FEN "..."/` before the first move, UTF-8 or Windows-1252. Comments, marks and variations
//! are kept; where a variation cannot be read, what follows is kept as a comment and told. A damaged game is an error of
//! its own, and the next is read. No game takes more memory than some dozens of megabytes.
//!
//! The writer follows PDN 3.0 wherever its readers do: the result stands in the `Result` tag as `2-0`, `1-1` or `0-2`,
//! and `*` ends a game (`1-0` and `1-1` look like moves); a capture names the squares on its way only where it must.
//!
//! [`read`] takes a whole file, [`Stream`] an input of any length:
//!
//! ```
//! use damier_rules::notation::pdn;
//!
//! let file = br#"
//! [White "A"]
//! [Result "1-1"]
//! 1. 32-28! {Usual.} (1. 31-27 17-21) 1... 19-23 2. 28x19 14x23 *
//! "#;
//! let game = pdn::read(file).next().expect("a game")?;
//! assert_eq!((game.tag("White"), game.result), (Some("A"), pdn::Outcome::Draw));
//! assert_eq!((game.moves[0].nags[0], game.moves[0].variations.len()), (1, 1));
//! let mut written = Vec::new();
//! game.write(&mut written)?;
//!
//! let mut stream = pdn::Stream::new(&written[..]);
//! while let Some(game) = stream.next_game()? {
//!     assert_eq!(game.expect("sound").plain_moves().len(), 4);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod date;
mod error;
mod line;
mod main_line;
mod read;
mod scan;
mod skip;
mod stream;
mod write;

use crate::board::Color;
use crate::rules::{Move, Position};
pub use date::date;
pub use error::{PdnError, PdnErrorKind, Unread};
pub use read::{Games, read};
pub use stream::{Damaged, Stream};

/// Deepest nesting of variations that are read; deeper ones are kept as comments.
pub const MAX_DEPTH: usize = 32;
/// Most bytes of a game, with tags, comments and variations; a longer one is an error. A move takes up to 50 times the
/// memory of its text.
pub const LONGEST: usize = 1 << 20;
/// Most moves of a game, without those of variations; a longer one is an error.
pub const MOST_PLIES: usize = 10_000;

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
    /// What of its variations could not be read as moves, and is found in comments.
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
    /// Marks and their numbers.
    const MARKS: [(&'static str, u8); 7] = [
        ("!", 1),
        ("?", 2),
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
        ("*", 7),
    ];

    /// The number of a mark behind a move: `!` 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6, `*` (the only move) 7.
    pub fn mark(text: &str) -> Option<u8> {
        let found = Annotated::MARKS.iter().find(|(mark, _)| *mark == text);
        found.map(|&(_, nag)| nag)
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
    const TEXTS: [(&'static str, Outcome); 11] = [
        ("2-0", Outcome::White),
        ("1-1", Outcome::Draw),
        ("0-2", Outcome::Black),
        ("0-0", Outcome::Nobody),
        ("*", Outcome::Unknown),
        ("1-0", Outcome::White),
        ("1/2-1/2", Outcome::Draw),
        ("0-1", Outcome::Black),
        ("\u{bd}-\u{bd}", Outcome::Draw),
        ("1/2", Outcome::Draw),
        ("\u{bd}", Outcome::Draw),
    ];

    /// Reads a result: `2-0`, `1-1`, `0-2`, `0-0`, `*`, or the older `1-0`, `1/2-1/2`, `1/2`, `0-1`; blanks may stand
    /// around the hyphen.
    pub fn parse(text: &str) -> Option<Outcome> {
        let parts = || text.split('-').map(str::trim);
        let is_it = |&&(known, _): &&(&str, Outcome)| known.split('-').eq(parts());
        let found = Outcome::TEXTS.iter().find(is_it);
        found.map(|&(_, outcome)| outcome)
    }

    /// Who lost. None where nobody did, or both.
    pub fn loser(self) -> Option<Color> {
        match self {
            Outcome::White => Some(Color::Black),
            Outcome::Black => Some(Color::White),
            Outcome::Draw | Outcome::Nobody | Outcome::Unknown => None,
        }
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

    /// The moves without their annotations.
    pub fn plain_moves(&self) -> Vec<Move> {
        self.moves.iter().map(|annotated| annotated.mv).collect()
    }
}

#[cfg(test)]
mod tests;
