//! The cores that work inside one slice, and how far they are.

use super::build::BuildError;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots that one core takes at once. What comes out does not depend on it.
const CHUNK: usize = 1 << 14;

/// Passes over all slots of a slice and its turned one that are counted: the first look, and the check at the end.
pub(super) const PASSES: u64 = 2;

/// Cores to share a slice among.
pub(super) struct Work<'a> {
    pub pool: &'a ThreadPool,
    /// Slots that a counted pass has been over.
    pub done: &'a AtomicU64,
}

impl Work<'_> {
    /// Goes over slots with what belongs to them, chunk by chunk: `each` gets the first slot and the chunk. A counted pass.
    pub fn fill<T: Send>(
        &self,
        all: &mut [T],
        each: impl Fn(usize, &mut [T]) -> Result<(), BuildError> + Sync,
    ) -> Result<(), BuildError> {
        let chunks = || {
            let chunks = all.par_chunks_mut(CHUNK).enumerate();
            chunks.try_for_each(|(index, chunk)| {
                each(index * CHUNK, chunk)?;
                self.done.fetch_add(chunk.len() as u64, Relaxed);
                Ok(())
            })
        };
        self.pool.install(chunks)
    }

    /// Checks the slots from 0 to `slots`, range by range. A counted pass.
    pub fn check(
        &self,
        slots: usize,
        each: impl Fn(Range<usize>) -> Result<(), BuildError> + Sync,
    ) -> Result<(), BuildError> {
        let ranges = || {
            let ranges = (0..slots.div_ceil(CHUNK)).into_par_iter().map(range(slots));
            ranges.try_for_each(|range| {
                let length = range.len() as u64;
                each(range)?;
                self.done.fetch_add(length, Relaxed);
                Ok(())
            })
        };
        self.pool.install(ranges)
    }

    /// Adds up what `each` counts in the slots from 0 to `slots`.
    pub fn count(&self, slots: usize, each: impl Fn(usize) -> Option<usize> + Sync) -> [u64; 3] {
        let in_range = |range: Range<usize>| {
            let mut counts = [0; 3];
            for at in range.filter_map(&each) {
                counts[at] += 1;
            }
            counts
        };
        let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|at| a[at] + b[at]);
        let ranges = || {
            let ranges = (0..slots.div_ceil(CHUNK)).into_par_iter().map(range(slots));
            ranges.map(in_range).reduce(|| [0; 3], sum)
        };
        self.pool.install(ranges)
    }
}

/// The slots of a chunk.
fn range(slots: usize) -> impl Fn(usize) -> Range<usize> + Sync {
    move |index| index * CHUNK..slots.min((index + 1) * CHUNK)
}
