use super::features::{BUCKETS, INPUTS};
use super::size::Size;

/// Largest absolute value of a weight: products of the quantised network then fit their registers.
pub const WEIGHT_LIMIT: f32 = 127.0 / 64.0;

/// Quantised weights of a network, as it plays with them.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// Size of the network, of [`Size::ALL`].
    pub size: Size,
    /// [`INPUTS`] rows of `hidden` numbers, in [`Weights::UNIT`]s.
    pub input: Vec<i16>,
    /// `hidden`, in the same unit.
    pub bias: Vec<i16>,
    /// [`BUCKETS`] rows of `2 * hidden`, side to move first, at most [`Weights::OUTPUT_LIMIT`] either way.
    pub output: Vec<i16>,
    /// [`BUCKETS`], in the unit of the output: an output weight's times the square of [`Weights::UNIT`].
    pub output_bias: Vec<i32>,
    /// For each of [`BUCKETS`] `second` rows of `2 * hidden`, side to move first, in 64ths.
    pub second: Vec<i8>,
    /// For each of [`BUCKETS`] `second`, a 64th of a 127th of 1.
    pub second_bias: Vec<i32>,
    /// For each of [`BUCKETS`] `second`: the weight in the output of a unit's square, in 127ths of 127ths.
    pub last: Vec<i16>,
    /// Hundredths of a man for 1 of the output.
    pub scale: f32,
}

impl Weights {
    /// 1 for a hidden unit.
    pub const UNIT: i32 = 255;
    /// Largest output weight: its product with a hidden unit then fits 16 bits.
    pub const OUTPUT_LIMIT: i16 = 127;
    /// Right shift, rounded, of the squared activation of a hidden unit before the second layer, where 1 is 127.
    pub(super) const SQUARE_SHIFT: u32 = 9;
    /// 1 for a weight of the second layer.
    pub const SECOND_WEIGHT: i32 = 64;
    /// 1 for a unit of the second layer.
    pub const SECOND_ONE: i32 = 127 * Weights::SECOND_WEIGHT;
    /// Largest bias of a unit of the second layer: the sum of its 512 products at most is far smaller.
    const SECOND_BIAS_LIMIT: u32 = 1 << 28;
    /// Right shift of the squared activation of such a unit.
    pub(super) const SECOND_SHIFT: u32 = 12;
    /// 1 for its squared activation.
    pub const SECOND_SQUARE: i32 =
        (Weights::SECOND_ONE * Weights::SECOND_ONE) >> Weights::SECOND_SHIFT;

    /// Little-endian: hidden units; units of the second layer, where there is one; the scale; the rest in the order of
    /// the fields.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let (hidden, second) = self.size.units();
        out.extend((hidden as u32).to_le_bytes());
        if second > 0 {
            out.extend((second as u32).to_le_bytes());
        }
        out.extend(self.scale.to_le_bytes());
        let halves = [&self.input, &self.bias, &self.output];
        out.extend(halves.into_iter().flatten().flat_map(|w| w.to_le_bytes()));
        out.extend(self.output_bias.iter().flat_map(|w| w.to_le_bytes()));
        out.extend(self.second.iter().flat_map(|w| w.to_le_bytes()));
        out.extend(self.second_bias.iter().flat_map(|w| w.to_le_bytes()));
        out.extend(self.last.iter().flat_map(|w| w.to_le_bytes()));
    }

    /// The inverse of [`Weights::write`]. None where the bytes are no usable network.
    pub(crate) fn read(bytes: &[u8], has_second: bool) -> Option<Weights> {
        let mut rest = bytes;
        let hidden = u32::from_le_bytes(*take(&mut rest)?) as usize;
        let second = match has_second {
            true => u32::from_le_bytes(*take(&mut rest)?) as usize,
            false => 0,
        };
        let scale = f32::from_le_bytes(*take(&mut rest)?);
        let size = Size::of(hidden, second).filter(|_| has_second == (second > 0))?;
        if !(scale > 1e-9 && scale < 1.0 / 512.0) {
            return None;
        }
        let units = BUCKETS * second;
        let weights = Weights {
            size,
            input: numbers(&mut rest, INPUTS * hidden, i16::from_le_bytes)?,
            bias: numbers(&mut rest, hidden, i16::from_le_bytes)?,
            output: numbers(&mut rest, BUCKETS * 2 * hidden, i16::from_le_bytes)?,
            output_bias: numbers(&mut rest, BUCKETS, i32::from_le_bytes)?,
            second: numbers(&mut rest, units * 2 * hidden, i8::from_le_bytes)?,
            second_bias: numbers(&mut rest, units, i32::from_le_bytes)?,
            last: numbers(&mut rest, units, i16::from_le_bytes)?,
            scale,
        };
        (rest.is_empty() && weights.is_bounded()).then_some(weights)
    }

    /// Whether no sum can overflow, whatever the position.
    fn is_bounded(&self) -> bool {
        let limit = (WEIGHT_LIMIT * Weights::UNIT as f32).round() as u16;
        let mut first = self.input.iter().chain(&self.bias);
        first.all(|w| w.unsigned_abs() <= limit)
            && (self.output.iter()).all(|w| w.unsigned_abs() <= Weights::OUTPUT_LIMIT as u16)
            && (self.second_bias.iter()).all(|w| w.unsigned_abs() <= Weights::SECOND_BIAS_LIMIT)
            && (0..BUCKETS).all(|bucket| self.sum_fits(bucket))
    }

    /// Whether the output of a set of weights cannot overflow, whatever the units.
    fn sum_fits(&self, bucket: usize) -> bool {
        let (hidden, second) = self.size.units();
        let output = self.output[2 * hidden * bucket..][..2 * hidden].iter();
        let output = output.map(|w| i64::from(w.unsigned_abs()) * UNIT_SQUARE);
        let last = self.last[second * bucket..][..second].iter();
        let last = last.map(|w| i64::from(w.unsigned_abs()) * i64::from(Weights::SECOND_SQUARE));
        let bias = i64::from(self.output_bias[bucket].unsigned_abs());
        output.chain(last).sum::<i64>() + bias <= i64::from(i32::MAX)
    }
}

/// 1 for the squared activation of a hidden unit.
const UNIT_SQUARE: i64 = (Weights::UNIT * Weights::UNIT) as i64;

/// Takes the first bytes off the front.
fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

/// Takes the first `count` numbers off the front.
fn numbers<T, const N: usize>(
    bytes: &mut &[u8],
    count: usize,
    read: fn([u8; N]) -> T,
) -> Option<Vec<T>> {
    let (numbers, rest) = bytes.split_at_checked(count * N)?;
    *bytes = rest;
    Some(numbers.as_chunks().0.iter().map(|w| read(*w)).collect())
}
