//! Bit operations, from `bitintr`. The compiler has an instruction for each where the [level](crate::CpuLevel) has one
//! (`POPCNT`, `TZCNT`, `LZCNT`, `BLSR`, `BLSI`).

use bitintr::{Blsi, Blsr, Lzcnt, Popcnt, Tzcnt};

/// Number of set bits.
#[inline(always)]
pub fn count(bits: u64) -> u32 {
    Popcnt::popcnt(bits) as u32
}

/// Index of the lowest set bit; 64 for an empty set.
#[inline(always)]
pub fn lowest(bits: u64) -> u32 {
    Tzcnt::tzcnt(bits) as u32
}

/// Index of the highest set bit. `bits` must not be empty.
#[inline(always)]
pub fn highest(bits: u64) -> u32 {
    debug_assert!(bits != 0);
    63 - Lzcnt::lzcnt(bits) as u32
}

/// The set without its lowest bit; empty for an empty set. The compiler removes the branch, which bitintr requires.
#[inline(always)]
pub fn without_lowest(bits: u64) -> u64 {
    if bits == 0 { 0 } else { Blsr::blsr(bits) }
}

/// The lowest bit alone.
#[inline(always)]
pub fn lowest_alone(bits: u64) -> u64 {
    Blsi::blsi(bits)
}

/// Optimisation barrier: returns `bits`, so that the compiler does not merge loads of words that were just written one
/// by one. A wide load of them would wait until the writes have reached the cache (store forwarding).
#[inline(always)]
pub fn opaque(bits: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    let mut bits = bits;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    // SAFETY: no instruction.
    #[expect(unsafe_code, reason = "empty assembly")]
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) bits, options(pure, nomem, nostack, preserves_flags));
    }
    bits
}
