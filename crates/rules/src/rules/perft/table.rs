//! A lock-free hash table of counts, shared by threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bits of an entry's second word that hold the depth; the rest hold the count.
const DEPTH_BITS: u32 = 8;

/// Two words per entry: the key XOR the second word, and the count with the depth. An entry half overwritten by another
/// thread fails the check.
pub(super) struct PerftTable {
    entries: Vec<[AtomicU64; 2]>,
}

impl PerftTable {
    /// The largest power-of-two number of entries in this many MiB; `None` if there is not enough memory.
    pub fn new(mib: usize) -> Option<PerftTable> {
        let fit = mib.checked_mul(1 << 20)? / size_of::<[AtomicU64; 2]>();
        let len = 1usize << fit.checked_ilog2()?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(len).ok()?;
        entries.resize_with(len, Default::default);
        Some(PerftTable { entries })
    }

    /// The count stored for the key and the depth.
    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let [check, data] = self.entry(key);
        let data = data.load(Relaxed);
        let found =
            check.load(Relaxed) ^ data == key && data % (1 << DEPTH_BITS) == u64::from(depth);
        (found && data != 0).then_some(data >> DEPTH_BITS)
    }

    /// Stores a count, replacing what is there. Counts and depths too large for an entry are not stored.
    pub fn put(&self, key: u64, depth: u32, count: u64) {
        if depth >> DEPTH_BITS == 0 && count >> (64 - DEPTH_BITS) == 0 {
            let [check, data] = self.entry(key);
            let word = count << DEPTH_BITS | u64::from(depth);
            data.store(word, Relaxed);
            check.store(key ^ word, Relaxed);
        }
    }

    #[inline(always)]
    fn entry(&self, key: u64) -> &[AtomicU64; 2] {
        &self.entries[key as usize & (self.entries.len() - 1)]
    }
}
