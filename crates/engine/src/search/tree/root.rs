//! The root: its own move loop, which neither probes the table nor is cut by it.

use super::frame::Mode;
use super::position::Node;
use super::worker::{Halt, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::driver::{Root, RootMoves, Window};
use crate::search::team::{Answer, BusySearch, Epoch, Pass};
use crate::search::{Depth, PassReport, Stopped};
use damier_rules::Move;
use smallvec::SmallVec;
use std::sync::Arc;

/// The root of a search, as drivers see it.
pub(in crate::search) struct SearchRoot<'w, 'a, E: Evaluator> {
    pub worker: &'w mut Worker<'a, E>,
    pub node: Node,
    /// Passes made.
    pub passes: u32,
}

impl<E: Evaluator> Root for SearchRoot<'_, '_, E> {
    fn pass(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        let score = self.search_pass(moves, window, depth)?;
        if let Some(reporter) = &mut self.worker.reporter {
            let best = moves.as_slice().iter().find(|root| root.bound == score);
            reporter.pass(&PassReport {
                depth,
                window,
                score,
                first: best.map(|root| root.mv),
            });
        }
        Ok(score)
    }
}

impl<E: Evaluator> SearchRoot<'_, '_, E> {
    /// Searches a pass, together with the helpers if there are any and it is deep enough to be worth it.
    fn search_pass(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        let team = &self.worker.shared.team;
        if team.size() == 1 || depth < self.worker.shared.params.team_min_depth {
            return self.search(moves, window, depth).map_err(|_| Stopped);
        }
        let mut pass = Pass {
            moves: moves.clone(),
            history: Arc::new(self.worker.history.clone()),
            window,
            depth,
            extension_plies: self.worker.extension_plies,
            ahead: self.ahead(window),
        };
        self.passes += 1;
        let epoch = team.publish(pass.clone());
        match self.search_together(epoch, &mut pass) {
            Ok(()) | Err(Halt::Superseded) => {}
            Err(Halt::Stopped | Halt::Decided) => {
                // What was settled before the interruption counts.
                *moves = pass.moves;
                return Err(Stopped);
            }
        }
        let answer = team.take_answer().ok_or(Stopped)?;
        *moves = answer.moves;
        Ok(answer.score)
    }

    /// The windows that may follow the first pass: an iteration nearly always takes one more pass, with one of these
    /// two.
    fn ahead(&self, window: Window) -> Option<[Window; 2]> {
        let (gamma, grain) = (window.beta, self.worker.shared.params.grain);
        let is_first = self.passes == 0 && window.is_zero() && gamma.is_eval();
        is_first.then(|| [Window::zero(gamma + grain), Window::zero(gamma - grain)])
    }

    /// Searches a window that a later pass may have, for what that leaves in the table.
    pub fn look_ahead(&mut self, epoch: Epoch, pass: &Pass, window: Window) -> Result<(), Halt> {
        self.worker.member.epoch = Some(epoch);
        self.worker.extension_plies = pass.extension_plies;
        let result = self.search(&mut pass.moves.clone(), window, pass.depth);
        self.worker.member.epoch = None;
        result.map(|_| ())
    }

    /// Searches a pass that other threads search as well, and gives the answer if it is the first to have it.
    pub fn search_together(&mut self, epoch: Epoch, pass: &mut Pass) -> Result<(), Halt> {
        self.worker.member.epoch = Some(epoch);
        self.worker.extension_plies = pass.extension_plies;
        let result = self.search(&mut pass.moves, pass.window, pass.depth);
        self.worker.member.epoch = None;
        let answer = Answer {
            score: result?,
            moves: pass.moves.clone(),
        };
        self.worker.shared.team.answer(epoch, answer);
        Ok(())
    }

    /// One pass over the moves.
    fn search(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: Depth,
    ) -> Result<Score, Halt> {
        self.worker.enter()?;
        moves.begin_pass();
        let (mut alpha, mut best) = (window.alpha, -Score::INFINITE);
        let mut put_off: SmallVec<[usize; 32]> = SmallVec::new();
        let together = self.worker.member.epoch.is_some();
        let busy = self.worker.shared.team.busy;
        let mut next = 0;
        let mut order = 0..moves.len();
        loop {
            // First the moves in their order, then those that were put off.
            let (index, again) = match order.next() {
                Some(index) => (index, false),
                None if next < put_off.len() => (put_off[next], true),
                None => break,
            };
            next += usize::from(again);
            let mv = moves.as_slice()[index].mv;
            let child = self.node.child(mv);
            let mark =
                (together && index > 0).then(|| BusySearch::new(child.key, depth - 1, window.beta));
            if !again && mark.is_some_and(|mark| busy.contains(mark)) {
                put_off.push(index);
                continue;
            }
            if let Some(mark) = mark {
                busy.begin(mark);
            }
            let inner = Window {
                alpha,
                beta: window.beta,
            };
            let score = self.try_move(&child, mv, inner, depth - 1, index);
            if let Some(mark) = mark {
                busy.end(mark);
            }
            let score = score?;
            moves.set_bound(index, score);
            best = best.max(score);
            if score > alpha {
                alpha = score;
                if !window.is_zero() {
                    moves.settle(mv, score);
                }
            }
            if score >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    fn try_move(
        &mut self,
        child: &Node,
        mv: Move,
        window: Window,
        depth: Depth,
        index: usize,
    ) -> Result<Score, Halt> {
        let worker = &mut *self.worker;
        if index == 0 {
            return Ok(-worker.descend(child, window.turned(), depth, Mode::PRINCIPAL)?);
        }
        // Step 13 at the root: a later quiet move one ply less deep at first. Not measured apart.
        let params = worker.shared.params;
        let is_reduced = index >= params.root_lmr_first
            && depth + 1 >= params.root_lmr_min_depth
            && !mv.is_capture();
        let reduction = Depth::from(is_reduced);
        worker.scout(child, window, depth, reduction, Mode::OTHER)
    }
}
