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

mod error;
mod events;
mod game;
mod line;
mod read;
mod stream;
pub(super) mod typed;
mod write;

pub use error::{PdnError, PdnErrorKind, Unread};
pub use events::{Event, Events};
pub use game::{Annotated, Game, Outcome, Variation, date};
use game::{goal, variant};
pub use read::decode;
pub use read::{Games, read};
pub use stream::{Damaged, Stream};

/// Deepest nesting of variations that are read; deeper ones are kept as comments.
pub const MAX_DEPTH: usize = 32;
/// Most bytes of a game, with tags, comments and variations; a longer one is an error. A move takes up to 50 times the
/// memory of its text.
pub const LONGEST: usize = 1 << 20;
/// Most moves of a game, without those of variations; a longer one is an error.
pub const MOST_PLIES: usize = 10_000;

#[cfg(test)]
mod tests;
