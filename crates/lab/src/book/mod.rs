//! `damier book`: builds books by drop-out expansion.
//!
//! [`Graph`] has the searches so far and chooses the next; [`journal`] stores each search in a file from which a run
//! resumes; [`build`] runs the searches on many threads. Rounds make the result independent of the number of threads:
//! all searches of a round are chosen at once, and their results are applied in that order.
//! [`compile`] turns the graph into a [`damier_book::Book`]; [`learn`], [`openings`] and the exports work on that.

mod build;
mod candidates;
mod compile;
mod export;
mod graph;
mod import;
mod journal;
mod learn;
mod merge;
mod openings;
mod searcher;

pub use build::{BuildRun, BuildSummary, Progress, build};
pub use candidates::candidates;
pub use compile::{Selection, compile};
pub use export::{JsonBook, JsonMove, JsonPosition, write_pdn};
pub use graph::{Graph, SearchTask, Searched, TaskMove, Work};
pub use import::from_json;
pub use journal::{BookJournal, Contents, is_journal, read as read_journal, read_settings};
pub use learn::{Lessons, learn};
pub use merge::{Merged, merge};
pub use openings::{BookOpening, OpeningsWanted, openings};
pub use searcher::{EngineSearcher, LineSearcher};

use crate::LabError;
use damier_book::{BookError, Fault};
use damier_engine::EngineError;
use damier_os::pool::ThreadError;
use damier_rules::notation::hub_board;
use damier_rules::{Move, Position};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The largest score of a book, in hundredths of a man; also that of a forced win.
pub const SCORE_MAX: i32 = 8_000;

/// A move with the score of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Hundredths of a man, for the side to move.
    pub score: i32,
    /// Depth, in plies.
    pub depth: u32,
}

/// The settings of a book. Two runs with the same settings and the same program search the same positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookSettings {
    /// Nodes of each search.
    pub nodes: u64,
    /// Moves that each search scores.
    pub lines: u32,
    /// Cost of each move of a line, in hundredths of a man; a higher cost makes the book wider and shallower.
    pub ply_cost: u32,
    /// Minimum number of searches in a round; a large book has one for every 128 of its positions.
    pub round: u64,
    /// Binary logarithm of the entries of each search's table.
    pub table_size: u32,
    /// The root positions.
    #[serde(with = "boards")]
    pub roots: Vec<Position>,
}

impl Default for BookSettings {
    fn default() -> BookSettings {
        BookSettings {
            nodes: 500_000,
            lines: 4,
            ply_cost: 2,
            round: 64,
            table_size: 19,
            roots: vec![Position::start()],
        }
    }
}

impl BookSettings {
    /// Number of searches in a round of a book with so many positions.
    pub fn round_size(&self, positions: u64) -> usize {
        self.round.max(positions / 128).max(1) as usize
    }

    /// The first setting that differs from another's, with both values.
    pub fn difference(&self, other: &BookSettings) -> Option<(&'static str, String, String)> {
        let roots = |settings: &BookSettings| format!("{} positions", settings.roots.len());
        let pairs = [
            ("nodes", self.nodes.to_string(), other.nodes.to_string()),
            ("lines", self.lines.to_string(), other.lines.to_string()),
            (
                "ply-cost",
                self.ply_cost.to_string(),
                other.ply_cost.to_string(),
            ),
            ("round", self.round.to_string(), other.round.to_string()),
            (
                "tt-size",
                self.table_size.to_string(),
                other.table_size.to_string(),
            ),
        ];
        let found = pairs.into_iter().find(|(_, here, there)| here != there);
        found.or_else(|| (self.roots != other.roots).then(|| ("roots", roots(self), roots(other))))
    }
}

/// Serialises positions as Hub boards.
mod boards {
    use super::{Position, hub_board};
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(
        positions: &[Position],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(positions.iter().map(hub_board::format))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Position>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        let read = |text: &String| hub_board::parse(text).map_err(D::Error::custom);
        texts.iter().map(read).collect()
    }
}

/// An error in work on a book.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum BookBuildError {
    /// An input or output error.
    #[error("{}: {error}", file.display())]
    Io { file: PathBuf, error: io::Error },
    /// Another process writes the journal.
    #[error("{}: in use by another process", .0.display())]
    Busy(PathBuf),
    /// The file is of another kind.
    #[error("{}: not a journal of a book", .0.display())]
    Foreign(PathBuf),
    /// A line is damaged or out of place.
    #[error("{}, line {line}: {what}", file.display())]
    Line {
        file: PathBuf,
        line: usize,
        what: &'static str,
    },
    /// The journal was begun with other settings.
    #[error(
        "{}: begun with {name} {there}, not {wanted}; to go on with it, give the settings it was begun with",
        file.display()
    )]
    Settings {
        file: PathBuf,
        name: &'static str,
        there: String,
        wanted: String,
    },
    /// The searches of the last round do not follow from those before.
    #[error(
        "{}: its last searches are not those of this program at this point: another version wrote it, or it was edited",
        .0.display()
    )]
    OtherRound(PathBuf),
    /// The next round cannot be completed.
    #[error(
        "{}: {missing} searches of its next round are missing; give all shares, or --any-order to add what is there",
        file.display()
    )]
    Missing { file: PathBuf, missing: u64 },
    /// A search found no move.
    #[error("the search of {0} found nothing; give it more nodes")]
    NothingFound(String),
    /// The engine cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A book that was just compiled cannot be read.
    #[error("book: {0}")]
    Fault(#[from] Fault),
    /// A file of positions or games cannot be read.
    #[error(transparent)]
    Input(#[from] LabError),
    /// A text to import is invalid.
    #[error("{}: {what}", file.display())]
    Import { file: PathBuf, what: String },
    /// A thread cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

impl BookBuildError {
    fn io(file: &Path, error: io::Error) -> BookBuildError {
        BookBuildError::Io {
            file: file.to_owned(),
            error,
        }
    }
}
