//! The inner loops of the network with AVX-512BW, 32 units at a time. The portable twins are in `lanes`.

use super::evaluator::ROWS;
use super::{Row, Weights};
use std::arch::x86_64::*;

const LANES: usize = 32;
/// Registers for the units of a view at most.
const MOST: usize = 8;

/// See [`super::lanes::updated`].
#[inline(always)]
pub(super) fn updated<const H: usize>(
    source: &[Row<H>; 2],
    rows: &[Row<H>; ROWS],
    added: &[[u8; 2]],
    removed: &[[u8; 2]],
) -> [Row<H>; 2] {
    const { assert!(H.is_multiple_of(LANES) && H <= LANES * MOST) };
    let mut target = *source;
    // SAFETY: the module is compiled only where the target has AVX-512BW. Source, target and every row have H units, and
    // `i * LANES` stays below H; access is unaligned.
    unsafe {
        let mut sums = [[_mm512_setzero_si512(); MOST]; 2];
        let at =
            |units: &Row<H>, i: usize| _mm512_loadu_si512(units.0.as_ptr().add(i * LANES).cast());
        for (sums, source) in sums.iter_mut().zip(source) {
            for (i, sum) in sums.iter_mut().enumerate().take(H / LANES) {
                *sum = at(source, i);
            }
        }
        for input in added {
            for (sums, &row) in sums.iter_mut().zip(input) {
                let row = &rows[usize::from(row)];
                for (i, sum) in sums.iter_mut().enumerate().take(H / LANES) {
                    *sum = _mm512_add_epi16(*sum, at(row, i));
                }
            }
        }
        for input in removed {
            for (sums, &row) in sums.iter_mut().zip(input) {
                let row = &rows[usize::from(row)];
                for (i, sum) in sums.iter_mut().enumerate().take(H / LANES) {
                    *sum = _mm512_sub_epi16(*sum, at(row, i));
                }
            }
        }
        for (sums, target) in sums.into_iter().zip(&mut target) {
            for (i, sum) in sums.into_iter().enumerate().take(H / LANES) {
                _mm512_storeu_si512(target.0.as_mut_ptr().add(i * LANES).cast(), sum);
            }
        }
    }
    target
}

/// See [`super::lanes::output`].
#[inline(always)]
pub(super) fn output<const H: usize>(units: [&Row<H>; 2], weights: &[Row<H>; 2]) -> i32 {
    const { assert!(H.is_multiple_of(LANES)) };
    // SAFETY: the module is compiled only where the target has AVX-512BW; every row has H units and the index stays below H.
    unsafe {
        let (low, high) = (
            _mm512_setzero_si512(),
            _mm512_set1_epi16(Weights::UNIT as i16),
        );
        let mut sums = [low; 2];
        for at in (0..H).step_by(LANES) {
            for ((sum, units), weights) in sums.iter_mut().zip(units).zip(weights) {
                let unit = _mm512_loadu_si512(units.0.as_ptr().add(at).cast());
                let weight = _mm512_loadu_si512(weights.0.as_ptr().add(at).cast());
                let unit = _mm512_min_epi16(_mm512_max_epi16(unit, low), high);
                let product = _mm512_mullo_epi16(unit, weight);
                *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(product, unit));
            }
        }
        let sum = _mm512_add_epi32(sums[0], sums[1]);
        _mm512_reduce_add_epi32(sum)
    }
}
