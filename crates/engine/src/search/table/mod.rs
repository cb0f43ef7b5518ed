//! The transposition table: what earlier searches found, shared by all threads without a lock.
//!
//! An entry is two words, `key ^ data` and `data`. Both are read and written relaxed; when two threads mix their words
//! the key read back is wrong, and the entry is taken for another position's (Hyatt and Mann 2002).

mod entry;
mod replacement;

pub use entry::{Bound, TtEntry, TtMove};
pub use replacement::Replacement;

use super::Depth;
use super::driver::Window;
use super::params::{Params, TableUse};
use crate::eval::Score;
use damier_os::memory::{self, ZeroedWords};
use damier_rules::Key;
use entry::{AGES, age_of, depth_of};
use replacement::searches_since;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Bytes of an entry.
pub const ENTRY_BYTES: usize = 16;
/// Entries that share a cache line.
const CLUSTER: usize = 4;

/// Not enough memory for a table of this size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableError {
    /// Bytes asked for.
    pub bytes: usize,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no memory for a table of {} MiB; choose a smaller tt-size",
            self.bytes >> 20
        )
    }
}

impl std::error::Error for TableError {}

/// The table.
pub struct TranspositionTable {
    words: Arc<ZeroedWords>,
    /// Clusters minus one; their number is a power of two.
    mask: u64,
    size: u32,
    age: AtomicU8,
    replacement: Replacement,
}

impl TranspositionTable {
    /// The smallest size, log2 of the entries.
    pub const MIN_SIZE: u32 = 8;

    /// A table of `2^size` entries of 16 bytes. The memory is taken lazily, so this does not take time.
    pub fn new(size: u32) -> Result<TranspositionTable, TableError> {
        let size = size.max(TranspositionTable::MIN_SIZE);
        let error = TableError {
            bytes: ENTRY_BYTES.checked_shl(size).unwrap_or(usize::MAX),
        };
        let entries = 1usize.checked_shl(size).ok_or(error)?;
        let words = entries
            .checked_mul(2)
            .and_then(ZeroedWords::new)
            .map(Arc::new)
            .ok_or(error)?;
        memory::provide_in_background(&words);
        Ok(TranspositionTable {
            words,
            mask: (entries / CLUSTER) as u64 - 1,
            size,
            age: AtomicU8::new(0),
            replacement: Replacement::new(&Params::default()),
        })
    }

    /// Sets which entries are replaced.
    pub fn set_replacement(&mut self, replacement: Replacement) {
        self.replacement = replacement;
    }

    /// Log2 of the entries.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Entries written before count as one search older from now on.
    pub fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Empties the table, in time proportional to the size. [`TranspositionTable::new`] is quicker where the table can
    /// be replaced.
    pub fn clear(&mut self) {
        self.words
            .as_slice()
            .iter()
            .for_each(|word| word.store(0, Relaxed));
        self.age.store(0, Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: Key) -> &[AtomicU64] {
        let start = (key.0 & self.mask) as usize * CLUSTER * 2;
        &self.words.as_slice()[start..start + CLUSTER * 2]
    }

    /// Prefetches the cluster of a key.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        let start = (key.0 & self.mask) as usize * CLUSTER * 2;
        memory::prefetch(self.words.as_slice(), start);
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<TtEntry> {
        // Selections: in which place of the cluster an entry lies cannot be predicted.
        let mut found = 0;
        for pair in self.cluster(key).chunks_exact(2).rev() {
            let data = pair[1].load(Relaxed);
            let here = (pair[0].load(Relaxed) ^ data == key.0) & (data != 0);
            found = if here { data } else { found };
        }
        (found != 0).then(|| TtEntry::unpack(found))
    }

    /// Writes an entry over the least valuable one of its cluster. An entry of the same position is replaced unless it
    /// is of this search and much deeper; its move stays when the new entry has none.
    #[inline]
    pub fn store(&self, key: Key, mut entry: TtEntry) {
        let age = self.age.load(Relaxed);
        let mut victim = 0;
        let mut least = i32::MAX;
        let cluster = self.cluster(key);
        for (i, pair) in cluster.chunks_exact(2).enumerate() {
            let data = pair[1].load(Relaxed);
            if data != 0 && pair[0].load(Relaxed) ^ data == key.0 {
                if entry.tt_move.is_none() {
                    entry.tt_move = TtMove(data as u16);
                }
                if self.replacement.keeps(data, &entry, age) {
                    return;
                }
                victim = i;
                break;
            }
            let value = if data == 0 {
                -1000
            } else {
                depth_of(data) - self.replacement.age_plies * searches_since(data, age)
            };
            if value < least {
                (least, victim) = (value, i);
            }
        }
        let data = entry.pack(age);
        cluster[2 * victim].store(key.0 ^ data, Relaxed);
        cluster[2 * victim + 1].store(data, Relaxed);
    }

    /// Share of a sample of entries written since [`TranspositionTable::next_age`], in thousandths.
    pub fn fill(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.words.as_slice().chunks_exact(2).take(1000);
        let n = sample.len().max(1) as u32;
        let used = sample
            .filter(|pair| pair[1].load(Relaxed) != 0 && age_of(pair[1].load(Relaxed)) == age)
            .count();
        used as u32 * 1000 / n
    }
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table(2^{} entries)", self.size)
    }
}

/// The value an entry gives at this window: deep enough, or a proven result that no depth can change.
#[inline(always)]
pub(super) fn cut_by(
    entry: TtEntry,
    ply: u32,
    window: Window,
    depth: Depth,
    usage: TableUse,
) -> Option<Score> {
    let score = entry.score.to_root(ply);
    let (deep, proven) = match usage {
        TableUse::SameDepth => (entry.depth == depth, false),
        _ => (entry.depth >= depth, !score.is_eval()),
    };
    // One jump for all: which kind of bound it is cannot be predicted.
    let (lower, upper) = (entry.bound.is_lower(), entry.bound.is_upper());
    let won = lower & (score >= window.beta) & (deep | proven & (score > Score::DRAW));
    let lost = upper & (score <= window.alpha) & (deep | proven & (score < Score::DRAW));
    (lower & upper & deep | won | lost).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::Position;

    fn entry(depth: Depth, score: i32, bound: Bound) -> TtEntry {
        TtEntry {
            tt_move: TtMove::NONE,
            score: Score::new(score),
            depth,
            bound,
            back: 0,
        }
    }

    #[test]
    fn entries_round_trip() {
        let mv = Position::start().legal_moves()[3];
        for (i, score) in [-10_000, -9_000, -8, 0, 8, 9_995, 10_000]
            .into_iter()
            .enumerate()
        {
            for depth in [-3, 0, 1, 99] {
                for bound in [Bound::None, Bound::Lower, Bound::Upper, Bound::Exact] {
                    let key = Key(0xABCD_0000_0000_0000 + i as u64);
                    let table_entry = TtEntry {
                        tt_move: TtMove::of(mv),
                        ..entry(depth, score, bound)
                    };
                    let table = TranspositionTable::new(10).unwrap();
                    table.store(key, table_entry);
                    assert_eq!(table.probe(key), Some(table_entry));
                    assert!(table_entry.tt_move.is(mv));
                    assert_eq!(table_entry.tt_move.quiet(), Some(mv));
                }
            }
        }
        assert_eq!(
            TranspositionTable::new(10).unwrap().probe(Key(0)),
            None,
            "an empty table knows nothing, not even key 0"
        );
    }

    #[test]
    fn a_hint_survives_an_entry_without_a_move() {
        let table = TranspositionTable::new(10).unwrap();
        let tt_move = TtMove::of(Position::start().legal_moves()[0]);
        table.store(
            Key(5),
            TtEntry {
                tt_move,
                ..entry(4, 8, Bound::Lower)
            },
        );
        table.store(Key(5), entry(5, 0, Bound::Upper));
        assert_eq!(
            table.probe(Key(5)),
            Some(TtEntry {
                tt_move,
                ..entry(5, 0, Bound::Upper)
            })
        );
    }

    #[test]
    fn old_and_shallow_entries_give_way_first() {
        let table = TranspositionTable::new(8).unwrap();
        let clusters = 64;
        let key = |i: u64| Key(i * clusters);
        (1..=4).for_each(|i| table.store(key(i), entry(i as Depth * 5, 0, Bound::Exact)));
        table.store(key(5), entry(3, 0, Bound::Exact));
        assert_eq!(table.probe(key(1)), None, "the shallowest went");
        (0..10).for_each(|_| table.next_age());
        table.store(key(6), entry(1, 0, Bound::Exact));
        table.store(key(7), entry(1, 0, Bound::Exact));
        assert!(
            table.probe(key(6)).is_some() && table.probe(key(7)).is_some(),
            "new beats old"
        );
        assert!(
            table.probe(key(4)).is_some(),
            "the deepest of the old stays longest"
        );
    }

    #[test]
    fn what_cannot_be_allocated_is_an_error() {
        assert!(TranspositionTable::new(63).is_err());
        assert!(TranspositionTable::new(58).is_err());
        assert!(TranspositionTable::new(200).is_err());
    }

    #[test]
    fn clearing_forgets() {
        let mut table = TranspositionTable::new(10).unwrap();
        table.store(Key(77), entry(4, 8, Bound::Lower));
        table.clear();
        assert_eq!(table.probe(Key(77)), None);
    }

    /// Threads write to few clusters as fast as they can; every entry is a function of its key, so that a torn one
    /// shows.
    #[test]
    fn hammering_threads_never_see_a_torn_entry() {
        use damier_rules::internal::mix;
        let table = TranspositionTable::new(8).unwrap();
        let of = |key: Key| {
            let h = mix(key.0);
            TtEntry {
                tt_move: TtMove(h as u16 | 1),
                score: Score::new((h >> 16) as i16 as i32),
                depth: (h >> 32) as i32 & 63,
                bound: if h >> 40 & 1 == 0 {
                    Bound::Lower
                } else {
                    Bound::Exact
                },
                back: (h >> 48) as u8 & 127,
            }
        };
        let found = std::sync::atomic::AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (table, found) = (&table, &found);
                scope.spawn(move || {
                    let mut seed = mix(thread);
                    for _ in 0..300_000 {
                        seed = mix(seed);
                        // 64 keys that share 4 clusters: every write hits a line that others read.
                        let key = Key((mix(seed % 64) << 6) | (seed % 4));
                        if let Some(entry) = table.probe(key) {
                            assert_eq!(entry, of(key), "torn");
                            found.fetch_add(1, Relaxed);
                        }
                        table.store(key, of(key));
                        table.next_age();
                    }
                });
            }
        });
        assert!(
            found.load(Relaxed) > 100_000,
            "the hammer must hit: {found:?}"
        );
    }
}
