//! Cores of its own for each game.

use crate::lab::arena::spec::{Connection, EngineSpec};
use crate::os::process as os;
use std::fmt;
use std::io;

/// Why games cannot have cores of their own.
#[derive(Debug)]
pub enum PinError {
    /// The system does not offer it.
    System(io::Error),
    /// There are too few: games at once, cores for each, cores there are.
    TooFew(usize, usize, usize),
}

impl fmt::Display for PinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PinError::System(error) => write!(f, "--pin: {error}"),
            PinError::TooFew(games, each, cores) => write!(
                f,
                "--pin: {games} games at once with cores of their own need {}, this process may use {cores}; \
                 lower --concurrency",
                games * each
            ),
        }
    }
}

impl std::error::Error for PinError {}

/// How many cores a game needs: its engines think in turn, so as many as the one with the most threads.
fn cores_for_a_game(engines: &[EngineSpec]) -> usize {
    let threads = |engine: &EngineSpec| match &engine.connection {
        Connection::Hub { params, .. } => {
            let threads = params.iter().find(|(name, _)| name == "threads");
            threads.and_then(|(_, value)| value.parse().ok())
        }
        Connection::Dxp(_) => None,
    };
    let most = engines.iter().filter_map(threads).max();
    most.unwrap_or(1).max(1)
}

/// The cores of each of so many games at once.
///
/// # Errors
/// There are too few, or the system has no way to keep a process on a core.
pub fn cores(engines: &[EngineSpec], games: usize) -> Result<Vec<Vec<usize>>, PinError> {
    let all = os::processors().map_err(PinError::System)?;
    let each = cores_for_a_game(engines);
    if games * each > all.len() {
        return Err(PinError::TooFew(games, each, all.len()));
    }
    Ok(all
        .chunks(each)
        .take(games)
        .map(<[usize]>::to_vec)
        .collect())
}
