//! Shared by the loops with AVX2 and with AVX-512.
#![expect(unsafe_code, reason = "instructions of x86-64")]

use super::second::UNITS;
use crate::eval::network::weights::Weights;
use std::arch::x86_64::*;

/// The output of the second layer from the sums of its first four and last four units.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn last([low, high]: [__m128i; 2], bias: &[i32; UNITS], output: &[i16; UNITS]) -> i32 {
    const { assert!(UNITS == 8 && Weights::SECOND_SHIFT == 12) };
    // SAFETY: there are eight units.
    unsafe {
        let bias = bias.as_ptr().cast::<__m128i>();
        let low = _mm_add_epi32(low, _mm_loadu_si128(bias));
        let high = _mm_add_epi32(high, _mm_loadu_si128(bias.add(1)));
        // Clipped at 0 and 1; (4 u)^2 >> 16 is u^2 >> 12.
        let units = _mm_packus_epi32(low, high);
        let units = _mm_min_epu16(units, _mm_set1_epi16(Weights::SECOND_ONE as i16));
        let units = _mm_slli_epi16::<2>(units);
        let squares = _mm_mulhi_epu16(units, units);
        let sums = _mm_madd_epi16(squares, _mm_loadu_si128(output.as_ptr().cast()));
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b01_00_11_10>(sums));
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b10_11_00_01>(sums));
        _mm_cvtsi128_si32(sums)
    }
}
