//! What the threads of a team are searching at this moment.

use crate::eval::Score;
use crate::search::Depth;
use damier_os::memory;
use damier_rules::Key;
use damier_rules::internal::mix;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Rows of the table; a power of two.
const ROWS: usize = 1 << 12;
/// Marks a row holds: a cache line.
const WAYS: usize = 8;

/// A row of the table.
#[repr(align(64))]
struct Row([AtomicU64; WAYS]);

/// The search of a position to a depth, against the beta of the node above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BusySearch(u64);

impl BusySearch {
    /// The search of the position with this key to this depth; `beta` is that of the node above.
    #[inline]
    pub fn new(key: Key, depth: Depth, beta: Score) -> BusySearch {
        let question = (beta.centimen() as u64) << 8 | depth as u64 & 0xFF;
        // 0 stands for no search.
        BusySearch((key.0 ^ mix(question)) | 1 << 63)
    }

    fn row(self) -> usize {
        self.0 as usize % ROWS
    }
}

/// Marks of the searches in progress: a hash table without locks. A mark may be lost when a row is full or two threads
/// write to a place at once; then two threads search the same, which costs only time.
pub struct BusyTable(Box<[Row]>);

impl BusyTable {
    /// An empty table, of 256 KiB.
    pub fn new() -> BusyTable {
        let row = |_| Row([const { AtomicU64::new(0) }; WAYS]);
        BusyTable((0..ROWS).map(row).collect())
    }

    /// For a thread that searches alone: no table.
    pub fn none() -> BusyTable {
        BusyTable(Box::default())
    }

    /// Prefetches the row of a mark, which another thread may have written to.
    #[inline]
    pub fn prefetch(&self, mark: BusySearch) {
        memory::prefetch(&self.0[mark.row()].0, 0);
    }

    /// Whether a thread is at the search of this mark.
    #[inline]
    pub fn contains(&self, mark: BusySearch) -> bool {
        let row = &self.0[mark.row()].0;
        row.iter().any(|place| place.load(Relaxed) == mark.0)
    }

    /// A thread begins the search of a mark.
    #[inline]
    pub fn begin(&self, mark: BusySearch) {
        let row = &self.0[mark.row()].0;
        let mut free = None;
        for place in row {
            match place.load(Relaxed) {
                0 => free = free.or(Some(place)),
                other if other == mark.0 => return,
                _ => {}
            }
        }
        if let Some(place) = free {
            place.store(mark.0, Relaxed);
        }
    }

    /// A thread has ended the search of a mark.
    #[inline]
    pub fn end(&self, mark: BusySearch) {
        for place in &self.0[mark.row()].0 {
            if place.load(Relaxed) == mark.0 {
                place.store(0, Relaxed);
            }
        }
    }

    /// Whether no search is in progress.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        let mut places = self.0.iter().flat_map(|row| &row.0);
        places.all(|place| place.load(Relaxed) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_busy_from_its_begin_to_its_end() {
        let table = BusyTable::new();
        let mark = BusySearch::new(Key(77), 5, Score::DRAW);
        assert!(!table.contains(mark));
        table.begin(mark);
        assert!(table.contains(mark));
        assert!(!table.contains(BusySearch::new(Key(77), 6, Score::DRAW)));
        assert!(!table.contains(BusySearch::new(Key(77), 5, Score::new(8))));
        assert!(!table.contains(BusySearch::new(Key(77), 5, Score::new(-8))));
        table.begin(mark);
        table.end(mark);
        assert!(!table.contains(mark) && table.is_empty());
    }

    #[test]
    fn a_full_row_forgets_and_keeps_what_it_has() {
        let table = BusyTable::new();
        let marks: Vec<BusySearch> = (0..10)
            .map(|n| BusySearch::new(Key(n * ROWS as u64 + 3), 4, Score::DRAW))
            .collect();
        marks.iter().for_each(|&mark| table.begin(mark));
        let known = marks.iter().filter(|&&mark| table.contains(mark)).count();
        assert_eq!(known, WAYS);
        marks.iter().for_each(|&mark| table.end(mark));
        assert!(table.is_empty());
    }

    #[test]
    fn many_threads_leave_nothing_behind() {
        let table = BusyTable::new();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut seed = mix(thread);
                    for _ in 0..100_000 {
                        seed = mix(seed);
                        // Few marks, all in two rows.
                        let mark = BusySearch::new(
                            Key(seed % 12 / 2 * ROWS as u64 + seed % 2),
                            3,
                            Score::DRAW,
                        );
                        if !table.contains(mark) {
                            table.begin(mark);
                            table.end(mark);
                        }
                    }
                });
            }
        });
        assert!(table.is_empty());
    }
}
