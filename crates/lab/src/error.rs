use damier_arena::{LineError, LineErrorKind};
use damier_engine::EngineError;
use damier_engine::settings::SettingError;
use std::io;
use std::path::PathBuf;

/// Why a command of the lab failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum LabError {
    /// A file could not be read.
    #[error("{file}: {error}")]
    Read { file: String, error: io::Error },
    /// A line of a file is wrong.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A game of a file cannot be read.
    #[error("{file}: {error}")]
    Game {
        file: String,
        error: damier_rules::notation::pdn::PdnError,
    },
    /// A game of a file is no puzzle.
    #[error("{file}, game {number}: {kind}")]
    Puzzle {
        file: String,
        number: usize,
        kind: LineErrorKind,
    },
    /// The file contains no position.
    #[error("{file}: contains no position")]
    NoPosition { file: String },
    /// No position of the file is won for a side.
    #[error("{file}: no position has `result win` or `result loss`")]
    NothingWon { file: String },
    /// The engine cannot start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An option has a value that it cannot have.
    #[error(transparent)]
    Option(#[from] SettingError),
    /// More games than there are openings, at a level that plays the same game from the same position.
    #[error(
        "{games} games: at a fixed number of nodes or depth only {different} games differ, one for each opening and \
        colour"
    )]
    Repeated { games: u64, different: u64 },
    /// A folder without a game of the matches that are to be reported.
    #[error("{}: no journal of these matches with a game", .0.display())]
    NoGames(PathBuf),
    /// A step of an experiment failed, such as a match.
    #[error(transparent)]
    Step(Box<dyn std::error::Error + Send + Sync>),
    /// The user asked for the end.
    #[error("interrupted")]
    Interrupted,
    /// A plot could not be drawn.
    #[error("the plot: {0}")]
    Plot(String),
    /// The result could not be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

impl LabError {
    /// The failure of a step that has an error of its own.
    pub(crate) fn step(error: impl std::error::Error + Send + Sync + 'static) -> LabError {
        LabError::Step(Box::new(error))
    }
}
