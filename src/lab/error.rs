use crate::engine::EngineError;
use crate::notation::fen::FenError;
use crate::notation::moves::MoveError;
use crate::rules::Move;
use std::fmt;
use std::io;

/// Why a command of the lab gave up.
#[derive(Debug)]
pub enum LabError {
    /// A file could not be read.
    Read {
        /// The file as it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// A line of a file is wrong.
    Line(LineError),
    /// The file holds no position.
    NoPosition {
        /// The file as it was named.
        file: String,
    },
    /// There is no memory for the transposition table.
    Table(EngineError),
    /// What was found could not be written.
    Write(io::Error),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Read { file, error } => write!(f, "{file}: {error}"),
            LabError::Line(error) => error.fmt(f),
            LabError::NoPosition { file } => write!(f, "{file}: no position in it"),
            LabError::Table(error) => error.fmt(f),
            LabError::Write(error) => write!(f, "cannot write: {error}"),
        }
    }
}

impl std::error::Error for LabError {}

impl From<io::Error> for LabError {
    fn from(error: io::Error) -> LabError {
        LabError::Write(error)
    }
}

impl From<LineError> for LabError {
    fn from(error: LineError) -> LabError {
        LabError::Line(error)
    }
}

impl From<EngineError> for LabError {
    fn from(error: EngineError) -> LabError {
        LabError::Table(error)
    }
}

/// A wrong line of a file of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    /// The file as it was named.
    pub file: String,
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: LineErrorKind,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.file, self.line, self.kind)
    }
}

impl std::error::Error for LineError {}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineErrorKind {
    /// The position.
    Fen(FenError),
    /// A move of `bm`.
    Move(MoveError),
    /// The same move twice in `bm`.
    MoveTwice(Move),
    /// A field that is not one of those known.
    UnknownField(String),
    /// A field given twice.
    FieldTwice(&'static str),
    /// A field without a value.
    EmptyField(&'static str),
    /// A `result` other than `win`, `draw` or `loss`.
    Result(String),
    /// Neither `bm` nor `result`.
    NothingToFind,
    /// The side to move has no move.
    NoLegalMove,
}

impl fmt::Display for LineErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineErrorKind::Fen(error) => error.fmt(f),
            LineErrorKind::Move(error) => write!(f, "bm: {error}"),
            LineErrorKind::MoveTwice(mv) => write!(f, "bm names {mv} twice"),
            LineErrorKind::UnknownField(name) => write!(
                f,
                "no field {name:?}; fields are bm, result, id, grade, proof and source"
            ),
            LineErrorKind::FieldTwice(name) => write!(f, "{name} is given twice"),
            LineErrorKind::EmptyField(name) => write!(f, "{name} has no value"),
            LineErrorKind::Result(text) => {
                write!(f, "result is win, draw or loss, not {text:?}")
            }
            LineErrorKind::NothingToFind => {
                f.write_str("nothing to find: give bm (best moves) or result")
            }
            LineErrorKind::NoLegalMove => f.write_str("the side to move has no legal move"),
        }
    }
}
