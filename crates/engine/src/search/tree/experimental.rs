//! What only experiments ask for at a node. Nothing here is inlined: the usual search would pay for it.

use super::node::{Best, Known, Mode};
use super::position::Node;
use super::worker::{Halt, Worker};
use crate::eval::Evaluator;
use crate::search::driver::Window;
use crate::search::params::{Policy, TableUse};
use crate::search::table::{TtEntry, TtMove, cut_by};
use crate::search::{Depth, ordering};
use damier_rules::{Key, MoveList};

impl<E: Evaluator> Worker<'_, E> {
    /// Sorts the moves, or not, as the parameters say, and searches them.
    #[inline(never)]
    pub(super) fn try_moves_experimentally(
        &mut self,
        node: &Node,
        moves: &mut MoveList,
        window: Window,
        depth: Depth,
        mode: Mode,
        known: Known,
    ) -> Result<Best, Halt> {
        let params = self.shared.params;
        let tt_move = match known.tt_move.is_none() && moves.len() > 1 {
            true => self.deepen(node, window, depth, mode)?,
            false => known.tt_move,
        };
        if params.ordering {
            let context = self.context(node, tt_move);
            ordering::sort_experimentally(moves, &node.position, &context);
        }
        let before = self.nodes;
        let best = self.try_moves(node, moves, window, depth, mode, known.entry)?;
        self.subtree = self.nodes - before;
        if best.score < window.beta && !moves[0].is_capture() {
            let bonus = params.bonus(depth);
            self.history
                .none_failed_high(node.position.turn(), bonus, moves);
        }
        if params.tally {
            self.tally.expanded += 1;
            self.tally.failed_high += u64::from(best.score >= window.beta);
            self.tally.distinct += u64::from(self.positions.insert(node.key.0));
        }
        Ok(best)
    }

    /// What the table knows of a node, if it may be asked.
    #[inline(never)]
    pub(super) fn probe_experimentally(
        &mut self,
        node: &Node,
        window: Window,
        depth: Depth,
    ) -> Option<TtEntry> {
        let usage = self.shared.params.table;
        let entry = match usage {
            TableUse::Off => None,
            _ => self.shared.table.probe(node.key),
        };
        if self.shared.params.tally {
            let answer = entry.and_then(|entry| cut_by(entry, node.ply, window, depth, usage));
            self.tally.asked += 1;
            self.tally.answered += u64::from(answer.is_some());
        }
        entry
    }

    /// Writes what was found to the table, if that may be.
    #[inline(never)]
    pub(super) fn store_experimentally(&self, key: Key, entry: TtEntry) {
        let params = self.shared.params;
        match (params.table, params.table_replace) {
            (TableUse::Off, _) => {}
            (_, Policy::Depth) => self.shared.table.store(key, entry),
            _ => self.shared.table.store_by_policy(key, entry, self.subtree),
        }
    }

    /// Internal iterative deepening: the move that a less deep search of the node leaves in the table.
    fn deepen(
        &mut self,
        node: &Node,
        window: Window,
        depth: Depth,
        mode: Mode,
    ) -> Result<TtMove, Halt> {
        let params = self.shared.params;
        let shallow = depth - params.iid_plies;
        if depth < params.iid_min_depth || shallow < 1 {
            return Ok(TtMove::NONE);
        }
        self.node(node, window, shallow, mode)?;
        let entry = match params.table {
            TableUse::Off => None,
            _ => self.shared.table.probe(node.key),
        };
        Ok(entry.map_or(TtMove::NONE, |entry| entry.tt_move))
    }
}
