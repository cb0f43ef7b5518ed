//! A thread of a search: its path through the tree, its counts, its share of the limits.

use crate::endgame::View;
use crate::eval::Evaluator;
use crate::rules::{DrawClock, Key};
use crate::search::ordering::History;
use crate::search::params::{Params, Reductions};
use crate::search::reporter::Reporter;
use crate::search::{Control, Stopped, TranspositionTable};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Nodes that a thread takes from the common account at once; stop and clock are looked at as often.
const BATCH: u64 = 512;

/// What the threads of one search share.
pub(in crate::search) struct SearchContext<'a, E> {
    pub table: &'a TranspositionTable,
    pub evaluator: &'a E,
    pub params: &'a Params,
    pub reductions: &'a Reductions,
    pub control: &'a Control,
    /// Endgame tables; none where they are not to be used.
    pub tables: Option<View<'a>>,
    /// [`stage_of`](super::endgame::stage_of) of the root where it lies in the tables, above all others elsewhere.
    pub stage: (u32, u32),
    /// Nodes left to all threads; `u64::MAX` without a limit.
    pub budget: AtomicU64,
    /// Set when the main thread has finished.
    pub finished: AtomicBool,
    /// Nodes of the threads that are not the main one, added in batches.
    pub helper_nodes: AtomicU64,
    /// Probes of those threads, added when they end.
    pub helper_probes: AtomicU64,
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
    /// stored in the table (graph history interaction). [`NO_REPETITION`] where there is none.
    pub path_ply: u32,
    /// Nodes this many plies from the root extend nothing more.
    pub extension_plies: u32,
    pub main: bool,
    /// Of the main thread.
    pub reporter: Option<Reporter<'a>>,
    /// After so much time the main thread stops, finished or not.
    pub deadline: Option<Duration>,
    /// Leaves seen and the sum of their plies, for the mean depth.
    pub leaves: u64,
    pub leaf_plies: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// Positions found in the endgame tables.
    pub probes: u64,
    /// Nodes that may still be entered without looking up.
    quota: u64,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub fn new(
        shared: &'a SearchContext<'a, E>,
        history: &'a mut History,
        keys: &[Key],
        main: bool,
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
            main,
            reporter: None,
            deadline: None,
            leaves: 0,
            leaf_plies: 0,
            nodes: 0,
            probes: 0,
            quota: 0,
        }
    }

    /// Counts a node, or says that there may be no more.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<(), Stopped> {
        if self.quota == 0 {
            self.refill()?;
        }
        self.quota -= 1;
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Stopped> {
        let shared = self.shared;
        if shared.control.is_stopped() || shared.finished.load(Relaxed) {
            return Err(Stopped);
        }
        if self.main {
            let late = |end| !shared.control.is_pondering() && shared.control.spent() >= end;
            if self.deadline.is_some_and(late) {
                return Err(Stopped);
            }
            let (nodes, mean_depth) = (self.all_nodes(), self.mean_depth());
            if let Some(reporter) = &mut self.reporter {
                reporter.pulse(nodes, mean_depth);
            }
        }
        let take = |left: u64| {
            (left > 0).then(|| {
                if left == u64::MAX {
                    left
                } else {
                    left - left.min(BATCH)
                }
            })
        };
        let before = shared
            .budget
            .fetch_update(Relaxed, Relaxed, take)
            .map_err(|_| Stopped)?;
        self.quota = before.min(BATCH);
        if !self.main {
            shared.helper_nodes.fetch_add(self.quota, Relaxed);
        }
        Ok(())
    }

    /// Nodes of all threads so far.
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.shared.helper_nodes.load(Relaxed)
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
