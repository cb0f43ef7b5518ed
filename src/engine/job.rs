//! What an engine is asked to do.

use super::Level;
use crate::rules::{Game, Move};

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// To play a move: ends early where the choice is settled or forced.
    #[default]
    Think,
    /// To use the opponent's time: no time limit counts until the ponder hit, from when on it is a [`Purpose::Think`].
    Ponder,
    /// To show a person scores and lines: searches on where a game would not need it, in scores of a hundredth of a man.
    Analyse,
    /// To measure the engine (bench, suites, labels): searches on as an analysis does, in the coarser scores that it plays with.
    Measure,
}

/// A search to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The game up to the position to search; repetitions and the counters of the draw rules come from it.
    pub game: Game,
    /// When to end.
    pub level: Level,
    /// What for.
    pub purpose: Purpose,
    /// Number of best moves that are each to have a score and a line of their own; at least one.
    pub lines: usize,
    /// Moves of the position that are not to be considered.
    pub excluded: Vec<Move>,
    /// Whether a [`Purpose::Think`] may be answered from the opening book, as the options want it.
    pub use_book: bool,
}

impl Job {
    /// One line, every move, to play.
    pub fn new(game: Game, level: Level) -> Job {
        Job {
            game,
            level,
            purpose: Purpose::Think,
            lines: 1,
            excluded: Vec::new(),
            use_book: false,
        }
    }

    /// The same for one who plays from the opening book.
    pub fn with_book(self) -> Job {
        Job {
            use_book: true,
            ..self
        }
    }

    /// The same with another purpose.
    pub fn with_purpose(self, purpose: Purpose) -> Job {
        Job { purpose, ..self }
    }

    /// The same with a number of lines.
    pub fn with_lines(self, lines: usize) -> Job {
        Job { lines, ..self }
    }
}
