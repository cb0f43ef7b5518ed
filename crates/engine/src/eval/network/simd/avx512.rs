//! The inner loops of the network with AVX-512BW, 32 units at a time. The portable twins are in `lanes`.
#![expect(unsafe_code, reason = "instructions of AVX-512")]

use super::row::{ROWS, Row};
use super::second::Second;
use super::x86::last;
use crate::eval::network::weights::Weights;
use std::arch::x86_64::*;

const LANES: usize = 32;
/// Registers for the units of a view at most.
const MOST: usize = 8;

/// See [`super::lanes::updated`].
///
/// # Safety
/// The processor has AVX-512 with BW.
#[inline(always)]
pub(in crate::eval::network) unsafe fn updated<const H: usize>(
    source: &[Row<H>; 2],
    rows: &[Row<H>; ROWS],
    added: impl Iterator<Item = [u8; 2]>,
    removed: impl Iterator<Item = [u8; 2]>,
) -> [Row<H>; 2] {
    const { assert!(H.is_multiple_of(LANES) && H <= LANES * MOST) };
    let mut target = *source;
    // SAFETY: the caller's; source, target and every row have H units, `i * LANES` stays below H, unaligned.
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
            for (sums, row) in sums.iter_mut().zip(input) {
                let row = &rows[usize::from(row)];
                for (i, sum) in sums.iter_mut().enumerate().take(H / LANES) {
                    *sum = _mm512_add_epi16(*sum, at(row, i));
                }
            }
        }
        for input in removed {
            for (sums, row) in sums.iter_mut().zip(input) {
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
#[inline]
#[target_feature(enable = "avx512bw", enable = "avx512dq")]
pub(in crate::eval::network) fn output<const H: usize>(
    units: [&Row<H>; 2],
    weights: &[Row<H>; 2],
) -> i32 {
    const { assert!(H.is_multiple_of(LANES)) };
    // SAFETY: every row has H units and the index stays below H.
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

/// Bytes of a register.
const BYTES: usize = 2 * LANES;

/// A function with the instructions of some features and one of them, or a function, that adds products. As a function
/// that takes another its closures would be compiled without the instructions.
macro_rules! second {
    ($(#[$doc:meta])* $name:ident, $add_products:ident, $($feature:literal),+) => {
        $(#[$doc])*
        #[inline]
        $(#[target_feature(enable = $feature)])+
        pub(in crate::eval::network) fn $name<const H: usize>(
            units: [&Row<H>; 2],
            second: &Second<H>,
        ) -> i32 {
            const { assert!(H.is_multiple_of(BYTES) && H <= LANES * MOST) };
            // SAFETY: every row has H units or bytes and the index stays below H.
            unsafe {
                let (low, high) = (
                    _mm512_setzero_si512(),
                    _mm512_set1_epi16(Weights::UNIT as i16),
                );
                let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
                let mut squares = [[low; MOST / 2]; 2];
                for (units, squares) in units.into_iter().zip(&mut squares) {
                    let square = |at: usize| {
                        let unit = _mm512_loadu_si512(units.0.as_ptr().add(at).cast());
                        let unit = _mm512_min_epi16(_mm512_max_epi16(unit, low), high);
                        // mulhrs is (a b + 2^14) >> 15.
                        let other = _mm512_slli_epi16::<{ 15 - Weights::SQUARE_SHIFT }>(unit);
                        _mm512_mulhrs_epi16(unit, other)
                    };
                    for (i, squares) in squares.iter_mut().enumerate().take(H / BYTES) {
                        // Packing works within 128-bit lanes; their order is restored.
                        let packed = _mm512_packus_epi16(square(i * BYTES), square(i * BYTES + LANES));
                        *squares = _mm512_permutexvar_epi64(order, packed);
                    }
                }
                let sum = |unit: usize| {
                    let mut sum = low;
                    for (squares, row) in squares.iter().zip(&second.rows[unit]) {
                        for (i, squares) in squares.iter().enumerate().take(H / BYTES) {
                            let weights = _mm512_loadu_si512(row.0.as_ptr().add(i * BYTES).cast());
                            sum = $add_products(sum, *squares, weights);
                        }
                    }
                    sum
                };
                // The sums of four units, one in each 128-bit lane.
                let four = |first: usize| {
                    let two = |first: usize| {
                        let (a, b) = (sum(first), sum(first + 1));
                        _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
                    };
                    let (a, b) = (two(first), two(first + 2));
                    _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
                };
                let (a, b) = (four(0), four(4));
                let even = _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b);
                let odd = _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b);
                let sums = _mm512_add_epi32(even, odd);
                let other = _mm512_shuffle_i64x2::<0b10_11_00_01>(sums, sums);
                let sums = _mm512_add_epi32(sums, other);
                let sums = [
                    _mm512_castsi512_si128(sums),
                    _mm512_extracti32x4_epi32::<2>(sums),
                ];
                last(sums, &second.bias, &second.output)
            }
        }
    };
}

second! {
    /// See [`super::lanes::second`].
    second, add_products_in_pairs, "avx512bw", "avx512dq"
}

second! {
    /// As [`second()`], with an instruction for the products.
    second_with_vnni, _mm512_dpbusd_epi32, "avx512bw", "avx512dq", "avx512vnni"
}

/// Adds four products of bytes to each sum. A square is at most 127, so that two products fit 16 bits.
#[inline]
#[target_feature(enable = "avx512bw")]
fn add_products_in_pairs(sums: __m512i, squares: __m512i, weights: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(squares, weights);
    _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}
