//! Assigns searches to engines: which is next, on which engine, and for how long.

use super::annotators::{AnnotationTask, Annotators};
use super::client::{ClientId, PoolCommand, Search, Work};
use super::mailbox::{Event, Mailbox, Snapshot};
use damier_analysis::meaning;
use damier_engine::eval::Wdl;
use damier_engine::search::{Outcome, Report};
use damier_engine::{Job, JobHandle, Level, Purpose, ThinkEvent, Thread};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time slice of an analysis while others wait.
const SLICE: Duration = Duration::from_millis(500);
/// Time slice of an analysis while a move to play waits.
const SHORT_SLICE: Duration = Duration::from_millis(50);
/// Waiting time after which a search is served in order, of whatever kind.
const MAX_WAIT: Duration = Duration::from_secs(4);
/// Minimum time for a move to play, in seconds.
const MIN_TIME: f64 = 0.05;

/// Nodes of the first search of an analysis, which has one line for each legal move.
const COUNT_NODES: u64 = 100_000;

/// A search and its state.
struct Task {
    client: ClientId,
    search: Search,
    mailbox: Arc<Mailbox>,
    /// Start of its waiting time.
    since: Instant,
    /// Nodes of the finished time slices.
    nodes: u64,
    /// Time of the finished time slices.
    time: Duration,
    /// The lines shown.
    lines: Vec<Report>,
    /// Whether the moves that hold the result were counted.
    counted: bool,
    /// Number of these moves.
    safe: Option<usize>,
}

impl Task {
    fn is_think(&self) -> bool {
        matches!(self.search.work, Work::Think { .. })
    }

    fn push(&self, event: Event) {
        self.mailbox.push(self.search.id, event);
    }

    fn snapshot(&self) -> Snapshot {
        let best = self.lines.first();
        let most = match self.search.work {
            Work::Analyse { lines } => lines,
            _ => usize::MAX,
        };
        Snapshot {
            lines: self.lines.iter().take(most).cloned().collect(),
            nodes: self.nodes + best.map_or(0, |line| line.nodes),
            time: self.time + best.map_or(Duration::ZERO, |line| line.time),
            safe: self.safe,
        }
    }

    /// Counts the moves that hold the result, after a search with one line for each legal move. The analysis continues
    /// with the requested lines only. An `interrupted` search without all lines is repeated.
    fn count_safe(&mut self, outcome: &Outcome, interrupted: bool) {
        let complete = outcome.lines.len() == self.search.game.position().legal_moves().len();
        self.counted = complete || !interrupted;
        if complete {
            let points = |line: &Report| line.wdl.map_or(0.0, Wdl::expected);
            self.safe = Some(meaning::holding(&outcome.lines, points));
        }
    }

    /// Updates a line. A resumed search restarts at depth 1; the old line stays until the search is as deep again.
    fn report(&mut self, report: Report) {
        let place = report.rank.saturating_sub(1);
        let is_next = place == self.lines.len();
        match self.lines.get_mut(place) {
            Some(old) if old.depth > report.depth => {
                (old.nodes, old.time) = (report.nodes, report.time);
            }
            Some(old) => *old = report,
            None if is_next => self.lines.push(report),
            None => {}
        }
    }
}

/// A task on an engine.
struct Running {
    task: Task,
    handle: JobHandle,
    began: Instant,
    /// Preempted; resumes later.
    yields: bool,
    /// Stopped or replaced by the client.
    stopped: bool,
}

/// An engine and its current task.
struct Slot {
    thread: Thread,
    running: Option<Running>,
    /// The last client, whose positions are still in the transposition table.
    last: ClientId,
}

/// The scheduler; owns the engines.
pub(super) struct Scheduler {
    slots: Vec<Slot>,
    annotators: Annotators,
    engines: f64,
    waiting: VecDeque<Task>,
    longest: Duration,
}

impl Scheduler {
    pub fn new(threads: Vec<Thread>, annotators: Annotators, longest: Duration) -> Scheduler {
        let slot = |thread| Slot {
            thread,
            running: None,
            last: 0,
        };
        Scheduler {
            engines: threads.len().max(1) as f64,
            slots: threads.into_iter().map(slot).collect(),
            annotators,
            waiting: VecDeque::new(),
            longest,
        }
    }

    /// Handles commands and events until the pool is dropped.
    pub fn run(mut self, inbox: &Receiver<PoolCommand>) {
        loop {
            let command = match self.next_check() {
                Some(wait) => inbox.recv_timeout(wait),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match command {
                Ok(PoolCommand::Begin(client, search, mailbox)) => {
                    self.begin(client, *search, mailbox)
                }
                Ok(PoolCommand::Stop(client)) => self.stop(client),
                Ok(PoolCommand::Event(slot, event)) => self.event(slot, event),
                Ok(PoolCommand::Quit) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.dispatch();
            self.preempt();
        }
    }

    /// Time until the next check for a search to preempt; none where no search waits.
    fn next_check(&self) -> Option<Duration> {
        (!self.waiting.is_empty()).then_some(SHORT_SLICE / 2)
    }

    fn begin(&mut self, client: ClientId, search: Search, mailbox: Arc<Mailbox>) {
        self.drop_searches(client);
        mailbox.begin(search.id, search.game.clone());
        if let Work::Annotate { game, nodes } = search.work {
            return self.annotators.begin(AnnotationTask {
                client,
                id: search.id,
                game,
                nodes,
                mailbox,
            });
        }
        let legal = search.game.position().legal_moves().len();
        self.waiting.push_back(Task {
            client,
            search,
            mailbox,
            since: Instant::now(),
            nodes: 0,
            time: Duration::ZERO,
            lines: Vec::new(),
            counted: legal <= 1,
            safe: (legal == 1).then_some(1),
        });
        self.dispatch();
        if let Some(place) = self.waiting.iter().position(|task| task.client == client) {
            self.waiting[place].push(Event::Queued(place));
        }
    }

    /// Cancels the searches of a client.
    fn drop_searches(&mut self, client: ClientId) {
        self.waiting.retain(|task| task.client != client);
        self.annotators.stop(client);
        for running in self
            .slots
            .iter_mut()
            .filter_map(|slot| slot.running.as_mut())
        {
            if running.task.client == client {
                running.stopped = true;
                running.yields = false;
                running.handle.stop();
            }
        }
    }

    /// Stops the search of a client and reports its result.
    fn stop(&mut self, client: ClientId) {
        if let Some(place) = self.waiting.iter().position(|task| task.client == client)
            && let Some(task) = self.waiting.remove(place)
        {
            let best = task.lines.first().and_then(|line| line.pv.first().copied());
            finish(&task, best);
        }
        self.drop_searches(client);
    }

    /// Starts waiting tasks on idle engines.
    fn dispatch(&mut self) {
        while let Some(place) = self.choose() {
            let client = self.waiting[place].client;
            let idle = |slot: &&mut Slot| slot.running.is_none();
            let at = match self
                .slots
                .iter_mut()
                .filter(idle)
                .find(|slot| slot.last == client)
            {
                Some(slot) => slot,
                None => match self.slots.iter_mut().find(|slot| slot.running.is_none()) {
                    Some(slot) => slot,
                    None => return,
                },
            };
            let Some(task) = self.waiting.remove(place) else {
                return;
            };
            let others = self.waiting.iter().filter(|task| task.is_think()).count();
            let job = job(&task, self.longest, others as f64 / self.engines);
            let now = Instant::now();
            at.last = client;
            at.running = Some(Running {
                handle: at.thread.run(job, now),
                task,
                began: now,
                yields: false,
                stopped: false,
            });
        }
    }

    /// The next task: the first if it has waited for [`MAX_WAIT`], else a move to play, else the first.
    fn choose(&self) -> Option<usize> {
        let first = self.waiting.front()?;
        if first.since.elapsed() > MAX_WAIT {
            return Some(0);
        }
        Some(self.waiting.iter().position(Task::is_think).unwrap_or(0))
    }

    /// Preempts analyses for waiting tasks.
    fn preempt(&mut self) {
        let thinks = self.waiting.iter().filter(|task| task.is_think()).count();
        let leaving = |running: &Running| running.yields || running.stopped;
        let running = self.slots.iter().filter_map(|slot| slot.running.as_ref());
        let free = running.filter(|running| leaving(running)).count();
        let mut wanted = self.waiting.len().saturating_sub(free);
        for (slice, most) in [
            (SHORT_SLICE, thinks.saturating_sub(free)),
            (SLICE, usize::MAX),
        ] {
            let mut most = most.min(wanted);
            for running in self
                .slots
                .iter_mut()
                .filter_map(|slot| slot.running.as_mut())
            {
                let yields = matches!(running.task.search.work, Work::Analyse { .. })
                    && !(running.yields || running.stopped)
                    && running.began.elapsed() >= slice;
                if yields && most > 0 {
                    running.yields = true;
                    running.handle.stop();
                    (most, wanted) = (most - 1, wanted - 1);
                }
            }
        }
    }

    fn event(&mut self, slot: usize, event: ThinkEvent) {
        let Some(slot) = self.slots.get_mut(slot) else {
            return;
        };
        match event {
            ThinkEvent::Report(report) => {
                if let Some(running) = slot.running.as_mut().filter(|running| !running.stopped) {
                    running.task.report(report);
                    running.task.push(Event::Info(running.task.snapshot()));
                }
            }
            ThinkEvent::Done(outcome) => {
                if let Some(running) = slot.running.take() {
                    self.done(running, *outcome);
                }
            }
            ThinkEvent::Failed(why) => {
                if let Some(running) = slot.running.take() {
                    running.task.push(Event::Failed(why));
                }
            }
        }
    }

    fn done(&mut self, running: Running, outcome: Outcome) {
        let mut task = running.task;
        let counts = matches!(task.search.work, Work::Analyse { .. }) && !task.counted;
        if counts && !running.stopped {
            task.count_safe(&outcome, running.yields);
        }
        for line in outcome.lines {
            task.report(line);
        }
        if let Work::Analyse { lines } = task.search.work {
            task.lines.truncate(lines);
        }
        if running.yields || counts && !running.stopped {
            task.nodes += outcome.report.nodes;
            task.time += outcome.report.time;
            for line in &mut task.lines {
                (line.nodes, line.time) = (0, Duration::ZERO);
            }
            task.since = Instant::now();
            self.waiting.push_back(task);
            return;
        }
        finish(&task, outcome.best);
    }
}

/// Sends the final result.
fn finish(task: &Task, best: Option<damier_rules::Move>) {
    task.push(Event::Best(best, task.snapshot()));
}

/// The engine's job for a task. `others`: waiting moves to play for each engine.
fn job(task: &Task, longest: Duration, others: f64) -> Job {
    let game = task.search.game.clone();
    let rest = longest.saturating_sub(task.time);
    match &task.search.work {
        Work::Think {
            level,
            book,
            strength,
        } => {
            let mut level = *level;
            let most = longest.as_secs_f64();
            let time = level.move_time.unwrap_or(most).min(most);
            level.move_time = Some((time / (1.0 + others)).max(MIN_TIME.min(time)));
            let job = Job::new(game, level).at(*strength);
            if *book { job.with_book() } else { job }
        }
        Work::Analyse { lines } => {
            let legal = game.position().legal_moves().len();
            let mut level = Level::move_time(rest);
            let lines = match task.counted {
                true => *lines,
                false => {
                    level.nodes = Some(COUNT_NODES);
                    legal
                }
            };
            let job = Job::new(game, level).with_purpose(Purpose::Analyse);
            job.with_lines(lines)
        }
        // Handled by the annotators.
        Work::Annotate { nodes, .. } => Job::new(game, Level::nodes(*nodes)),
    }
}
