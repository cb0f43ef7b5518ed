//! Sessions for a person at a terminal: [`play`] a game, [`analyze`] positions; and [`eval`], what a position
//! is worth without a search. Both read any `BufRead` and write to any
//! `Write`, so that a script can hold them as well.

pub mod analyze;
pub mod eval;
mod input;
mod json;
pub mod play;
mod words;

use crate::engine::Engine;
use crate::search::{Control, Observer, Outcome, Request};

/// Who finds the moves: the engine, or a stand-in for tests.
pub trait Thinker {
    /// Forgets what was learned in the last game.
    fn new_game(&mut self);

    /// Searches the present position of a game.
    fn think(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome;
}

impl Thinker for Engine {
    fn new_game(&mut self) {
        Engine::new_game(self);
    }

    fn think(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.search(request, control, observer)
    }
}
