//! The inner loops of the network with AVX-512BW, 32 units at a time. The portable twins are in `lanes`.

use super::{Row, Weights};
use std::arch::x86_64::*;

const LANES: usize = 32;
/// Registers that hold a piece of the units while rows are added to it.
const AT_ONCE: usize = 2;

/// See [`super::lanes::update`].
#[inline(always)]
pub(super) fn update<const H: usize>(
    source: &[i16; H],
    target: &mut [i16; H],
    rows: &[Row<H>],
    added: &[u8],
    removed: &[u8],
) {
    const { assert!(H.is_multiple_of(LANES * AT_ONCE)) };
    for piece in (0..H).step_by(LANES * AT_ONCE) {
        // SAFETY: the module is compiled only where the target has AVX-512BW. `piece + i * LANES` stays below H, by which
        // source, target and each row (all of H units) are read and written with unaligned access.
        unsafe {
            let at = |units: &[i16; H], i: usize| {
                _mm512_loadu_si512(units.as_ptr().add(piece + i * LANES).cast())
            };
            let mut sums: [__m512i; AT_ONCE] = std::array::from_fn(|i| at(source, i));
            for &row in added {
                let row = &rows[usize::from(row)].0;
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm512_add_epi16(*sum, at(row, i));
                }
            }
            for &row in removed {
                let row = &rows[usize::from(row)].0;
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm512_sub_epi16(*sum, at(row, i));
                }
            }
            for (i, sum) in sums.into_iter().enumerate() {
                _mm512_storeu_si512(target.as_mut_ptr().add(piece + i * LANES).cast(), sum);
            }
        }
    }
}

/// See [`super::lanes::output`].
#[inline(always)]
pub(super) fn output<const H: usize>(units: &[i16; H], weights: &[i16; H]) -> i32 {
    const { assert!(H.is_multiple_of(2 * LANES)) };
    // SAFETY: the module is compiled only where the target has AVX-512BW; both arrays have H units and the index stays below H.
    unsafe {
        let (low, high) = (
            _mm512_setzero_si512(),
            _mm512_set1_epi16(Weights::UNIT as i16),
        );
        let mut sums = [low; 2];
        for at in (0..H).step_by(2 * LANES) {
            for (i, sum) in sums.iter_mut().enumerate() {
                let unit = _mm512_loadu_si512(units.as_ptr().add(at + i * LANES).cast());
                let weight = _mm512_loadu_si512(weights.as_ptr().add(at + i * LANES).cast());
                let unit = _mm512_min_epi16(_mm512_max_epi16(unit, low), high);
                let product = _mm512_mullo_epi16(unit, weight);
                *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(product, unit));
            }
        }
        _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
    }
}
