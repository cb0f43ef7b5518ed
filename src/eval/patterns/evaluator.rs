use super::features::{
    ARRANGEMENTS, OTHERS, PHASES, WINDOWS, arrangements, boards, early, turned, visit_others,
};
use super::{Pair, Weights};
use crate::eval::{Evaluator, Score};
use crate::rules::Position;

/// Plays with patterns. Nothing is carried along: the indices of a position are had from its boards in a few steps each.
///
/// An evaluation takes 31 ns where successive positions of games are evaluated, 37 ns where any are; `network-128` takes 60 ns
/// and 151 ns (`tests/evaluation.rs`).
pub struct Patterns {
    windows: [Box<[Pair; ARRANGEMENTS]>; WINDOWS],
    others: Box<[Pair; OTHERS]>,
    /// Hundredths of a man for a weight of 1 times [`PHASES`], times 2^[`SHIFT`].
    scale: i64,
}

/// Sums stay below 2^33: so does the scale, below 2^29.
const SHIFT: u32 = 32;

impl Patterns {
    /// None where the weights are of another size.
    pub fn new(weights: &Weights) -> Option<Patterns> {
        let table = |window: usize| -> Option<Box<[Pair; ARRANGEMENTS]>> {
            let rows = weights.windows.chunks_exact(ARRANGEMENTS).nth(window)?;
            Box::<[Pair]>::from(rows).try_into().ok()
        };
        let scale = f64::from(weights.scale) / f64::from(PHASES) * (1u64 << SHIFT) as f64;
        Some(Patterns {
            windows: [table(0)?, table(1)?, table(2)?, table(3)?],
            others: Box::<[Pair]>::from(&weights.others[..]).try_into().ok()?,
            scale: scale.round() as i64,
        })
    }
}

impl Evaluator for Patterns {
    type Scratch = ();

    fn scratch(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _: u32, position: &Position) -> Score {
        let boards = boards(position);
        let own = arrangements(&boards);
        let enemy = arrangements(&turned(boards));
        let mut sums = [0i32; 2];
        for ((table, own), enemy) in self.windows.iter().zip(own).zip(enemy) {
            let (own, enemy) = (table[own as usize], table[enemy as usize]);
            for ((sum, own), enemy) in sums.iter_mut().zip(own).zip(enemy) {
                *sum += i32::from(own) - i32::from(enemy);
            }
        }
        visit_others(&boards, |other, times| {
            for (sum, weight) in sums.iter_mut().zip(self.others[other]) {
                *sum += times * i32::from(weight);
            }
        });
        let early = i64::from(early(&boards));
        let sum = i64::from(sums[0]) * early + i64::from(sums[1]) * (i64::from(PHASES) - early);
        let limit = i64::from(Score::EVAL_MAX.centimen());
        let score = (sum * self.scale + (1 << (SHIFT - 1))) >> SHIFT;
        Score::new(score.clamp(-limit, limit) as i32)
    }
}
