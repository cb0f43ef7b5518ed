//! Plays a match: workers play pairs of games, and one thread records and counts them.

mod collector;
mod cores;
mod error;
pub mod progress;
mod result;
mod worker;

pub use self::cores::CoresError;
pub use self::error::MatchError;
pub use self::result::{BrokenEngine, MatchEnd, MatchResult};

use self::collector::ResultCollector;
use self::progress::ProgressEvent;
use self::worker::{Worker, WorkerEvent, WorkersState};
use super::plan::MatchPlan;
use damier_os::process as os;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, Scope};

/// Number of finished games that may wait to be recorded.
const MAX_WAITING: usize = 64;

/// Plays a match. `report` gets its progress from time to time, and warnings at once.
///
/// # Errors
/// A file cannot be written, or there are too few cores or threads. Finished games are in the journal.
pub fn play(
    plan: &MatchPlan,
    report: &mut dyn FnMut(ProgressEvent<'_>),
) -> Result<MatchResult, MatchError> {
    // Workers play pairs: more workers than pairs would be idle.
    let pairs = usize::try_from(plan.games() / 2).unwrap_or(usize::MAX);
    let workers = usize::from(plan.concurrency);
    let cores = match plan.pin {
        true => cores::for_games(&plan.engines, workers)?,
        false => Vec::new(),
    };
    let mut collector = ResultCollector::new(plan, report)?;
    let state = WorkersState::new(plan.engines.len(), collector.take_played());
    let (sender, events) = sync_channel(MAX_WAITING);
    let end = thread::scope(|scope| {
        for index in 0..workers.min(pairs) {
            let cores = cores.get(index).map(Vec::as_slice);
            if let Err(error) = start_worker(scope, (plan, index), &state, sender.clone(), cores) {
                state.stop.store(true, Relaxed);
                return Err(MatchError::Thread(error));
            }
        }
        drop(sender);
        let end = collector.collect(&events, &state.live);
        state.stop.store(true, Relaxed);
        // Releases workers that are waiting to deliver a game.
        drop(events);
        end
    });
    let end = collector.finish(end)?;
    Ok(collector.into_result(end))
}

fn start_worker<'scope, 'a: 'scope>(
    scope: &'scope Scope<'scope, 'a>,
    (plan, index): (&'a MatchPlan, usize),
    state: &'a WorkersState,
    events: SyncSender<WorkerEvent>,
    cores: Option<&'a [usize]>,
) -> std::io::Result<()> {
    let worker = Worker::new(plan, index + 1, state, events);
    let body = move || {
        // The cores were checked before; a worker that cannot be pinned plays anyway.
        let _ = cores.map(os::run_on);
        worker.run();
    };
    let builder = thread::Builder::new().name(format!("game {}", index + 1));
    builder.spawn_scoped(scope, body).map(drop)
}
