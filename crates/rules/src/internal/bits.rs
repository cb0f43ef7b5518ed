//! Bit operations.
//!
//! The functions at the top come from `bitintr`, which selects instructions at compile time (`POPCNT`, `TZCNT`,
//! `LZCNT`, `BLSR`, `BLSI`, `PEXT`) where the target CPU has them. [`portable`] has each of them in plain arithmetic; a
//! test compares the two on every target.

use bitintr::{Blsi, Blsr, Lzcnt, Pext, Popcnt, Tzcnt};

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

/// The bits selected by `mask`, packed towards the lowest bit. Slow where the CPU has no `PEXT` (BMI2).
#[inline(always)]
pub fn gather(bits: u64, mask: u64) -> u64 {
    // The crate's own fallback overflows at the highest bit, which panics in a debug build.
    if cfg!(target_feature = "bmi2") {
        Pext::pext(bits, mask)
    } else {
        portable::gather(bits, mask)
    }
}

/// The same value, of which the compiler knows nothing. Words that were just written one by one are then also read one
/// by one: one wide load of several of them would wait until the writes have reached the cache (store forwarding).
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

/// The same functions in portable arithmetic, for comparison.
pub mod portable {
    /// Portable version of [`super::count`].
    pub fn count(bits: u64) -> u32 {
        let pairs = bits.wrapping_sub((bits >> 1) & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
        let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
        (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// Portable version of [`super::lowest`].
    pub fn lowest(bits: u64) -> u32 {
        if bits == 0 {
            64
        } else {
            count((bits & bits.wrapping_neg()) - 1)
        }
    }

    /// Portable version of [`super::highest`].
    pub fn highest(bits: u64) -> u32 {
        let mut fill = bits;
        for shift in [1, 2, 4, 8, 16, 32] {
            fill |= fill >> shift;
        }
        count(fill) - 1
    }

    /// Portable version of [`super::without_lowest`].
    pub fn without_lowest(bits: u64) -> u64 {
        bits & bits.wrapping_sub(1)
    }

    /// Portable version of [`super::lowest_alone`].
    pub fn lowest_alone(bits: u64) -> u64 {
        bits & bits.wrapping_neg()
    }

    /// Portable version of [`super::gather`].
    pub fn gather(bits: u64, mut mask: u64) -> u64 {
        let (mut gathered, mut to) = (0, 0);
        while mask != 0 {
            gathered |= (bits >> lowest(mask) & 1) << to;
            mask = without_lowest(mask);
            to += 1;
        }
        gathered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn agree(a: u64) {
        assert_eq!(opaque(a), a);
        assert_eq!(count(a), portable::count(a));
        assert_eq!(lowest(a), portable::lowest(a));
        assert_eq!(without_lowest(a), portable::without_lowest(a));
        assert_eq!(lowest_alone(a), portable::lowest_alone(a));
        for mask in [0, 3, a, !a, 0x7DF3_EF9F_7CFB_E7DF, a.rotate_left(9)] {
            assert_eq!(gather(a, mask), portable::gather(a, mask));
        }
        if a != 0 {
            assert_eq!(highest(a), portable::highest(a));
        }
    }

    #[test]
    fn instructions_and_portable_twins_agree_at_the_edges() {
        for a in [0, 1, 1 << 63, u64::MAX, 0x8000_0000_0000_0001] {
            agree(a);
        }
    }

    proptest! {
        #[test]
        fn instructions_and_portable_twins_agree(a: u64) {
            agree(a);
        }
    }
}
