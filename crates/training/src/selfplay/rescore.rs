//! `damier dataset rescore`: the positions of a file of games searched again, deeper or with other weights.
//!
//! The games stay as they are: moves, results, and which positions have a score. So labels of several depths are
//! compared on the same positions.

use super::SelfplayError;
pub use super::scoring::Scored;
use super::scoring::{Scoring, Searches};
use crate::dataset::{DatasetError, GameRecord, Header, Order, Played, Reader, Recipe, scan};
use damier_engine::Options;
use damier_os::files;
use damier_rules::Game;
use std::path::PathBuf;

/// What to search again.
#[derive(Clone, PartialEq, Debug)]
pub struct Rescore {
    /// The file of games.
    pub games: PathBuf,
    /// The file of games to write or to continue.
    pub out: PathBuf,
    /// Nodes for each position.
    pub nodes: u64,
    /// The engine that searches; its table and threads are chosen here.
    pub engine: Options,
    /// Games at once.
    pub threads: usize,
}

/// Why games could not be searched again.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// The games cannot be read.
    #[error(transparent)]
    Read(#[from] DatasetError),
    /// The file holds no games.
    #[error("{file}: holds no games")]
    #[allow(missing_docs)]
    NoGames { file: String },
    /// The games and the file to write are the same file.
    #[error("{file}: is the file of games itself; give --out another name")]
    #[allow(missing_docs)]
    SameFile { file: String },
    /// Games are missing or in another order, so that an interrupted run would not know where to go on.
    #[error("{file}: does not hold the first games of its run without a gap")]
    #[allow(missing_docs)]
    Gap { file: String },
    /// The file to write cannot be written or continued, or there is no memory for the engines.
    #[error(transparent)]
    Out(#[from] SelfplayError),
}

/// Searches the positions again. `each` gets the games done and all games, and says whether to go on. The bytes written
/// do not depend on the number of threads; an interrupted run goes on.
///
/// # Errors
/// A file cannot be read or written, is damaged or has no games, an endgame table is damaged, or the file to write is
/// of another run.
pub fn rescore(
    rescore: &Rescore,
    each: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Scored, RescoreError> {
    let file = || rescore.games.display().to_string();
    if files::is_same(&rescore.games, &rescore.out) {
        return Err(RescoreError::SameFile { file: file() });
    }
    let there = scan(&rescore.games, true)?;
    if let Some(damage) = there.damages.first() {
        return Err(DatasetError::Damaged(damage.clone()).into());
    }
    let total = match there.first_games() {
        Some(0) => return Err(RescoreError::NoGames { file: file() }),
        Some(games) => games,
        None => return Err(RescoreError::Gap { file: file() }),
    };
    let there = there.header;
    let reader = Reader::open(&[&rescore.games], Order::Stored)?;
    let mut scoring = Scoring::new(&rescore.engine, rescore.nodes, rescore.threads)?;
    let header = Header {
        recipe: recipe(&there.recipe, rescore.nodes, &scoring.engine()?),
        shard: there.shard,
    };
    // The file may have changed since the check: nothing is written behind damage, nor games that came later.
    let is_sound = |_: &GameRecord| reader.damages().is_empty();
    let games = reader.games().take_while(is_sound).take(total as usize);
    let scored = scoring.run(&rescore.out, &header, total, games, record, each)?;
    match reader.damages().into_iter().next() {
        Some(damage) => Err(DatasetError::Damaged(damage).into()),
        None => Ok(scored),
    }
}

/// That of the games, and how they were searched again, in the place of an earlier time.
fn recipe(games: &Recipe, nodes: u64, engine: &str) -> Recipe {
    let how = format!("{nodes} nodes, {engine}");
    let games = games.iter().filter(|(name, _)| *name != Recipe::RESCORED);
    games
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .chain([(Recipe::RESCORED.to_owned(), how)])
        .collect()
}

/// The game, each score replaced by that of a search now.
fn record(searches: &mut Searches, mut record: GameRecord) -> Option<GameRecord> {
    let mut game = Game::new(record.start);
    for Played { mv, score } in &mut record.moves {
        if let Some(score) = score {
            *score = searches.score(&game)?;
        }
        game.play(*mv);
    }
    Some(record)
}
