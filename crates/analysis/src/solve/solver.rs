//! The solver: an engine that checks compositions.

use super::judge::Judge;
use super::{Problem, Solution, walk};
use crate::Stop;
use damier_engine::Engine;
use damier_engine::search::Stopped;

/// Checks compositions, with an engine of its own.
pub struct Solver {
    engine: Engine,
    nodes: u64,
}

impl Solver {
    /// A solver that searches so many nodes with this engine to judge a move.
    pub fn new(engine: Engine, nodes: u64) -> Solver {
        Solver { engine, nodes }
    }

    /// Checks a composition. What is found depends on the composition alone.
    ///
    /// # Errors
    /// It was stopped.
    pub fn solve(&mut self, problem: &Problem, stop: &Stop) -> Result<Solution, Stopped> {
        self.engine.new_game();
        let mut judge = Judge::new(&mut self.engine, self.nodes, problem, stop);
        walk::solve(&mut judge)
    }
}
