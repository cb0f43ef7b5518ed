//! The solver: an engine that checks compositions.

use super::judge::Judge;
use super::{Problem, Solution, walk};
use crate::Stop;
use damier_endgame::Tables;
use damier_engine::search::Stopped;
use damier_engine::{Engine, EngineError, Options};
use std::sync::Arc;

/// Checks compositions, with an engine of its own.
pub struct Solver {
    engine: Engine,
    nodes: u64,
}

impl Solver {
    /// A solver that searches so many nodes to judge a move.
    ///
    /// # Errors
    /// There is no memory for the table, or the weights or endgame tables cannot be had.
    pub fn new(options: Options, nodes: u64) -> Result<Solver, EngineError> {
        let engine = Engine::new(options)?;
        Ok(Solver { engine, nodes })
    }

    /// The same with endgame tables that are shared with others.
    ///
    /// # Errors
    /// There is no memory for the table, or the weights cannot be had.
    pub fn with_tables(
        options: Options,
        nodes: u64,
        tables: Arc<Tables>,
    ) -> Result<Solver, EngineError> {
        let engine = Engine::with_tables(options, tables)?;
        Ok(Solver { engine, nodes })
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
