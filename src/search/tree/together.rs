//! Nodes that several threads search at the same time: simplified ABDADA (Weill 1996, Kerrigan).
//!
//! All threads go the same way through the tree. A later move of a node that another thread is at is put off until the
//! others are searched; by then its value is often in the table. When a thread decides a node, those below it learn it
//! from the table and go on above.

use super::node::{Best, Mode, Plan};
use super::position::Node;
use super::worker::{Halt, NO_REPETITION, OpenNode, Worker};
use crate::eval::{Evaluator, Score};
use crate::rules::{Move, MoveList};
use crate::search::Depth;
use crate::search::driver::Window;
use crate::search::params::TableUse;
use crate::search::table::{TtEntry, TtMove, cut_by};
use crate::search::team::Job;
use smallvec::SmallVec;

impl<E: Evaluator> Worker<'_, E> {
    /// Whether a node of this depth is shared with other threads.
    #[inline(always)]
    pub(super) fn shares(&self, depth: Depth) -> bool {
        self.epoch.is_some() && depth >= self.shared.params.team_share_depth
    }

    /// The value of a node that is shared: by its moves, or from another thread if that has it first.
    ///
    /// Not inlined, as nothing here is: a thread that searches alone would pay for it.
    #[inline(never)]
    pub(super) fn expand_openly(
        &mut self,
        node: &Node,
        window: Window,
        depth: Depth,
        mode: Mode,
        tt_move: TtMove,
        entry: Option<TtEntry>,
    ) -> Result<Score, Halt> {
        self.open.push(OpenNode {
            key: node.key,
            ply: node.ply,
            window,
            depth,
        });
        let result = self.expand(node, window, depth, mode, tt_move, entry);
        self.open.pop();
        match result {
            Err(Halt::Decided) if self.decided.0 == self.open.len() => {
                self.path_ply = NO_REPETITION;
                Ok(self.decided.1)
            }
            other => other,
        }
    }

    /// The value of an open node, if the table has it by now.
    fn look_up(&self, open: &OpenNode) -> Option<Score> {
        let usage = self.shared.params.table;
        if usage == TableUse::Off {
            return None;
        }
        let entry = self.shared.table.probe(open.key)?;
        cut_by(entry, open.ply, open.window, open.depth, usage)
    }

    /// Whether another thread has decided one of the open nodes; then the search goes on above the highest.
    pub(super) fn look_up_open_nodes(&mut self) -> Result<(), Halt> {
        // All lines are asked for at once: another thread may have written to any of them.
        for open in &self.open {
            self.shared.table.prefetch(open.key);
        }
        let mut nodes = self.open.iter().enumerate();
        let decided = nodes.find_map(|(at, open)| Some((at, self.look_up(open)?)));
        self.halt_at(decided)
    }

    /// The same for the last open node alone.
    fn look_up_last(&mut self) -> Result<(), Halt> {
        let last = self.open.last().and_then(|open| self.look_up(open));
        self.halt_at(last.map(|score| (self.open.len() - 1, score)))
    }

    fn halt_at(&mut self, decided: Option<(usize, Score)>) -> Result<(), Halt> {
        match decided {
            Some(decided) => {
                self.decided = decided;
                Err(Halt::Decided)
            }
            None => Ok(()),
        }
    }

    /// Searches the moves of an open node. The first move is searched by all threads together, because its value
    /// decides most about the others; each of these by one thread, as far as they know of each other.
    #[inline(never)]
    pub(super) fn try_moves_together(
        &mut self,
        node: &Node,
        moves: &MoveList,
        plan: Plan,
    ) -> Result<Best, Halt> {
        let mut best = Best::none(plan.window);
        let mut tried: SmallVec<[Move; 32]> = SmallVec::new();
        let mut put_off: SmallVec<[u16; 32]> = SmallVec::new();
        for (index, &mv) in moves.iter().enumerate() {
            let child = node.child(mv);
            let job = (index > 0).then(|| Job::new(child.key, plan.next_depth, plan.window.beta));
            if job.is_some_and(|job| self.shared.team.busy.contains(job)) {
                put_off.push(index as u16);
                continue;
            }
            if self.try_job(node, &child, mv, index, &plan, &mut best, job)? {
                self.reward(node, mv, &tried, plan.depth);
                return Ok(best);
            }
            tried.push(mv);
        }
        for index in put_off {
            self.look_up_last()?;
            let index = usize::from(index);
            let mv = moves[index];
            let child = node.child(mv);
            let job = Job::new(child.key, plan.next_depth, plan.window.beta);
            if self.try_job(node, &child, mv, index, &plan, &mut best, Some(job))? {
                self.reward(node, mv, &tried, plan.depth);
                return Ok(best);
            }
            tried.push(mv);
        }
        Ok(best)
    }

    /// Searches a move while other threads see that this one is at it.
    #[expect(
        clippy::too_many_arguments,
        reason = "a move, its place and what becomes of it"
    )]
    fn try_job(
        &mut self,
        node: &Node,
        child: &Node,
        mv: Move,
        index: usize,
        plan: &Plan,
        best: &mut Best,
        job: Option<Job>,
    ) -> Result<bool, Halt> {
        let busy = self.shared.team.busy;
        job.into_iter().for_each(|job| busy.begin(job));
        let failed_high = self.try_child(node, child, mv, index, plan, best);
        job.into_iter().for_each(|job| busy.end(job));
        failed_high
    }
}
