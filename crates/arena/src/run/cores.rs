//! Pins each game to its own cores.

use crate::spec::{Connection, EngineSpec};
use damier_os::process as os;
use std::io;

/// Why games cannot be pinned.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum CoresError {
    /// The system does not support it.
    #[error("--pin: {0}")]
    System(io::Error),
    /// Not enough cores.
    #[error(
        "--pin: {games} games at once need {} cores of their own, but this process may use {available}; lower \
        --concurrency",
        games * each
    )]
    TooFew {
        games: usize,
        each: usize,
        available: usize,
    },
}

/// Cores needed by a game. The engines think in turn, so the larger number of threads decides.
fn cores_of_a_game(engines: &[EngineSpec]) -> usize {
    let threads = |engine: &EngineSpec| match &engine.connection {
        Connection::Hub { params, .. } => {
            let threads = params.iter().find(|(name, _)| name == "threads");
            threads.and_then(|(_, value)| value.parse().ok())
        }
        Connection::Dxp(_) => None,
    };
    engines.iter().filter_map(threads).max().unwrap_or(1).max(1)
}

/// The cores for each of the games played in parallel.
///
/// # Errors
/// There are too few cores, or the system does not support pinning.
pub(super) fn for_games(
    engines: &[EngineSpec],
    games: usize,
) -> Result<Vec<Vec<usize>>, CoresError> {
    let all = os::processors().map_err(CoresError::System)?;
    let (each, available) = (cores_of_a_game(engines), all.len());
    if games * each > available {
        return Err(CoresError::TooFew {
            games,
            each,
            available,
        });
    }
    Ok(all
        .chunks(each)
        .take(games)
        .map(<[usize]>::to_vec)
        .collect())
}
