//! Iterative deepening: what each thread of a search does.

use super::clock::{Budget, ClockMemory, Stability};
use super::driver::{Iteration, RootMoves, Steps};
use super::history::History;
use super::root::SearchRoot;
use super::table::Hint;
use super::worker::{Node, Shared, Worker};
use super::{
    Depth, Driver, MAX_DEPTH, Observer, Outcome, Report, Request, Stats, Stopped, Table, endgame,
    ordering, pv,
};
use crate::endgame::{Advice, Value, View};
use crate::eval::{Evaluator, Score};
use crate::rules::{DrawClock, Move};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The root position, with what of its past matters.
pub(super) struct Root {
    pub node: Node,
    moves: RootMoves,
    /// See [`Shared::stage`].
    pub stage: (u32, u32),
    /// Whether the endgame tables chose the moves, and whether they know the end to the ply.
    advised: Advised,
}

/// What endgame tables have said of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Advised {
    /// Nothing, or not yet.
    No,
    /// Which moves keep the value.
    Moves,
    /// The end to the ply as well.
    Exactly,
}

impl Advised {
    fn by(advice: &Advice) -> Advised {
        match advice.is_exact() {
            true => Advised::Exactly,
            false => Advised::Moves,
        }
    }
}

impl Root {
    pub fn new(request: &Request, table: &Table, history: &History, tables: Option<&View>) -> Root {
        let position = *request.game.position();
        // In a game already drawn by a count the players go on without that rule; so does the search.
        let clock = request.game.clock();
        let clock = if clock.verdict().is_some() {
            DrawClock::default()
        } else {
            clock
        };
        let node = Node::root(position, clock);
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
        let (mut stage, mut advised) = ((u32::MAX, 0), Advised::No);
        if let Some(tables) = tables.filter(|t| position.occupied().len() <= t.limit()) {
            // Also where they are not there yet: they may come while it searches.
            stage = endgame::stage(&position);
            let keys = request.game.keys();
            if let Some(advice) = Advice::in_game(tables, &position, &clock, keys) {
                let best: Vec<Move> = advice.best().collect();
                moves.retain(|mv| best.contains(mv));
                advised = Advised::by(&advice);
            } else {
                tables.request(&position);
            }
        }
        Root {
            node,
            moves: RootMoves::new(moves),
            stage,
            advised,
        }
    }
}

/// One search, as its threads see it.
pub(super) struct Job<'a> {
    pub request: &'a Request<'a>,
    pub root: &'a Root,
    pub driver: Driver,
    pub budget: Option<Budget>,
    /// After so much time the search stops, finished or not.
    pub hard: Option<Duration>,
    pub began: Instant,
}

/// What the main thread has found so far.
struct Found {
    best: Option<Move>,
    score: Score,
    /// The score of the last whole iteration.
    whole: Score,
    depth: Depth,
    stats: Stats,
    advised: Advised,
    /// Scores of the last two iterations, by parity of the depth.
    by_parity: [Option<Score>; 2],
}

impl Job<'_> {
    fn last_depth(&self) -> Depth {
        self.request
            .limits
            .depth
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH)
    }

    /// The main thread: iterates, reports, decides.
    pub fn lead<E: Evaluator>(
        &self,
        shared: &Shared<E>,
        history: &mut History,
        memory: &mut ClockMemory,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let mut worker = Worker::new(shared, history, self.request.game.keys(), true);
        let mut moves = self.root.moves.clone();
        let evaluation = worker.evaluate(&self.root.node);
        let mut found = Found {
            best: moves.first(),
            score: evaluation,
            whole: evaluation,
            depth: 0,
            stats: Stats::default(),
            advised: self.root.advised,
            by_parity: [None; 2],
        };
        if moves.is_empty() {
            found.score = Score::loss_in(0);
            found.whole = found.score;
        } else {
            self.iterate(&mut worker, &mut moves, &mut found, memory, observer);
        }
        found.stats.nodes = worker.all_nodes();
        found.stats.probes = worker.probes + shared.helper_probes.load(Relaxed);
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
            whole: found.whole,
            stats: found.stats,
        }
    }

    fn iterate<E: Evaluator>(
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
            self.advise(worker, moves, found);
            let start = self.began.elapsed();
            let result = self.iteration(worker, moves, found, depth);
            let cost = self.began.elapsed().saturating_sub(start);
            // Only what the search's own clock decided teaches what a depth costs, and only where there is a choice.
            let timed = self.budget.is_some() && !self.request.analyze && moves.len() > 1;
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

    /// Asks the endgame tables for what they could not tell before, and drops the moves that do not keep the value.
    fn advise<E: Evaluator>(&self, worker: &Worker<E>, moves: &mut RootMoves, found: &mut Found) {
        let node = &self.root.node;
        let few = |tables: &&View| node.position.occupied().len() <= tables.limit();
        let open = found.advised == Advised::No;
        let tables = worker.shared.tables.as_ref().filter(|_| open).filter(few);
        let keys = self.request.game.keys();
        let advice = tables.and_then(|t| Advice::in_game(t, &node.position, &node.clock, keys));
        let Some(advice) = advice else {
            return;
        };
        let best: Vec<Move> = advice.best().collect();
        let kept = moves.as_slice().iter().map(|root| root.mv);
        *moves = RootMoves::new(kept.filter(|mv| best.contains(mv)));
        found.advised = Advised::by(&advice);
        if found.best.is_none_or(|mv| !best.contains(&mv)) {
            // What was found of another move says nothing of this one.
            found.best = moves.first();
            found.score = match (advice.certain, advice.ruled.value, advice.ruled.distance) {
                (true, Value::Win, Some(plies)) => Score::win_in(plies),
                (true, Value::Loss, Some(plies)) => Score::loss_in(plies),
                (true, Value::Draw, _) => Score::DRAW,
                _ => found.score,
            };
        }
    }

    fn iteration<E: Evaluator>(
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
        // target to finish, not all that a move may take. With one move there is nothing to finish.
        worker.deadline = match self.budget {
            _ if depth > 1 && moves.len() == 1 && worker.shared.control.is_pondering() => {
                Some(Duration::ZERO)
            }
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
    fn salvage<E: Evaluator>(
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
        if found.advised == Advised::Exactly && !exact {
            return true;
        }
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
    pub fn help<E: Evaluator>(&self, shared: &Shared<E>, history: &mut History, index: usize) {
        let mut worker = Worker::new(shared, history, self.request.game.keys(), false);
        let mut moves = self.root.moves.clone();
        if moves.is_empty() {
            return;
        }
        let mut found = Found {
            best: None,
            score: Score::DRAW,
            whole: Score::DRAW,
            depth: 0,
            stats: Stats::default(),
            advised: self.root.advised,
            by_parity: [None; 2],
        };
        for depth in 1..=MAX_DEPTH {
            // Every other thread runs a ply ahead, so that threads do not all do the same.
            let ahead = (depth + (index % 2) as Depth).min(MAX_DEPTH);
            match self.iteration(&mut worker, &mut moves, &found, ahead) {
                Ok(iteration) => found.take(moves.first(), ahead, iteration),
                Err(Stopped) => break,
            }
        }
        shared.helper_probes.fetch_add(worker.probes, Relaxed);
    }

    fn report<E: Evaluator>(&self, worker: &Worker<E>, found: &Found) -> Report {
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
                let mut line = pv::line(table, &node.position, node.clock, mv, length);
                // In a game the line is not worth the time.
                let wanted = self.request.analyze || found.advised == Advised::Exactly;
                if let Some(tables) = worker.shared.tables.as_ref().filter(|_| wanted) {
                    pv::extend(tables, &node.position, node.clock, &mut line);
                }
                line
            }),
        }
    }
}

impl Found {
    fn take(&mut self, best: Option<Move>, depth: Depth, iteration: Iteration) {
        self.best = best;
        self.score = iteration.score;
        self.whole = iteration.score;
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
