//! Many games on many threads.

use super::Stop;
use damier_engine::search::Stopped;
use damier_rules::notation::pdn::Game;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Games that may be done or in work behind one that is not: what waits for it fits into memory.
const WINDOW: u64 = 256;
/// Between two looks whether the work is to end.
const LOOK: Duration = Duration::from_millis(50);

/// A game to work on.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its number in the input.
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

/// How many results were handed on without a gap.
#[derive(Default)]
struct Gate {
    done: Mutex<u64>,
    moved: Condvar,
}

/// Does tasks, each worker on a thread of its own. `next` gives the tasks; `work` does one on the thread of a worker,
/// until it is stopped. `done` gets what it gives on the caller's thread when it is ready, with the place
/// of the task among those given, from 0, and says whether to go on. `asked_to_end` is asked all the time. Returns
/// whether all tasks were done.
///
/// # Panics
/// Where a worker or `done` does, once the others have stopped.
pub fn run<W: Send, T: Send>(
    workers: Vec<W>,
    next: &mut (dyn FnMut() -> Option<Task> + Send),
    work: &(dyn Fn(&mut W, &Task, &Stop) -> Result<T, Stopped> + Sync),
    done: &mut dyn FnMut(u64, T) -> bool,
    asked_to_end: &dyn Fn() -> bool,
) -> bool {
    let stops: Vec<Stop> = workers.iter().map(|_| Stop::new()).collect();
    let source = Mutex::new((0, next));
    let gate = Gate::default();
    let (sender, results) = sync_channel::<(u64, T)>(workers.len().max(1));
    thread::scope(|scope| {
        // Gone before the workers are waited for, so that none of them waits to send.
        let results = results;
        let _end = EndInPanic(&stops);
        for (mut worker, stop) in workers.into_iter().zip(&stops) {
            let (source, gate, sender) = (&source, &gate, sender.clone());
            let stops = &stops;
            scope.spawn(move || {
                let _end = EndInPanic(stops);
                while let Some((order, task)) = take(source, stop) {
                    gate.wait(order, stop);
                    let Ok(made) = work(&mut worker, &task, stop) else {
                        return;
                    };
                    if sender.send((order, made)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = std::collections::BTreeSet::new();
        let mut goes_on = true;
        loop {
            match results.recv_timeout(LOOK) {
                Ok((order, made)) => {
                    goes_on &= done(order, made);
                    early.insert(order);
                    gate.advance(&mut early);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return goes_on,
            }
            goes_on &= !asked_to_end();
            if !goes_on {
                stops.iter().for_each(Stop::stop);
            }
        }
    })
}

/// Stops all workers when a thread panics: its task will never be done, and the others would wait for it.
struct EndInPanic<'a>(&'a [Stop]);

impl Drop for EndInPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.iter().for_each(Stop::stop);
        }
    }
}

/// The next task and its place in the order; none at the end.
fn take(
    source: &Mutex<(u64, &mut (dyn FnMut() -> Option<Task> + Send))>,
    stop: &Stop,
) -> Option<(u64, Task)> {
    if stop.is_asked() {
        return None;
    }
    let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
    let task = (source.1)()?;
    source.0 += 1;
    Some((source.0 - 1, task))
}

impl Gate {
    /// Waits until the task is not too far ahead.
    fn wait(&self, order: u64, stop: &Stop) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        while order >= *done + WINDOW && !stop.is_asked() {
            let waited = self.moved.wait_timeout(done, LOOK);
            done = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Counts the results that have no gap before them.
    fn advance(&self, early: &mut std::collections::BTreeSet<u64>) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        while early.remove(&*done) {
            *done += 1;
        }
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::Position;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn tasks(count: u64) -> impl FnMut() -> Option<Task> {
        let mut numbers = 1..=count;
        move || {
            let number = numbers.next()?;
            Some(Task {
                number,
                game: Game::new(Position::start()),
                problem: None,
                note: None,
                checksum: 0,
                end: number,
            })
        }
    }

    #[test]
    fn every_task_is_done_once() {
        let mut done = Vec::new();
        let whole = run(
            vec![(); 4],
            &mut tasks(1000),
            &|_, task, _| Ok(task.number),
            &mut |order, number| {
                assert_eq!(number, order + 1);
                done.push(number);
                true
            },
            &|| false,
        );
        done.sort_unstable();
        assert!(whole && done.iter().copied().eq(1..=1000));
    }

    #[test]
    fn a_worker_that_panics_ends_the_work() {
        let mut done = 0;
        let result = catch_unwind(AssertUnwindSafe(|| {
            run(
                vec![(); 4],
                &mut tasks(100 * WINDOW),
                &|_, task, _| {
                    assert_ne!(task.number, 3, "a game that cannot be done");
                    Ok(())
                },
                &mut |_, ()| {
                    done += 1;
                    true
                },
                &|| false,
            )
        }));
        assert!(result.is_err());
        assert!(done <= 2 * WINDOW, "{done}");
        let result = catch_unwind(AssertUnwindSafe(|| {
            run(
                vec![(); 4],
                &mut tasks(100 * WINDOW),
                &|_, task, _| Ok(task.number),
                &mut |_, number| {
                    assert_ne!(number, 3, "a game that cannot be written");
                    true
                },
                &|| false,
            )
        }));
        assert!(result.is_err());
    }
}
