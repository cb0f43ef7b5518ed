//! Perft: counts move sequences of a given length, to check a move generator and to time it.
//!
//! Moves of the last ply are counted without being played, and most of them set-wise: see [`leaves`].
//!
//! ```
//! use damier_rules::Position;
//! use damier_rules::perft::{Perft, PerftOptions, perft};
//!
//! assert_eq!(perft(&Position::start(), 5), 27_117);
//! // With a hash table; several threads need the feature `parallel`.
//! let counter = Perft::new(PerftOptions { hash_mib: 1, ..PerftOptions::default() })?;
//! assert_eq!(counter.count(&Position::start(), 7), 1_049_442);
//! # Ok::<(), damier_rules::perft::Error>(())
//! ```

mod children;
mod leaves;
mod setwise;
mod table;
mod walk;

use super::{Move, Position};
use std::fmt;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};
use table::PerftTable;

/// Number of sequences of `depth` legal moves, on one thread without a hash table.
pub fn perft(position: &Position, depth: u32) -> u64 {
    walk::count(position, depth, None)
}

/// How to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftOptions {
    /// Threads that count. Without the feature `parallel` it is always one.
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

/// Why a counter could not be created.
#[derive(Debug)]
pub enum Error {
    /// There is not enough memory for a table of this many MiB.
    Memory {
        /// The requested size.
        mib: usize,
    },
    /// The threads could not be started.
    Threads(Box<dyn std::error::Error + Send + Sync>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Memory { mib } => write!(f, "no memory for a perft table of {mib} MiB"),
            Error::Threads(error) => write!(f, "cannot start the threads: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Memory { .. } => None,
            Error::Threads(error) => Some(error.as_ref()),
        }
    }
}

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

/// A counter with its threads and its hash table, which is reused by later counts.
pub struct Perft {
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
    table: Option<PerftTable>,
}

impl Perft {
    /// Starts the threads and allocates the table.
    ///
    /// # Errors
    /// There is not enough memory, or the threads cannot be started.
    pub fn new(options: PerftOptions) -> Result<Perft, Error> {
        let table = match options.hash_mib {
            0 => None,
            mib => Some(PerftTable::new(mib).ok_or(Error::Memory { mib })?),
        };
        #[cfg(feature = "parallel")]
        let pool = match options.threads.get() {
            1 => None,
            threads => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|error| Error::Threads(Box::new(error)))?,
            ),
        };
        Ok(Perft {
            #[cfg(feature = "parallel")]
            pool,
            table,
        })
    }

    /// Number of sequences of `depth` legal moves.
    pub fn count(&self, position: &Position, depth: u32) -> u64 {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool
            && depth > SPLIT_PLIES + 1
        {
            use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
            let tasks = after_plies(position, SPLIT_PLIES);
            let depth = depth - SPLIT_PLIES;
            return pool.install(|| tasks.par_iter().map(|p| self.count_alone(p, depth)).sum());
        }
        self.count_alone(position, depth)
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
#[cfg(feature = "parallel")]
const SPLIT_PLIES: u32 = 3;

/// The positions after all sequences of that many moves.
#[cfg(feature = "parallel")]
fn after_plies(position: &Position, plies: u32) -> Vec<Position> {
    (0..plies).fold(vec![*position], |positions, _| {
        positions
            .iter()
            .flat_map(|p| p.legal_moves().into_iter().map(|mv| p.play(mv)))
            .collect()
    })
}
