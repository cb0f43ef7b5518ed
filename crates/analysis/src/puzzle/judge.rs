//! Whether a move is as good as another one.

use super::Puzzle;
use crate::Stop;
use crate::evaluation::Look;
use crate::meaning::SAFE_MARGIN;
use damier_engine::search::Stopped;
use damier_engine::{Engine, Level};
use damier_rules::{Game, Move};

/// Positions to search behind each move.
const NODES: u64 = 100_000;

/// Compares moves, with an engine of its own. What is found depends on the game and the moves alone.
pub struct Judge {
    engine: Engine,
}

impl Judge {
    /// A judge that searches with this engine.
    pub fn new(engine: Engine) -> Judge {
        Judge { engine }
    }

    /// Whether a move is as good as the answer: it loses at most [`SAFE_MARGIN`] expected points. Both are searched
    /// from the positions behind them, so that neither is seen farther than the other.
    ///
    /// # Errors
    /// It was stopped.
    pub fn is_as_good(
        &mut self,
        game: &Game,
        tried: Move,
        answer: Move,
        stop: &Stop,
    ) -> Result<bool, Stopped> {
        if tried == answer {
            return Ok(true);
        }
        let best = self.points(game, answer, stop)?;
        Ok(self.points(game, tried, stop)? >= best - SAFE_MARGIN)
    }

    /// Whether no other move is better than the answer of a puzzle.
    ///
    /// # Errors
    /// It was stopped.
    pub fn is_best(&mut self, puzzle: &Puzzle, stop: &Stop) -> Result<bool, Stopped> {
        let game = Game::new(puzzle.start);
        let answer = puzzle.answer[0];
        match self.best_other(&game, answer, stop)? {
            Some(other) => self.is_as_good(&game, answer, other, stop),
            None => Ok(true),
        }
    }

    /// Whether no other move is as good as the answer of a puzzle.
    ///
    /// # Errors
    /// It was stopped.
    pub fn is_only(&mut self, puzzle: &Puzzle, stop: &Stop) -> Result<bool, Stopped> {
        let game = Game::new(puzzle.start);
        let answer = puzzle.answer[0];
        match self.best_other(&game, answer, stop)? {
            Some(other) => Ok(!self.is_as_good(&game, other, answer, stop)?),
            None => Ok(true),
        }
    }

    /// The best move but for one.
    fn best_other(&mut self, game: &Game, but: Move, stop: &Stop) -> Result<Option<Move>, Stopped> {
        if game.position().legal_moves().len() == 1 {
            return Ok(None);
        }
        self.engine.new_game();
        let others = Look::at(game, Level::nodes(NODES))
            .without(&[but])
            .run(&mut self.engine, stop)?;
        Ok(others.line.first().copied())
    }

    /// Expected points of a move, for the side that plays it.
    fn points(&mut self, game: &Game, mv: Move, stop: &Stop) -> Result<f64, Stopped> {
        let mut after = game.clone();
        after.play(mv);
        self.engine.new_game();
        let reply = Look::at(&after, Level::nodes(NODES)).run(&mut self.engine, stop)?;
        Ok(1.0 - reply.points())
    }
}
