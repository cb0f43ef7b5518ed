use crate::LineError;
use damier_engine::EngineError;
use damier_rules::notation::pdn::PdnError;
use std::io;

/// Why openings could not be loaded.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum OpeningsError {
    /// A file could not be read.
    #[error("{file}: {error}")]
    Read { file: String, error: io::Error },
    /// An invalid line in a file of FENs.
    #[error(transparent)]
    Line(#[from] LineError),
    /// An invalid game in a PDN file.
    #[error("{file}, {error}")]
    Pdn { file: String, error: PdnError },
    /// An opening after which the game is over.
    #[error(
        "{file}, {name}: the game is over there; to take only the first moves of whole games, use --opening-plies"
    )]
    Over { file: String, name: String },
    /// The file holds no opening.
    #[error("{file}: contains no opening")]
    Empty { file: String },
    /// The list of ballots is not what it was when the program was built.
    #[error("the ballots in the program are damaged: install it again")]
    Damaged,
    /// Not enough memory for the search's transposition table.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
