//! Iterative deepening: a search from limits to outcome, on one thread or many.

use super::clock::{self, Budget, ClockMemory, Stability};
use super::driver::{Iteration, RootMoves, Steps};
use super::history::History;
use super::params::{Params, Reductions};
use super::root::SearchRoot;
use super::table::Hint;
use super::worker::{Node, Shared, Worker};
use super::{
    Control, Depth, Driver, Limits, MAX_DEPTH, Observer, Report, Stopped, Table, TableError,
    ordering, pv,
};
use crate::eval::{Evaluator, Score};
use crate::rules::{DrawClock, Game, Move};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Most threads of a search.
pub const MAX_THREADS: usize = 64;
/// Stack of a helper thread; the deepest path takes less than a third.
const STACK: usize = 4 << 20;
/// The largest table, as log2 of its entries, that is wiped before a search: 64 MiB, a few milliseconds.
const WIPED_SIZE: u32 = 22;

/// What to search.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The game up to the position to search.
    pub game: &'a Game,
    /// When to end.
    pub limits: Limits,
    /// Search on where a game would not need it: forced moves, settled choices.
    pub analyze: bool,
}

/// Counts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Iterations completed.
    pub iterations: u64,
    /// Passes of completed iterations.
    pub passes: u64,
    /// Iterations whose last pass failed low with a new first move (van Horssen's case 2).
    pub inconsistencies: u64,
    /// 1 when the last completed iteration was one of them: then the fix decides the move played.
    pub decisive: u64,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play. None when there is no legal move.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// What is known at the end.
    pub report: Report,
    /// Counts.
    pub stats: Stats,
}

/// Searches, and remembers from one search to the next.
pub struct Searcher<E> {
    evaluator: E,
    table: Table,
    params: Params,
    reductions: Reductions,
    driver: Driver,
    memory: ClockMemory,
    histories: Vec<History>,
    /// Whether anything was searched since the table was new.
    used: bool,
}

impl<E: Evaluator> Searcher<E> {
    /// One thread, the default driver, and a table of `2^table_size` entries.
    pub fn new(evaluator: E, table_size: u32) -> Result<Searcher<E>, TableError> {
        Ok(Searcher {
            evaluator,
            table: Table::new(table_size)?,
            reductions: Reductions::usual().clone(),
            params: Params::default(),
            driver: Driver::default(),
            memory: ClockMemory::default(),
            histories: vec![History::default()],
            used: false,
        })
    }

    /// Chooses the driver.
    pub fn set_driver(&mut self, driver: Driver) {
        self.driver = driver;
    }

    /// Chooses the tunables.
    pub fn set_params(&mut self, params: Params) {
        self.reductions = Reductions::new(&params);
        self.params = params;
    }

    /// Chooses the number of threads, 1 to [`MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        self.histories
            .resize_with(threads.clamp(1, MAX_THREADS), History::default);
    }

    /// Replaces the table by an empty one. Where there is no memory for it the old one stays.
    pub fn resize(&mut self, table_size: u32) -> Result<(), TableError> {
        if table_size.max(Table::MIN_SIZE) != self.table.size() {
            self.table = Table::new(table_size)?;
        }
        Ok(())
    }

    /// Forgets everything learned. Takes no time, however large the table.
    pub fn new_game(&mut self) {
        if !std::mem::take(&mut self.used) {
            return;
        }
        self.clear_table();
        self.memory = ClockMemory::default();
        self.histories
            .iter_mut()
            .for_each(|history| *history = History::default());
    }

    /// Replaces the table by an empty one of its size, which is had at once where clearing gigabytes is not.
    fn renew_table(&mut self) {
        match Table::new(self.table.size()) {
            Ok(table) => self.table = table,
            Err(_) => self.table.clear(),
        }
    }

    /// Empties the table. A small one is wiped, so that none of its pages has to be had again while the next search runs;
    /// a large one is replaced: nothing could stop the wiping.
    fn clear_table(&mut self) {
        if self.table.size() <= WIPED_SIZE {
            self.table.clear();
        } else {
            self.renew_table();
        }
    }

    /// The table, for statistics.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Searches until a limit is reached or `control` says stop. The result of one thread with a limit of depth or nodes
    /// depends only on the searches since [`Searcher::new_game`].
    pub fn search(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.used = true;
        if self.driver == Driver::MtdfClear {
            let began = Instant::now();
            self.clear_table();
            control.delay(began.elapsed());
        }
        let began = Instant::now();
        self.table.next_age();
        self.histories.iter_mut().for_each(History::age);
        let root = Root::new(request, &self.evaluator, &self.table, &self.histories[0]);
        let budget = request
            .limits
            .clock
            .map(|clock| clock.budget(root.node.position.occupied().len()));
        let move_time = request.limits.move_time.map(clock::exact);
        let hard = [budget.map(|b| b.hard), move_time]
            .into_iter()
            .flatten()
            .min();
        let shared = Shared {
            table: &self.table,
            evaluator: &self.evaluator,
            params: &self.params,
            reductions: &self.reductions,
            control,
            budget: AtomicU64::new(request.limits.nodes.unwrap_or(u64::MAX)),
            finished: AtomicBool::new(false),
            helper_nodes: AtomicU64::new(0),
        };
        let job = Job {
            request,
            root: &root,
            driver: self.driver,
            budget,
            hard,
            began,
        };
        let (main, helpers) = self
            .histories
            .split_first_mut()
            .unwrap_or_else(|| unreachable!("at least one"));
        std::thread::scope(|scope| {
            let (shared, job) = (&shared, &job);
            for (index, history) in helpers.iter_mut().enumerate() {
                let run = move || job.help(shared, history, index + 1);
                let spawned = std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, run);
                if let Err(error) = spawned {
                    log::warn!("thread {} of {}: {error}", index + 2, index + 2);
                }
            }
            // Also when an observer panics: the scope waits for the helpers.
            let _finish = Finish(&shared.finished);
            job.lead(shared, main, &mut self.memory, observer)
        })
    }
}

/// Sends the helpers home when it goes out of scope.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The root position, with what of its past matters.
struct Root<S> {
    node: Node<S>,
    moves: RootMoves,
}

impl<S: Copy> Root<S> {
    fn new<E: Evaluator<State = S>>(
        request: &Request,
        evaluator: &E,
        table: &Table,
        history: &History,
    ) -> Root<S> {
        let position = *request.game.position();
        // In a game already drawn by a count the players go on without that rule; so does the search.
        let clock = request.game.clock();
        let clock = if clock.verdict().is_some() {
            DrawClock::default()
        } else {
            clock
        };
        let node = Node::root(evaluator, position, clock);
        let hint = table.probe(node.key).map_or(Hint::NONE, |entry| entry.hint);
        let mut moves = position.legal_moves();
        ordering::sort(
            &mut moves,
            &position,
            &ordering::Context {
                history,
                hint,
                ply: 0,
                previous: None,
            },
        );
        Root {
            node,
            moves: RootMoves::new(moves),
        }
    }
}

/// One search, as its threads see it.
struct Job<'a, S> {
    request: &'a Request<'a>,
    root: &'a Root<S>,
    driver: Driver,
    budget: Option<Budget>,
    /// After so much time the search stops, finished or not.
    hard: Option<Duration>,
    began: Instant,
}

/// What the main thread has found so far.
struct Found {
    best: Option<Move>,
    score: Score,
    depth: Depth,
    stats: Stats,
    /// Scores of the last two iterations, by parity of the depth.
    by_parity: [Option<Score>; 2],
}

impl<S: Copy + Send + Sync> Job<'_, S> {
    fn last_depth(&self) -> Depth {
        self.request
            .limits
            .depth
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH)
    }

    /// The main thread: iterates, reports, decides.
    fn lead<E: Evaluator<State = S>>(
        &self,
        shared: &Shared<E>,
        history: &mut History,
        memory: &mut ClockMemory,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let mut worker = Worker::new(shared, history, self.request.game.keys(), true);
        let mut moves = self.root.moves.clone();
        let mut found = Found {
            best: moves.first(),
            score: worker.evaluate(&self.root.node),
            depth: 0,
            stats: Stats::default(),
            by_parity: [None; 2],
        };
        if moves.is_empty() {
            found.score = Score::loss_in(0);
        } else {
            self.iterate(&mut worker, &mut moves, &mut found, memory, observer);
        }
        found.stats.nodes = worker.all_nodes();
        let report = self.report(&worker, &found);
        log::debug!(
            "search {}: depth {} score {} nodes {} passes {} inconsistencies {} decisive {}",
            self.driver,
            found.depth,
            found.score,
            found.stats.nodes,
            found.stats.passes,
            found.stats.inconsistencies,
            found.stats.decisive
        );
        Outcome {
            best: found.best,
            ponder: report.pv.get(1).copied(),
            report,
            stats: found.stats,
        }
    }

    fn iterate<E: Evaluator<State = S>>(
        &self,
        worker: &mut Worker<E>,
        moves: &mut RootMoves,
        found: &mut Found,
        memory: &mut ClockMemory,
        observer: &mut dyn Observer,
    ) {
        let mut stability = Stability::default();
        let mut costs = [Duration::ZERO; 2];
        for depth in 1..=self.last_depth() {
            let start = self.began.elapsed();
            let result = self.iteration(worker, moves, found, depth);
            let cost = self.began.elapsed().saturating_sub(start);
            // Only what the search's own clock decided teaches what a depth costs.
            let timed = self.budget.is_some() && !self.request.analyze;
            let Ok(iteration) = result else {
                if timed && !worker.shared.control.is_stopped() {
                    memory.failed(depth, cost);
                }
                self.salvage(worker, moves, found, depth, observer);
                return;
            };
            if timed {
                memory.completed(depth, cost);
            }
            let changed = found.best != moves.first() && depth > 1;
            found.take(moves.first(), depth, iteration);
            observer.report(&self.report(worker, found));
            stability.note(found.score, changed, iteration.inconsistent);
            costs = [cost, costs[0]];
            let next = memory.predict(depth + 1, costs[0], costs[1]);
            if self.is_enough(worker, found, moves, &stability, next) {
                return;
            }
        }
    }

    fn iteration<E: Evaluator<State = S>>(
        &self,
        worker: &mut Worker<E>,
        moves: &mut RootMoves,
        found: &Found,
        depth: Depth,
    ) -> Result<Iteration, Stopped> {
        let params = worker.shared.params;
        let steps = Steps {
            grain: params.grain,
            aspiration: params.aspiration,
        };
        worker.nominal_depth = depth as u32;
        // An iteration begun on the opponent's time is a deep one: when the clock starts in the middle of it, it has the
        // target to finish, not all that a move may take.
        worker.deadline = match self.budget {
            Some(budget) if worker.shared.control.is_pondering() => {
                self.hard.min(Some(budget.target))
            }
            _ => self.hard,
        };
        moves.take_settled();
        let mut root = SearchRoot {
            node: self.root.node,
            worker,
        };
        self.driver.search(
            &mut root,
            moves,
            found.guess(depth, params.grain),
            depth,
            steps,
        )
    }

    /// The iteration was broken off. It counts as far as it is sound: a move whose value is known to reach what the last
    /// iteration found, or to be the best there is, is played.
    fn salvage<E: Evaluator<State = S>>(
        &self,
        worker: &Worker<E>,
        moves: &mut RootMoves,
        found: &mut Found,
        depth: Depth,
        observer: &mut dyn Observer,
    ) {
        let Some((mv, score)) = moves.take_settled() else {
            return;
        };
        let changed = found.best != Some(mv);
        if !changed && score <= found.score {
            // A bound below what is known already says nothing new.
            return;
        }
        found.best = Some(mv);
        found.score = score;
        found.depth = depth;
        if changed {
            observer.report(&self.report(worker, found));
        }
    }

    /// Whether to end before any limit forces it.
    fn is_enough<E: Evaluator>(
        &self,
        worker: &Worker<E>,
        found: &Found,
        moves: &RootMoves,
        stability: &Stability,
        next_cost: Duration,
    ) -> bool {
        let limits = &self.request.limits;
        let control = worker.shared.control;
        if self.request.analyze || control.is_pondering() {
            return false;
        }
        if moves.len() == 1 {
            return true;
        }
        // Who names a depth or a number of nodes wants it reached, unless a clock runs as well.
        let exact = limits.depth.is_some() || limits.nodes.is_some() || limits.is_unlimited();
        let proven = !exact
            && found
                .score
                .end_in()
                .is_some_and(|plies| found.depth as u32 > plies + 4);
        let settled = self
            .budget
            .is_some_and(|b| !stability.worth_another(&b, control.spent(), next_cost));
        proven || settled
    }

    /// A thread that helps by filling the table: it deepens on its own, from a depth of its own, until the main thread
    /// has finished.
    fn help<E: Evaluator<State = S>>(
        &self,
        shared: &Shared<E>,
        history: &mut History,
        index: usize,
    ) {
        let mut worker = Worker::new(shared, history, self.request.game.keys(), false);
        let mut moves = self.root.moves.clone();
        if moves.is_empty() {
            return;
        }
        let mut found = Found {
            best: None,
            score: Score::DRAW,
            depth: 0,
            stats: Stats::default(),
            by_parity: [None; 2],
        };
        for depth in 1..=MAX_DEPTH {
            // Every other thread runs a ply ahead, so that threads do not all do the same.
            let ahead = (depth + (index % 2) as Depth).min(MAX_DEPTH);
            match self.iteration(&mut worker, &mut moves, &found, ahead) {
                Ok(iteration) => found.take(moves.first(), ahead, iteration),
                Err(Stopped) => return,
            }
        }
    }

    fn report<E: Evaluator<State = S>>(&self, worker: &Worker<E>, found: &Found) -> Report {
        let node = &self.root.node;
        let table = worker.shared.table;
        let length = found.depth.max(1) as usize;
        Report {
            depth: found.depth as u32,
            mean_depth: worker.mean_depth(),
            score: found.score,
            nodes: worker.all_nodes(),
            time: self.began.elapsed(),
            pv: found.best.map_or(Vec::new(), |mv| {
                pv::line(table, &node.position, node.clock, mv, length)
            }),
        }
    }
}

impl Found {
    fn take(&mut self, best: Option<Move>, depth: Depth, iteration: Iteration) {
        self.best = best;
        self.score = iteration.score;
        self.depth = depth;
        self.by_parity[(depth % 2) as usize] = Some(iteration.score);
        self.stats.iterations += 1;
        self.stats.passes += u64::from(iteration.passes);
        self.stats.inconsistencies += u64::from(iteration.inconsistent);
        self.stats.decisive = u64::from(iteration.inconsistent);
    }

    /// The first guess at a depth: the last score, or the one of the same parity where odd and even depths differ.
    fn guess(&self, depth: Depth, grain: i32) -> Score {
        let same = self.by_parity[(depth % 2) as usize];
        let other = self.by_parity[((depth + 1) % 2) as usize];
        match (same, other) {
            (Some(same), Some(other)) if same.is_eval() && other.is_eval() => {
                let differ = (same.centimen() - other.centimen()).abs() > 2 * grain;
                if differ { same } else { other }
            }
            (_, Some(last)) => last,
            (Some(same), None) => same,
            (None, None) => Score::DRAW,
        }
    }
}
