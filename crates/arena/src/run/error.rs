use super::cores::CoresError;
use crate::record::RecordError;
use std::io;

/// Why a match could not be completed.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The journal or the PDN file.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Cores for the games.
    #[error(transparent)]
    Cores(#[from] CoresError),
    /// The system cannot start a thread for a game.
    #[error("cannot start a thread for a game: {0}")]
    Thread(io::Error),
}
