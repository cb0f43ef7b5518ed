//! Iterative deepening: the lead of a search deepens, its helpers search the passes that it publishes.

mod lines;
mod pv;
mod root_position;

pub(super) use root_position::RootPosition;

use super::clock::{Budget, ClockMemory, Stability};
use super::driver::{Aim, Iteration, RootMoves, Steps};
use super::ordering::History;
use super::reporter::Reporter;
use super::team::{Epoch, LEAD, Team};
use super::tree::{SearchContext, SearchRoot, Worker};
use super::{
    Depth, Detections, Driver, IterationTime, MAX_DEPTH, Observer, Outcome, Report, Request,
    Stopped,
};
use crate::eval::{Evaluator, Score};
use damier_endgame::{Advice, Value, View};
use damier_os::cpus;
use damier_rules::Move;
use lines::{RootLine, RootResults};
use root_position::{Advised, is_advice_used};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// What the threads of one search share above the tree.
pub(super) struct Iterations<'a> {
    pub request: &'a Request<'a>,
    pub root: &'a RootPosition,
    pub driver: Driver,
    pub budget: Option<Budget>,
    /// Time after which the search stops, finished or not.
    pub hard: Option<Duration>,
    pub began: Instant,
}

/// Takes a helper out of the team when dropped, also in a panic.
struct Leave<'t, 'a>(&'t Team<'a>, usize);

impl Drop for Leave<'_, '_> {
    fn drop(&mut self) {
        self.0.leave(self.1);
    }
}

impl Iterations<'_> {
    fn last_depth(&self) -> Depth {
        self.request
            .limits
            .depth
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH)
    }

    /// The lead of the threads: iterates, reports, decides.
    pub fn lead<'a, E: Evaluator>(
        &self,
        shared: &'a SearchContext<'a, E>,
        history: &'a mut History,
        memory: &mut ClockMemory,
        observer: &'a mut dyn Observer,
    ) -> Outcome {
        let mut worker = Worker::new(shared, history, self.request.game.keys(), LEAD);
        worker.reporter = Some(Reporter::new(observer, self.began));
        let mut moves = self.root.moves.clone();
        let mut found = RootResults::new(self.root.advised);
        found.whole = Score::loss_in(0);
        if let Some(mv) = moves.first() {
            found.whole = worker.evaluate(&self.root.node.state);
            found.lines.push(RootLine {
                mv,
                score: found.whole,
                depth: 0,
                pv: self.pv(&worker, mv, 0, &found),
            });
            self.iterate(&mut worker, &mut moves, &mut found, memory);
        }
        found.stats.nodes = worker.all_nodes();
        found.stats.own_nodes = worker.counters.nodes;
        found.stats.probes = worker.counters.probes + shared.helper_probes.load(Relaxed);
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
            found.stats.detections.count,
            found.stats.detections.decisive
        );
        Outcome {
            best: found.best(),
            ponder: report.pv.get(1).copied(),
            report,
            lines,
            whole: found.whole,
            stats: found.stats,
            timing: found.timing,
        }
    }

    fn iterate<E: Evaluator>(
        &self,
        worker: &mut Worker<E>,
        moves: &mut RootMoves,
        found: &mut RootResults,
        memory: &mut ClockMemory,
    ) {
        let params = worker.shared.params;
        let mut stability = Stability::default();
        let mut costs = [Duration::ZERO; 2];
        let mut predicted = None;
        found.timing.target = self.budget.map(|budget| budget.target);
        for depth in 1..=self.last_depth() {
            self.advise(worker, moves, found);
            let start = self.began.elapsed();
            let before = found.best();
            let result = self.all_lines(worker, moves, found, depth);
            let cost = self.began.elapsed().saturating_sub(start);
            // What a depth costs is learned only where the search's own clock decides, and only where there is a
            // choice.
            let timed = self.budget.is_some() && !self.request.analyze && moves.len() > 1;
            if self.budget.is_some() {
                found.timing.iterations.push(IterationTime {
                    depth: depth as u32,
                    predicted,
                    cost,
                    finished: result.is_ok(),
                    changed: found.best() != before,
                });
            }
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
            predicted = Some(next);
            if self.is_enough(worker, found, moves, &stability, next) {
                return;
            }
        }
    }

    /// Searches to a depth for the best move, then without it for the second one, and so on. Lines found before an
    /// interruption count. Returns whether a whole iteration was inconsistent.
    fn all_lines<E: Evaluator>(
        &self,
        worker: &mut Worker<E>,
        moves: &mut RootMoves,
        found: &mut RootResults,
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
                found.lines.truncate(wanted);
                self.salvage(worker, salvaged, found, depth);
                return Err(Stopped);
            };
            found.stats.passes += u64::from(iteration.passes);
            if rank == 0 {
                inconsistent = iteration.inconsistent;
            }
            found.guesses[rank].note(depth, iteration.score);
            if let Some(mv) = best {
                lines.push(RootLine {
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
        found.stats.detections.count += u64::from(inconsistent);
        found.stats.detections.decisive = inconsistent;
        Ok(inconsistent)
    }

    /// Probes the endgame tables again if they had no answer for the root, and drops the moves that do not keep the
    /// value.
    fn advise<E: Evaluator>(
        &self,
        worker: &Worker<E>,
        moves: &mut RootMoves,
        found: &mut RootResults,
    ) {
        let node = &self.root.node.state;
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
        // The score of another move does not apply to this one.
        let score = match (advice.certain, advice.ruled.value, advice.ruled.distance) {
            (true, Value::Win, Some(plies)) => Score::win_in(plies),
            (true, Value::Loss, Some(plies)) => Score::loss_in(plies),
            (true, Value::Draw, _) => Score::DRAW,
            _ => last.score,
        };
        let pv = self.pv(worker, mv, last.depth, found);
        found.lines.push(RootLine {
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
        // An iteration begun on the opponent's time is a deep one: when the clock starts in the middle of it, it has
        // the target to finish, not all that a move may take. With one move there is nothing to finish.
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
            passes: 0,
            worker,
        };
        self.driver.search(
            &mut root,
            moves,
            Aim {
                depth,
                guess,
                steps,
            },
        )
    }

    /// The search for the best move was interrupted. Its result counts as far as it is sound: a move is played whose
    /// value is known to reach that of the last iteration, or to be the best there is.
    fn salvage<E: Evaluator>(
        &self,
        worker: &Worker<E>,
        settled: Option<(Move, Score)>,
        found: &mut RootResults,
        depth: Depth,
    ) {
        let (Some((mv, score)), Some(best)) = (settled, found.lines.first()) else {
            return;
        };
        // A bound below what is known already says nothing new; nor does one of several lines, which are all exact.
        if best.mv == mv && score <= best.score || self.request.lines > 1 {
            return;
        }
        if best.mv != mv {
            found.stats.detections.decisive = false;
        }
        let pv = self.pv(worker, mv, depth, found);
        let line = RootLine {
            mv,
            score,
            depth,
            pv,
        };
        found.keep(vec![line], depth);
        // The previous best move is no second line where one is asked for.
        found.lines.truncate(1);
    }

    /// Whether to end before any limit forces it.
    fn is_enough<E: Evaluator>(
        &self,
        worker: &Worker<E>,
        found: &RootResults,
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
        // A limit of depth or nodes is reached exactly, unless a clock runs as well.
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

    /// A helper: searches the passes that the lead publishes.
    pub fn help<E: Evaluator>(
        &self,
        shared: &SearchContext<E>,
        history: &mut History,
        thread: usize,
    ) {
        let team = &shared.team;
        let _leave = Leave(team, thread);
        cpus::stay_near_memory(thread);
        let mut worker = Worker::new(shared, history, self.request.game.keys(), thread);
        let mut last = Epoch::default();
        while let Some((epoch, mut pass)) = team.next_pass(last) {
            last = epoch;
            let _joined = team.join(thread);
            if !team.is_open(epoch) {
                continue;
            }
            worker.history.copy_from(&pass.history);
            let mut root = SearchRoot {
                node: self.root.node,
                passes: 0,
                worker: &mut worker,
            };
            // The lead handles every way that a pass ends.
            let _ = match team.ahead(&pass, thread, shared.params) {
                Some(window) => root.look_ahead(epoch, &pass, window),
                None => Ok(()),
            }
            .and_then(|()| root.search_together(epoch, &mut pass));
            team.note_nodes(thread, worker.counters.nodes);
        }
        shared
            .helper_probes
            .fetch_add(worker.counters.probes, Relaxed);
    }

    /// The line that begins with a move of the root.
    fn pv<E: Evaluator>(
        &self,
        worker: &Worker<E>,
        mv: Move,
        depth: Depth,
        found: &RootResults,
    ) -> Vec<Move> {
        let node = &self.root.node.state;
        let length = depth.max(1) as usize;
        let mut line = pv::line(worker.shared.table, &node.position, node.clock, mv, length);
        // In a game the line is not worth the time.
        let wanted = self.request.analyze || found.advised == Advised::Exactly;
        if let Some(tables) = worker.shared.tables.as_ref().filter(|_| wanted) {
            pv::extend(tables, &node.position, node.clock, &mut line);
        }
        line
    }

    fn report<E: Evaluator>(&self, worker: &mut Worker<E>, found: &RootResults) {
        let lines = self.reports(worker, found);
        if let Some(reporter) = &mut worker.reporter {
            reporter.report(lines);
        }
    }

    fn reports<E: Evaluator>(&self, worker: &Worker<E>, found: &RootResults) -> Vec<Report> {
        let (mean_depth, nodes) = (worker.counters.mean_depth(), worker.all_nodes());
        let time = self.began.elapsed();
        let report = |(index, line): (usize, &RootLine)| Report {
            rank: index + 1,
            depth: line.depth as u32,
            mean_depth,
            score: line.score,
            nodes,
            time,
            pv: line.pv.clone(),
            wdl: None,
            detections: match index {
                0 => found.stats.detections,
                _ => Detections::default(),
            },
        };
        found.lines.iter().enumerate().map(report).collect()
    }
}
