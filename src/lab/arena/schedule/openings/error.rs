use crate::engine::EngineError;
use crate::lab::LineError;
use crate::notation::pdn::PdnError;
use std::fmt;
use std::io;

/// Why there are no openings.
#[derive(Debug)]
pub enum OpeningsError {
    /// A file could not be read.
    Read {
        /// The file as it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// A line of a file of FENs is wrong.
    Line(LineError),
    /// A game of a PDN file is wrong.
    Pdn {
        /// The file as it was named.
        file: String,
        /// What is wrong.
        error: PdnError,
    },
    /// An opening after which no game can be played.
    Over {
        /// The file as it was named.
        file: String,
        /// Which opening, as `line 3` or `game 3`.
        name: String,
    },
    /// The file holds no opening.
    Empty {
        /// The file as it was named.
        file: String,
    },
    /// There is no memory for the transposition table of the search.
    Engine(EngineError),
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsError::Read { file, error } => write!(f, "{file}: {error}"),
            OpeningsError::Line(error) => error.fmt(f),
            OpeningsError::Pdn { file, error } => write!(f, "{file}, {error}"),
            OpeningsError::Over { file, name } => write!(
                f,
                "{file}, {name}: the game is over there; of whole games take the first moves only (--opening-plies)"
            ),
            OpeningsError::Empty { file } => write!(f, "{file}: no opening in it"),
            OpeningsError::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpeningsError {}

impl From<LineError> for OpeningsError {
    fn from(error: LineError) -> OpeningsError {
        OpeningsError::Line(error)
    }
}

impl From<EngineError> for OpeningsError {
    fn from(error: EngineError) -> OpeningsError {
        OpeningsError::Engine(error)
    }
}
