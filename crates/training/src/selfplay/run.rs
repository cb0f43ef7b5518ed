//! A run: games on many threads, into one file.

use super::output::GameFile;
use super::settings::SelfplaySettings;
use super::{SelfplayError, game};
use crate::dataset::GameRecord;
use damier_engine::search::Control;
use damier_engine::{Engine, EngineError};
use damier_os::pool::{Event, Order, Pool};
use damier_os::shard::Shard;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games per thread that may be finished before an earlier one is written.
const AHEAD: u64 = 32;

/// A run of self-play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Settings of the games.
    pub settings: SelfplaySettings,
    /// Number of games of the whole run; a shard plays its part of them.
    pub games: u64,
    /// Which shard.
    pub shard: Shard,
    /// Games played in parallel.
    pub threads: usize,
    /// The output file.
    pub out: PathBuf,
}

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games in the file, including those not yet written to disk.
    pub done: u64,
    /// Target number of games.
    pub total: u64,
    /// Games that were in the file at the start.
    pub found: u64,
    /// Positions with a score in the games played in this run.
    pub positions: u64,
}

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfplaySummary {
    /// The final progress.
    pub progress: Progress,
    /// Plies of the games played in this run.
    pub plies: u64,
    /// Time taken, without reading the existing file.
    pub elapsed: Duration,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// Plays games until there are enough or `control` is stopped; unfinished games are then lost. An existing file of this
/// run is continued. `each` gets the progress a few times a second.
///
/// # Errors
/// The file cannot be written or holds other games, or there is not enough memory or no thread.
pub fn run(
    run: &Run,
    control: &Control,
    mut each: impl FnMut(&Progress),
) -> Result<SelfplaySummary, SelfplayError> {
    run_reported(run, control, &mut each)
}

/// [`run`], compiled in this crate and not once for each caller.
fn run_reported(
    run: &Run,
    control: &Control,
    each: &mut dyn FnMut(&Progress),
) -> Result<SelfplaySummary, SelfplayError> {
    let mut first = run.settings.engine()?;
    let header = run.settings.header(run.shard, &mut first)?;
    let total = run.shard.items_below(run.games);
    let mut output = GameFile::open(&run.out, &header, total)?;
    let began = Instant::now();
    let mut summary = SelfplaySummary {
        progress: Progress {
            done: output.found,
            total,
            found: output.found,
            positions: 0,
        },
        plies: 0,
        elapsed: Duration::ZERO,
        stopped: false,
    };
    let more = (1..threads(run, &summary.progress)).map(|_| run.settings.engine_beside(&first));
    let mut engines = more.collect::<Result<Vec<Engine>, _>>()?;
    let tables = Arc::clone(first.tables());
    engines.push(first);
    let ahead = AHEAD * engines.len() as u64;
    each(&summary.progress);
    let play = |engine: &mut Engine, place| play(run, engine, place, control);
    let pool = Pool {
        ahead,
        order: Order::Sequential,
        stop: control,
    };
    let played = pool.run(engines, output.found..total, play, |event| {
        match event {
            Event::Done(game) => {
                output.add(&game)?;
                summary.add(&game);
            }
            Event::Tick => each(&summary.progress),
        }
        Ok(())
    });
    // Keep the games so far, whatever else happened.
    let finished = output.finish();
    played.and(finished)?;
    if let Some(problem) = tables.problems().into_iter().next() {
        return Err(EngineError::from(problem).into());
    }
    each(&summary.progress);
    summary.elapsed = began.elapsed();
    summary.stopped = summary.progress.done < total;
    Ok(summary)
}

fn threads(run: &Run, progress: &Progress) -> usize {
    let left = progress.total.saturating_sub(progress.done);
    run.threads
        .max(1)
        .min(usize::try_from(left).unwrap_or(usize::MAX))
}

/// Plays the game at this place in the file.
fn play(run: &Run, engine: &mut Engine, place: u64, control: &Control) -> Option<GameRecord> {
    let game = game::play(&run.settings, run.shard.item(place), engine, control)?;
    // A table that failed meanwhile may have affected this game.
    engine.tables().problems().is_empty().then_some(game)
}

impl SelfplaySummary {
    fn add(&mut self, game: &GameRecord) {
        let scored = game.moves.iter().filter(|played| played.score.is_some());
        self.progress.done += 1;
        self.progress.positions += scored.count() as u64;
        self.plies += game.moves.len() as u64;
    }
}
