//! Tables for orders of the moves that only experiments use; kept only while a parameter chooses one.

use super::butterfly::{boxed, index};
use crate::search::MAX_PLY;
use crate::search::params::{HISTORY_MAX, Params};
use crate::search::table::TtMove;
use damier_rules::Move;
use damier_rules::board::Color;

/// A third killer of each ply, and how often each move had the chance of a cutoff.
#[derive(Clone)]
pub(super) struct ExperimentalTables {
    pub killers: Vec<[TtMove; 3]>,
    /// The first two killers stay.
    stays: bool,
    /// Bonuses earned, by colour, from and to.
    earned: Box<[[u64; 64 * 64]; 2]>,
    /// Possible bonuses: as if every try had been a cutoff.
    possible: Box<[[u64; 64 * 64]; 2]>,
}

impl Default for ExperimentalTables {
    fn default() -> ExperimentalTables {
        ExperimentalTables {
            killers: vec![[TtMove::NONE; 3]; MAX_PLY as usize + 2],
            stays: false,
            earned: boxed([0; 64 * 64]),
            possible: boxed([0; 64 * 64]),
        }
    }
}

impl ExperimentalTables {
    pub fn age(&mut self, params: &Params) {
        self.stays = params.killers_stay;
        self.killers.fill([TtMove::NONE; 3]);
        let kept = params.history_kept_percent as u64;
        let counts = self.earned.iter_mut().chain(self.possible.iter_mut());
        counts
            .flatten()
            .for_each(|count| *count = *count * kept / 100);
    }

    /// `best` failed high at a ply, after the moves in `tried`, which did not.
    #[inline(never)]
    pub fn cutoff(&mut self, color: Color, ply: u32, bonus: i32, best: Move, tried: &[Move]) {
        self.earned[color.index()][index(best)] += bonus as u64;
        self.failed(color, bonus, tried);
        self.failed(color, bonus, &[best]);
        let (killers, best) = (&mut self.killers[ply as usize], TtMove::of(best));
        if self.stays {
            match killers.iter().position(|killer| killer.is_none()) {
                _ if killers[..2].contains(&best) => {}
                Some(free) => killers[free] = best,
                None => killers[2] = best,
            }
        } else if killers[0] != best {
            let third = match killers[1] == best {
                true => killers[2],
                false => killers[1],
            };
            *killers = [best, killers[0], third];
        }
    }

    /// Notes moves that were tried and did not fail high.
    pub fn failed(&mut self, color: Color, bonus: i32, tried: &[Move]) {
        let possible = &mut self.possible[color.index()];
        tried
            .iter()
            .for_each(|&mv| possible[index(mv)] += bonus as u64);
    }

    /// Relative history: the share of its chances that a move took, up to [`HISTORY_MAX`].
    pub fn share(&self, color: Color, mv: Move) -> i32 {
        let (earned, possible) = (
            self.earned[color.index()][index(mv)],
            self.possible[color.index()][index(mv)],
        );
        (earned * HISTORY_MAX as u64 / possible.max(1)) as i32
    }
}
