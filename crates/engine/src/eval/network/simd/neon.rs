//! The inner loops of the network with NEON, 8 units at a time. The portable twins are in `lanes`.
#![expect(unsafe_code, reason = "loads and stores of NEON")]

use super::row::{ROWS, Row};
use super::second::{Second, UNITS};
use crate::eval::network::weights::Weights;
use std::arch::aarch64::*;

const LANES: usize = 8;
/// Registers that hold a part of the accumulator while rows are added to it.
const AT_ONCE: usize = 8;

/// See [`super::lanes::updated`].
#[inline(always)]
pub(in crate::eval::network) fn updated<const H: usize>(
    source: &[Row<H>; 2],
    rows: &[Row<H>; ROWS],
    added: impl Iterator<Item = [u8; 2]> + Clone,
    removed: impl Iterator<Item = [u8; 2]> + Clone,
) -> [Row<H>; 2] {
    const { assert!(H.is_multiple_of(LANES * AT_ONCE)) };
    let mut target = *source;
    for (view, target) in target.iter_mut().enumerate() {
        for piece in (0..H).step_by(LANES * AT_ONCE) {
            // SAFETY: target and every row have H units, `piece + i * LANES` stays below H.
            unsafe {
                let at =
                    |units: &Row<H>, i: usize| vld1q_s16(units.0.as_ptr().add(piece + i * LANES));
                let mut sums: [int16x8_t; AT_ONCE] = std::array::from_fn(|i| at(target, i));
                for input in added.clone() {
                    let row = &rows[usize::from(input[view])];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = vaddq_s16(*sum, at(row, i));
                    }
                }
                for input in removed.clone() {
                    let row = &rows[usize::from(input[view])];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = vsubq_s16(*sum, at(row, i));
                    }
                }
                for (i, sum) in sums.into_iter().enumerate() {
                    vst1q_s16(target.0.as_mut_ptr().add(piece + i * LANES), sum);
                }
            }
        }
    }
    target
}

/// Eight units from an index on, clipped.
///
/// # Safety
/// There are as many.
#[inline(always)]
unsafe fn clipped<const H: usize>(units: &Row<H>, at: usize) -> int16x8_t {
    // SAFETY: the caller's.
    unsafe {
        let unit = vld1q_s16(units.0.as_ptr().add(at));
        vminq_s16(
            vmaxq_s16(unit, vdupq_n_s16(0)),
            vdupq_n_s16(Weights::UNIT as i16),
        )
    }
}

/// See [`super::lanes::output`].
#[inline(always)]
pub(in crate::eval::network) fn output<const H: usize>(
    units: [&Row<H>; 2],
    weights: &[Row<H>; 2],
) -> i32 {
    const { assert!(H.is_multiple_of(LANES)) };
    // SAFETY: every row has H units and the index stays below H.
    unsafe {
        let mut sums = [[vdupq_n_s32(0); 2]; 2];
        for at in (0..H).step_by(LANES) {
            for (([low, high], units), weights) in sums.iter_mut().zip(units).zip(weights) {
                let unit = clipped(units, at);
                let product = vmulq_s16(unit, vld1q_s16(weights.0.as_ptr().add(at)));
                *low = vmlal_s16(*low, vget_low_s16(product), vget_low_s16(unit));
                *high = vmlal_high_s16(*high, product, unit);
            }
        }
        let [us, them] = sums.map(|[low, high]| vaddq_s32(low, high));
        vaddvq_s32(vaddq_s32(us, them))
    }
}

/// Bytes of a register.
const BYTES: usize = 2 * LANES;
/// Registers for the squares of a view at most.
const MOST: usize = 16;

/// See [`super::lanes::second`].
#[inline(always)]
pub(in crate::eval::network) fn second<const H: usize>(
    units: [&Row<H>; 2],
    second: &Second<H>,
) -> i32 {
    const { assert!(H.is_multiple_of(BYTES) && H <= BYTES * MOST) };
    // SAFETY: every row has H units or bytes and the index stays below H.
    unsafe {
        let mut squares = [[vdupq_n_s8(0); MOST]; 2];
        for (units, squares) in units.into_iter().zip(&mut squares) {
            let square = |at: usize| {
                let unit = clipped(units, at);
                // vqrdmulh is (2 a b + 2^15) >> 16; the squares are at most 127.
                let other = vshlq_n_s16::<{ 15 - Weights::SQUARE_SHIFT as i32 }>(unit);
                vqrdmulhq_s16(unit, other)
            };
            for (i, squares) in squares.iter_mut().enumerate().take(H / BYTES) {
                let low = vmovn_s16(square(i * BYTES));
                *squares = vmovn_high_s16(low, square(i * BYTES + LANES));
            }
        }
        let sum = |unit: usize| {
            let mut sum = vdupq_n_s32(0);
            for (squares, row) in squares.iter().zip(&second.rows[unit]) {
                for (i, squares) in squares.iter().enumerate().take(H / BYTES) {
                    let weights = vld1q_s8(row.0.as_ptr().add(i * BYTES));
                    let pairs = vmull_s8(vget_low_s8(*squares), vget_low_s8(weights));
                    // Two products fit 16 bits.
                    let pairs = vmlal_high_s8(pairs, *squares, weights);
                    sum = vpadalq_s16(sum, pairs);
                }
            }
            sum
        };
        // The outputs of four units.
        let four = |first: usize| {
            const { assert!(UNITS == 8) };
            let low = vpaddq_s32(sum(first), sum(first + 1));
            let high = vpaddq_s32(sum(first + 2), sum(first + 3));
            let bias = vld1q_s32(second.bias.as_ptr().add(first));
            let units = vaddq_s32(vpaddq_s32(low, high), bias);
            let units = vmaxq_s32(units, vdupq_n_s32(0));
            let units = vminq_s32(units, vdupq_n_s32(Weights::SECOND_ONE));
            let squares = vshrq_n_s32::<{ Weights::SECOND_SHIFT as i32 }>(vmulq_s32(units, units));
            let output = vmovl_s16(vld1_s16(second.output.as_ptr().add(first)));
            vmulq_s32(squares, output)
        };
        vaddvq_s32(vaddq_s32(four(0), four(4)))
    }
}
