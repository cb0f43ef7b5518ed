//! The inner loops of the network with AVX2, 16 units at a time. The portable twins are in `lanes`.
#![expect(unsafe_code, reason = "instructions of AVX2")]

use super::row::{ROWS, Row};
use super::second::Second;
use super::x86::last;
use crate::eval::network::weights::Weights;
use std::arch::x86_64::*;

const LANES: usize = 16;
/// Registers that hold a view of the accumulator, or a part of it, while rows are added to it: half of those there are.
const AT_ONCE: usize = 8;

/// Units of a view that are held at once.
const fn part(units: usize) -> usize {
    match units < LANES * AT_ONCE {
        true => units,
        false => LANES * AT_ONCE,
    }
}

/// See [`super::lanes::updated`].
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(in crate::eval::network) unsafe fn updated<const H: usize>(
    source: &[Row<H>; 2],
    rows: &[Row<H>; ROWS],
    added: impl Iterator<Item = [u8; 2]> + Clone,
    removed: impl Iterator<Item = [u8; 2]> + Clone,
) -> [Row<H>; 2] {
    const { assert!(H.is_multiple_of(part(H)) && part(H).is_multiple_of(LANES)) };
    let mut target = *source;
    for piece in (0..H).step_by(part(H)) {
        // SAFETY: the caller's; target and every row have H units, `piece + i * LANES` stays below H, unaligned.
        unsafe {
            let at = |units: &Row<H>, i: usize| {
                _mm256_loadu_si256(units.0.as_ptr().add(piece + i * LANES).cast())
            };
            let mut sums = [[_mm256_setzero_si256(); AT_ONCE]; 2];
            for (sums, target) in sums.iter_mut().zip(&target) {
                for (i, sum) in sums.iter_mut().enumerate().take(part(H) / LANES) {
                    *sum = at(target, i);
                }
            }
            for input in added.clone() {
                for (sums, input) in sums.iter_mut().zip(input) {
                    let row = &rows[usize::from(input)];
                    for (i, sum) in sums.iter_mut().enumerate().take(part(H) / LANES) {
                        *sum = _mm256_add_epi16(*sum, at(row, i));
                    }
                }
            }
            for input in removed.clone() {
                for (sums, input) in sums.iter_mut().zip(input) {
                    let row = &rows[usize::from(input)];
                    for (i, sum) in sums.iter_mut().enumerate().take(part(H) / LANES) {
                        *sum = _mm256_sub_epi16(*sum, at(row, i));
                    }
                }
            }
            for (sums, target) in sums.iter().zip(&mut target) {
                for (i, sum) in sums.iter().enumerate().take(part(H) / LANES) {
                    _mm256_storeu_si256(target.0.as_mut_ptr().add(piece + i * LANES).cast(), *sum);
                }
            }
        }
    }
    target
}

/// See [`super::lanes::output`].
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::eval::network) fn output<const H: usize>(
    units: [&Row<H>; 2],
    weights: &[Row<H>; 2],
) -> i32 {
    const { assert!(H.is_multiple_of(LANES)) };
    // SAFETY: every row has H units and the index stays below H.
    unsafe {
        let (low, high) = (
            _mm256_setzero_si256(),
            _mm256_set1_epi16(Weights::UNIT as i16),
        );
        let mut sums = [low; 2];
        for at in (0..H).step_by(LANES) {
            for ((sum, units), weights) in sums.iter_mut().zip(units).zip(weights) {
                let unit = _mm256_loadu_si256(units.0.as_ptr().add(at).cast());
                let weight = _mm256_loadu_si256(weights.0.as_ptr().add(at).cast());
                let unit = _mm256_min_epi16(_mm256_max_epi16(unit, low), high);
                let product = _mm256_mullo_epi16(unit, weight);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(product, unit));
            }
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        let sum = _mm_add_epi32(
            _mm256_castsi256_si128(sum),
            _mm256_extracti128_si256::<1>(sum),
        );
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
        _mm_cvtsi128_si32(sum)
    }
}

/// Bytes of a register.
const BYTES: usize = 2 * LANES;
/// Registers for the squares of a view at most.
const MOST: usize = 8;

/// See [`super::lanes::second`].
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::eval::network) fn second<const H: usize>(
    units: [&Row<H>; 2],
    second: &Second<H>,
) -> i32 {
    const { assert!(H.is_multiple_of(BYTES) && H <= BYTES * MOST) };
    // SAFETY: every row has H units or bytes and the index stays below H.
    unsafe {
        let (low, high) = (
            _mm256_setzero_si256(),
            _mm256_set1_epi16(Weights::UNIT as i16),
        );
        let mut squares = [[low; MOST]; 2];
        for (units, squares) in units.into_iter().zip(&mut squares) {
            let square = |at: usize| {
                let unit = _mm256_loadu_si256(units.0.as_ptr().add(at).cast());
                let unit = _mm256_min_epi16(_mm256_max_epi16(unit, low), high);
                // mulhrs is (a b + 2^14) >> 15.
                let other = _mm256_slli_epi16::<{ 15 - Weights::SQUARE_SHIFT as i32 }>(unit);
                _mm256_mulhrs_epi16(unit, other)
            };
            for (i, squares) in squares.iter_mut().enumerate().take(H / BYTES) {
                // Packing works within 128-bit lanes; the order is restored.
                let packed = _mm256_packus_epi16(square(i * BYTES), square(i * BYTES + LANES));
                *squares = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            }
        }
        let ones = _mm256_set1_epi16(1);
        let sum = |unit: usize| {
            let mut sum = low;
            for (squares, row) in squares.iter().zip(&second.rows[unit]) {
                for (i, squares) in squares.iter().enumerate().take(H / BYTES) {
                    let weights = _mm256_loadu_si256(row.0.as_ptr().add(i * BYTES).cast());
                    let pairs = _mm256_maddubs_epi16(*squares, weights);
                    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
                }
            }
            sum
        };
        // The sums of four units, within 128-bit lanes.
        let four = |first: usize| {
            let a = _mm256_hadd_epi32(sum(first), sum(first + 1));
            let b = _mm256_hadd_epi32(sum(first + 2), sum(first + 3));
            let sums = _mm256_hadd_epi32(a, b);
            _mm_add_epi32(
                _mm256_castsi256_si128(sums),
                _mm256_extracti128_si256::<1>(sums),
            )
        };
        last([four(0), four(4)], &second.bias, &second.output)
    }
}
