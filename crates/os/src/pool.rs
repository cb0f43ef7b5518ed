//! Tasks on many threads, and their results, in order or as they are ready.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of a thread: a search calls itself for each ply.
const STACK: usize = 4 << 20;
/// Time between two [`Event::Tick`]s.
const TICK: Duration = Duration::from_millis(200);

/// A thread could not be started.
#[derive(Debug, thiserror::Error)]
#[error("the system cannot start a thread: {0}")]
pub struct ThreadError(#[source] io::Error);

/// Event for the thread that collects the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<T> {
    /// The result of the next task.
    Done(T),
    /// Time has passed.
    Tick,
}

/// What ends the work of a pool early.
pub trait Stop: Sync {
    /// Ends the work.
    fn stop(&self);
    /// Whether the work is to end.
    fn is_stopped(&self) -> bool;
}

/// In which order results are handed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// In the order of the tasks.
    Sequential,
    /// As soon as they are ready.
    AsReady,
}

/// How tasks are done on several threads.
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a, S> {
    /// Limit on the tasks begun from the first without a result on, so that few results wait in memory.
    pub ahead: u64,
    /// In which order results are handed on.
    pub order: Order,
    /// No task is begun once `stop` is stopped. The pool stops it when a thread cannot be started, and when `collect`
    /// fails or panics.
    pub stop: &'a S,
}

impl<S: Stop> Pool<'_, S> {
    /// Does tasks, each worker on a thread of its own. `work` returns the result of a task, or nothing if it was
    /// stopped or failed: then no other task is begun. `collect` gets the results on the thread of the caller.
    ///
    /// # Errors
    /// A thread cannot be started, or `collect` fails.
    ///
    /// # Panics
    /// If `work` or `collect` does, once the other threads have ended. After a panic of `work` they finish the tasks
    /// they are at.
    pub fn run<W: Send, I: Send, T: Send, E: From<ThreadError>>(
        &self,
        workers: impl IntoIterator<Item = W>,
        tasks: impl Iterator<Item = I> + Send,
        work: impl Fn(&mut W, I) -> Option<T> + Sync,
        mut collect: impl FnMut(Event<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut next, mut early) = (0, BTreeMap::new());
        self.run_numbered(workers, tasks, work, |event| match event {
            Event::Tick => collect(Event::Tick),
            Event::Done((_, result)) if self.order == Order::AsReady => {
                collect(Event::Done(result))
            }
            Event::Done((number, result)) => {
                early.insert(number, result);
                while let Some(result) = early.remove(&next) {
                    next += 1;
                    collect(Event::Done(result))?;
                }
                Ok(())
            }
        })
    }

    /// Hands on each result with the number of its task, from 0, when it is ready.
    fn run_numbered<W: Send, I: Send, T: Send, E: From<ThreadError>>(
        &self,
        workers: impl IntoIterator<Item = W>,
        tasks: impl Iterator<Item = I> + Send,
        work: impl Fn(&mut W, I) -> Option<T> + Sync,
        mut collect: impl FnMut(Event<(u64, T)>) -> Result<(), E>,
    ) -> Result<(), E> {
        let stop = self.stop;
        let queue = Queue {
            tasks: Mutex::new((0..).zip(tasks)),
            gate: Gate::default(),
            ahead: self.ahead.max(1),
        };
        thread::scope(|scope| {
            let (sender, results) = channel();
            let mut close = CloseAtEnd(Some(&queue.gate));
            let mut stop_at_end = StopAtEnd(Some(stop));
            for mut worker in workers {
                let (queue, work, sender) = (&queue, &work, sender.clone());
                let body = move || queue.work_off(&sender, stop, |task| work(&mut worker, task));
                let spawned = thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, body);
                spawned.map_err(ThreadError)?;
            }
            drop(sender);
            let (mut next, mut early) = (0, BTreeSet::new());
            let mut ticked = Instant::now();
            loop {
                match results.recv_timeout(TICK) {
                    Ok((number, result)) => {
                        collect(Event::Done((number, result)))?;
                        early.insert(number);
                        while early.remove(&next) {
                            next += 1;
                        }
                        queue.gate.change(|state| state.handed_on = next);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if ticked.elapsed() >= TICK {
                    ticked = Instant::now();
                    collect(Event::Tick)?;
                }
            }
            (close.0, stop_at_end.0) = (None, None);
            Ok(())
        })
    }
}

/// Hands out the tasks. They have a lock of their own, as it may take long to get one.
struct Queue<I> {
    tasks: Mutex<I>,
    gate: Gate,
    ahead: u64,
}

/// Keeps tasks back that are too far ahead.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    /// The first task without a result.
    handed_on: u64,
    closed: bool,
}

impl<I, Tasks: Iterator<Item = (u64, I)>> Queue<Tasks> {
    /// Does tasks as long as there are any and each has a result that is wanted.
    fn work_off<T>(
        &self,
        sender: &Sender<(u64, T)>,
        stop: &impl Stop,
        mut work: impl FnMut(I) -> Option<T>,
    ) {
        // Also in a panic: the task will never be done, and the others would wait for it.
        let mut close = CloseAtEnd(Some(&self.gate));
        while !self.gate.is_closed() && !stop.is_stopped() {
            let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((number, task)) = tasks.next() else {
                // The others go on with the tasks they have.
                close.0 = None;
                return;
            };
            drop(tasks);
            if !self.gate.wait(number, self.ahead) || stop.is_stopped() {
                return;
            }
            let Some(result) = work(task) else {
                return;
            };
            if sender.send((number, result)).is_err() {
                return;
            }
        }
    }
}

impl Gate {
    /// Waits until a task is not too far ahead. Whether it may begin.
    fn wait(&self, number: u64, ahead: u64) -> bool {
        let is_far = |state: &mut GateState| !state.closed && number - state.handed_on >= ahead;
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_while(state, is_far);
        !waited.unwrap_or_else(PoisonError::into_inner).closed
    }

    fn is_closed(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed
    }

    fn change(&self, change: impl FnOnce(&mut GateState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Lets no more tasks begin once it goes out of scope.
struct CloseAtEnd<'a>(Option<&'a Gate>);

impl Drop for CloseAtEnd<'_> {
    fn drop(&mut self) {
        if let Some(gate) = self.0 {
            gate.change(|state| state.closed = true);
        }
    }
}

/// Stops the work once it goes out of scope.
struct StopAtEnd<'a, S: Stop>(Option<&'a S>);

impl<S: Stop> Drop for StopAtEnd<'_, S> {
    fn drop(&mut self) {
        if let Some(stop) = self.0 {
            stop.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

    impl Stop for AtomicBool {
        fn stop(&self) {
            self.store(true, Relaxed);
        }

        fn is_stopped(&self) -> bool {
            self.load(Relaxed)
        }
    }

    /// Results in the order of the tasks.
    fn pool(ahead: u64, stop: &AtomicBool) -> Pool<'_, AtomicBool> {
        Pool {
            ahead,
            order: Order::Sequential,
            stop,
        }
    }

    #[derive(PartialEq, Eq, Debug)]
    enum Failure {
        Thread,
        Full,
    }

    impl From<ThreadError> for Failure {
        fn from(_: ThreadError) -> Failure {
            Failure::Thread
        }
    }

    /// A result, some time after it was asked for, and not in order.
    fn slow(task: u64) -> u64 {
        thread::sleep(Duration::from_micros(task * 7919 % 200));
        task
    }

    fn collect(into: &mut Vec<u64>, event: Event<u64>) -> Result<(), Failure> {
        if let Event::Done(task) = event {
            into.push(task);
        }
        Ok(())
    }

    #[test]
    fn results_come_in_order_and_no_task_is_begun_far_ahead() {
        for (workers, ahead) in [(1, 1), (4, 1), (4, 4), (4, 10), (4, u64::MAX)] {
            let stop = AtomicBool::new(false);
            let handed_on = AtomicU64::new(3);
            let mut done = Vec::new();
            let work = |worker: &mut u64, task: u64| {
                *worker += 1;
                assert!(task - handed_on.load(Relaxed) < ahead);
                Some(slow(task))
            };
            let each = |event| {
                // Before the queue knows: a task may be begun at once when it does.
                handed_on.fetch_add(u64::from(event != Event::Tick), Relaxed);
                collect(&mut done, event)
            };
            pool(ahead, &stop)
                .run(vec![0; workers], 3..203, work, each)
                .unwrap();
            assert!(done.into_iter().eq(3..203), "{workers} {ahead}");
            assert!(!stop.is_stopped());
        }
    }

    #[test]
    fn results_that_are_ready_do_not_wait() {
        let mut done = Vec::new();
        let work = |_: &mut (), task| {
            thread::sleep(Duration::from_millis(if task == 0 { 300 } else { 0 }));
            Some(task)
        };
        let each = |event| collect(&mut done, event);
        let stop = AtomicBool::new(false);
        let pool = Pool {
            order: Order::AsReady,
            ..pool(10, &stop)
        };
        pool.run([(); 2], 0..20, work, each).unwrap();
        assert!(done[..9].iter().copied().eq(1..10));
        done.sort_unstable();
        assert!(done.into_iter().eq(0..20));
    }

    #[test]
    fn time_passes_while_there_is_no_result() {
        let mut ticks = 0;
        let work = |_: &mut (), _| {
            thread::sleep(3 * TICK);
            Some(())
        };
        let each = |event| {
            ticks += u32::from(event == Event::Tick);
            Ok::<_, Failure>(())
        };
        pool(1, &AtomicBool::new(false))
            .run([()], 0..1, work, each)
            .unwrap();
        assert!(ticks > 0);
    }

    #[test]
    fn a_task_without_a_result_is_the_last_one() {
        let stop = AtomicBool::new(false);
        let mut done = Vec::new();
        let work = |_: &mut (), task| (task != 50).then(|| slow(task));
        let each = |event| collect(&mut done, event);
        pool(8, &stop)
            .run([(); 4], 0..1_000_000, work, each)
            .unwrap();
        assert!(done.into_iter().eq(0..50));
        // Who stopped the work, or let it fail, knows.
        assert!(!stop.is_stopped());
    }

    #[test]
    fn a_failure_to_take_a_result_stops_the_work() {
        let stop = AtomicBool::new(false);
        let work = |_: &mut (), task| (!stop.is_stopped()).then(|| slow(task));
        let each = |event| match event {
            Event::Done(50) => Err(Failure::Full),
            _ => Ok(()),
        };
        let failed = pool(8, &stop).run([(); 4], 0..u64::MAX, work, each);
        assert_eq!(failed, Err(Failure::Full));
        assert!(stop.is_stopped());
    }

    #[test]
    fn a_panic_on_either_side_ends_the_work() {
        for who in ["worker", "caller"] {
            let stop = AtomicBool::new(false);
            let work = |_: &mut (), task| {
                assert!(task != 50 || who != "worker", "a task that cannot be done");
                (!stop.is_stopped()).then(|| slow(task))
            };
            let each = |event| {
                assert!(event != Event::Done(50), "a result that cannot be taken");
                Ok::<_, Failure>(())
            };
            let ended = catch_unwind(AssertUnwindSafe(|| {
                pool(8, &stop).run([(); 4], 0..u64::MAX, work, each)
            }));
            assert!(ended.is_err(), "{who}");
        }
    }

    #[test]
    fn nothing_to_do_is_done_at_once() {
        let work = |_: &mut (), _| -> Option<u64> { unreachable!("no task") };
        let mut done = Vec::new();
        pool(0, &AtomicBool::new(false))
            .run([(); 4], 7..7, work, |event| collect(&mut done, event))
            .unwrap();
        assert!(done.is_empty());
    }

    #[test]
    fn nothing_is_begun_once_it_is_stopped() {
        let stop = AtomicBool::new(false);
        let begun = AtomicU64::new(0);
        let work = |_: &mut (), task| {
            begun.fetch_add(1, Relaxed);
            Some(slow(task))
        };
        let each = |event| {
            if event == Event::Done(50) {
                stop.stop();
            }
            Ok::<_, Failure>(())
        };
        pool(8, &stop)
            .run([(); 4], 0..1_000_000, work, each)
            .unwrap();
        // Those up to 50 are done, and seven more may have been begun by then.
        assert!((51..=58).contains(&begun.load(Relaxed)));
    }
}
