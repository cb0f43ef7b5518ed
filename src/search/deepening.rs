//! Iterative deepening: what each thread of a search does.

use super::clock::{Budget, ClockMemory, Stability};
use super::driver::{Iteration, RootMoves, Steps};
use super::history::History;
use super::params::Params;
use super::reporter::Reporter;
use super::root::SearchRoot;
use super::table::TtMove;
use super::worker::{Node, SearchContext, Worker};
use super::{
    Depth, Driver, MAX_DEPTH, Observer, Outcome, Report, Request, Stats, Stopped, Table, endgame,
    ordering, pv,
};
use crate::endgame::{Advice, Value, View};
use crate::eval::{Evaluator, Score};
use crate::rules::{DrawClock, Move};
use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The root position, with what of its past matters.
pub(super) struct RootPosition {
    pub node: Node,
    moves: RootMoves,
    /// See [`SearchContext::stage`].
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

impl RootPosition {
    pub fn new(
        request: &Request,
        table: &Table,
        params: &Params,
        history: &History,
        tables: Option<&View>,
    ) -> RootPosition {
        let position = *request.game.position();
        // In a game already drawn by a count the players go on without that rule; so does the search.
        let clock = request.game.clock();
        let clock = if clock.verdict().is_some() {
            DrawClock::default()
        } else {
            clock
        };
        let node = Node::root(position, clock);
        let tt_move = table
            .probe(node.key)
            .map_or(TtMove::NONE, |entry| entry.tt_move);
        let mut moves = position.legal_moves();
        moves.retain(|mv| !request.excluded.contains(mv));
        ordering::sort(
            &mut moves,
            &position,
            &ordering::Context {
                params,
                history,
                tt_move,
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
                if is_advice_used(request, &best, &moves) {
                    moves.retain(|mv| best.contains(mv));
                    advised = Advised::by(&advice);
                }
            } else {
                tables.request(&position);
            }
        }
        RootPosition {
            node,
            moves: RootMoves::new(moves),
            stage,
            advised,
        }
    }
}

/// Whether only the best moves of endgame tables are searched: not where more lines are asked for than there are such moves.
fn is_advice_used(request: &Request, best: &[Move], moves: &[Move]) -> bool {
    let known = moves.iter().filter(|mv| best.contains(mv)).count();
    known >= request.lines.clamp(1, moves.len().max(1))
}

/// One search, as its threads see it.
pub(super) struct Iterations<'a> {
    pub request: &'a Request<'a>,
    pub root: &'a RootPosition,
    pub driver: Driver,
    pub budget: Option<Budget>,
    /// After so much time the search stops, finished or not.
    pub hard: Option<Duration>,
    pub began: Instant,
}

/// One of the best moves of the root.
#[derive(Clone, Debug)]
struct Line {
    mv: Move,
    /// Its value at `depth`, exact.
    score: Score,
    depth: Depth,
    pv: Vec<Move>,
}

/// What the main thread has found so far.
struct Found {
    /// The best moves; none where there is no legal move.
    lines: Vec<Line>,
    /// First guesses of each line's searches.
    guesses: Vec<Guesses>,
    /// The score of the best line in the last whole iteration.
    whole: Score,
    /// The last iteration that was completed, or that changed the best move.
    depth: Depth,
    stats: Stats,
    advised: Advised,
}

/// Scores of the last two iterations, by the parity of the depth.
#[derive(Clone, Copy, Default)]
struct Guesses([Option<Score>; 2]);

impl Iterations<'_> {
    fn last_depth(&self) -> Depth {
        self.request
            .limits
            .depth
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH)
    }

    /// The main thread: iterates, reports, decides.
    pub fn lead<'a, E: Evaluator>(
        &self,
        shared: &'a SearchContext<'a, E>,
        history: &'a mut History,
        memory: &mut ClockMemory,
        observer: &'a mut dyn Observer,
    ) -> Outcome {
        let mut worker = Worker::new(shared, history, self.request.game.keys(), true);
        worker.reporter = Some(Reporter::new(observer, self.began));
        let mut moves = self.root.moves.clone();
        let mut found = Found::new(self.root.advised);
        found.whole = Score::loss_in(0);
        if let Some(mv) = moves.first() {
            found.whole = worker.evaluate(&self.root.node);
            found.lines.push(Line {
                mv,
                score: found.whole,
                depth: 0,
                pv: self.pv(&worker, mv, 0, &found),
            });
            self.iterate(&mut worker, &mut moves, &mut found, memory);
        }
        found.stats.nodes = worker.all_nodes();
        found.stats.probes = worker.probes + shared.helper_probes.load(Relaxed);
        let lines = self.reports(&worker, &found);
        let report = lines.first().cloned().unwrap_or_else(|| Report {
            score: found.whole,
            time: self.began.elapsed(),
            ..Report::default()
        });
        log::debug!(
            "search {}: depth {} score {} nodes {} passes {} inconsistencies {} decisive {}",
            self.driver,
            found.depth,
            report.score,
            found.stats.nodes,
            found.stats.passes,
            found.stats.inconsistencies,
            found.stats.decisive
        );
        Outcome {
            best: found.best(),
            ponder: report.pv.get(1).copied(),
            report,
            lines,
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
    ) {
        let params = worker.shared.params;
        let mut stability = Stability::default();
        let mut costs = [Duration::ZERO; 2];
        for depth in 1..=self.last_depth() {
            self.advise(worker, moves, found);
            let start = self.began.elapsed();
            let before = found.best();
            let result = self.all_lines(worker, moves, found, depth);
            let cost = self.began.elapsed().saturating_sub(start);
            // Only what the search's own clock decided teaches what a depth costs, and only where there is a choice.
            let timed = self.budget.is_some() && !self.request.analyze && moves.len() > 1;
            let Ok(inconsistent) = result else {
                if timed && !worker.shared.control.is_stopped() {
                    memory.failed(params, depth, cost);
                }
                if found.best() != before {
                    self.report(worker, found);
                }
                return;
            };
            if timed {
                memory.completed(depth, cost);
            }
            let changed = found.best() != before && depth > 1;
            self.report(worker, found);
            stability.note(params, found.whole, changed, inconsistent);
            costs = [cost, costs[0]];
            let next = memory.predict(params, depth + 1, costs[0], costs[1]);
            if self.is_enough(worker, found, moves, &stability, next) {
                return;
            }
        }
    }

    /// Searches to a depth for the best move, then without it for the second one, and so on. What an iteration that is broken
    /// off has found counts; says whether a whole one was inconsistent.
    fn all_lines<E: Evaluator>(
        &self,
        worker: &mut Worker<E>,
        moves: &mut RootMoves,
        found: &mut Found,
        depth: Depth,
    ) -> Result<bool, Stopped> {
        let wanted = self.request.lines.clamp(1, moves.len());
        let mut lines = Vec::with_capacity(wanted);
        let mut inconsistent = false;
        for rank in 0..wanted {
            let params = worker.shared.params;
            let parity_gap = params.guess_parity_grains * params.grain;
            let guess = found.guess(rank, depth, parity_gap);
            let mut rest = moves.split_off(rank);
            let result = self.iteration(worker, &mut rest, guess, depth);
            let salvaged = match result {
                Err(Stopped) if rank == 0 => rest.take_settled(),
                _ => None,
            };
            let best = rest.first();
            moves.append(rest);
            let Ok(iteration) = result else {
                found.keep(lines, depth);
                self.salvage(worker, salvaged, found, depth);
                return Err(Stopped);
            };
            found.stats.passes += u64::from(iteration.passes);
            if rank == 0 {
                inconsistent = iteration.inconsistent;
            }
            found.guesses[rank].note(depth, iteration.score);
            if let Some(mv) = best {
                lines.push(Line {
                    mv,
                    score: iteration.score,
                    depth,
                    pv: self.pv(worker, mv, depth, found),
                });
            }
        }
        found.keep(lines, depth);
        found.lines.truncate(wanted);
        found
            .lines
            .iter()
            .rev()
            .for_each(|line| moves.put_first(line.mv));
        found.whole = found.lines.first().map_or(found.whole, |line| line.score);
        found.stats.iterations += 1;
        found.stats.inconsistencies += u64::from(inconsistent);
        found.stats.decisive = u64::from(inconsistent);
        Ok(inconsistent)
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
        let all: Vec<Move> = moves.as_slice().iter().map(|root| root.mv).collect();
        if !is_advice_used(self.request, &best, &all) {
            return;
        }
        *moves = RootMoves::new(all.into_iter().filter(|mv| best.contains(mv)));
        found.advised = Advised::by(&advice);
        let last = found.lines.first().cloned();
        found.lines.retain(|line| best.contains(&line.mv));
        let (true, Some(mv), Some(last)) = (found.lines.is_empty(), moves.first(), last) else {
            return;
        };
        // What was found of another move says nothing of this one.
        let score = match (advice.certain, advice.ruled.value, advice.ruled.distance) {
            (true, Value::Win, Some(plies)) => Score::win_in(plies),
            (true, Value::Loss, Some(plies)) => Score::loss_in(plies),
            (true, Value::Draw, _) => Score::DRAW,
            _ => last.score,
        };
        let pv = self.pv(worker, mv, last.depth, found);
        found.lines.push(Line {
            mv,
            score,
            pv,
            ..last
        });
    }

    fn iteration<E: Evaluator>(
        &self,
        worker: &mut Worker<E>,
        moves: &mut RootMoves,
        guess: Score,
        depth: Depth,
    ) -> Result<Iteration, Stopped> {
        let params = worker.shared.params;
        let steps = Steps {
            grain: params.grain,
            aspiration: params.aspiration,
            aspiration_min_depth: params.aspiration_min_depth,
            aspiration_max: params.aspiration_max,
        };
        worker.extension_plies = (depth * params.extension_percent / 100) as u32;
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
        self.driver.search(&mut root, moves, guess, depth, steps)
    }

    /// The search for the best move was broken off. It counts as far as it is sound: a move whose value is known to reach what
    /// the last iteration found, or to be the best there is, is played.
    fn salvage<E: Evaluator>(
        &self,
        worker: &Worker<E>,
        settled: Option<(Move, Score)>,
        found: &mut Found,
        depth: Depth,
    ) {
        let (Some((mv, score)), Some(best)) = (settled, found.lines.first()) else {
            return;
        };
        // A bound below what is known already says nothing new; nor does one of several lines, which are all exact.
        if best.mv == mv && score <= best.score || self.request.lines > 1 {
            return;
        }
        let pv = self.pv(worker, mv, depth, found);
        let line = Line {
            mv,
            score,
            depth,
            pv,
        };
        found.keep(vec![line], depth);
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
        let (control, params) = (worker.shared.control, worker.shared.params);
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
        let score = found.lines.first().map_or(found.whole, |line| line.score);
        let proven = !exact
            && score
                .end_in()
                .is_some_and(|plies| found.depth as u32 > plies + params.proof_plies);
        let settled = self
            .budget
            .is_some_and(|b| !stability.worth_another(params, &b, control.spent(), next_cost));
        proven || settled
    }

    /// A thread that helps by filling the table: it deepens on its own, from a depth of its own, until the main thread
    /// has finished.
    pub fn help<E: Evaluator>(
        &self,
        shared: &SearchContext<E>,
        history: &mut History,
        index: usize,
    ) {
        let mut worker = Worker::new(shared, history, self.request.game.keys(), false);
        let mut moves = self.root.moves.clone();
        if moves.is_empty() {
            return;
        }
        let mut guesses = Guesses::default();
        for depth in 1..=MAX_DEPTH {
            // Every other thread runs a ply ahead, so that threads do not all do the same.
            let ahead = (depth + (index % 2) as Depth).min(MAX_DEPTH);
            let guess = guesses
                .at(ahead, shared.params.grain)
                .unwrap_or(Score::DRAW);
            match self.iteration(&mut worker, &mut moves, guess, ahead) {
                Ok(iteration) => guesses.note(ahead, iteration.score),
                Err(Stopped) => break,
            }
        }
        shared.helper_probes.fetch_add(worker.probes, Relaxed);
    }

    /// The line that begins with a move of the root.
    fn pv<E: Evaluator>(
        &self,
        worker: &Worker<E>,
        mv: Move,
        depth: Depth,
        found: &Found,
    ) -> Vec<Move> {
        let node = &self.root.node;
        let length = depth.max(1) as usize;
        let mut line = pv::line(worker.shared.table, &node.position, node.clock, mv, length);
        // In a game the line is not worth the time.
        let wanted = self.request.analyze || found.advised == Advised::Exactly;
        if let Some(tables) = worker.shared.tables.as_ref().filter(|_| wanted) {
            pv::extend(tables, &node.position, node.clock, &mut line);
        }
        line
    }

    fn report<E: Evaluator>(&self, worker: &mut Worker<E>, found: &Found) {
        let lines = self.reports(worker, found);
        if let Some(reporter) = &mut worker.reporter {
            reporter.report(lines);
        }
    }

    fn reports<E: Evaluator>(&self, worker: &Worker<E>, found: &Found) -> Vec<Report> {
        let (mean_depth, nodes) = (worker.mean_depth(), worker.all_nodes());
        let time = self.began.elapsed();
        let report = |(index, line): (usize, &Line)| Report {
            rank: index + 1,
            depth: line.depth as u32,
            mean_depth,
            score: line.score,
            nodes,
            time,
            pv: line.pv.clone(),
            wdl: None,
        };
        found.lines.iter().enumerate().map(report).collect()
    }
}

impl Found {
    fn new(advised: Advised) -> Found {
        Found {
            lines: Vec::new(),
            guesses: Vec::new(),
            whole: Score::DRAW,
            depth: 0,
            stats: Stats::default(),
            advised,
        }
    }

    fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }

    /// Puts lines found at a depth before the older ones, in the order of their scores. None of the other moves is worth
    /// more than the last of them, as its search has shown.
    fn keep(&mut self, mut lines: Vec<Line>, depth: Depth) {
        let Some(least) = lines.last().map(|line| line.score) else {
            return;
        };
        self.depth = depth;
        self.lines
            .retain(|old| lines.iter().all(|line| line.mv != old.mv));
        lines.sort_by_key(|line| Reverse(line.score));
        for old in &mut self.lines {
            old.score = old.score.min(least);
        }
        lines.append(&mut self.lines);
        self.lines = lines;
    }

    /// The first guess of a line's search: from its own past, or the score of the line before it.
    fn guess(&mut self, rank: usize, depth: Depth, parity_gap: i32) -> Score {
        self.guesses
            .resize(self.guesses.len().max(rank + 1), Guesses::default());
        let own = self.guesses[rank].at(depth, parity_gap);
        let before = || {
            rank.checked_sub(1)
                .and_then(|before| self.guesses[before].at(depth, parity_gap))
        };
        own.or_else(before).unwrap_or(Score::DRAW)
    }
}

impl Guesses {
    fn note(&mut self, depth: Depth, score: Score) {
        self.0[(depth % 2) as usize] = Some(score);
    }

    /// The last score, or the one of the same parity where odd and even depths differ. None before the first search.
    fn at(&self, depth: Depth, parity_gap: i32) -> Option<Score> {
        let same = self.0[(depth % 2) as usize];
        let other = self.0[((depth + 1) % 2) as usize];
        match (same, other) {
            (Some(same), Some(other)) if same.is_eval() && other.is_eval() => {
                let differ = (same.centimen() - other.centimen()).abs() > parity_gap;
                Some(if differ { same } else { other })
            }
            _ => other.or(same),
        }
    }
}
