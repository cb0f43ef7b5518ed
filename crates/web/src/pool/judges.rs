//! Judges whole games for pages, as `damier annotate` does, on threads of their own: one game after the other.

use super::PageId;
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

/// Stack of a thread in bytes, as an engine's thread has it.
const STACK: usize = 16 << 20;

/// A game to judge.
pub(super) struct Task {
    pub page: PageId,
    /// Number of the request.
    pub id: u32,
    pub game: Box<pdn::Game>,
    /// Nodes of each search.
    pub nodes: u64,
    pub mailbox: Arc<Mailbox>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Task>,
    running: Vec<(PageId, Arc<Stop>)>,
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

    /// The next game, and what stops it. None at the end.
    fn next(&self) -> Option<(Task, Arc<Stop>)> {
        let mut queue = self.lock();
        loop {
            if queue.ended {
                return None;
            }
            if let Some(task) = queue.waiting.pop_front() {
                let stop = Arc::new(Stop::new());
                queue.running.push((task.page, Arc::clone(&stop)));
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
            let mut progress = |done, total| task.tell(Event::Progress { done, total });
            let judge = || annotator.annotate(&task.game, &stop, &mut progress);
            match catch_unwind(AssertUnwindSafe(judge)) {
                Ok(Ok(game)) => task.tell(Event::Annotated(Box::new(game))),
                Ok(Err(Stopped)) => {}
                Err(panic) => task.tell(Event::Failed(message(panic.as_ref()))),
            }
            let is_other = |(_, other): &(PageId, Arc<Stop>)| !Arc::ptr_eq(other, &stop);
            self.lock().running.retain(is_other);
        }
    }
}

impl Task {
    fn tell(&self, event: Event) {
        self.mailbox.put(self.id, event);
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned())
}

/// The judges.
pub(super) struct Judges {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Judges {
    /// Gives each annotator a thread.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(annotators: Vec<Annotator>) -> io::Result<Judges> {
        let mut judges = Judges {
            shared: Arc::default(),
            threads: Vec::new(),
        };
        for annotator in annotators {
            let shared = Arc::clone(&judges.shared);
            let thread = thread::Builder::new()
                .name("judge".to_owned())
                .stack_size(STACK)
                .spawn(move || shared.work(annotator))?;
            judges.threads.push(thread);
        }
        Ok(judges)
    }

    /// Has a game judged when its turn comes.
    pub fn begin(&self, task: Task) {
        let mut queue = self.shared.lock();
        let ahead = queue.waiting.len();
        if ahead > 0 || queue.running.len() == self.threads.len() {
            task.tell(Event::Queued(ahead));
        }
        queue.waiting.push_back(task);
        self.shared.changed.notify_one();
    }

    /// Ends what is judged for a page.
    pub fn stop(&self, page: PageId) {
        let mut queue = self.shared.lock();
        queue.waiting.retain(|task| task.page != page);
        let own = queue.running.iter().filter(|(other, _)| *other == page);
        own.for_each(|(_, stop)| stop.stop());
    }
}

impl Drop for Judges {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.ended = true;
        queue.running.iter().for_each(|(_, stop)| stop.stop());
        drop(queue);
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A panic was written to stderr already.
            let _ = thread.join();
        }
    }
}
