//! PDN, games as text, in the form of PDN 3.0 (pdn.fmjd.org).
//!
//! The reader takes what programs have written since 1995 and what people paste: several games a file, any order of
//! tags with any quotes or none, results in the tag or behind the moves, captures short, long or in pieces, move
//! numbers of every kind, comments `{}`, `;` and `%`, `$n`, `!?` and `±` marks, `/FEN "..."/` before the first move,
//! any [signs](super::signs). Comments, marks and variations are kept; text that is not understood is kept as a comment
//! or a tag and reported once, in [`Game::unread`]. An illegal move ends its game, and the next one is read.
//! No game takes more memory than some dozens of megabytes.
//!
//! The writer follows PDN 3.0 wherever its readers do: the result stands in the `Result` tag as `2-0`, `1-1` or `0-2`,
//! and `*` ends a game (`1-0` and `1-1` look like moves); a capture names the squares on its way only where it must.
//!
//! [`Events`] are what a text holds, without rules. [`read`] takes a whole text, [`Stream`] an input of any length:
//!
//! ```
//! use damier_rules::notation::pdn;
//!
//! let file = r#"
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
mod events;
mod goal;
mod line;
mod main_line;
mod outcome;
mod place;
mod read;
mod skip;
mod stream;
pub(super) mod typed;
mod variant;
mod write;

use crate::rules::{Move, Position};
pub use date::date;
pub use error::{PdnError, PdnErrorKind, Unread};
pub use events::{Event, Events};
pub use outcome::Outcome;
pub use place::decode;
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
    fn last_comment(&mut self) -> &mut Option<String> {
        let last = self.moves.last_mut().map(|last| &mut last.comment);
        last.unwrap_or(&mut self.comment)
    }

    /// The moves without their annotations.
    pub fn plain_moves(&self) -> Vec<Move> {
        self.moves.iter().map(|annotated| annotated.mv).collect()
    }
}

#[cfg(test)]
mod tests;
