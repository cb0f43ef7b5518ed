use crate::engine::EngineError;
use crate::notation::fen::FenError;
use crate::notation::moves::MoveError;
use crate::rules::Move;
use crate::settings::SettingError;
use std::io;

/// Why a command of the lab failed.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file could not be read.
    #[error("{file}: {error}")]
    Read {
        /// The file as it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// A line of a file is wrong.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The file contains no position.
    #[error("{file}: contains no position")]
    NoPosition {
        /// The file as it was named.
        file: String,
    },
    /// The engine cannot start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An option has a value that it cannot have.
    #[error(transparent)]
    Option(#[from] SettingError),
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

/// A wrong line of a file of positions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}, line {line}: {kind}")]
pub struct LineError {
    /// The file as it was named.
    pub file: String,
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: LineErrorKind,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineErrorKind {
    /// The position.
    #[error(transparent)]
    Fen(FenError),
    /// A move of `bm` or `am`.
    #[error("{0}: {1}")]
    Move(&'static str, MoveError),
    /// The same move twice in one of them.
    #[error("{0} names {1} twice")]
    MoveTwice(&'static str, Move),
    /// Both of them.
    #[error("give bm (best moves) or am (moves to avoid), not both")]
    BestAndAvoid,
    /// All legal moves in `am`.
    #[error("am names every legal move")]
    AvoidsEveryMove,
    /// An unknown field.
    #[error("no field {0:?}; fields are bm, am, result, id, grade, proof and source")]
    UnknownField(String),
    /// A field given twice.
    #[error("{0} is given twice")]
    FieldTwice(&'static str),
    /// A field without a value.
    #[error("{0} has no value")]
    EmptyField(&'static str),
    /// A `result` other than `win`, `draw` or `loss`.
    #[error("result is win, draw or loss, not {0:?}")]
    Result(String),
    /// None of `bm`, `am` and `result`.
    #[error("nothing to find: give bm (best moves), am (moves to avoid) or result")]
    NothingToFind,
    /// The side to move has no move.
    #[error("the side to move has no legal move")]
    NoLegalMove,
}
