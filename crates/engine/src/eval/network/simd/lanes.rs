//! The inner loops of the network, portable. `avx512`, `avx2` and `neon` have the SIMD twins.

use super::row::{ROWS, Row};
use super::second::{Second, UNITS};
use crate::eval::network::weights::Weights;

/// The accumulators of both views with the rows of some inputs added and those of others subtracted. Weights are
/// bounded so that no sum overflows.
#[inline(always)]
pub(in crate::eval::network) fn updated<const H: usize>(
    source: &[Row<H>; 2],
    rows: &[Row<H>; ROWS],
    added: impl Iterator<Item = [u8; 2]> + Clone,
    removed: impl Iterator<Item = [u8; 2]> + Clone,
) -> [Row<H>; 2] {
    let mut units = *source;
    for (view, units) in units.iter_mut().enumerate() {
        for input in added.clone() {
            let row = &rows[usize::from(input[view])].0;
            for (unit, weight) in units.0.iter_mut().zip(row) {
                *unit = unit.wrapping_add(*weight);
            }
        }
        for input in removed.clone() {
            let row = &rows[usize::from(input[view])].0;
            for (unit, weight) in units.0.iter_mut().zip(row) {
                *unit = unit.wrapping_sub(*weight);
            }
        }
    }
    units
}

/// The sum of all units, clipped, squared and weighted. A unit is at most 255 and a weight at most 127, so that their
/// product fits 16 bits.
#[inline(always)]
pub(in crate::eval::network) fn output<const H: usize>(
    units: [&Row<H>; 2],
    weights: &[Row<H>; 2],
) -> i32 {
    let pairs = units.into_iter().zip(weights);
    let pairs = pairs.flat_map(|(units, weights)| units.0.iter().zip(&weights.0));
    pairs
        .map(|(unit, weight)| {
            let unit = (*unit).clamp(0, Weights::UNIT as i16);
            i32::from(unit.wrapping_mul(*weight)).wrapping_mul(i32::from(unit))
        })
        .fold(0, i32::wrapping_add)
}

/// The output of the second layer. The squares of the clipped units are rounded to 127ths, so that two products with
/// weights of a byte fit 16 bits; and the squares of its own units are at most 127 times 127.
#[inline(always)]
pub(in crate::eval::network) fn second<const H: usize>(
    units: [&Row<H>; 2],
    second: &Second<H>,
) -> i32 {
    let squares: [[i16; H]; 2] = units.map(|units| {
        units.0.map(|unit| {
            // All within 16 bits.
            let unit = unit.clamp(0, Weights::UNIT as i16) as u16;
            ((unit * unit + (1 << (Weights::SQUARE_SHIFT - 1))) >> Weights::SQUARE_SHIFT) as i16
        })
    });
    let outputs: [i32; UNITS] = std::array::from_fn(|unit| {
        let mut sum = second.bias[unit];
        for (row, squares) in second.rows[unit].iter().zip(&squares) {
            let products = row.0.iter().zip(squares);
            sum += products
                .map(|(w, s)| i32::from(*w) * i32::from(*s))
                .sum::<i32>();
        }
        let sum = sum.clamp(0, Weights::SECOND_ONE);
        ((sum * sum) >> Weights::SECOND_SHIFT) * i32::from(second.output[unit])
    });
    outputs.iter().sum()
}
