//! A thread of a search: what it shares with the others, what it keeps and counts, and when it stops.

use super::path::Path;
use super::together::Member;
use crate::eval::Evaluator;
use crate::search::ordering::History;
use crate::search::params::{Params, Reductions};
use crate::search::reporter::Reporter;
use crate::search::team::{LEAD, Team};
use crate::search::{Control, TranspositionTable};
use crossbeam_utils::CachePadded;
use damier_endgame::View;
use damier_rules::Key;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Nodes that a thread takes from the budget at once; it checks stop and clock as often.
const BATCH: u64 = 512;
/// Batch size in a team; small, because results may be discarded.
const TEAM_BATCH: u64 = 256;
/// Nodes of all threads together between two look-ups of a thread's open nodes: the more threads there are, the more
/// often another one decides a node. Each look-up may miss the cache.
const LOOK_UP_INTERVAL: u64 = 512;
/// Nodes in a turn of threads that run in lock step, and the minimum between two look-ups.
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
    pub reductions: &'a Reductions,
    pub control: &'a Control,
    /// Endgame tables, if they are used.
    pub tables: Option<View<'a>>,
    /// [`stage_of`](super::endgame::stage_of) of the root where it lies in the tables, above all others elsewhere.
    pub stage: (u32, u32),
    /// All threads.
    pub team: Team<'a>,
    /// Nodes left to all threads; `u64::MAX` without a limit. On a cache line of its own, because it is written often
    /// and the fields above are read at every node.
    pub budget: CachePadded<AtomicU64>,
    /// Positions that helpers found in the endgame tables, added when they end.
    pub helper_probes: AtomicU64,
}

/// What a thread counts.
#[derive(Default)]
pub(in crate::search) struct Counters {
    /// Nodes entered.
    pub nodes: u64,
    /// Nodes that may still be entered before the limits are looked at.
    quota: u64,
    /// Positions found in the endgame tables.
    pub probes: u64,
    /// Leaves seen and the sum of their plies, for the mean depth.
    leaves: u64,
    leaf_plies: u64,
}

impl Counters {
    #[inline(always)]
    pub fn leaf(&mut self, ply: u32) {
        self.leaves += 1;
        self.leaf_plies += u64::from(ply);
    }

    /// Mean ply of the leaves.
    pub fn mean_depth(&self) -> f64 {
        match self.leaves {
            0 => 0.0,
            leaves => self.leaf_plies as f64 / leaves as f64,
        }
    }
}

/// One thread of a search.
pub(in crate::search) struct Worker<'a, E: Evaluator> {
    pub shared: &'a SearchContext<'a, E>,
    pub history: &'a mut History,
    /// Of the evaluator.
    pub scratch: E::Scratch,
    pub path: Path,
    pub counters: Counters,
    pub member: Member,
    /// Plies from the root within which extensions are allowed.
    pub extension_plies: u32,
    /// Only of the lead.
    pub reporter: Option<Reporter<'a>>,
    /// Time after which the lead stops, finished or not.
    pub deadline: Option<Duration>,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub fn new(
        shared: &'a SearchContext<'a, E>,
        history: &'a mut History,
        keys: &[Key],
        thread: usize,
    ) -> Worker<'a, E> {
        Worker {
            shared,
            history,
            scratch: shared.evaluator.scratch(),
            path: Path::new(keys),
            counters: Counters::default(),
            member: Member::new(thread),
            extension_plies: 0,
            reporter: None,
            deadline: None,
        }
    }

    /// The level of processors for which the search is compiled.
    #[inline(always)]
    pub fn cpu(&self) -> E::Cpu {
        self.shared.evaluator.cpu()
    }

    /// Counts a node. Fails where the search has to stop.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<(), Halt> {
        if self.counters.quota == 0 {
            self.refill()?;
        }
        self.counters.quota -= 1;
        self.counters.nodes += 1;
        Ok(())
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Halt> {
        let shared = self.shared;
        if self.member.thread != LEAD {
            shared
                .team
                .note_nodes(self.member.thread, self.counters.nodes);
        }
        if shared.control.is_stopped() {
            return Err(Halt::Stopped);
        }
        if let Some(epoch) = self.member.epoch {
            shared.team.take_turns(self.member.thread);
            if !shared.team.is_open(epoch) {
                return Err(Halt::Superseded);
            }
            if self.counters.nodes >= self.member.next_look_up {
                self.member.next_look_up = self.counters.nodes + self.look_up_interval();
                self.look_up_open_nodes()?;
            }
        }
        if self.member.thread == LEAD {
            let late = |end| !shared.control.is_pondering() && shared.control.spent() >= end;
            if self.deadline.is_some_and(late) {
                return Err(Halt::Stopped);
            }
            let (nodes, mean_depth) = (self.all_nodes(), self.counters.mean_depth());
            if let Some(reporter) = &mut self.reporter {
                reporter.pulse(nodes, mean_depth);
            }
        }
        self.counters.quota = self.take_from_budget()?;
        Ok(())
    }

    fn look_up_interval(&self) -> u64 {
        (LOOK_UP_INTERVAL / self.shared.team.size() as u64).max(TURN)
    }

    /// Takes a batch of nodes from the budget.
    fn take_from_budget(&self) -> Result<u64, Halt> {
        let batch = match self.member.epoch {
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
        self.counters.nodes + self.shared.team.helper_nodes()
    }
}
