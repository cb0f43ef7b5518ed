//! Nodes that several threads search at the same time: simplified ABDADA (Weill 1996, Kerrigan).
//!
//! All threads go the same way through the tree. A later move of a node that another thread is at is put off until the
//! others are searched; by then its value is often in the table. When a thread decides a node, those below it learn it
//! from the table and go on above.

use super::frame::Frame;
use super::node::Best;
use super::path::path_ply;
use super::position::Node;
use super::worker::{Decided, Halt, OpenNode, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::Depth;
use crate::search::params::TableUse;
use crate::search::table::{TtEntry, cut_by};
use crate::search::team::Job;
use damier_rules::{Key, Move, MoveList};
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
    pub(super) fn expand_shared(&mut self, frame: &mut Frame) -> Result<Score, Halt> {
        let node = frame.node;
        let open = OpenNode {
            key: node.key,
            path_key: self.path_key(node),
            ply: node.state.ply,
            window: frame.window,
            depth: frame.depth,
        };
        let for_path = open.path_key.and_then(|key| self.look_up_at(key));
        if let Some((score, path_ply)) = for_path.and_then(|entry| self.value(entry, &open)) {
            self.path_ply = path_ply;
            return Ok(score);
        }
        if let Some(entry) = for_path
            && frame.tt.tt_move.is_none()
        {
            frame.tt.tt_move = entry.tt_move;
        }
        self.open.push(open);
        let result = self.expand(frame);
        self.open.pop();
        match (result, self.decided) {
            (Err(Halt::Decided), Some(decided)) if decided.at == self.open.len() => {
                self.path_ply = decided.path_ply;
                Ok(decided.score)
            }
            (other, _) => other,
        }
    }

    pub(super) fn look_up_at(&self, key: Key) -> Option<TtEntry> {
        match self.shared.params.table {
            TableUse::Off => None,
            _ => self.shared.table.probe(key),
        }
    }

    /// The value that an entry gives an open node, and the ply that it depends on.
    fn value(&self, entry: TtEntry, open: &OpenNode) -> Option<(Score, u32)> {
        let usage = self.shared.params.table;
        let score = cut_by(entry, open.ply, open.window, open.depth, usage)?;
        Some((score, path_ply(open.ply, entry.back)))
    }

    /// The value of the open node with this number, if the table has it by now.
    fn look_up(&self, at: usize, open: &OpenNode) -> Option<Decided> {
        let value = |key| self.value(self.look_up_at(key)?, open);
        let (score, path_ply) = value(open.key).or_else(|| value(open.path_key?))?;
        Some(Decided {
            at,
            score,
            path_ply,
        })
    }

    /// Whether another thread has decided one of the open nodes; then the search goes on above the highest.
    pub(super) fn look_up_open_nodes(&mut self) -> Result<(), Halt> {
        // All lines are asked for at once: another thread may have written to any of them.
        for open in &self.open {
            self.shared.table.prefetch(open.key);
            if let Some(key) = open.path_key {
                self.shared.table.prefetch(key);
            }
        }
        let mut nodes = self.open.iter().enumerate();
        let decided = nodes.find_map(|(at, open)| self.look_up(at, open));
        self.halt_at(decided)
    }

    /// The same for the last open node alone.
    fn look_up_last(&mut self) -> Result<(), Halt> {
        let last = self.open.len() - 1;
        self.halt_at(self.look_up(last, &self.open[last]))
    }

    fn halt_at(&mut self, decided: Option<Decided>) -> Result<(), Halt> {
        self.decided = decided;
        match decided {
            Some(_) => Err(Halt::Decided),
            None => Ok(()),
        }
    }

    /// Searches the moves of an open node. The first move is searched by all threads together, because its value
    /// decides most about the others; each of these by one thread, as far as they know of each other.
    #[inline(never)]
    pub(super) fn try_moves_together(
        &mut self,
        frame: &Frame,
        moves: &MoveList,
    ) -> Result<Best, Halt> {
        let node = frame.node;
        let mut best = Best::none(frame.window);
        let mut tried: SmallVec<[Move; 32]> = SmallVec::new();
        let mut put_off: SmallVec<[u16; 32]> = SmallVec::new();
        let job_at = |key| Job::new(key, frame.next_depth, frame.window.beta);
        for (index, &mv) in moves.iter().enumerate() {
            let child = node.child(mv);
            // What is known of the next move, and who is at it, arrives while this one is searched.
            if let Some(&next) = moves.get(index + 1) {
                let key = node.likely_key(next);
                self.shared.table.prefetch(key);
                self.shared.team.busy.prefetch(job_at(key));
            }
            let job = (index > 0).then(|| job_at(child.key));
            if job.is_some_and(|job| self.shared.team.busy.contains(job)) {
                put_off.push(index as u16);
                continue;
            }
            if self.try_job(frame, &child, mv, index, &mut best, job)? {
                self.reward(frame, mv, &tried);
                return Ok(best);
            }
            tried.push(mv);
        }
        for index in put_off {
            self.look_up_last()?;
            let index = usize::from(index);
            let mv = moves[index];
            let child = node.child(mv);
            let job = Some(job_at(child.key));
            if self.try_job(frame, &child, mv, index, &mut best, job)? {
                self.reward(frame, mv, &tried);
                return Ok(best);
            }
            tried.push(mv);
        }
        Ok(best)
    }

    /// Searches a move while other threads see that this one is at it.
    fn try_job(
        &mut self,
        frame: &Frame,
        child: &Node,
        mv: Move,
        index: usize,
        best: &mut Best,
        job: Option<Job>,
    ) -> Result<bool, Halt> {
        let busy = self.shared.team.busy;
        if let Some(job) = job {
            busy.begin(job);
        }
        let failed_high = self.try_move(frame, child, mv, index, best);
        if let Some(job) = job {
            busy.end(job);
        }
        failed_high
    }
}
