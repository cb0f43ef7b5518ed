use crate::eval::network::size::Size;
use crate::eval::network::weights::Weights;

/// Units of a bucket.
pub(in crate::eval::network) const UNITS: usize = Size::SECOND;

/// The weights of a unit for the hidden units of a view, aligned to cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::eval::network) struct WeightRow<const H: usize>(pub [i8; H]);

/// The second layer of a bucket.
#[derive(Clone)]
#[repr(C, align(64))]
pub(in crate::eval::network) struct Second<const H: usize> {
    /// By unit and view, that of the side to move first.
    pub rows: [[WeightRow<H>; 2]; UNITS],
    pub bias: [i32; UNITS],
    /// Weight of a unit's square in the output, in 127ths of 127ths.
    pub output: [i16; UNITS],
}

/// The second layer of every bucket; empty where the network has none.
pub(in crate::eval::network) fn layers<const H: usize>(weights: &Weights) -> Box<[Second<H>]> {
    let rows = weights.second.as_chunks::<H>().0.iter();
    let rows: Vec<WeightRow<H>> = rows.map(|row| WeightRow(*row)).collect();
    let rows = rows.as_chunks::<2>().0.as_chunks().0.iter();
    let bias = weights.second_bias.as_chunks().0;
    let output = weights.last.as_chunks().0;
    rows.zip(bias)
        .zip(output)
        .map(|((rows, bias), output)| Second {
            rows: *rows,
            bias: *bias,
            output: *output,
        })
        .collect()
}
