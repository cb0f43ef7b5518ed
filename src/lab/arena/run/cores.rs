//! Cores of its own for each game.

use crate::lab::arena::spec::{Connection, EngineSpec};
use crate::os::process as os;
use std::io;

/// Why games cannot have cores of their own.
#[derive(Debug, thiserror::Error)]
pub enum CoresError {
    /// The system does not offer it.
    #[error("--pin: {0}")]
    System(io::Error),
    /// There are too few cores.
    #[error(
        "--pin: {games} games at once need {} cores of their own, but this process may use {available}; lower --concurrency",
        games * each
    )]
    TooFew {
        /// Games at once.
        games: usize,
        /// Cores for each.
        each: usize,
        /// Cores there are.
        available: usize,
    },
}

/// How many cores a game needs: its engines think in turn, so as many as the engine with the most threads.
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

/// The cores of each of so many games at once.
///
/// # Errors
/// There are too few, or the system cannot keep a process on a core.
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
