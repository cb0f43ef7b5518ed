//! Position and limits in, best move out. Reports through an [`Observer`], never prints.
//!
//! A [`Searcher`] starts the threads. Their lead deepens iteratively ([`deepening`]) around a driver ([`driver`]:
//! MTDfix by default), which makes passes over the moves of the root; with several threads, [`team`] makes them work
//! on the same pass. Below lies the [`tree`]: alpha-beta on a window that ends in quiescence. [`ordering`] says which
//! move is tried first, [`table`] keeps what was found, [`params`] has all tunables.

pub mod clock;
mod control;
mod deepening;
pub mod driver;
mod ordering;
pub mod params;
mod reporter;
mod request;
mod searcher;
pub mod table;
mod team;
#[cfg(test)]
mod tests;
mod tree;

pub use clock::{ClockMemory, TimeControl};
pub use control::{Control, Limits};
pub use driver::Driver;
pub use request::{
    Detections, IterationTime, Observer, Outcome, PassReport, Report, Request, Stats, Timing,
};
pub use searcher::Searcher;
pub use table::{TableError, TranspositionTable};

/// Plies or nominal plies of search.
pub type Depth = i32;

/// The deepest iteration.
pub const MAX_DEPTH: Depth = 99;

/// The longest path from the root; positions there are evaluated as they are.
pub const MAX_PLY: u32 = 127;

/// The search was stopped or reached a limit. Without a value, so that none can be stored or compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;
