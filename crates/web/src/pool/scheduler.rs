//! Who searches next, on which engine, and for how long.

use super::judges::{self, Judges};
use super::mailbox::{Event, Mailbox, Snapshot};
use super::work::{PageId, PoolCommand, Search, Work};
use damier_analysis::meaning;
use damier_engine::eval::Wdl;
use damier_engine::search::{Outcome, Report};
use damier_engine::{Job, JobHandle, Level, Purpose, ThinkEvent, Thread};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long an analysis keeps its engine while others wait.
const SLICE: Duration = Duration::from_millis(500);
/// The same while a move to play waits.
const SHORT_SLICE: Duration = Duration::from_millis(50);
/// From then on a search that waits is served in its turn, whatever it is.
const PATIENCE: Duration = Duration::from_secs(4);
/// The least time of a move to play.
const LEAST: f64 = 0.05;

/// Nodes of the first search of an analysis, which has a line for each legal move.
const COUNT_NODES: u64 = 100_000;

/// A search with what it has done so far.
struct Task {
    page: PageId,
    search: Search,
    mailbox: Arc<Mailbox>,
    /// Since when it waits.
    since: Instant,
    /// Of the slices that are over.
    nodes: u64,
    time: Duration,
    /// The lines shown.
    lines: Vec<Report>,
    /// Whether every legal move was searched for a moment, and how many of them hold the result.
    counted: bool,
    safe: Option<usize>,
}

impl Task {
    fn is_think(&self) -> bool {
        matches!(self.search.work, Work::Think { .. })
    }

    fn tell(&self, event: Event) {
        self.mailbox.put(self.search.id, event);
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

    /// Counts the moves that hold the result, after a search with a line for each; then only the lines that are wanted
    /// are searched on. A search that was `interrupted` before it had them all is made again.
    fn count_safe(&mut self, outcome: &Outcome, interrupted: bool) {
        let complete = outcome.lines.len() == self.search.game.position().legal_moves().len();
        self.counted = complete || !interrupted;
        if complete {
            let points = |line: &Report| line.wdl.map_or(0.0, Wdl::expected);
            self.safe = Some(meaning::holding(&outcome.lines, points));
        }
    }

    /// Takes a report in. A search that goes on begins again with the first depth: until it is as deep as it was, what
    /// was shown stays.
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
    /// It was stopped for others, and goes on later.
    yields: bool,
    /// Nobody wants it any more, or only what it has found.
    stopped: bool,
}

struct Seat {
    thread: Thread,
    running: Option<Running>,
    /// Whose search it ran last, so that the table still helps.
    last: PageId,
}

/// The scheduler.
pub(super) struct Scheduler {
    seats: Vec<Seat>,
    judges: Judges,
    engines: f64,
    waiting: VecDeque<Task>,
    longest: Duration,
}

impl Scheduler {
    pub fn new(threads: Vec<Thread>, judges: Judges, longest: Duration) -> Scheduler {
        let seat = |thread| Seat {
            thread,
            running: None,
            last: 0,
        };
        Scheduler {
            engines: threads.len().max(1) as f64,
            seats: threads.into_iter().map(seat).collect(),
            judges,
            waiting: VecDeque::new(),
            longest,
        }
    }

    /// Serves until the pool goes.
    pub fn run(mut self, inbox: &Receiver<PoolCommand>) {
        loop {
            let command = match self.next_look() {
                Some(wait) => inbox.recv_timeout(wait),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match command {
                Ok(PoolCommand::Begin(page, search, mailbox)) => self.begin(page, *search, mailbox),
                Ok(PoolCommand::Stop(page)) => self.stop(page),
                Ok(PoolCommand::Event(seat, event)) => self.event(seat, event),
                Ok(PoolCommand::Quit) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.dispatch();
            self.make_room();
        }
    }

    /// How long until a search has to make room, where others wait.
    fn next_look(&self) -> Option<Duration> {
        (!self.waiting.is_empty()).then_some(SHORT_SLICE / 2)
    }

    fn begin(&mut self, page: PageId, search: Search, mailbox: Arc<Mailbox>) {
        self.drop_searches(page);
        mailbox.begin(search.id, search.game.clone());
        if let Work::Annotate { game, nodes } = search.work {
            return self.judges.begin(judges::Task {
                page,
                id: search.id,
                game,
                nodes,
                mailbox,
            });
        }
        let legal = search.game.position().legal_moves().len();
        self.waiting.push_back(Task {
            page,
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
        if let Some(place) = self.waiting.iter().position(|task| task.page == page) {
            self.waiting[place].tell(Event::Queued(place));
        }
    }

    /// Ends the searches of a page for good.
    fn drop_searches(&mut self, page: PageId) {
        self.waiting.retain(|task| task.page != page);
        self.judges.stop(page);
        for running in self
            .seats
            .iter_mut()
            .filter_map(|seat| seat.running.as_mut())
        {
            if running.task.page == page {
                running.stopped = true;
                running.yields = false;
                running.handle.stop();
            }
        }
    }

    /// Ends the search of a page, and tells it what was found.
    fn stop(&mut self, page: PageId) {
        if let Some(place) = self.waiting.iter().position(|task| task.page == page)
            && let Some(task) = self.waiting.remove(place)
        {
            let best = task.lines.first().and_then(|line| line.pv.first().copied());
            finish(&task, best);
        }
        self.drop_searches(page);
    }

    /// Gives idle engines something to do.
    fn dispatch(&mut self) {
        while let Some(place) = self.choose() {
            let page = self.waiting[place].page;
            let idle = |seat: &&mut Seat| seat.running.is_none();
            let at = match self
                .seats
                .iter_mut()
                .filter(idle)
                .find(|seat| seat.last == page)
            {
                Some(seat) => seat,
                None => match self.seats.iter_mut().find(|seat| seat.running.is_none()) {
                    Some(seat) => seat,
                    None => return,
                },
            };
            let Some(task) = self.waiting.remove(place) else {
                return;
            };
            let others = self.waiting.iter().filter(|task| task.is_think()).count();
            let job = job(&task, self.longest, others as f64 / self.engines);
            let now = Instant::now();
            at.last = page;
            at.running = Some(Running {
                handle: at.thread.run(job, now),
                task,
                began: now,
                yields: false,
                stopped: false,
            });
        }
    }

    /// The task that is next: one that has waited long, a move to play, or else the first.
    fn choose(&self) -> Option<usize> {
        let first = self.waiting.front()?;
        if first.since.elapsed() > PATIENCE {
            return Some(0);
        }
        Some(self.waiting.iter().position(Task::is_think).unwrap_or(0))
    }

    /// Takes an engine from an analysis for those that wait.
    fn make_room(&mut self) {
        let thinks = self.waiting.iter().filter(|task| task.is_think()).count();
        let leaving = |running: &Running| running.yields || running.stopped;
        let running = self.seats.iter().filter_map(|seat| seat.running.as_ref());
        let free = running.filter(|running| leaving(running)).count();
        let mut wanted = self.waiting.len().saturating_sub(free);
        for (slice, most) in [
            (SHORT_SLICE, thinks.saturating_sub(free)),
            (SLICE, usize::MAX),
        ] {
            let mut most = most.min(wanted);
            for running in self
                .seats
                .iter_mut()
                .filter_map(|seat| seat.running.as_mut())
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

    fn event(&mut self, seat: usize, event: ThinkEvent) {
        let Some(seat) = self.seats.get_mut(seat) else {
            return;
        };
        match event {
            ThinkEvent::Report(report) => {
                if let Some(running) = seat.running.as_mut().filter(|running| !running.stopped) {
                    running.task.report(report);
                    running.task.tell(Event::Info(running.task.snapshot()));
                }
            }
            ThinkEvent::Done(outcome) => {
                if let Some(running) = seat.running.take() {
                    self.done(running, *outcome);
                }
            }
            ThinkEvent::Failed(why) => {
                if let Some(running) = seat.running.take() {
                    running.task.tell(Event::Failed(why));
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

/// Tells what a search has found.
fn finish(task: &Task, best: Option<damier_rules::Move>) {
    task.tell(Event::Best(best, task.snapshot()));
}

/// What an engine is to do for a task now, while so many others wait for a move, for each engine.
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
            level.move_time = Some((time / (1.0 + others)).max(LEAST.min(time)));
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
        // Judges have these.
        Work::Annotate { nodes, .. } => Job::new(game, Level::nodes(*nodes)),
    }
}
