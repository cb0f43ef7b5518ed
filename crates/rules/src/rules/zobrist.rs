use crate::board::Color;
use std::ops::{BitXor, BitXorAssign};

/// A 64-bit hash of a position, or of anything else that affects its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Key(pub u64);

impl BitXor for Key {
    type Output = Key;
    #[inline(always)]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

/// The finaliser of splitmix64: maps every input to a well-mixed 64-bit value.
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn table(salt: u64) -> [[u64; 64]; 2] {
    let mut keys = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i % 64] = mix(mix(salt) ^ i as u64);
        i += 1;
    }
    keys
}

static MEN: [[u64; 64]; 2] = table(1);
static KINGS: [[u64; 64]; 2] = table(2);

/// Changes the key when the side to move changes.
pub(super) const TURN: Key = Key(mix(3));

#[inline(always)]
pub(super) fn man(color: Color, bit: usize) -> Key {
    Key(MEN[color.index()][bit & 63])
}

#[inline(always)]
pub(super) fn king(color: Color, bit: usize) -> Key {
    Key(KINGS[color.index()][bit & 63])
}
