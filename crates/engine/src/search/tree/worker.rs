//! A thread of a search: its path through the tree, its counts, its share of the limits.

use crate::eval::{Evaluator, Score};
use crate::search::driver::Window;
use crate::search::ordering::History;
use crate::search::params::{Params, Reductions};
use crate::search::reporter::Reporter;
use crate::search::team::{Epoch, LEAD, Team};
use crate::search::{Control, Depth, Tally, TranspositionTable};
use crossbeam_utils::CachePadded;
use damier_endgame::View;
use damier_rules::{DrawClock, Key};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Nodes that a thread takes from the common account at once; stop and clock are looked at as often.
const BATCH: u64 = 512;
/// The same of a thread that searches a pass together with others, which may make its work needless.
const TEAM_BATCH: u64 = 256;
/// A thread looks up its open nodes after so many nodes of all threads together: the more threads there are, the more
/// often another one decides a node. Each look-up costs a line of the cache that another thread may have written.
const LOOK_UP_INTERVAL: u64 = 512;
/// Nodes in a turn of threads that run in lock step, and the least between two look-ups.
const TURN: u64 = 64;

/// Why a search ends before it has a value. As large as a score, so that either is returned in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(in crate::search) enum Halt {
    /// Stopped from outside, or a limit is reached.
    Stopped,
    /// Another thread has finished the pass.
    Superseded,
    /// An open node has its value from another thread: the search goes on above it.
    Decided,
}

/// What the threads of one search share.
pub(in crate::search) struct SearchContext<'a, E> {
    pub table: &'a TranspositionTable,
    pub evaluator: &'a E,
    pub params: &'a Params,
    /// [`Params::is_fast_path`]; otherwise nodes are searched as `experimental.rs` says.
    pub fast_path: bool,
    pub reductions: &'a Reductions,
    pub control: &'a Control,
    /// Endgame tables; none where they are not to be used.
    pub tables: Option<View<'a>>,
    /// [`stage_of`](super::endgame::stage_of) of the root where it lies in the tables, above all others elsewhere.
    pub stage: (u32, u32),
    /// All threads.
    pub team: Team<'a>,
    /// Nodes left to all threads; `u64::MAX` without a limit. On a cache line of its own: it is written often, and the
    /// fields above are read at every node.
    pub budget: CachePadded<AtomicU64>,
    /// Positions that helpers found in the endgame tables, added when they end.
    pub helper_probes: AtomicU64,
}

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
    /// As [`Worker::path_ply`].
    pub path_ply: u32,
}

/// The value depends on no repetition, so not on the path that led to the position.
pub(in crate::search) const NO_REPETITION: u32 = u32::MAX;

/// One thread of a search.
pub(in crate::search) struct Worker<'a, E: Evaluator> {
    pub shared: &'a SearchContext<'a, E>,
    pub history: &'a mut History,
    /// What the evaluation keeps.
    pub scratch: E::Scratch,
    /// Keys of the game before the root, then of the path, the present position last.
    pub path: Vec<Key>,
    /// Where in `path` the root stands.
    pub root_index: usize,
    /// The smallest ply that the value just returned depends on through a repetition: a path-dependent value is not
    /// stored for other paths (graph history interaction). [`NO_REPETITION`] where there is none.
    pub path_ply: u32,
    /// Nodes this many plies from the root extend nothing more.
    pub extension_plies: u32,
    /// Number of the thread in the team.
    pub thread: usize,
    /// The pass that is searched together with others; none while the thread searches alone.
    pub epoch: Option<Epoch>,
    /// Nodes above the present one that another thread may decide.
    pub(super) open: Vec<OpenNode>,
    /// Which of them is decided, and its value, after [`Halt::Decided`].
    pub(super) decided: Option<Decided>,
    /// Number of nodes at which the open ones are looked up.
    next_look_up: u64,
    /// Of the lead.
    pub reporter: Option<Reporter<'a>>,
    /// After so much time the lead stops, finished or not.
    pub deadline: Option<Duration>,
    /// Leaves seen and the sum of their plies, for the mean depth.
    pub leaves: u64,
    pub leaf_plies: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// Positions found in the endgame tables.
    pub probes: u64,
    /// What became of nodes, where that is counted, and the positions among them.
    pub tally: Tally,
    pub(super) positions: HashSet<u64>,
    /// Nodes below the one whose moves were searched last, unless the search is the usual one.
    pub(super) subtree: u64,
    /// Nodes that may still be entered without looking up.
    quota: u64,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub fn new(
        shared: &'a SearchContext<'a, E>,
        history: &'a mut History,
        keys: &[Key],
        thread: usize,
    ) -> Worker<'a, E> {
        let mut path = Vec::with_capacity(keys.len() + 256);
        path.extend_from_slice(keys);
        Worker {
            shared,
            history,
            scratch: shared.evaluator.scratch(),
            root_index: path.len().saturating_sub(1),
            path,
            path_ply: NO_REPETITION,
            extension_plies: 0,
            thread,
            epoch: None,
            open: Vec::new(),
            decided: None,
            next_look_up: 0,
            reporter: None,
            deadline: None,
            leaves: 0,
            leaf_plies: 0,
            nodes: 0,
            probes: 0,
            tally: Tally::default(),
            positions: HashSet::new(),
            subtree: 0,
            quota: 0,
        }
    }

    /// Counts a node, or says that there may be no more.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<(), Halt> {
        if self.quota == 0 {
            self.refill()?;
        }
        self.quota -= 1;
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Halt> {
        let shared = self.shared;
        if self.thread != LEAD {
            shared.team.note_nodes(self.thread, self.nodes);
        }
        if shared.control.is_stopped() {
            return Err(Halt::Stopped);
        }
        if let Some(epoch) = self.epoch {
            shared.team.take_turns(self.thread);
            if !shared.team.is_open(epoch) {
                return Err(Halt::Superseded);
            }
            if self.nodes >= self.next_look_up {
                self.next_look_up = self.nodes + self.look_up_interval();
                self.look_up_open_nodes()?;
            }
        }
        if self.thread == LEAD {
            let late = |end| !shared.control.is_pondering() && shared.control.spent() >= end;
            if self.deadline.is_some_and(late) {
                return Err(Halt::Stopped);
            }
            let (nodes, mean_depth) = (self.all_nodes(), self.mean_depth());
            if let Some(reporter) = &mut self.reporter {
                reporter.pulse(nodes, mean_depth);
            }
        }
        self.quota = self.take_from_budget()?;
        Ok(())
    }

    fn look_up_interval(&self) -> u64 {
        (LOOK_UP_INTERVAL / self.shared.team.size() as u64).max(TURN)
    }

    /// Takes nodes from the common account.
    fn take_from_budget(&self) -> Result<u64, Halt> {
        let batch = match self.epoch {
            None => BATCH,
            Some(_) if self.shared.team.is_lock_step() => TURN,
            Some(_) => TEAM_BATCH.min(self.look_up_interval()),
        };
        let budget = &self.shared.budget;
        // Without a limit nothing is written.
        if budget.load(Relaxed) == u64::MAX {
            return Ok(batch);
        }
        let take = |left: u64| (left > 0).then(|| left - left.min(batch));
        let before = budget
            .fetch_update(Relaxed, Relaxed, take)
            .map_err(|_| Halt::Stopped)?;
        Ok(before.min(batch))
    }

    /// Nodes of all threads so far.
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.shared.team.helper_nodes()
    }

    /// Mean ply of the leaves.
    pub fn mean_depth(&self) -> f64 {
        if self.leaves == 0 {
            0.0
        } else {
            self.leaf_plies as f64 / self.leaves as f64
        }
    }

    #[inline(always)]
    pub fn leaf(&mut self, ply: u32) {
        self.leaves += 1;
        self.leaf_plies += u64::from(ply);
    }

    /// Whether the present position repeats an earlier one: once within the search, or for the third time counting the
    /// game. Notes on what ply that depends.
    #[inline(always)]
    pub fn repeats(&mut self, clock: &DrawClock) -> bool {
        let reversible = usize::from(clock.kings_only());
        reversible >= 4 && self.look_back(reversible)
    }

    fn look_back(&mut self, reversible: usize) -> bool {
        let now = self.path.len() - 1;
        let key = self.path[now];
        let mut in_game = 0;
        for back in (4..=reversible.min(now)).step_by(2) {
            if self.path[now - back] != key {
                continue;
            }
            if now - back >= self.root_index {
                self.path_ply = (now - back - self.root_index) as u32;
                return true;
            }
            in_game += 1;
            if in_game == 2 {
                self.path_ply = 0;
                return true;
            }
        }
        false
    }
}
