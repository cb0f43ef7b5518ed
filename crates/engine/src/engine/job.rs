//! What an engine can be asked to do.

use super::level::{Level, Purpose};
use super::strength::Strength;
use crate::search::Request;
use damier_rules::{Game, Move};

/// A search to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The game up to the position to search, from which repetitions and the draw counters are taken.
    pub game: Game,
    /// When to stop.
    pub level: Level,
    /// What for.
    pub purpose: Purpose,
    /// Number of best moves that each get their own score and line; at least one (multi-PV).
    pub lines: usize,
    /// Root moves to leave out.
    pub excluded: Vec<Move>,
    /// Whether a [`Purpose::Think`] may be answered from the opening book. The options must allow it too.
    pub use_book: bool,
    /// How strongly a move to play is chosen; an analysis or a measurement is always made at full strength.
    pub strength: Strength,
}

impl Job {
    /// A search of all moves, with one line, in order to play.
    pub fn new(game: Game, level: Level) -> Job {
        Job {
            game,
            level,
            purpose: Purpose::Think,
            lines: 1,
            excluded: Vec::new(),
            use_book: false,
            strength: Strength::Full,
        }
    }

    /// Lets the job answer from the opening book.
    pub fn with_book(self) -> Job {
        Job {
            use_book: true,
            ..self
        }
    }

    /// Sets the strength.
    pub fn at(self, strength: Strength) -> Job {
        Job { strength, ..self }
    }

    /// Sets the purpose.
    pub fn with_purpose(self, purpose: Purpose) -> Job {
        Job { purpose, ..self }
    }

    /// Sets the number of lines.
    pub fn with_lines(self, lines: usize) -> Job {
        Job { lines, ..self }
    }

    /// What it asks of the search.
    pub(super) fn request(&self) -> Request<'_> {
        Request {
            game: &self.game,
            limits: self.level.limits(),
            analyze: matches!(self.purpose, Purpose::Analyse | Purpose::Measure),
            fine: self.purpose == Purpose::Analyse,
            lines: self.lines,
            excluded: &self.excluded,
        }
    }
}
