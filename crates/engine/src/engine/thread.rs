//! An engine on its own thread: jobs in, events out.

use super::{EngineError, Job, Options, Purpose, Thinker};
use crate::search::{Control, Outcome, Report};
use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Stack size of the thread, in bytes; the deepest search uses a fraction of it.
const STACK: usize = 16 << 20;

/// What happens to a job. Its events are sent in order from the engine's thread; the last one is `Done` or `Failed`.
#[derive(Clone, Debug)]
pub enum ThinkEvent {
    /// A line of play: after an iteration, or an update during a long one.
    Report(Report),
    /// The search has ended.
    Done(Box<Outcome>),
    /// The search panicked, with this message. The thread goes on with an engine that has forgotten what it had
    /// learned.
    Failed(String),
}

/// Number of a job on its thread, counted from 1.
pub type JobId = u64;

/// A handle to a job given to a [`Thread`]: its number, and the means to end it.
#[derive(Clone, Debug)]
pub struct JobHandle {
    /// The number that comes with the job's events.
    pub id: JobId,
    control: Arc<Control>,
}

impl JobHandle {
    /// Ends the search as soon as possible; it still sends its outcome.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The pondered move was played: from now on the level applies.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Whether [`stop`](Self::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// Whether the job is still pondering.
    pub fn is_pondering(&self) -> bool {
        self.control.is_pondering()
    }
}

/// Something to do with the engine between searches.
type Errand<T> = Box<dyn FnOnce(&mut T) + Send>;

enum EngineTask<T> {
    Run(Box<Job>, JobHandle),
    Errand(Errand<T>),
}

/// The thread has ended and takes no more tasks, or a function called on the engine panicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engine has failed")]
pub struct EngineFailed;

/// An engine on its own thread. Tasks are done in order. Dropping it stops all jobs without waiting for the thread;
/// [`quit`](Thread::quit) waits.
pub struct Thread<T: Thinker = super::Engine> {
    tasks: Sender<EngineTask<T>>,
    /// Jobs that may still be running or queued.
    open: Vec<Weak<Control>>,
    jobs: JobId,
    thread: Option<JoinHandle<()>>,
}

impl<T: Thinker + 'static> Thread<T> {
    /// Starts the thread. `listener` is called on it with the events of every job; it must return quickly and must not
    /// wait for the thread.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn start(
        mut engine: T,
        mut listener: impl FnMut(JobId, ThinkEvent) + Send + 'static,
    ) -> io::Result<Thread<T>> {
        let (tasks, inbox) = channel();
        let work = move || {
            for task in inbox {
                match task {
                    // After a panic the reply channel is closed, which the caller gets as `EngineFailed`.
                    EngineTask::Errand(errand) => {
                        let done = catch_unwind(AssertUnwindSafe(|| errand(&mut engine)));
                        if let Err(panic) = done {
                            log::error!("the engine failed: {}", message(panic.as_ref()));
                            engine.new_game();
                        }
                    }
                    EngineTask::Run(job, handle) => {
                        let event = run(&mut engine, &job, &handle, &mut listener);
                        listener(handle.id, event);
                    }
                }
            }
        };
        let thread = thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(STACK)
            .spawn(work)?;
        Ok(Thread {
            tasks,
            open: Vec::new(),
            jobs: 0,
            thread: Some(thread),
        })
    }

    /// Queues a job. Its time counts from `start`.
    pub fn run(&mut self, job: Job, start: Instant) -> JobHandle {
        self.jobs += 1;
        let control = match job.purpose {
            Purpose::Ponder => Control::pondering(start),
            _ => Control::since(start),
        };
        let handle = JobHandle {
            id: self.jobs,
            control: Arc::new(control),
        };
        self.open.retain(|control| control.strong_count() > 0);
        self.open.push(Arc::downgrade(&handle.control));
        self.send(EngineTask::Run(Box::new(job), handle.clone()));
        handle
    }

    /// Forgets what was learned in the last game.
    pub fn new_game(&self) {
        self.send(EngineTask::Errand(Box::new(|engine| engine.new_game())));
    }

    /// Applies options after the current search has ended, and waits for the result.
    ///
    /// # Errors
    /// Those of [`Engine::set_options`](super::Engine::set_options).
    pub fn set_options(&self, options: Options) -> Result<Result<(), EngineError>, EngineFailed> {
        self.with(move |engine| engine.set_options(options))
    }

    /// Calls a function on the engine after the current search has ended, and waits for its result.
    ///
    /// # Errors
    /// The function panicked, or the thread has ended.
    pub fn with<R: Send + 'static>(
        &self,
        errand: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Result<R, EngineFailed> {
        let (result, answer) = channel();
        self.send(EngineTask::Errand(Box::new(move |engine| {
            // The caller is waiting.
            let _ = result.send(errand(engine));
        })));
        answer.recv().map_err(|_| EngineFailed)
    }

    /// Stops all jobs and waits until the thread has ended.
    pub fn quit(mut self) {
        let thread = self.thread.take();
        drop(self);
        if let Some(thread) = thread {
            // A panic outside a search has already been written to stderr.
            let _ = thread.join();
        }
    }

    fn send(&self, task: EngineTask<T>) {
        if self.tasks.send(task).is_err() {
            log::error!("{EngineFailed}");
        }
    }
}

impl<T: Thinker> Drop for Thread<T> {
    fn drop(&mut self) {
        let open = self.open.iter().filter_map(Weak::upgrade);
        open.for_each(|control| control.stop());
    }
}

/// Runs a job; a panic in it becomes a [`ThinkEvent::Failed`].
fn run(
    engine: &mut impl Thinker,
    job: &Job,
    handle: &JobHandle,
    listener: &mut impl FnMut(JobId, ThinkEvent),
) -> ThinkEvent {
    let mut report = |report: &Report| listener(handle.id, ThinkEvent::Report(report.clone()));
    let result = catch_unwind(AssertUnwindSafe(|| {
        engine.run(job, &handle.control, &mut report)
    }));
    match result {
        Ok(outcome) => ThinkEvent::Done(Box::new(outcome)),
        Err(panic) => {
            let why = message(panic.as_ref());
            log::error!("the search failed: {why}");
            engine.new_game();
            ThinkEvent::Failed(why)
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Level};
    use damier_rules::{Game, Position};
    use std::sync::mpsc::Receiver;
    use std::time::Duration;

    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(60);

    fn engine() -> Engine {
        let options = Options {
            tt_size: 16,
            ..Options::default()
        };
        Engine::new(options).unwrap()
    }

    fn start() -> (Thread, Receiver<(JobId, ThinkEvent)>) {
        let (events, inbox) = channel();
        let listener = move |id, event| drop(events.send((id, event)));
        (Thread::start(engine(), listener).unwrap(), inbox)
    }

    fn job(level: Level) -> Job {
        Job::new(Game::new(Position::start()), level)
    }

    /// The outcome of a job, and the reports before it.
    fn outcome(inbox: &Receiver<(JobId, ThinkEvent)>, wanted: JobId) -> (Outcome, usize) {
        let mut reports = 0;
        loop {
            match inbox.recv_timeout(LONG).unwrap() {
                (id, ThinkEvent::Report(_)) => reports += usize::from(id == wanted),
                (id, ThinkEvent::Done(outcome)) if id == wanted => return (*outcome, reports),
                (_, ThinkEvent::Done(_)) => {}
                (_, ThinkEvent::Failed(why)) => panic!("{why}"),
            }
        }
    }

    #[test]
    fn jobs_run_in_order_and_report() {
        let (mut thread, inbox) = start();
        let first = thread.run(job(Level::depth(5)), Instant::now());
        let second = thread.run(job(Level::depth(7)), Instant::now());
        let (found, reports) = outcome(&inbox, first.id);
        assert_eq!((found.report.depth, reports), (5, 5));
        let (found, _) = outcome(&inbox, second.id);
        assert_eq!(found.report.depth, 7);
        assert!(found.best.is_some());
    }

    #[test]
    fn a_stop_ends_an_endless_search_and_a_drop_too() {
        let (mut thread, inbox) = start();
        let endless = thread.run(job(Level::INFINITE), Instant::now());
        assert!(matches!(
            inbox.recv_timeout(LONG).unwrap().1,
            ThinkEvent::Report(_)
        ));
        endless.stop();
        assert!(outcome(&inbox, endless.id).0.best.is_some());
        thread.run(job(Level::INFINITE), Instant::now());
        let last = thread.run(job(Level::INFINITE), Instant::now());
        thread.quit();
        let (id, event) = inbox.iter().last().unwrap();
        assert!(id == last.id && matches!(event, ThinkEvent::Done(_)));
    }

    #[test]
    fn no_limit_counts_until_the_ponder_hit() {
        let (mut thread, inbox) = start();
        let level = Level::move_time(Duration::from_millis(1));
        let pondered = thread.run(job(level).with_purpose(Purpose::Ponder), Instant::now());
        assert!(pondered.is_pondering());
        std::thread::sleep(Duration::from_millis(50));
        let early = inbox
            .try_iter()
            .any(|(_, event)| matches!(event, ThinkEvent::Done(_)));
        assert!(!early);
        pondered.ponder_hit();
        assert!(outcome(&inbox, pondered.id).0.best.is_some());
    }

    #[test]
    fn options_change_between_searches() {
        let (thread, _inbox) = start();
        let options = Options {
            tt_size: 17,
            ..Options::default()
        };
        thread.set_options(options).unwrap().unwrap();
        assert_eq!(thread.with(|engine| engine.options().tt_size), Ok(17));
    }

    #[test]
    fn the_thread_outlives_a_function_that_panics() {
        let (mut thread, inbox) = start();
        let failed = thread.with(|_| -> u32 { panic!("a fault") });
        assert_eq!(failed, Err(EngineFailed));
        let next = thread.run(job(Level::depth(3)), Instant::now());
        assert_eq!(outcome(&inbox, next.id).0.report.depth, 3);
    }

    #[test]
    fn a_search_that_dies_is_told_and_the_next_one_runs() {
        struct Mortal(Engine, bool);
        impl Thinker for Mortal {
            fn run(
                &mut self,
                job: &Job,
                control: &Control,
                observer: &mut dyn crate::search::Observer,
            ) -> Outcome {
                assert!(
                    std::mem::replace(&mut self.1, true),
                    "the first search dies"
                );
                self.0.run(job, control, observer)
            }
            fn new_game(&mut self) {
                self.0.new_game();
            }
            fn options(&self) -> &Options {
                self.0.options()
            }
            fn set_options(&mut self, options: Options) -> Result<(), EngineError> {
                self.0.set_options(options)
            }
        }
        let (events, inbox) = channel();
        let listener = move |id, event| drop(events.send((id, event)));
        let mut thread = Thread::start(Mortal(engine(), false), listener).unwrap();
        thread.run(job(Level::depth(3)), Instant::now());
        let (id, event) = inbox.recv_timeout(LONG).unwrap();
        assert!(matches!(event, ThinkEvent::Failed(why) if id == 1 && why.contains("dies")));
        let second = thread.run(job(Level::depth(3)), Instant::now());
        assert_eq!(outcome(&inbox, second.id).0.report.depth, 3);
    }
}
