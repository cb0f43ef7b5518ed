use super::features::{BUCKETS, Boards, INPUT, INPUTS, boards, bucket};
use super::{Row, Weights};
use crate::board::{Bitboard, Color};
use crate::eval::{Evaluator, Score};
use crate::rules::{Move, Position};

#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
use super::avx2 as simd;
#[cfg(target_feature = "avx512bw")]
use super::avx512 as simd;
#[cfg(not(any(target_feature = "avx2", target_feature = "avx512bw")))]
use super::lanes as simd;

/// Pieces on the board at most: one on every square.
const PIECES: usize = 50;

/// Plays with a network of `H` hidden units a view.
pub struct Network<const H: usize> {
    rows: Box<[Row<H>]>,
    bias: Row<H>,
    output: Box<[[Row<H>; 2]]>,
    output_bias: [i32; BUCKETS],
    /// Hundredths of a man for one of the whole-numbered output, times 2^[`SHIFT`].
    scale: i64,
}

const SHIFT: u32 = 40;

impl<const H: usize> Network<H> {
    /// None where the weights are of another size.
    pub fn new(weights: &Weights) -> Option<Network<H>> {
        if weights.hidden != H {
            return None;
        }
        let rows = |words: &[i16]| -> Vec<Row<H>> {
            words.as_chunks::<H>().0.iter().copied().map(Row).collect()
        };
        let bias = Row(*weights.bias.first_chunk()?);
        let output = rows(&weights.output);
        let scale = f64::from(weights.scale) * (1u64 << SHIFT) as f64;
        Some(Network {
            rows: rows(&weights.input).into(),
            bias,
            output: output.as_chunks::<2>().0.into(),
            output_bias: *weights.output_bias.first_chunk()?,
            scale: scale.round() as i64,
        })
    }
}

/// The hidden units of both views for some position.
#[derive(Clone)]
struct Slot<const H: usize> {
    boards: Boards,
    units: [Row<H>; 2],
}

/// For each ply of the path the units of the position that was last evaluated there. A position is near the one before it, and
/// near those beside it, so its units are had from one of theirs by the few pieces that differ.
pub struct Slots<const H: usize>(Vec<Slot<H>>);

/// Pieces that differ.
#[inline(always)]
fn distance(a: &Boards, b: &Boards) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

impl<const H: usize> Network<H> {
    /// Brings the units of a ply up to date.
    #[inline(always)]
    fn refresh<'s>(&self, slots: &'s mut Slots<H>, ply: usize, position: &Position) -> &'s Slot<H> {
        let ply = ply.min(slots.0.len() - 1);
        let now = boards(position);
        let mut nearest = (ply, distance(&slots.0[ply].boards, &now));
        for before in [1, 2] {
            if ply >= before && nearest.1 > 2 {
                let far = distance(&slots.0[ply - before].boards, &now);
                if far < nearest.1 {
                    nearest = (ply - before, far);
                }
            }
        }
        if nearest.1 == 0 {
            return &slots.0[nearest.0];
        }
        let (below, from) = slots.0.split_at_mut(ply);
        let target = &mut from[0];
        let source = if nearest.0 == ply {
            None
        } else {
            Some(&below[nearest.0])
        };
        let old = source.map_or(target.boards, |source| source.boards);
        for view in Color::BOTH {
            let view = view.index();
            let (mut added, mut removed) = ([0u8; PIECES], [0u8; PIECES]);
            let (mut adds, mut removes) = (0, 0);
            for ((table, old), now) in INPUT[view].iter().zip(old).zip(now) {
                for square in Bitboard(now & !old) {
                    added[adds] = table[square.bit() & 63];
                    adds += 1;
                }
                for square in Bitboard(old & !now) {
                    removed[removes] = table[square.bit() & 63];
                    removes += 1;
                }
            }
            let copy;
            let source = match source {
                Some(source) => &source.units[view].0,
                None => {
                    copy = target.units[view].0;
                    &copy
                }
            };
            let target = &mut target.units[view].0;
            simd::update(
                source,
                target,
                &self.rows,
                &added[..adds],
                &removed[..removes],
            );
        }
        target.boards = now;
        &slots.0[ply]
    }
}

impl<const H: usize> Evaluator for Network<H> {
    type State = ();
    type Scratch = Slots<H>;

    fn scratch(&self) -> Slots<H> {
        let empty = Slot {
            boards: [0; 4],
            units: [self.bias; 2],
        };
        Slots(vec![empty; crate::eval::PLIES])
    }

    #[inline(always)]
    fn fresh(&self, _: &Position) {}

    #[inline(always)]
    fn update(&self, (): &(), _: &Position, _: Move, _: &Position) {}

    #[inline]
    fn evaluate(&self, slots: &mut Slots<H>, ply: u32, (): &(), position: &Position) -> Score {
        let slot = self.refresh(slots, ply as usize, position);
        let (us, bucket) = (position.turn().index(), bucket(position));
        let weights = &self.output[bucket];
        let sum = simd::output(&slot.units[us].0, &weights[0].0)
            .wrapping_add(simd::output(&slot.units[1 - us].0, &weights[1].0))
            .wrapping_add(self.output_bias[bucket]);
        let limit = i64::from(Score::EVAL_MAX.centimen());
        let score = (i64::from(sum) * self.scale + (1 << (SHIFT - 1))) >> SHIFT;
        Score::new(score.clamp(-limit, limit) as i32)
    }
}

const _: () = assert!(INPUTS <= 256);
