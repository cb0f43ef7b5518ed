//! Endgame tables in the search, below the root.

use super::position::SearchPosition;
use super::worker::Worker;
use crate::eval::{Evaluator, Score};
use damier_endgame::{Value, Verdict, is_certain, under_rules};
use damier_rules::Position;

/// Orders positions by captures and promotions, which only lead down: pieces first, then men.
pub(in crate::search) fn stage_of(position: &Position) -> (u32, u32) {
    let occupied = position.occupied();
    (occupied.len(), occupied.without(position.all_kings()).len())
}

impl<E: Evaluator> Worker<'_, E> {
    /// The stored verdict on a node without captures.
    #[inline(always)]
    fn verdict(&mut self, node: &SearchPosition) -> Option<Verdict> {
        let tables = self.shared.tables.as_ref()?;
        if node.position.occupied().len() > tables.stored()
            || node
                .position
                .can_capture_on(self.cpu(), node.position.turn())
        {
            return None;
        }
        let verdict = tables.quiet(&node.position)?;
        self.counters.probes += 1;
        Some(verdict)
    }

    /// The score by the tables, where that makes a search of the node unnecessary.
    #[inline(always)]
    pub fn by_tables(&mut self, node: &SearchPosition) -> Option<Score> {
        let verdict = self.verdict(node)?;
        let score = self.score_of(node, verdict)?;
        self.counters.leaf(node.ply);
        Some(score)
    }

    /// The score by the tables at the horizon, where a win that takes longer than the move counters allow counts as a
    /// draw.
    #[inline(always)]
    pub fn by_tables_at_horizon(&mut self, node: &SearchPosition) -> Option<Score> {
        let verdict = self.verdict(node)?;
        // The count of a class is part of the key. That of kings only is so in coarse steps, and a capture may end it.
        let late = || {
            node.clock.class()?;
            let ruled = under_rules(verdict, &node.position, &node.clock);
            (ruled.value == Value::Draw).then_some(Score::DRAW)
        };
        let score = self.score_of(node, verdict).or_else(late)?;
        self.counters.leaf(node.ply);
        Some(score)
    }

    /// Draws are exact, and so are wins and losses with a distance. Without one, the distance is that to the table, and
    /// nothing is searched beyond; except within the root's own table, where all moves that keep the win look alike and
    /// the search has to find the way to a capture or promotion.
    fn score_of(&self, node: &SearchPosition, verdict: Verdict) -> Option<Score> {
        if verdict.value == Value::Draw {
            return Some(Score::DRAW);
        }
        // A win that may come too late: only a search sees how the count is restarted.
        if !is_certain(verdict, &node.position, &node.clock) {
            return None;
        }
        let Some(plies) = verdict.distance else {
            if stage_of(&node.position) >= self.shared.stage {
                return None;
            }
            let win = Score::table_win_in(node.ply);
            return Some(if verdict.value == Value::Win {
                win
            } else {
                -win
            });
        };
        Some(match verdict.value {
            Value::Win => Score::win_in(node.ply + plies),
            _ => Score::loss_in(node.ply + plies),
        })
    }
}
