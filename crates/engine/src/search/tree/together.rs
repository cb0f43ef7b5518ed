//! Nodes that several threads search at the same time: simplified ABDADA (Weill 1996, Kerrigan).
//!
//! All threads search the tree in the same order. A later move that another thread is searching is put off until the
//! other moves are searched; by then its value is often in the table. When a thread decides a node, the threads below
//! it find the value in the table and go on above.

use super::frame::Frame;
use super::node::Best;
use super::path::repetition_ply;
use super::position::Node;
use super::worker::{Halt, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::Depth;
use crate::search::driver::Window;
use crate::search::table::{TtEntry, cut_by};
use crate::search::team::{BusySearch, Epoch};
use damier_cpu::Cpu;
use damier_rules::{Key, Move};
use smallvec::SmallVec;

/// A node whose moves are being searched: what it takes to see in the table that its value is known.
#[derive(Clone, Copy)]
pub(super) struct OpenNode {
    pub key: Key,
    /// The key under which a path-dependent value of this node is kept.
    pub path_key: Option<Key>,
    pub ply: u32,
    pub window: Window,
    pub depth: Depth,
}

/// A value that another thread has found for an open node.
#[derive(Clone, Copy)]
pub(super) struct Decided {
    /// Number of the open node.
    pub at: usize,
    pub score: Score,
    /// As [`Path::repetition_ply`](super::path::Path).
    pub repetition_ply: u32,
}

/// The part of a thread in its team.
pub(in crate::search) struct Member {
    /// Number of the thread.
    pub thread: usize,
    /// The pass that is searched together with others; none while the thread searches alone.
    pub epoch: Option<Epoch>,
    /// Nodes above the present one that another thread may decide.
    pub(super) open: Vec<OpenNode>,
    /// Which of them is decided, and its value, after [`Halt::Decided`].
    pub(super) decided: Option<Decided>,
    /// Number of nodes at which the open ones are looked up.
    pub(super) next_look_up: u64,
}

impl Member {
    pub fn new(thread: usize) -> Member {
        Member {
            thread,
            epoch: None,
            open: Vec::new(),
            decided: None,
            next_look_up: 0,
        }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Whether a node of this depth is shared with other threads.
    #[inline(always)]
    pub(super) fn shares(&self, depth: Depth) -> bool {
        self.member.epoch.is_some() && depth >= self.shared.params.team_share_depth
    }

    /// The value of a node that is shared: by its moves, or from another thread if that has it first.
    ///
    /// Nothing here is inlined, so that a thread that searches alone does not pay for it.
    #[inline(never)]
    pub(super) fn expand_shared(&mut self, frame: &mut Frame) -> Result<Score, Halt> {
        let node = frame.node;
        let open = OpenNode {
            key: node.key,
            path_key: self.path.key_of(node),
            ply: node.state.ply,
            window: frame.window,
            depth: frame.depth,
        };
        let for_path = open.path_key.and_then(|key| self.shared.table.probe(key));
        if let Some((score, repetition_ply)) = for_path.and_then(|entry| self.value(entry, &open)) {
            self.path.repetition_ply = repetition_ply;
            return Ok(score);
        }
        if let Some(entry) = for_path
            && frame.tt.tt_move.is_none()
        {
            frame.tt.tt_move = entry.tt_move;
        }
        self.member.open.push(open);
        let result = self.cpu().run_apart(
            #[inline(always)]
            || self.expand(frame),
        );
        self.member.open.pop();
        match (result, self.member.decided) {
            (Err(Halt::Decided), Some(decided)) if decided.at == self.member.open.len() => {
                self.path.repetition_ply = decided.repetition_ply;
                Ok(decided.score)
            }
            (other, _) => other,
        }
    }

    /// The value that an entry gives an open node, and the ply that it depends on.
    fn value(&self, entry: TtEntry, open: &OpenNode) -> Option<(Score, u32)> {
        let usage = self.shared.params.table;
        let score = cut_by(entry, open.ply, open.window, open.depth, usage)?;
        Some((score, repetition_ply(open.ply, entry.back)))
    }

    /// The value of the open node with this number, if the table has it by now.
    fn look_up(&self, at: usize, open: &OpenNode) -> Option<Decided> {
        let value = |key| self.value(self.shared.table.probe(key)?, open);
        let (score, repetition_ply) = value(open.key).or_else(|| value(open.path_key?))?;
        Some(Decided {
            at,
            score,
            repetition_ply,
        })
    }

    /// Whether another thread has decided one of the open nodes; then the search goes on above the highest.
    pub(super) fn look_up_open_nodes(&mut self) -> Result<(), Halt> {
        // All lines are prefetched at once: another thread may have written to any of them.
        for open in &self.member.open {
            self.shared.table.prefetch(open.key);
            if let Some(key) = open.path_key {
                self.shared.table.prefetch(key);
            }
        }
        let mut nodes = self.member.open.iter().enumerate();
        let decided = nodes.find_map(|(at, open)| self.look_up(at, open));
        self.halt_at(decided)
    }

    /// Whether another thread has decided the last open node.
    fn look_up_last(&mut self) -> Result<(), Halt> {
        let last = self.member.open.len() - 1;
        self.halt_at(self.look_up(last, &self.member.open[last]))
    }

    fn halt_at(&mut self, decided: Option<Decided>) -> Result<(), Halt> {
        self.member.decided = decided;
        match decided {
            Some(_) => Err(Halt::Decided),
            None => Ok(()),
        }
    }

    /// Searches the moves of an open node. All threads search the first move together, because its value decides most
    /// about the others; each other move is searched by one thread, if the busy table shows it.
    #[inline(always)]
    pub(super) fn try_moves_together(
        &mut self,
        frame: &Frame,
        moves: &[Move],
    ) -> Result<Best, Halt> {
        let node = frame.node;
        let mut best = Best::none(frame.window);
        let mut tried: SmallVec<[Move; 32]> = SmallVec::new();
        let mut put_off: SmallVec<[u16; 32]> = SmallVec::new();
        let mark_at = |key| BusySearch::new(key, frame.next_depth, frame.window.beta);
        for (index, &mv) in moves.iter().enumerate() {
            let child = node.child(mv);
            // The entry of the next move and its row of the busy table arrive while this one is searched.
            if let Some(&next) = moves.get(index + 1) {
                let key = node.likely_key(next);
                self.shared.table.prefetch(key);
                self.shared.team.busy.prefetch(mark_at(key));
            }
            let mark = (index > 0).then(|| mark_at(child.key));
            if mark.is_some_and(|mark| self.shared.team.busy.contains(mark)) {
                put_off.push(index as u16);
                continue;
            }
            if self.try_marked(frame, &child, mv, index, &mut best, mark)? {
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
            let mark = Some(mark_at(child.key));
            if self.try_marked(frame, &child, mv, index, &mut best, mark)? {
                self.reward(frame, mv, &tried);
                return Ok(best);
            }
            tried.push(mv);
        }
        Ok(best)
    }

    /// Searches a move, entered in the busy table meanwhile.
    fn try_marked(
        &mut self,
        frame: &Frame,
        child: &Node,
        mv: Move,
        index: usize,
        best: &mut Best,
        mark: Option<BusySearch>,
    ) -> Result<bool, Halt> {
        let busy = self.shared.team.busy;
        if let Some(mark) = mark {
            busy.begin(mark);
        }
        let failed_high = self.try_move(frame, child, mv, index, best);
        if let Some(mark) = mark {
            busy.end(mark);
        }
        failed_high
    }
}
