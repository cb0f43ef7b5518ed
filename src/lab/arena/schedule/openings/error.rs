use crate::engine::EngineError;
use crate::lab::LineError;
use crate::notation::pdn::PdnError;
use std::io;

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// A file could not be read.
    #[error("{file}: {error}")]
    Read {
        /// The file as it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// A line of a file of FENs is wrong.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A game of a PDN file is wrong.
    #[error("{file}, {error}")]
    Pdn {
        /// The file as it was named.
        file: String,
        /// What is wrong.
        error: PdnError,
    },
    /// An opening after which no game can be played.
    #[error(
        "{file}, {name}: the game is over there; to take only the first moves of whole games, use --opening-plies"
    )]
    Over {
        /// The file as it was named.
        file: String,
        /// Which opening, as `line 3` or `game 3`.
        name: String,
    },
    /// The file holds no opening.
    #[error("{file}: contains no opening")]
    Empty {
        /// The file as it was named.
        file: String,
    },
    /// There is no memory for the transposition table of the search.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
