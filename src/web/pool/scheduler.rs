//! Who searches next, on which engine, and for how long.

use super::mailbox::{Event, Mailbox, Snapshot};
use super::{Command, LEAST, PATIENCE, PageId, SHORT_SLICE, SLICE, Search, Work};
use crate::engine::{Job, JobHandle, Level, Purpose, ThinkEvent, Thread};
use crate::rules::Game;
use crate::search::{Outcome, Report};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

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
    /// The position of a review that comes next: its number of moves.
    ply: usize,
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
        Snapshot {
            lines: self.lines.clone(),
            nodes: self.nodes + best.map_or(0, |line| line.nodes),
            time: self.time + best.map_or(Duration::ZERO, |line| line.time),
        }
    }

    /// Takes a report in. A search that goes on begins again with the first depth: until it is as deep as it was, what was
    /// shown stays.
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
    engines: f64,
    waiting: VecDeque<Task>,
    longest: Duration,
}

impl Scheduler {
    pub fn new(threads: Vec<Thread>, longest: Duration) -> Scheduler {
        let seat = |thread| Seat {
            thread,
            running: None,
            last: 0,
        };
        Scheduler {
            engines: threads.len().max(1) as f64,
            seats: threads.into_iter().map(seat).collect(),
            waiting: VecDeque::new(),
            longest,
        }
    }

    /// Serves until the pool goes.
    pub fn run(mut self, inbox: &Receiver<Command>) {
        loop {
            let command = match self.next_look() {
                Some(wait) => inbox.recv_timeout(wait),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match command {
                Ok(Command::Begin(page, search, mailbox)) => self.begin(page, *search, mailbox),
                Ok(Command::Stop(page)) => self.stop(page),
                Ok(Command::Event(seat, event)) => self.event(seat, event),
                Ok(Command::Quit) | Err(RecvTimeoutError::Disconnected) => return,
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
        self.waiting.push_back(Task {
            page,
            search,
            mailbox,
            since: Instant::now(),
            nodes: 0,
            time: Duration::ZERO,
            lines: Vec::new(),
            ply: 0,
        });
        self.dispatch();
        if let Some(place) = self.waiting.iter().position(|task| task.page == page) {
            self.waiting[place].tell(Event::Queued(place));
        }
    }

    /// Ends the searches of a page for good.
    fn drop_searches(&mut self, page: PageId) {
        self.waiting.retain(|task| task.page != page);
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
                    if !matches!(running.task.search.work, Work::Review { .. }) {
                        running.task.tell(Event::Info(running.task.snapshot()));
                    }
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
        if let Work::Review { .. } = task.search.work {
            match running.stopped {
                true => task.tell(Event::Reviewed),
                false => self.next_position(task, outcome),
            }
            return;
        }
        for line in outcome.lines {
            task.report(line);
        }
        if running.yields {
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

    /// Goes on with a review.
    fn next_position(&mut self, mut task: Task, outcome: Outcome) {
        let over = outcome.best.is_none();
        task.tell(Event::Evaluated(
            task.ply,
            (!over).then_some(outcome.report),
        ));
        if task.ply == task.search.game.moves().len() {
            task.tell(Event::Reviewed);
            return;
        }
        task.ply += 1;
        task.since = Instant::now();
        self.waiting.push_back(task);
    }
}

/// Tells what a search has found.
fn finish(task: &Task, best: Option<crate::rules::Move>) {
    match task.search.work {
        Work::Review { .. } => task.tell(Event::Reviewed),
        _ => task.tell(Event::Best(best, task.snapshot())),
    }
}

/// What an engine is to do for a task now, while so many others wait for a move, for each engine.
fn job(task: &Task, longest: Duration, others: f64) -> Job {
    let game = task.search.game.clone();
    let rest = longest.saturating_sub(task.time);
    match task.search.work {
        Work::Think { mut level, book } => {
            let most = longest.as_secs_f64();
            let time = level.move_time.unwrap_or(most).min(most);
            level.move_time = Some((time / (1.0 + others)).max(LEAST.min(time)));
            let job = Job::new(game, level);
            if book { job.with_book() } else { job }
        }
        Work::Analyse { lines } => {
            let job = Job::new(game, Level::move_time(rest)).with_purpose(Purpose::Analyse);
            job.with_lines(lines)
        }
        Work::Review { nodes } => {
            let level = Level {
                nodes: Some(nodes),
                move_time: Some(longest.as_secs_f64()),
                ..Level::INFINITE
            };
            Job::new(first_moves(&task.search.game, task.ply), level).with_purpose(Purpose::Measure)
        }
    }
}

/// A game up to a position.
fn first_moves(game: &Game, ply: usize) -> Game {
    let mut early = Game::new(*game.start());
    game.moves().iter().take(ply).for_each(|&mv| early.play(mv));
    early
}
