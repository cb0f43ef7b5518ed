//! Rows of bits, as words in memory and as bytes in files.

/// Bits in words, the first one lowest.
pub(super) fn words(bits: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut words = vec![0; bits.len().div_ceil(64)];
    for (at, _) in bits.enumerate().filter(|&(_, bit)| bit) {
        words[at / 64] |= 1 << (at % 64);
    }
    words
}

/// Calls `visit` with the number of each bit of a word.
#[inline(always)]
pub(super) fn each_bit(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// The word at a byte; what is behind the end is 0.
#[inline(always)]
pub(super) fn word(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => last(bytes, at),
    }
}

#[cold]
fn last(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.len().min(8);
    eight[..length].copy_from_slice(&rest[..length]);
    u64::from_le_bytes(eight)
}

/// Whether a bit of bytes is set.
#[inline(always)]
pub(super) fn bit(bytes: &[u8], at: usize) -> bool {
    bytes[at / 8] >> (at % 8) & 1 != 0
}

/// Number of bits.
pub(super) fn count(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let words = words
        .iter()
        .map(|word| u64::from_le_bytes(*word).count_ones());
    let rest = rest.iter().map(|byte| byte.count_ones());
    words.chain(rest).map(u64::from).sum()
}
