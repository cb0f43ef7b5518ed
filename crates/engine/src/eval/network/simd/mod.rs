//! The inner loops of the network: portable, and with the instructions of some processors, all with the same results.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "loops for the processor's level")
)]

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(any(test, not(target_arch = "aarch64")))]
pub(super) mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod row;
mod second;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(super) use row::{ROWS, Row};
pub(super) use second::{Second, layers};
#[cfg(test)]
pub(super) use second::{UNITS, WeightRow};

use damier_cpu::Cpu;
#[cfg(target_arch = "x86_64")]
use damier_cpu::{Kind, Vnni};

/// What evaluates on processors of the best level that have more.
#[cfg(target_arch = "x86_64")]
pub(super) type Better = Vnni;
#[cfg(not(target_arch = "x86_64"))]
pub(super) type Better = damier_cpu::Baseline;

/// Whether this processor has it, where the level for the rest of the search is the best.
pub(super) fn better<C: Cpu>(_: C) -> Option<Better> {
    #[cfg(target_arch = "x86_64")]
    return Vnni::new().filter(|_| C::KIND == Kind::V4);
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// See [`lanes::updated`]. To be called within [`Cpu::run`].
#[inline(always)]
pub(super) fn updated<const H: usize, C: Cpu>(
    _: C,
    source: &[Row<H>; 2],
    rows: &[Row<H>; ROWS],
    added: impl Iterator<Item = [u8; 2]> + Clone,
    removed: impl Iterator<Item = [u8; 2]> + Clone,
) -> [Row<H>; 2] {
    match C::KIND {
        // SAFETY: there is a value of this level, so the processor has AVX2.
        #[cfg(target_arch = "x86_64")]
        Kind::V3 => unsafe { avx2::updated(source, rows, added, removed) },
        // SAFETY: as above, AVX-512.
        #[cfg(target_arch = "x86_64")]
        Kind::V4 | Kind::Vnni => unsafe { avx512::updated(source, rows, added, removed) },
        #[cfg(target_arch = "aarch64")]
        _ => neon::updated(source, rows, added, removed),
        #[cfg(not(target_arch = "aarch64"))]
        _ => lanes::updated(source, rows, added, removed),
    }
}

/// See [`lanes::output`]. To be called within [`Cpu::run`].
#[inline(always)]
pub(super) fn output<const H: usize, C: Cpu>(
    _: C,
    units: [&Row<H>; 2],
    weights: &[Row<H>; 2],
) -> i32 {
    match C::KIND {
        // SAFETY: there is a value of this level, so the processor has AVX2.
        #[cfg(target_arch = "x86_64")]
        Kind::V3 => unsafe { avx2::output(units, weights) },
        // SAFETY: as above, AVX-512.
        #[cfg(target_arch = "x86_64")]
        Kind::V4 | Kind::Vnni => unsafe { avx512::output(units, weights) },
        #[cfg(target_arch = "aarch64")]
        _ => neon::output(units, weights),
        #[cfg(not(target_arch = "aarch64"))]
        _ => lanes::output(units, weights),
    }
}

/// See [`lanes::second`]. To be called within [`Cpu::run`].
#[inline(always)]
pub(super) fn second<const H: usize, C: Cpu>(_: C, units: [&Row<H>; 2], second: &Second<H>) -> i32 {
    match C::KIND {
        // SAFETY: there is a value of this level, so the processor has AVX2.
        #[cfg(target_arch = "x86_64")]
        Kind::V3 => unsafe { avx2::second(units, second) },
        // SAFETY: as above, AVX-512.
        #[cfg(target_arch = "x86_64")]
        Kind::V4 => unsafe { avx512::second(units, second) },
        // SAFETY: as above, AVX-512 with VNNI.
        #[cfg(target_arch = "x86_64")]
        Kind::Vnni => unsafe { avx512::second_with_vnni(units, second) },
        #[cfg(target_arch = "aarch64")]
        _ => neon::second(units, second),
        #[cfg(not(target_arch = "aarch64"))]
        _ => lanes::second(units, second),
    }
}
