//! Annotates whole games, as `damier annotate` does. Each thread annotates one game at a time.

use super::client::ClientId;
use super::mailbox::{Event, Mailbox};
use damier_analysis::Stop;
use damier_analysis::annotate::Annotator;
use damier_engine::Level;
use damier_engine::search::Stopped;
use damier_rules::notation::pdn;
use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// Stack of a thread in bytes; the same as of an engine's thread.
const STACK: usize = 16 << 20;

/// A game to annotate.
pub(super) struct AnnotationTask {
    pub client: ClientId,
    /// Number of the request.
    pub id: u32,
    pub game: Box<pdn::Game>,
    /// Nodes of each search.
    pub nodes: u64,
    pub mailbox: Arc<Mailbox>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<AnnotationTask>,
    running: Vec<(ClientId, Arc<Stop>)>,
    ended: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game and its stop flag. None at the end.
    fn next(&self) -> Option<(AnnotationTask, Arc<Stop>)> {
        let mut queue = self.lock();
        loop {
            if queue.ended {
                return None;
            }
            if let Some(task) = queue.waiting.pop_front() {
                let stop = Arc::new(Stop::new());
                queue.running.push((task.client, Arc::clone(&stop)));
                return Some((task, stop));
            }
            queue = self
                .changed
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self, mut annotator: Annotator) {
        while let Some((task, stop)) = self.next() {
            annotator.set_level(Level::nodes(task.nodes));
            let mut progress = |done, total| task.push(Event::Progress { done, total });
            let annotate = || annotator.annotate(&task.game, &stop, &mut progress);
            match catch_unwind(AssertUnwindSafe(annotate)) {
                Ok(Ok(game)) => task.push(Event::Annotated(Box::new(game))),
                Ok(Err(Stopped)) => {}
                Err(panic) => task.push(Event::Failed(message(panic.as_ref()))),
            }
            let is_other = |(_, other): &(ClientId, Arc<Stop>)| !Arc::ptr_eq(other, &stop);
            self.lock().running.retain(is_other);
        }
    }
}

impl AnnotationTask {
    fn push(&self, event: Event) {
        self.mailbox.push(self.id, event);
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned())
}

/// The threads that annotate games.
pub(super) struct Annotators {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Annotators {
    /// Starts a thread for each annotator.
    ///
    /// # Errors
    /// A thread cannot be created.
    pub fn start(each: Vec<Annotator>) -> io::Result<Annotators> {
        let mut annotators = Annotators {
            shared: Arc::default(),
            threads: Vec::new(),
        };
        for annotator in each {
            let shared = Arc::clone(&annotators.shared);
            let thread = thread::Builder::new()
                .name("annotator".to_owned())
                .stack_size(STACK)
                .spawn(move || shared.work(annotator))?;
            annotators.threads.push(thread);
        }
        Ok(annotators)
    }

    /// Adds a game to the queue.
    pub fn begin(&self, task: AnnotationTask) {
        let mut queue = self.shared.lock();
        let ahead = queue.waiting.len();
        if ahead > 0 || queue.running.len() == self.threads.len() {
            task.push(Event::Queued(ahead));
        }
        queue.waiting.push_back(task);
        self.shared.changed.notify_one();
    }

    /// Cancels the games of a client.
    pub fn stop(&self, client: ClientId) {
        let mut queue = self.shared.lock();
        queue.waiting.retain(|task| task.client != client);
        let own = queue.running.iter().filter(|(other, _)| *other == client);
        own.for_each(|(_, stop)| stop.stop());
    }
}

impl Drop for Annotators {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.ended = true;
        queue.running.iter().for_each(|(_, stop)| stop.stop());
        drop(queue);
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // The panic hook has reported a panic.
            let _ = thread.join();
        }
    }
}
