use crate::endgame::StoreError;
use crate::search::TableError;
use std::fmt;

/// Why there is no engine with these options.
#[derive(Debug)]
pub enum EngineError {
    /// There is no memory for the transposition table.
    Table(TableError),
    /// The folder of endgame tables cannot be read.
    Endgame(StoreError),
    /// The weights cannot be had.
    Weights {
        /// The file as it was named.
        file: String,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Table(error) => error.fmt(f),
            EngineError::Endgame(error) => write!(f, "endgame-dir: {error}"),
            EngineError::Weights { file, why } => write!(f, "weights {file}: {why}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> EngineError {
        EngineError::Table(error)
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> EngineError {
        EngineError::Endgame(error)
    }
}
