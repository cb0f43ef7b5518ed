//! Position and limits in, best move out. Reports through an [`Observer`], never prints.
//!
//! Iterative deepening ([`deepening`]) around a driver ([`driver`]: MTDfix by default), which makes passes over the root
//! moves ([`root`]); below the root lies alpha-beta on a window ([`node`]) that ends in [`quiescence`].

pub mod clock;
#[cfg(test)]
mod consistency;
mod control;
mod deepening;
pub mod driver;
mod endgame;
mod history;
mod node;
mod ordering;
pub mod params;
mod pv;
mod quiescence;
mod reporter;
mod root;
mod searcher;
pub mod table;
mod worker;

pub use clock::{ClockMemory, TimeControl};
pub use control::{Control, Limits};
pub use driver::Driver;
pub use searcher::{Outcome, Request, Searcher, Stats};
pub use table::{Table, TableError};

use crate::eval::{Score, Wdl};
use crate::rules::Move;
use std::time::Duration;

/// Plies or nominal plies of search.
pub type Depth = i32;

/// The deepest iteration.
pub const MAX_DEPTH: Depth = 99;

/// The longest path from the root; positions there are evaluated as they are.
pub const MAX_PLY: u32 = 127;

/// The search was told to stop, or ran out of its limits. No value comes with it, so none can be stored or compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// What is known of one of the best moves after an iteration, or at the end.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// SearchPosition of the move among the best: 1 for the best one, 0 where there is no legal move.
    pub rank: usize,
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Mean ply of the leaves.
    pub mean_depth: f64,
    /// Value of the first move of `pv`, for the side to move.
    pub score: Score,
    /// Positions entered, quiescence included, by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// The line both sides are expected to play; legal from the root position.
    pub pv: Vec<Move>,
    /// What the score means, where the search is an analysis; the engine adds it.
    pub wdl: Option<Wdl>,
}

impl Report {
    /// Nodes per second; 0 when no time has passed.
    pub fn nps(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 {
            self.nodes as f64 / seconds
        } else {
            0.0
        }
    }
}

/// Receives what the search has to say, on the search's thread: return quickly.
pub trait Observer {
    /// A line: after every finished iteration, all of them, the best one first; when the best move of an unfinished iteration
    /// changes; and when there was nothing else for a second, with the nodes and the time so far.
    fn report(&mut self, report: &Report);
}

/// Listens to nothing.
impl Observer for () {
    fn report(&mut self, _: &Report) {}
}

/// Any closure listens.
impl<F: FnMut(&Report)> Observer for F {
    fn report(&mut self, report: &Report) {
        self(report);
    }
}
