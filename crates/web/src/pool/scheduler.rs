//! Assigns searches to engines: which is next, on which engine, and for how long.

use super::annotators::{AnnotationTask, Annotators};
use super::client::{ClientId, PoolCommand, Search, Work};
use super::mailbox::{Event, Mailbox, Snapshot};
use damier_analysis::meaning;
use damier_engine::eval::Wdl;
use damier_engine::search::{Outcome, Report};
use damier_engine::{Job, JobHandle, Level, Purpose, ThinkEvent, Thread};
use damier_rules::Move;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time slice of an analysis while others wait, and of a move to play while another one waits.
const SLICE: Duration = Duration::from_millis(500);
/// Time slice of an analysis while a move to play waits.
const SHORT_SLICE: Duration = Duration::from_millis(50);
/// Engine time after which a move to play is scheduled like an analysis.
const LONG_THINK: Duration = Duration::from_secs(4);
/// Waiting time after which an analysis comes before the moves to play.
const MAX_WAIT: Duration = Duration::from_secs(4);
/// Minimum interval between two such analyses on one engine.
const OVERDUE_INTERVAL: Duration = Duration::from_millis(200);
/// By how much moves to play may exceed their think time while others wait.
const LATENESS: Duration = Duration::from_millis(500);
/// Minimum time for a move to play, in seconds.
const MIN_TIME: f64 = 0.01;
/// The share of a clock that a move is taken to need, where others wait.
const CLOCK_SHARE: f64 = 0.05;

/// Nodes of the first search of an analysis, which has one line for each legal move.
const COUNT_NODES: u64 = 100_000;

/// A search and its state.
struct Task {
    client: ClientId,
    search: Search,
    mailbox: Arc<Mailbox>,
    /// When the request arrived.
    arrived: Instant,
    /// Start of its waiting time.
    since: Instant,
    /// Nodes of the finished time slices.
    nodes: u64,
    /// Time of the finished time slices.
    time: Duration,
    /// The move chosen in the last time slice.
    best: Option<Move>,
    /// The lines shown.
    lines: Vec<Report>,
    /// Whether the moves that hold the result were counted.
    counted: bool,
    /// Number of these moves.
    safe: Option<usize>,
}

impl Task {
    /// Whether it is a move to play that has not had [`LONG_THINK`] yet, with `now` in the current time slice.
    fn is_move(&self, now: Duration) -> bool {
        matches!(self.search.work, Work::Think { .. }) && self.time + now < LONG_THINK
    }

    /// The time until which a move is to be answered while others wait. None for an analysis.
    fn deadline(&self, longest: Duration) -> Option<Instant> {
        match &self.search.work {
            Work::Think { level, .. } => Some(self.arrived + think_time(level, longest) + LATENESS),
            _ => None,
        }
    }

    /// The best move so far.
    fn best(&self) -> Option<Move> {
        let first = || self.lines.first()?.pv.first().copied();
        self.best.or_else(first)
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

impl Running {
    fn is_move(&self) -> bool {
        self.task.is_move(self.began.elapsed())
    }

    /// Whether it ends soon.
    fn leaves(&self) -> bool {
        self.yields || self.stopped
    }
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
    /// In the order in which they began to wait.
    waiting: VecDeque<Task>,
    longest: Duration,
    /// When an analysis last came before the moves to play.
    overdue: Instant,
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
            overdue: Instant::now(),
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
            self.expire();
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
            arrived: Instant::now(),
            since: Instant::now(),
            nodes: 0,
            time: Duration::ZERO,
            best: None,
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
            finish(&task);
        }
        self.drop_searches(client);
    }

    /// Answers waiting moves whose time is over with the best move so far.
    fn expire(&mut self) {
        let (now, longest) = (Instant::now(), self.longest);
        self.waiting.retain(|task| {
            let is_over =
                task.deadline(longest).is_some_and(|at| at <= now) && task.best().is_some();
            if is_over {
                finish(task);
            }
            !is_over
        });
    }

    /// Starts waiting tasks on idle engines.
    fn dispatch(&mut self) {
        while self.slots.iter().any(|slot| slot.running.is_none()) {
            let Some(task) = self.choose().and_then(|place| self.waiting.remove(place)) else {
                return;
            };
            let idle = |slot: &&mut Slot| slot.running.is_none();
            let mut slots: Vec<&mut Slot> = self.slots.iter_mut().filter(idle).collect();
            let own = slots.iter().position(|slot| slot.last == task.client);
            let slot = slots.swap_remove(own.unwrap_or(0));
            let others = self
                .waiting
                .iter()
                .filter(|task| task.is_move(Duration::ZERO));
            let job = job(&task, self.longest, others.count() as f64 / self.engines);
            let now = Instant::now();
            slot.last = task.client;
            slot.running = Some(Running {
                handle: slot.thread.run(job, now),
                task,
                began: now,
                yields: false,
                stopped: false,
            });
        }
    }

    /// The next task: of the moves to play one that is late or the one that has had the least time, else the first. An
    /// analysis that has waited for [`MAX_WAIT`] comes before the moves, but not all the time.
    fn choose(&mut self) -> Option<usize> {
        let first = self.waiting.front()?;
        let moves = self.waiting.iter().enumerate();
        let moves = moves.filter(|(_, task)| task.is_move(Duration::ZERO));
        // One whose time is over still waits because it has no move yet.
        let now = Some(Instant::now());
        let urgency = |task: &Task| (task.deadline(self.longest) > now, task.time);
        let Some((next, _)) = moves.min_by_key(|(_, task)| urgency(task)) else {
            return Some(0);
        };
        let is_overdue = first.since.elapsed() > MAX_WAIT
            && self.overdue.elapsed() > OVERDUE_INTERVAL.div_f64(self.engines);
        if is_overdue {
            self.overdue = Instant::now();
            return Some(0);
        }
        Some(next)
    }

    /// Preempts searches for waiting tasks: analyses and long searches for a move soon, other moves for moves only.
    fn preempt(&mut self) {
        let moves = self
            .waiting
            .iter()
            .filter(|task| task.is_move(Duration::ZERO));
        let least = moves.clone().map(|task| task.time).min();
        let moves = moves.count();
        let running = self.slots.iter().filter_map(|slot| slot.running.as_ref());
        let free = running.filter(|running| running.leaves()).count();
        let mut wanted = self.waiting.len().saturating_sub(free);
        let mut wanted_moves = moves.saturating_sub(free);
        for (is_move, slice, for_moves) in [
            (false, SHORT_SLICE, true),
            (false, SLICE, false),
            (true, SLICE, true),
        ] {
            let slots = self.slots.iter_mut();
            for running in slots.filter_map(|slot| slot.running.as_mut()) {
                let most = if for_moves { wanted_moves } else { wanted };
                let ran = running.began.elapsed();
                let yields = running.is_move() == is_move
                    && !running.leaves()
                    && ran >= slice
                    // A move with less time would come next again.
                    && (!is_move || least.is_some_and(|least| least < running.task.time + ran));
                if yields && most > 0 {
                    running.yields = true;
                    running.handle.stop();
                    wanted = wanted.saturating_sub(1);
                    wanted_moves = wanted_moves.saturating_sub(1);
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
        // A slice that was not as deep as an earlier one has no say.
        let is_deep = |line: &Report| outcome.report.depth >= line.depth;
        if task.best.is_none() || task.lines.first().is_none_or(is_deep) {
            task.best = outcome.best;
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
        finish(&task);
    }
}

/// Sends the final result.
fn finish(task: &Task) {
    task.push(Event::Best(task.best(), task.snapshot()));
}

/// The time that a move to play asks for. On a clock it is an estimate.
fn think_time(level: &Level, longest: Duration) -> Duration {
    let clock = level
        .clock
        .map(|clock| clock.time * CLOCK_SHARE + clock.increment);
    let seconds = level.move_time.or(clock).unwrap_or(f64::INFINITY);
    Duration::try_from_secs_f64(seconds.max(0.0)).map_or(longest, |time| time.min(longest))
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
            let level = limits(task, *level, longest, others);
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

/// What is left of the limits of a move to play. While others wait, it is its share of the time until its deadline.
fn limits(task: &Task, mut level: Level, longest: Duration, others: f64) -> Level {
    let now = Instant::now();
    let rest = |time: Duration| time.saturating_sub(task.time).as_secs_f64();
    let until_deadline = task
        .deadline(longest)
        .map_or(longest, |at| at.saturating_duration_since(now));
    let share = until_deadline.as_secs_f64() / (1.0 + others);
    let is_shared = others > 0.0 || level.clock.is_none();
    let wanted = match level.move_time {
        Some(_) => rest(think_time(&level, longest)),
        None => rest(longest),
    };
    let time = if is_shared { wanted.min(share) } else { wanted };
    level.move_time = Some(time.max(MIN_TIME.min(wanted)));
    level.nodes = level
        .nodes
        .map(|nodes| nodes.saturating_sub(task.nodes).max(1));
    if let Some(clock) = &mut level.clock {
        // It runs while the task waits.
        clock.time = (clock.time - (now - task.arrived).as_secs_f64()).max(0.0);
    }
    level
}
