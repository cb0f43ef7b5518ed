use super::features::{BUCKETS, Boards, INPUT, INPUTS, boards, bucket};
use super::{Row, Weights};
use crate::board::{Bitboard, bits};
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
    a.iter().zip(b).map(|(a, b)| bits::count(a ^ b)).sum()
}

/// Inputs, each as white and as black sees it.
struct Inputs {
    list: [[u8; 2]; PIECES],
    len: usize,
}

impl Inputs {
    /// The pieces that stand on the first boards and not on the second.
    #[inline(always)]
    fn difference(boards: &Boards, others: &Boards) -> Inputs {
        let mut inputs = Inputs {
            list: [[0; 2]; PIECES],
            len: 0,
        };
        for (kind, table) in INPUT.iter().enumerate() {
            for square in Bitboard(boards[kind] & !others[kind]) {
                inputs.list[inputs.len] = table[square.bit() & 63];
                inputs.len += 1;
            }
        }
        inputs
    }

    #[inline(always)]
    fn as_slice(&self) -> &[[u8; 2]] {
        &self.list[..self.len]
    }
}

impl<const H: usize> Network<H> {
    /// Brings the units of a ply up to date, from the nearest position that was evaluated there or shortly before. Gives the number
    /// of the slot that has them.
    #[inline(always)]
    fn refresh(&self, slots: &mut [Slot<H>], ply: usize, position: &Position) -> usize {
        let ply = ply.min(slots.len() - 1);
        let now = boards(position);
        let (mut from, mut nearest) = (ply, distance(&slots[ply].boards, &now));
        for before in [1, 2] {
            if ply >= before && nearest > 2 {
                let far = distance(&slots[ply - before].boards, &now);
                if far < nearest {
                    (from, nearest) = (ply - before, far);
                }
            }
        }
        if nearest == 0 {
            return from;
        }
        let old = slots[from].boards;
        let added = Inputs::difference(&now, &old);
        let removed = Inputs::difference(&old, &now);
        let units = simd::updated(
            &slots[from].units,
            &self.rows,
            added.as_slice(),
            removed.as_slice(),
        );
        slots[ply] = Slot { boards: now, units };
        ply
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
        let slot = self.refresh(&mut slots.0, ply as usize, position);
        let units = &slots.0[slot].units;
        let (us, bucket) = (position.turn().index(), bucket(position));
        let sum = simd::output([&units[us], &units[1 - us]], &self.output[bucket])
            .wrapping_add(self.output_bias[bucket]);
        let limit = i64::from(Score::EVAL_MAX.centimen());
        let score = (i64::from(sum) * self.scale + (1 << (SHIFT - 1))) >> SHIFT;
        Score::new(score.clamp(-limit, limit) as i32)
    }
}

const _: () = assert!(INPUTS <= 256);
