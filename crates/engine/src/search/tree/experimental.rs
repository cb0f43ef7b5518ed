//! What only experiments change at a node: the four points at which [`node`](super::node) meets the tables. Each has a
//! fast path, taken unless a parameter is set that only experiments set ([`Params::is_fast_path`]); what lies beside it
//! is not inlined, so that the fast path does not pay for it.
//!
//! [`Params::is_fast_path`]: crate::search::params::Params::is_fast_path

use super::frame::{Frame, TtProbe};
use super::node::Best;
use super::worker::{Halt, Worker};
use crate::eval::Evaluator;
use crate::search::SearchCounts;
use crate::search::ordering::{self, Context};
use crate::search::params::{Policy, TableUse};
use crate::search::table::{TtEntry, TtMove, cut_by};
use damier_rules::{Key, MoveList};
use std::collections::HashSet;

/// What a thread counts for experiments.
#[derive(Default)]
pub(in crate::search) struct Experiment {
    pub tally: SearchCounts,
    /// Keys of the nodes expanded.
    positions: HashSet<u64>,
    /// Nodes below the one whose moves were searched last.
    subtree: u64,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Step 5: the entry of a node.
    #[inline(always)]
    pub(super) fn probe(&mut self, frame: &Frame) -> Option<TtEntry> {
        match self.shared.fast_path {
            true => self.shared.table.probe(frame.node.key),
            false => self.probe_experimentally(frame),
        }
    }

    /// Step 10: the moves, best first.
    #[inline(always)]
    pub(super) fn sort(&mut self, frame: &Frame, moves: &mut MoveList) -> Result<(), Halt> {
        if !self.shared.fast_path {
            return self.sort_experimentally(frame, moves);
        }
        let context = self.context(frame, frame.tt.tt_move);
        ordering::sort(self.cpu(), moves, &frame.node.state.position, &context);
        Ok(())
    }

    /// After the moves: counts for experiments. `nodes_before` is the count before the first move.
    #[inline(always)]
    pub(super) fn observe(
        &mut self,
        frame: &Frame,
        moves: &MoveList,
        best: &Best,
        nodes_before: u64,
    ) {
        if !self.shared.fast_path {
            self.observe_experimentally(frame, moves, best, nodes_before);
        }
    }

    /// Step 16: writes an entry.
    #[inline(always)]
    pub(super) fn write(&self, key: Key, entry: TtEntry) {
        match self.shared.fast_path {
            true => self.shared.table.store(key, entry),
            false => self.write_experimentally(key, entry),
        }
    }

    /// What the order of the moves depends on.
    #[inline(always)]
    fn context(&self, frame: &Frame, tt_move: TtMove) -> Context<'_> {
        Context {
            params: self.shared.params,
            history: &*self.history,
            tt_move,
            ply: frame.node.state.ply,
            previous: frame.node.previous,
        }
    }

    #[inline(never)]
    fn probe_experimentally(&mut self, frame: &Frame) -> Option<TtEntry> {
        let params = self.shared.params;
        let entry = self.look_up_at(frame.node.key);
        if params.tally {
            let ply = frame.node.state.ply;
            let cut = |entry| cut_by(entry, ply, frame.window, frame.depth, params.table);
            self.experiment.tally.asked += 1;
            self.experiment.tally.answered += u64::from(entry.and_then(cut).is_some());
        }
        entry
    }

    #[inline(never)]
    fn sort_experimentally(&mut self, frame: &Frame, moves: &mut MoveList) -> Result<(), Halt> {
        let tt_move = match frame.tt.tt_move.is_none() && moves.len() > 1 {
            true => self.deepen(frame)?,
            false => frame.tt.tt_move,
        };
        if self.shared.params.ordering {
            let context = self.context(frame, tt_move);
            ordering::sort_experimentally(moves, &frame.node.state.position, &context);
        }
        Ok(())
    }

    /// Internal iterative deepening: the move that a less deep search of the node leaves in the table.
    fn deepen(&mut self, frame: &Frame) -> Result<TtMove, Halt> {
        let params = self.shared.params;
        let depth = frame.depth - params.iid_plies;
        if frame.depth < params.iid_min_depth || depth < 1 {
            return Ok(TtMove::NONE);
        }
        self.node(&mut Frame {
            depth,
            tt: TtProbe::NONE,
            ..*frame
        })?;
        let entry = self.look_up_at(frame.node.key);
        Ok(entry.map_or(TtMove::NONE, |entry| entry.tt_move))
    }

    #[inline(never)]
    fn observe_experimentally(
        &mut self,
        frame: &Frame,
        moves: &MoveList,
        best: &Best,
        nodes_before: u64,
    ) {
        let params = self.shared.params;
        let failed_high = best.score >= frame.window.beta;
        self.experiment.subtree = self.counters.nodes - nodes_before;
        if !failed_high && !moves[0].is_capture() {
            let color = frame.node.state.position.turn();
            let bonus = params.bonus(frame.depth);
            self.history.none_failed_high(color, bonus, moves);
        }
        if params.tally {
            self.experiment.tally.expanded += 1;
            self.experiment.tally.failed_high += u64::from(failed_high);
            self.experiment.tally.distinct +=
                u64::from(self.experiment.positions.insert(frame.node.key.0));
        }
    }

    #[inline(never)]
    fn write_experimentally(&self, key: Key, entry: TtEntry) {
        let params = self.shared.params;
        match (params.table, params.table_replace) {
            (TableUse::Off, _) => {}
            (_, Policy::Depth) => self.shared.table.store(key, entry),
            _ => self
                .shared
                .table
                .store_by_policy(key, entry, self.experiment.subtree),
        }
    }
}
