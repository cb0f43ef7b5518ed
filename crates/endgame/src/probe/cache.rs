//! The values read last.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Log2 of the number of places, of 8 bytes each.
const BITS: u32 = 17;
/// Bits of a key: a table (12) and a cell of it (30).
const KEY: u32 = 42;
/// Marks a place that is taken.
const TAKEN: u64 = 1 << (KEY - BITS);
/// Odd, so that different keys have different products.
const FACTOR: u64 = 0x278_DDE6_E5FD;

/// Cells of tables by place: the lower half of a word is a cell, the upper half its tag. A word is read and written
/// as a whole, so threads need no lock.
pub(crate) struct Cache(Box<[AtomicU64]>);

/// Where a cell is kept, and what marks it there.
#[inline(always)]
fn place(table: usize, cell: usize) -> (usize, u64) {
    let key = (table as u64) << 30 | cell as u64;
    let product = key.wrapping_mul(FACTOR) & ((1 << KEY) - 1);
    let rest = KEY - BITS;
    (
        (product >> rest) as usize,
        product & ((1 << rest) - 1) | TAKEN,
    )
}

impl Cache {
    pub fn new() -> Cache {
        Cache((0..1 << BITS).map(|_| AtomicU64::new(0)).collect())
    }

    /// A cell of a table, if it is kept.
    #[inline(always)]
    pub fn get(&self, table: usize, cell: usize) -> Option<u32> {
        let (at, mark) = place(table, cell);
        let word = self.0[at].load(Relaxed);
        (word >> 32 == mark).then_some(word as u32)
    }

    /// Keeps a cell, in place of another.
    #[inline(always)]
    pub fn put(&self, table: usize, cell: usize, value: u32) {
        let (at, mark) = place(table, cell);
        self.0[at].store(mark << 32 | u64::from(value), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_found_until_another_takes_its_place() {
        let cache = Cache::new();
        assert_eq!(cache.get(0, 0), None);
        let cells = (0..1 << BITS).map(|at: usize| (at % 2401, at.wrapping_mul(997) % (1 << 28)));
        let value = |(table, cell): (usize, usize)| (table * 31 + cell) as u32;
        for at in cells.clone() {
            cache.put(at.0, at.1, value(at));
            assert_eq!(cache.get(at.0, at.1), Some(value(at)));
        }
        let found = cells.filter_map(|at| Some((at, cache.get(at.0, at.1)?)));
        let found = found.filter(|&(at, held)| {
            assert_eq!(held, value(at));
            true
        });
        assert!(found.count() > 1 << (BITS - 1));
    }
}
