//! Endgame tables in the search, below the root.

use super::worker::{Node, Worker};
use crate::endgame::{Value, Verdict, is_certain, under_rules};
use crate::eval::{Evaluator, Score};
use crate::rules::Position;

/// How far a position is on the way that captures and promotions lead: fewer pieces, then fewer men.
pub(super) fn stage(position: &Position) -> (u32, u32) {
    let occupied = position.occupied();
    (occupied.len(), occupied.without(position.all_kings()).len())
}

impl<E: Evaluator> Worker<'_, E> {
    /// What the tables say of a node whose side to move need not capture.
    #[inline(always)]
    fn verdict(&mut self, node: &Node<E::State>) -> Option<Verdict> {
        let tables = self.shared.tables.as_ref()?;
        if node.position.occupied().len() > tables.limit() || node.position.must_capture() {
            return None;
        }
        let verdict = tables.quiet(&node.position)?;
        self.probes += 1;
        Some(verdict)
    }

    /// The value that the tables give, where it makes a search of the node unnecessary.
    #[inline(always)]
    pub fn by_tables(&mut self, node: &Node<E::State>) -> Option<Score> {
        let verdict = self.verdict(node)?;
        let score = self.score_of(node, verdict)?;
        self.leaf(node.ply);
        Some(score)
    }

    /// The same at the horizon, where a win that takes longer than the counters leave is taken for a draw.
    #[inline(always)]
    pub fn by_tables_at_horizon(&mut self, node: &Node<E::State>) -> Option<Score> {
        let verdict = self.verdict(node)?;
        // The count of a class is in the key; that of kings only is not exactly, and a capture may end it.
        let late = || {
            node.clock.class()?;
            let ruled = under_rules(verdict, &node.position, &node.clock);
            (ruled.value == Value::Draw).then_some(Score::DRAW)
        };
        let score = self.score_of(node, verdict).or_else(late)?;
        self.leaf(node.ply);
        Some(score)
    }

    /// Draws are exact, and so are wins and losses whose distance is known. The others count from when the table is reached:
    /// nothing is searched beyond. Only within the root's own table, where every move that keeps the win looks alike, the
    /// search has to find the way to a capture or promotion.
    fn score_of(&self, node: &Node<E::State>, verdict: Verdict) -> Option<Score> {
        if verdict.value == Value::Draw {
            return Some(Score::DRAW);
        }
        let Some(plies) = verdict.distance else {
            if stage(&node.position) >= self.shared.stage {
                return None;
            }
            let win = Score::table_win_in(node.ply);
            return Some(if verdict.value == Value::Win {
                win
            } else {
                -win
            });
        };
        // The shortest win comes too late, but a sacrifice may begin a new count: that is for the search to see.
        if !is_certain(verdict, &node.position, &node.clock) {
            return None;
        }
        Some(match verdict.value {
            Value::Win => Score::win_in(node.ply + plies),
            _ => Score::loss_in(node.ply + plies),
        })
    }
}
