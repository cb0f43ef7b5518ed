//! Perft: counts move sequences of a given length, to check a move generator and to time it.
//!
//! Moves of the last ply are counted without being played, and most of them set-wise: see [`leaves`].
//!
//! ```
//! use damier_rules::Position;
//! use damier_rules::perft::{Perft, PerftOptions, perft};
//!
//! assert_eq!(perft(&Position::start(), 5), 27_117);
//! // With a hash table; on one thread.
//! let counter = Perft::new(PerftOptions { hash_mib: 1, ..PerftOptions::default() })?;
//! assert_eq!(counter.count(&Position::start(), 7), 1_049_442);
//! # Ok::<(), damier_rules::perft::NoMemory>(())
//! ```

mod children;
mod leaves;
mod setwise;
mod table;
mod walk;

use super::{Move, Position};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};
use table::PerftTable;

/// Number of sequences of `depth` legal moves, on one thread without a hash table.
pub fn perft(position: &Position, depth: u32) -> u64 {
    walk::count(position, depth, None)
}

/// How to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftOptions {
    /// Threads that count.
    pub threads: NonZeroUsize,
    /// Size of the hash table of counts in MiB; 0 for none.
    pub hash_mib: usize,
}

/// One thread, no hash table.
impl Default for PerftOptions {
    fn default() -> PerftOptions {
        PerftOptions {
            threads: NonZeroUsize::MIN,
            hash_mib: 0,
        }
    }
}

/// Why a counter could not be created: there is not enough memory for a table of `mib` MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory {
    /// The requested size.
    pub mib: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a perft table of {} MiB", self.mib)
    }
}

impl std::error::Error for NoMemory {}

/// The result for one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Depth in plies.
    pub depth: u32,
    /// Number of move sequences of that length.
    pub count: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Report {
    /// Millions of sequences per second.
    pub fn mnps(&self) -> f64 {
        self.count as f64 / self.elapsed.as_secs_f64().max(1e-9) / 1e6
    }
}

/// `perft(10) 258895763 0.345 s 750.4 Mnps`
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        let (depth, count, mnps) = (self.depth, self.count, self.mnps());
        write!(f, "perft({depth}) {count} {seconds:.3} s {mnps:.1} Mnps")
    }
}

/// A counter with a hash table that later counts reuse.
pub struct Perft {
    threads: NonZeroUsize,
    table: Option<PerftTable>,
}

impl Perft {
    /// Allocates the table.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(options: PerftOptions) -> Result<Perft, NoMemory> {
        let table = match options.hash_mib {
            0 => None,
            mib => Some(PerftTable::new(mib).ok_or(NoMemory { mib })?),
        };
        Ok(Perft {
            threads: options.threads,
            table,
        })
    }

    /// Number of sequences of `depth` legal moves.
    ///
    /// # Panics
    /// If a counting thread does.
    pub fn count(&self, position: &Position, depth: u32) -> u64 {
        let threads = self.threads.get();
        if threads == 1 || depth <= SPLIT_PLIES + 1 {
            return self.count_alone(position, depth);
        }
        let tasks = after_plies(position, SPLIT_PLIES);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut sum = 0;
            while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)) {
                sum += self.count_alone(task, depth - SPLIT_PLIES);
            }
            sum
        };
        thread::scope(|scope| {
            // A thread that cannot be started leaves its share to the others.
            let start = || thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads).filter_map(|_| start()).collect();
            let own = work();
            let counts = others.into_iter().map(|other| other.join());
            own + counts.map(|count| count.expect("no panic")).sum::<u64>()
        })
    }

    fn count_alone(&self, position: &Position, depth: u32) -> u64 {
        walk::count(position, depth, self.table.as_ref())
    }

    /// The count of each legal move, in the order of [`Position::legal_moves`]; `depth` counts that move too. Empty for
    /// depth 0.
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let Some(below) = depth.checked_sub(1) else {
            return Vec::new();
        };
        position
            .legal_moves()
            .into_iter()
            .map(|mv| (mv, self.count(&position.play(mv), below)))
            .collect()
    }

    /// Counts depth by depth, from 1 to `depth`, and reports each as soon as it is known.
    /// It needs a clock, which `wasm32-unknown-unknown` lacks.
    ///
    /// # Errors
    /// The first error of `report`, which ends the counting.
    pub fn run<E>(
        &self,
        position: &Position,
        depth: u32,
        mut report: impl FnMut(&Report) -> Result<(), E>,
    ) -> Result<(), E> {
        (1..=depth).try_for_each(|depth| {
            let start = Instant::now();
            let count = self.count(position, depth);
            let elapsed = start.elapsed();
            report(&Report {
                depth,
                count,
                elapsed,
            })
        })
    }
}

/// Plies after which the tree is split into tasks for the threads.
const SPLIT_PLIES: u32 = 3;

/// The positions after all sequences of that many moves.
fn after_plies(position: &Position, plies: u32) -> Vec<Position> {
    (0..plies).fold(vec![*position], |positions, _| {
        positions
            .iter()
            .flat_map(|p| p.legal_moves().into_iter().map(|mv| p.play(mv)))
            .collect()
    })
}
