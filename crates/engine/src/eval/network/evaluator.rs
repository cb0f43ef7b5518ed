use super::features::{BUCKETS, Boards, INPUTS, Inputs, boards, bucket};
use super::simd::{self, Better, ROWS, Row, Second, layers};
use super::weights::Weights;
use crate::eval::{Evaluator, PLIES, Score};
use damier_cpu::bits;
use damier_cpu::{Cpu, Kind};
use damier_rules::Position;

/// A network with `H` hidden units a view and `D` units in the second layer.
#[derive(Clone)]
pub struct Network<const H: usize, const D: usize, C> {
    cpu: C,
    better: Option<Better>,
    /// One for every `u8`, so that no index is out of bounds; those of the inputs come first.
    rows: Box<[Row<H>; ROWS]>,
    bias: Row<H>,
    output: Box<[[Row<H>; 2]]>,
    output_bias: [i32; BUCKETS],
    /// By bucket, where `D` is not 0.
    second: Box<[Second<H>]>,
    /// Hundredths of a man for 1 of the quantised output, times 2^[`SHIFT`].
    scale: i64,
}

const SHIFT: u32 = 40;

impl<const H: usize, const D: usize, C: Cpu> Network<H, D, C> {
    /// None where the weights are of another size.
    pub fn new(cpu: C, weights: &Weights) -> Option<Network<H, D, C>> {
        if weights.size.units() != (H, D) {
            return None;
        }
        let rows = |words: &[i16]| -> Vec<Row<H>> {
            words.as_chunks::<H>().0.iter().copied().map(Row).collect()
        };
        let bias = Row(*weights.bias.first_chunk()?);
        let output = rows(&weights.output);
        let mut input = rows(&weights.input);
        input.resize(ROWS, Row([0; H]));
        let scale = f64::from(weights.scale) * (1u64 << SHIFT) as f64;
        Some(Network {
            cpu,
            better: simd::better(cpu),
            rows: input.try_into().ok()?,
            bias,
            output: output.as_chunks::<2>().0.into(),
            output_bias: *weights.output_bias.first_chunk()?,
            second: layers(weights),
            scale: scale.round() as i64,
        })
    }
}

/// The accumulators of both views, for each ply of the path those of the position last evaluated there. A position
/// differs by a few pieces from its parents and siblings, so its accumulators are updated from the nearest of theirs.
pub struct Slots<const H: usize> {
    boards: [Boards; PLIES],
    units: Box<[[Row<H>; 2]; PLIES]>,
}

/// Number of pieces that differ.
#[inline(always)]
fn distance(a: &Boards, b: &Boards) -> u32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| bits::count(bits::opaque(a ^ b)))
        .sum()
}

impl<const H: usize, const D: usize, C: Cpu> Network<H, D, C> {
    /// Updates the accumulators of a ply from the nearest position evaluated there or shortly before. Returns the index
    /// of the slot that holds them.
    #[inline(always)]
    fn refresh(
        &self,
        cpu: impl Cpu,
        slots: &mut Slots<H>,
        ply: usize,
        position: &Position,
    ) -> usize {
        let ply = ply.min(PLIES - 1);
        let now = boards(position);
        // The parent first: it is usually a quiet move away, which makes two differences. A capture makes at least
        // three.
        let parent = ply.saturating_sub(1);
        let (mut from, mut nearest) = (parent, distance(&slots.boards[parent], &now));
        for other in [ply, ply.saturating_sub(2)] {
            if nearest <= 2 {
                break;
            }
            let far = distance(&slots.boards[other], &now);
            if far < nearest {
                (from, nearest) = (other, far);
            }
        }
        if nearest == 0 {
            return from;
        }
        let old = slots.boards[from];
        let added = Inputs::difference(&now, &old);
        let removed = Inputs::difference(&old, &now);
        slots.units[ply] = simd::updated(cpu, &slots.units[from], &self.rows, added, removed);
        slots.boards[ply] = now;
        ply
    }

    #[inline(always)]
    fn evaluate_on<On: Cpu>(
        &self,
        cpu: On,
        slots: &mut Slots<H>,
        ply: u32,
        position: &Position,
    ) -> Score {
        cpu.call(
            #[inline(always)]
            |network, slots, ply, position| network.evaluate_on_level(cpu, slots, ply, position),
            self,
            slots,
            ply,
            position,
        )
    }

    #[inline(always)]
    fn evaluate_on_level(
        &self,
        cpu: impl Cpu,
        slots: &mut Slots<H>,
        ply: u32,
        position: &Position,
    ) -> Score {
        let slot = self.refresh(cpu, slots, ply as usize, position);
        let units = &slots.units[slot];
        let (us, bucket) = (position.turn().index(), bucket(position));
        let units = [&units[us], &units[1 - us]];
        let mut sum =
            simd::output(cpu, units, &self.output[bucket]).wrapping_add(self.output_bias[bucket]);
        if D > 0 {
            sum = sum.wrapping_add(simd::second(cpu, units, &self.second[bucket]));
        }
        let limit = i64::from(Score::EVAL_MAX.centimen());
        let score = (i64::from(sum) * self.scale + (1 << (SHIFT - 1))) >> SHIFT;
        Score::new(score.clamp(-limit, limit) as i32)
    }
}

impl<const H: usize, const D: usize, C: Cpu> Evaluator for Network<H, D, C> {
    type Cpu = C;
    type Scratch = Slots<H>;

    #[inline(always)]
    fn cpu(&self) -> C {
        self.cpu
    }

    fn scratch(&self) -> Slots<H> {
        let units = vec![[self.bias; 2]; PLIES].into_boxed_slice();
        Slots {
            boards: [[0; 4]; PLIES],
            units: units
                .try_into()
                .unwrap_or_else(|_| unreachable!("made with this length")),
        }
    }

    #[inline(always)]
    fn evaluate(&self, slots: &mut Slots<H>, ply: u32, position: &Position) -> Score {
        match self.better {
            Some(cpu) if C::KIND == Kind::V4 => self.evaluate_on(cpu, slots, ply, position),
            _ => self.evaluate_on(self.cpu, slots, ply, position),
        }
    }
}

const _: () = assert!(INPUTS <= 256);
