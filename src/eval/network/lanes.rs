//! The two inner loops of the network, portable. Rust's own vectorizer does well with the first; see `avx512` and `avx2` for both.

/// `target = source + rows of `added` - rows of `removed``, unit by unit. Weights are bounded so that no sum overflows.
#[inline(always)]
#[cfg_attr(
    any(target_feature = "avx512bw", target_feature = "avx2"),
    allow(dead_code)
)]
pub(super) fn update<const H: usize>(
    source: &[i16; H],
    target: &mut [i16; H],
    rows: &[super::Row<H>],
    added: &[u8],
    removed: &[u8],
) {
    *target = *source;
    for &row in added {
        let row = &rows[usize::from(row)].0;
        for (unit, weight) in target.iter_mut().zip(row) {
            *unit = unit.wrapping_add(*weight);
        }
    }
    for &row in removed {
        let row = &rows[usize::from(row)].0;
        for (unit, weight) in target.iter_mut().zip(row) {
            *unit = unit.wrapping_sub(*weight);
        }
    }
}

/// The sum of the units, clipped, squared and weighted. A unit is at most 255 and a weight at most 127, so that their product
/// fits 16 bits.
#[inline(always)]
#[cfg_attr(
    any(target_feature = "avx512bw", target_feature = "avx2"),
    allow(dead_code)
)]
pub(super) fn output<const H: usize>(units: &[i16; H], weights: &[i16; H]) -> i32 {
    units
        .iter()
        .zip(weights)
        .map(|(unit, weight)| {
            let unit = (*unit).clamp(0, super::Weights::UNIT as i16);
            i32::from(unit.wrapping_mul(*weight)).wrapping_mul(i32::from(unit))
        })
        .fold(0, i32::wrapping_add)
}
