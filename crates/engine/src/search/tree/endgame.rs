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
    /// The stored verdict on a node whose side to move need not capture.
    #[inline(always)]
    fn verdict(&mut self, place: &SearchPosition) -> Option<Verdict> {
        let tables = self.shared.tables.as_ref()?;
        if place.position.occupied().len() > tables.limit() || place.position.must_capture() {
            return None;
        }
        let verdict = tables.quiet(&place.position)?;
        self.probes += 1;
        Some(verdict)
    }

    /// The score by the tables, where that makes a search of the node unnecessary.
    #[inline(always)]
    pub fn by_tables(&mut self, place: &SearchPosition) -> Option<Score> {
        let verdict = self.verdict(place)?;
        let score = self.score_of(place, verdict)?;
        self.leaf(place.ply);
        Some(score)
    }

    /// The same at the horizon, where a win that takes longer than the move counters allow counts as a draw.
    #[inline(always)]
    pub fn by_tables_at_horizon(&mut self, place: &SearchPosition) -> Option<Score> {
        let verdict = self.verdict(place)?;
        // The count of a class is part of the key. That of kings only is so in coarse steps, and a capture may end it.
        let late = || {
            place.clock.class()?;
            let ruled = under_rules(verdict, &place.position, &place.clock);
            (ruled.value == Value::Draw).then_some(Score::DRAW)
        };
        let score = self.score_of(place, verdict).or_else(late)?;
        self.leaf(place.ply);
        Some(score)
    }

    /// Draws are exact, and so are wins and losses with a distance. Without one, the distance is that to the table, and
    /// nothing is searched beyond; except within the root's own table, where all moves that keep the win look alike and
    /// the search has to find the way to a capture or promotion.
    fn score_of(&self, place: &SearchPosition, verdict: Verdict) -> Option<Score> {
        if verdict.value == Value::Draw {
            return Some(Score::DRAW);
        }
        let Some(plies) = verdict.distance else {
            if stage_of(&place.position) >= self.shared.stage {
                return None;
            }
            let win = Score::table_win_in(place.ply);
            return Some(if verdict.value == Value::Win {
                win
            } else {
                -win
            });
        };
        // The shortest win comes too late, but a sacrifice may restart the count: only a search sees that.
        if !is_certain(verdict, &place.position, &place.clock) {
            return None;
        }
        Some(match verdict.value {
            Value::Win => Score::win_in(place.ply + plies),
            _ => Score::loss_in(place.ply + plies),
        })
    }
}
