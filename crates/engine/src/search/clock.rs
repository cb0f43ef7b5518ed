//! How long to think.
//!
//! From the game clock come a target and a hard limit. After each iteration the search asks whether to begin the next
//! one: that depends on the target, stretched while the position is unsettled, and on what the next depth will cost.
//! The cost is known when the depth was reached before in this game (a position two plies on costs about as much),
//! otherwise it is predicted from the growth so far. The idea of remembering costs by depth, and of ageing them, is
//! OpenTafl's.

use super::params::Params;
use super::{Depth, MAX_DEPTH};
use crate::eval::Score;
use std::time::Duration;

/// A search with an exact time stops this much earlier, to have time to stop and answer.
const ANSWER: Duration = Duration::from_millis(1);

/// A share of a time, in thousandths.
fn share(time: Duration, thousandths: u32) -> Duration {
    (time / 1000).saturating_mul(thousandths)
}

/// Thousandths as a factor.
fn factor(thousandths: u32) -> f64 {
    f64::from(thousandths) / 1000.0
}

/// A game clock before the move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeControl {
    /// Time left, the increment not included.
    pub time: Duration,
    /// Added before the move.
    pub increment: Duration,
    /// Moves to go until the next time control; None for the rest of the game.
    pub moves: Option<u32>,
}

/// How much of a clock one move may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Budget {
    /// The target, before the search adjusts it.
    pub target: Duration,
    /// When the search is interrupted.
    pub hard: Duration,
}

impl TimeControl {
    /// The budget for a position with so many pieces.
    pub(super) fn budget(&self, params: &Params, pieces: u32) -> Budget {
        let available = self.time.saturating_add(self.increment);
        let least = Duration::from_millis(params.clock_reserve_ms.into());
        let reserve = least
            .max(share(available, params.clock_reserve))
            .min(share(available, params.clock_reserve_max));
        let usable = available.saturating_sub(reserve);
        // Games last longer the more pieces there are. Time is planned for fewer moves than will come: a settled move
        // takes about half of its target, and the middle of a game needs time more than its end.
        let planned = params.clock_moves + pieces.min(40) * params.clock_moves_per_piece / 1000;
        let moves_left = self.moves.map_or(planned, |moves| moves.clamp(1, planned));
        let part = usable.saturating_sub(self.increment) / moves_left;
        // Not all of the increment: what each move takes besides thinking comes out of it too, and a clock that has run
        // down must come up again.
        let low = (self.time.as_secs_f64() / (2 * least).as_secs_f64()).min(1.0);
        let (empty, full) = (
            factor(params.clock_increment_low),
            factor(params.clock_increment),
        );
        let target = (part + self.increment.mul_f64(empty + (full - empty) * low)).min(usable);
        Budget {
            target,
            hard: share(target, params.clock_hard)
                .min(share(usable, params.clock_hard_share))
                .max(target)
                .min(usable),
        }
    }
}

/// The hard limit of a search that has exactly this time.
pub(super) fn exact(move_time: Duration) -> Duration {
    move_time.saturating_sub(ANSWER)
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Cost {
    time: Duration,
    age: u8,
}

/// What each depth cost in this game.
#[derive(Clone, Debug, Default)]
pub struct ClockMemory {
    costs: Vec<Option<Cost>>,
}

impl ClockMemory {
    fn slot(&mut self, depth: Depth) -> &mut Option<Cost> {
        self.costs.resize(MAX_DEPTH as usize + 2, None);
        let index = (depth.max(0) as usize).min(MAX_DEPTH as usize + 1);
        &mut self.costs[index]
    }

    /// An iteration was completed, from the end of the one before in this time.
    pub(super) fn completed(&mut self, depth: Depth, time: Duration) {
        *self.slot(depth) = Some(Cost { time, age: 0 });
    }

    /// An iteration was begun and not completed. What is remembered of its cost is too low by now; after several
    /// failures it and all greater depths are forgotten.
    pub(super) fn failed(&mut self, params: &Params, depth: Depth, time: Duration) {
        let slot = self.slot(depth);
        let Some(cost) = slot else { return };
        cost.age = cost.age.saturating_add(1);
        cost.time = cost.time.max(time);
        if u32::from(cost.age) > params.clock_failures {
            self.costs[depth.max(0) as usize..].fill(None);
        }
    }

    /// What the iteration at `depth` will cost, when those before cost `last` and `before_last`.
    pub(super) fn predict(
        &mut self,
        params: &Params,
        depth: Depth,
        last: Duration,
        before_last: Duration,
    ) -> Duration {
        let growth = if before_last.is_zero() {
            2.0
        } else {
            last.as_secs_f64() / before_last.as_secs_f64()
        };
        let growth = growth
            .max(factor(params.clock_growth_min))
            .min(factor(params.clock_growth_max));
        let grown = last.mul_f64(growth);
        match *self.slot(depth) {
            // The last depth tells how this position compares with the remembered one.
            Some(cost) => (cost.time + grown) / 2,
            None => grown,
        }
    }
}

/// How settled the choice of the move is after the iterations so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stability {
    /// By what the target is multiplied.
    factor: f64,
    best_score: Score,
}

impl Default for Stability {
    fn default() -> Stability {
        Stability {
            factor: 1.0,
            best_score: -Score::INFINITE,
        }
    }
}

impl Stability {
    /// Updates the factor after an iteration.
    pub fn note(&mut self, params: &Params, score: Score, move_changed: bool, inconsistent: bool) {
        self.factor = if move_changed || inconsistent {
            (self.factor * factor(params.clock_unsettled)).min(factor(params.clock_unsettled_max))
        } else {
            (self.factor * factor(params.clock_settled)).max(factor(params.clock_settled_min))
        };
        if score < self.best_score - params.clock_fall {
            self.factor =
                (self.factor * factor(params.clock_fallen)).min(factor(params.clock_fallen_max));
        }
        self.best_score = self.best_score.max(score);
    }

    /// Whether to begin an iteration that costs `cost` after `spent`.
    pub fn worth_another(
        &self,
        params: &Params,
        budget: &Budget,
        spent: Duration,
        cost: Duration,
    ) -> bool {
        let target = budget.target.mul_f64(self.factor);
        // An interrupted iteration is partly of use: its first pass settles the old move or a better one.
        spent + cost.mul_f64(factor(params.clock_next)) <= target.min(budget.hard)
            || spent < share(target, params.clock_always)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(time: u32, increment: u32, moves: Option<u32>) -> TimeControl {
        TimeControl {
            time: MS * time,
            increment: MS * increment,
            moves,
        }
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for time in [0, 1, 5, 20, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    for pieces in [0, 2, 40, 100] {
                        let budget =
                            clock(time, increment, moves).budget(&Params::default(), pieces);
                        assert!(budget.target <= budget.hard, "{budget:?}");
                        assert!(budget.hard <= MS * (time + increment), "{budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_whole_game_at_the_hard_limit_never_loses_on_time() {
        let mut left = MS * 1000;
        for ply in 0..300u32 {
            let budget = TimeControl {
                time: left,
                increment: MS * 10,
                moves: None,
            }
            .budget(&Params::default(), 40 - ply.min(36));
            left = (left + MS * 10)
                .checked_sub(budget.hard + MS)
                .unwrap_or_else(|| panic!("flag at ply {ply}"));
        }
    }

    #[test]
    fn costs_are_remembered_aged_and_forgotten() {
        let params = &Params::default();
        let mut memory = ClockMemory::default();
        assert_eq!(memory.predict(params, 10, MS * 100, MS * 50), MS * 200);
        memory.completed(10, MS * 400);
        assert_eq!(memory.predict(params, 10, MS * 100, MS * 50), MS * 300);
        memory.completed(11, MS * 800);
        for _ in 0..3 {
            memory.failed(params, 10, MS * 500);
        }
        assert_eq!(memory.predict(params, 10, MS * 100, MS * 50), MS * 200);
        assert_eq!(memory.predict(params, 11, MS * 100, MS * 50), MS * 200);
    }

    #[test]
    fn unsettled_positions_get_more_time() {
        let params = &Params::default();
        let budget = Budget {
            target: MS * 1000,
            hard: MS * 4000,
        };
        let (mut settled, mut unsettled) = (Stability::default(), Stability::default());
        for depth in 0..8 {
            settled.note(params, Score::new(10), false, false);
            unsettled.note(params, Score::new(10 - 30 * depth), depth % 2 == 0, false);
        }
        assert!(!settled.worth_another(params, &budget, MS * 500, MS * 400));
        assert!(unsettled.worth_another(params, &budget, MS * 500, MS * 400));
    }
}
