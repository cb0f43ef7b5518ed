//! The threads that play, and the ordering of their games.

use super::output::Output;
use super::settings::SelfplaySettings;
use super::{SelfplayError, game};
use crate::engine::{Engine, EngineError};
use crate::lab::dataset::{GameRecord, Shard};
use crate::search::Control;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Stack size of a playing thread.
const STACK: usize = 4 << 20;
/// Games per thread that may be finished before an earlier one is written.
const AHEAD: u64 = 32;
/// Interval between progress reports.
const TICK: Duration = Duration::from_millis(200);

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
/// run is continued. `each` gets the progress a few times a second. `control` is stopped at the end in any case.
///
/// # Errors
/// The file cannot be written or holds other games, or there is not enough memory or no thread.
pub fn run(
    run: &Run,
    control: &Control,
    mut each: impl FnMut(&Progress),
) -> Result<SelfplaySummary, SelfplayError> {
    let mut first = run.settings.engine()?;
    let header = run.settings.header(run.shard, &mut first)?;
    let total = run.shard.games_below(run.games);
    let mut output = Output::open(&run.out, &header, total)?;
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
    let queue = Queue::new(output.found, total, AHEAD * engines.len() as u64);
    each(&summary.progress);
    let played = thread::scope(|scope| {
        let (sender, games) = channel();
        // Also if this thread fails: the others would play on, or wait for it for ever.
        let _stop = StopQueue(control, &queue);
        for engine in engines {
            let (queue, sender) = (&queue, sender.clone());
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || work(run, engine, queue, control, &sender))
                .map_err(SelfplayError::Thread)?;
        }
        drop(sender);
        collect(&games, &queue, &mut output, &mut summary, &mut each)
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

/// Hands out games. No thread runs far ahead of the next game to be written, so that few games wait in memory.
struct Queue {
    state: Mutex<QueueState>,
    written: Condvar,
    total: u64,
    ahead: u64,
}

#[derive(Clone, Copy)]
struct QueueState {
    next: u64,
    written: u64,
    closed: bool,
}

impl Queue {
    fn new(found: u64, total: u64, ahead: u64) -> Queue {
        Queue {
            state: Mutex::new(QueueState {
                next: found,
                written: found,
                closed: false,
            }),
            written: Condvar::new(),
            total,
            ahead,
        }
    }

    /// The number of the next game to play. None if there is none left.
    fn claim(&self) -> Option<u64> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let far =
            |state: &mut QueueState| !state.closed && state.next >= state.written + self.ahead;
        let waited = self.written.wait_while(state, far);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.closed || state.next >= self.total {
            return None;
        }
        state.next += 1;
        Some(state.next - 1)
    }

    fn change(&self, change: impl FnOnce(&mut QueueState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.written.notify_all();
    }
}

struct StopQueue<'a>(&'a Control, &'a Queue);

impl Drop for StopQueue<'_> {
    fn drop(&mut self) {
        self.0.stop();
        self.1.change(|state| state.closed = true);
    }
}

/// Closes the queue when a thread ends, so that no other thread waits for its game for ever.
struct Leave<'a>(&'a Queue);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.closed = true);
    }
}

/// Plays games on one thread.
fn work(
    run: &Run,
    mut engine: Engine,
    queue: &Queue,
    control: &Control,
    sender: &Sender<(u64, GameRecord)>,
) {
    let _leave = Leave(queue);
    while !control.is_stopped()
        && let Some(place) = queue.claim()
    {
        let index = run.shard.game(place);
        let Some(game) = game::play(&run.settings, index, &mut engine, control) else {
            return;
        };
        // A table that failed meanwhile may have affected this game.
        if !engine.tables().problems().is_empty() {
            return;
        }
        if sender.send((place, game)).is_err() {
            return;
        }
    }
}

/// Writes the games in order until all threads have ended.
fn collect(
    games: &Receiver<(u64, GameRecord)>,
    queue: &Queue,
    output: &mut Output,
    summary: &mut SelfplaySummary,
    each: &mut impl FnMut(&Progress),
) -> Result<(), SelfplayError> {
    let mut early = BTreeMap::new();
    let mut reported = Instant::now();
    loop {
        match games.recv_timeout(TICK) {
            Ok((place, game)) => _ = early.insert(place, game),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(game) = early.remove(&summary.progress.done) {
            output.add(&game)?;
            let progress = &mut summary.progress;
            progress.done += 1;
            let scored = game.moves.iter().filter(|played| played.score.is_some());
            progress.positions += scored.count() as u64;
            summary.plies += game.moves.len() as u64;
            let written = progress.done;
            queue.change(|state| state.written = written);
        }
        if reported.elapsed() >= TICK {
            reported = Instant::now();
            each(&summary.progress);
        }
    }
}
