//! A whole match: workers play, one thread writes down and counts (`keeper`).

mod collector;
mod cores;
pub mod progress;
mod worker;

use self::collector::ResultCollector;
use self::cores::PinError;
use self::progress::ProgressEvent;
use self::worker::{MatchState, Worker};
use crate::endgame::Tables;
use crate::lab::arena::level::Level;
use crate::lab::arena::players::Fault;
use crate::lab::arena::record::journal::{ExistingFiles, RecordError};
use crate::lab::arena::referee::GameLimits;
use crate::lab::arena::schedule::Schedule;
use crate::lab::arena::spec::EngineSpec;
use crate::lab::arena::standings::Standings;
use crate::lab::arena::standings::statistics::{Sprt, SprtBounds};
use crate::os::process as os;
use serde_json::Value;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

/// How many finished games may wait to be written down.
const MAX_WAITING: usize = 64;

/// Where a match is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchFiles {
    /// Games as PDN.
    pub pdn: Option<PathBuf>,
    /// What the match goes on from after an end.
    pub journal: Option<PathBuf>,
    /// What to do with files that are there.
    pub existing: ExistingFiles,
}

/// A match to play.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// The level of each.
    pub levels: Vec<Level>,
    /// Who meets whom from what.
    pub schedule: Schedule,
    /// What ends games.
    pub terms: GameLimits,
    /// Men and plies of scores that decide a game, where they may.
    pub agreement: Option<(f64, u32)>,
    /// Endgame tables that end games, if any are to.
    pub tables: Option<Arc<Tables>>,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// Whether each game has cores of its own.
    pub pin: bool,
    /// The test that ends the match.
    pub sprt: Option<SprtBounds>,
    /// Where it is written.
    pub files: MatchFiles,
    /// All that decides which games are played, for the journal: an object.
    pub settings: Value,
}

/// Why a match did not end as it should.
#[derive(Debug)]
pub enum MatchError {
    /// The journal.
    Journal(RecordError),
    /// The PDN file.
    Pdn(PathBuf, io::Error),
    /// Cores.
    Pin(PinError),
    /// A thread could not be started.
    Thread(io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Journal(error) => error.fmt(f),
            MatchError::Pdn(path, error) => write!(f, "{}: {error}", path.display()),
            MatchError::Pin(error) => error.fmt(f),
            MatchError::Thread(error) => write!(f, "no thread for a game: {error}"),
        }
    }
}

impl std::error::Error for MatchError {}

impl From<RecordError> for MatchError {
    fn from(error: RecordError) -> MatchError {
        MatchError::Journal(error)
    }
}

/// An engine that could not begin a game, however often it was started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenEngine {
    /// Its name.
    pub name: String,
    /// Why, the last time.
    pub fault: Fault,
    /// The last lines exchanged.
    pub lines: Vec<String>,
}

impl fmt::Display for BrokenEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cannot begin a game, three times in a row: {}",
            self.name, self.fault
        )?;
        let mut lines = self.lines.iter();
        lines.try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// Why no more games were played.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchEnd {
    /// All were.
    Complete,
    /// The test came to an end.
    Sprt(Sprt),
    /// The user wanted it.
    Interrupted,
    /// An engine cannot be started any more: the first one, where several engines went on without it.
    Broken(BrokenEngine),
}

/// What a match came to.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The results.
    pub standings: Standings,
    /// Why it ended.
    pub end: MatchEnd,
    /// Time since this run began.
    pub elapsed: Duration,
    /// Games that this run played; the others came from the journal.
    pub played_now: u64,
    /// How often engines had to be started again before they could begin a game.
    pub restarts: Vec<u64>,
    /// What the user should look at, such as parameters that an engine did not take.
    pub warnings: Vec<String>,
    /// Whether the journal had lines that could not be read, whose games were played again.
    pub journal_damaged: bool,
}

impl MatchPlan {
    /// Whether games are likely to be copies of earlier ones, which no interval and no test allows for: the same openings
    /// again, with searches that nothing but their size limits.
    pub fn repeats_games(&self) -> bool {
        let is_fixed = |level: &Level| matches!(level, Level::Nodes(_) | Level::Depth(_));
        self.schedule.repeats() && self.levels.iter().all(is_fixed)
    }

    /// Plays the match. `each` is told now and then how far it is, and of what the user should look at.
    ///
    /// # Errors
    /// A file cannot be written, or there are too few cores or threads. What was played is in the journal.
    pub fn play<'a>(
        &'a self,
        each: &'a mut dyn FnMut(ProgressEvent<'_>),
    ) -> Result<MatchResult, MatchError> {
        let games = usize::from(self.concurrency);
        let cores = match self.pin {
            true => Some(cores::cores(&self.engines, games).map_err(MatchError::Pin)?),
            false => None,
        };
        let mut keeper = ResultCollector::new(self, each)?;
        let shared = MatchState {
            next: AtomicU64::new(0),
            played: std::mem::take(&mut keeper.played),
            broken: self
                .engines
                .iter()
                .map(|_| AtomicBool::new(false))
                .collect(),
            stop: Arc::new(AtomicBool::new(false)),
        };
        let (sender, events) = sync_channel(MAX_WAITING);
        // A worker plays pairs: more of them than there are pairs would find nothing to do.
        let pairs = usize::try_from(self.schedule.pairs()).unwrap_or(usize::MAX);
        let result = thread::scope(|scope| {
            for index in 0..games.min(pairs) {
                let worker = Worker::new(self, &shared, sender.clone());
                let cores = cores.as_ref().map(|cores| cores[index].clone());
                let body = move || {
                    // Checked before; a worker that is not pinned plays all the same.
                    let _ = cores.map(|cores| os::run_on(&cores));
                    worker.run();
                };
                let builder = thread::Builder::new().name(format!("game {}", index + 1));
                if let Err(error) = builder.spawn_scoped(scope, body) {
                    shared.stop.store(true, Relaxed);
                    return Err(MatchError::Thread(error));
                }
            }
            drop(sender);
            let result = keeper.keep(&events);
            shared.stop.store(true, Relaxed);
            // Workers that wait to tell of a game find nobody listening.
            drop(events);
            result
        });
        let end = keeper.finish(result)?;
        Ok(keeper.into_result(end))
    }
}
