//! Many games on many threads.

use damier::analysis::Stop;
use damier::notation::pdn::Game;
use damier::os::pool::{Event, Order, Pool, ThreadError};
use damier::search::Stopped;

/// Games that may be done or in work behind one that is not: what waits for it fits into memory.
const WINDOW: u64 = 256;

/// A game to work on.
#[derive(Clone, Debug)]
pub(in crate::cli::study) struct Task {
    /// Number in the input.
    pub number: u64,
    /// The game.
    pub game: Game,
    /// Why it ends before its end, if it does.
    pub problem: Option<String>,
    /// Where its variations are no moves, and kept as comments, if they matter; or where its results contradict each
    /// other.
    pub note: Option<String>,
    /// CRC-32 of its text in the input.
    pub checksum: u32,
    /// Bytes of the input up to its end.
    pub end: u64,
}

/// Does tasks, each worker on a thread of its own, until `asked_to_end`. `each` gets the results on the thread of the
/// caller. Returns whether all tasks were done.
pub(in crate::cli::study) fn run<W: Send, T: Send, E: From<ThreadError>>(
    order: Order,
    workers: Vec<W>,
    tasks: impl Iterator<Item = Task> + Send,
    work: impl Fn(&mut W, &Task, &Stop) -> Result<T, Stopped> + Sync,
    asked_to_end: impl Fn() -> bool,
    mut each: impl FnMut(T) -> Result<(), E>,
) -> Result<bool, E> {
    let stop = Stop::new();
    let work = |worker: &mut W, task: Task| work(worker, &task, &stop).ok();
    let each = |event| {
        if asked_to_end() {
            stop.stop();
        }
        match event {
            Event::Done(result) => each(result),
            Event::Tick => Ok(()),
        }
    };
    Pool {
        ahead: WINDOW,
        order,
        stop: &stop,
    }
    .run(workers, tasks, work, each)?;
    Ok(!stop.is_asked())
}
