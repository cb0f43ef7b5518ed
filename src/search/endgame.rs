//! Endgame tables in the search, below the root.

use super::worker::{Place, Worker};
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
    fn verdict(&mut self, place: &Place) -> Option<Verdict> {
        let tables = self.shared.tables.as_ref()?;
        if place.position.occupied().len() > tables.limit() || place.position.must_capture() {
            return None;
        }
        let verdict = tables.quiet(&place.position)?;
        self.probes += 1;
        Some(verdict)
    }

    /// The value that the tables give, where it makes a search of the node unnecessary.
    #[inline(always)]
    pub fn by_tables(&mut self, place: &Place) -> Option<Score> {
        let verdict = self.verdict(place)?;
        let score = self.score_of(place, verdict)?;
        self.leaf(place.ply);
        Some(score)
    }

    /// The same at the horizon, where a win that takes longer than the counters leave is taken for a draw.
    #[inline(always)]
    pub fn by_tables_at_horizon(&mut self, place: &Place) -> Option<Score> {
        let verdict = self.verdict(place)?;
        // The count of a class is in the key; that of kings only is not exactly, and a capture may end it.
        let late = || {
            place.clock.class()?;
            let ruled = under_rules(verdict, &place.position, &place.clock);
            (ruled.value == Value::Draw).then_some(Score::DRAW)
        };
        let score = self.score_of(place, verdict).or_else(late)?;
        self.leaf(place.ply);
        Some(score)
    }

    /// Draws are exact, and so are wins and losses whose distance is known. The others count from when the table is reached:
    /// nothing is searched beyond. Only within the root's own table, where every move that keeps the win looks alike, the
    /// search has to find the way to a capture or promotion.
    fn score_of(&self, place: &Place, verdict: Verdict) -> Option<Score> {
        if verdict.value == Value::Draw {
            return Some(Score::DRAW);
        }
        let Some(plies) = verdict.distance else {
            if stage(&place.position) >= self.shared.stage {
                return None;
            }
            let win = Score::table_win_in(place.ply);
            return Some(if verdict.value == Value::Win {
                win
            } else {
                -win
            });
        };
        // The shortest win comes too late, but a sacrifice may begin a new count: that is for the search to see.
        if !is_certain(verdict, &place.position, &place.clock) {
            return None;
        }
        Some(match verdict.value {
            Value::Win => Score::win_in(place.ply + plies),
            _ => Score::loss_in(place.ply + plies),
        })
    }
}
