use super::WEIGHT_LIMIT;
use super::features::{BUCKETS, INPUTS};

/// The weights of a network in whole numbers, as they are played with.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// Hidden units of a view: one of [`Weights::SIZES`].
    pub hidden: usize,
    /// [`INPUTS`] rows of `hidden`, in [`Weights::UNIT`]s.
    pub input: Vec<i16>,
    /// `hidden`, in the same unit.
    pub bias: Vec<i16>,
    /// [`BUCKETS`] rows of `2 * hidden`, side to move first, at most [`Weights::OUTPUT_LIMIT`] either way.
    pub output: Vec<i16>,
    /// [`BUCKETS`], in the unit of the output: an output weight's times the square of [`Weights::UNIT`].
    pub output_bias: Vec<i32>,
    /// Hundredths of a man for 1 of the output.
    pub scale: f32,
}

impl Weights {
    /// A hidden unit's 1.
    pub const UNIT: i32 = 255;
    /// Largest output weight: its product with a hidden unit then fits 16 bits.
    pub const OUTPUT_LIMIT: i16 = 127;
    /// The sizes of the hidden layer that can be played with.
    pub const SIZES: [usize; 3] = [64, 128, 256];

    /// Little-endian, in the order of the fields.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.hidden as u32).to_le_bytes());
        out.extend_from_slice(&self.scale.to_le_bytes());
        for weights in [&self.input, &self.bias, &self.output] {
            weights
                .iter()
                .for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
        }
        self.output_bias
            .iter()
            .for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
    }

    /// The inverse of [`Weights::write`]. None where the bytes are no network that can be played with.
    pub(crate) fn read(bytes: &[u8]) -> Option<Weights> {
        let (hidden, rest) = bytes.split_first_chunk()?;
        let (scale, rest) = rest.split_first_chunk()?;
        let (hidden, scale) = (
            u32::from_le_bytes(*hidden) as usize,
            f32::from_le_bytes(*scale),
        );
        let sound = Weights::SIZES.contains(&hidden) && scale > 1e-9 && scale < 1.0 / 512.0;
        let [input, bias, output] = [INPUTS * hidden, hidden, BUCKETS * 2 * hidden];
        if !sound || rest.len() != 2 * (input + bias + output) + 4 * BUCKETS {
            return None;
        }
        let (words, last) = rest.split_at(2 * (input + bias + output));
        let words: Vec<i16> = words
            .as_chunks()
            .0
            .iter()
            .map(|w| i16::from_le_bytes(*w))
            .collect();
        let output_bias: Vec<i32> = last
            .as_chunks()
            .0
            .iter()
            .map(|w| i32::from_le_bytes(*w))
            .collect();
        let limit = (WEIGHT_LIMIT * Weights::UNIT as f32).round() as u16;
        let (hidden_layer, output) = words.split_at(input + bias);
        // Beyond these the sums could overflow.
        let fits = hidden_layer.iter().all(|w| w.unsigned_abs() <= limit)
            && output
                .iter()
                .all(|w| w.unsigned_abs() <= Weights::OUTPUT_LIMIT as u16)
            && output.chunks(2 * hidden).zip(&output_bias).all(sum_fits);
        fits.then(|| Weights {
            hidden,
            input: hidden_layer[..input].to_vec(),
            bias: hidden_layer[input..].to_vec(),
            output: output.to_vec(),
            output_bias,
            scale,
        })
    }
}

/// Whether the output of a set of weights fits its whole number, however the units are.
fn sum_fits((output, bias): (&[i16], &i32)) -> bool {
    let one = i64::from(Weights::UNIT * Weights::UNIT);
    let largest: i64 = output
        .iter()
        .map(|w| i64::from(w.unsigned_abs()) * one)
        .sum();
    largest + i64::from(bias.unsigned_abs()) <= i64::from(i32::MAX)
}
