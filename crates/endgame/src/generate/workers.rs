//! Divides the slots of one slice among several cores, and counts progress.

use super::BuildError;
use damier_cpu::{Baseline, OnCpu};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Slots in one unit of work. It does not affect the result.
const CHUNK: usize = 1 << 14;

/// Counted passes over all slots of a slice and its opposite: the initial one, and the check at the end.
pub(crate) const PASSES: u64 = 2;

/// How often a process looks for what others have finished.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);

/// The cores that work on one slice.
pub(crate) struct Workers<'a> {
    pub pool: &'a ThreadPool,
    /// Slots finished in counted passes.
    pub done: &'a AtomicU64,
}

impl Workers<'_> {
    /// A counted pass that computes a value for each slot: `each` gets the first slot of a chunk and the chunk.
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

    /// A counted pass that checks the slots below `slots`, range by range.
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
}

/// The slots of a chunk.
fn range(slots: usize) -> impl Fn(usize) -> Range<usize> + Sync {
    move |index| index * CHUNK..slots.min((index + 1) * CHUNK)
}

/// Does work with the instructions of this process's level.
pub(super) fn on_this_cpu<T: OnCpu>(work: T) -> T::Output {
    match damier_cpu::level() {
        Ok(level) => level.run(work),
        Err(_) => work.on(Baseline),
    }
}
