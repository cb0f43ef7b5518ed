//! Ending games that are decided before they are over.

use crate::board::Color;
use crate::endgame::{Tables, Value, is_certain};
use crate::lab::arena::record::{Ending, GameOutcome, PlyRecord};
use crate::rules::Game;
use std::sync::Arc;

/// A judge of unfinished games.
pub trait Adjudicator: Send {
    /// A new game begins.
    fn begin(&mut self);

    /// The result of a game that goes on by the rules, if the judge knows it. Asked once in every position; `last` is the
    /// move that led to it, none at the start.
    fn verdict(&mut self, game: &Game, last: Option<&PlyRecord>) -> Option<(GameOutcome, Ending)>;
}

/// Gives the game to the side that both players have thought won for some time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreAdjudicator {
    /// The least score, in men.
    men: f64,
    /// For so many plies one after another.
    plies: u32,
    /// Who is ahead, and for how many plies.
    ahead: Option<(Color, u32)>,
}

impl ScoreAdjudicator {
    /// A judge that wants scores of `men` at least, for `plies` plies, of both players in turn; two plies at least, or one
    /// player alone would decide.
    pub fn new(men: f64, plies: u32) -> ScoreAdjudicator {
        ScoreAdjudicator {
            men,
            plies: plies.max(2),
            ahead: None,
        }
    }
}

impl Adjudicator for ScoreAdjudicator {
    fn begin(&mut self) {
        self.ahead = None;
    }

    fn verdict(&mut self, game: &Game, last: Option<&PlyRecord>) -> Option<(GameOutcome, Ending)> {
        let mover = !game.position().turn();
        let score = last?.score;
        let winner = match score {
            Some(score) if score >= self.men => Some(mover),
            Some(score) if score <= -self.men => Some(!mover),
            _ => None,
        };
        self.ahead = winner.map(|winner| match self.ahead {
            Some((before, plies)) if before == winner => (winner, plies + 1),
            _ => (winner, 1),
        });
        let (winner, plies) = self.ahead?;
        (plies >= self.plies).then_some((GameOutcome::Won(winner), Ending::Scores))
    }
}

/// Gives games of few pieces the result that best play has under the rules in force, counters included.
pub struct TableAdjudicator {
    tables: Arc<Tables>,
    /// Most pieces judged.
    pieces: u8,
}

impl TableAdjudicator {
    /// Pieces of the tables that know distances, and so whether a win comes in time for the counters.
    const PIECES: u8 = 4;

    /// A judge by these tables.
    pub fn new(tables: Arc<Tables>) -> TableAdjudicator {
        TableAdjudicator::up_to(tables, TableAdjudicator::PIECES)
    }

    /// A judge by those of them up to so many pieces. Of wins without a distance it says nothing.
    pub fn up_to(tables: Arc<Tables>, pieces: u8) -> TableAdjudicator {
        TableAdjudicator { tables, pieces }
    }

    /// The result of a game that goes on, if the tables know it: the winner, or none for a draw.
    pub fn result(&self, game: &Game) -> Option<Option<Color>> {
        let position = game.position();
        if position.occupied().len() > u32::from(self.pieces) {
            return None;
        }
        let verdict = self.tables.probe(position, self.pieces)?;
        // A win that comes too late may still be had by a sacrifice: then the game goes on.
        let unknown = verdict.value != Value::Draw && verdict.distance.is_none();
        if unknown || !is_certain(verdict, position, &game.clock()) {
            return None;
        }
        Some(match verdict.value {
            Value::Win => Some(position.turn()),
            Value::Draw => None,
            Value::Loss => Some(!position.turn()),
        })
    }
}

impl Adjudicator for TableAdjudicator {
    fn begin(&mut self) {}

    fn verdict(&mut self, game: &Game, _: Option<&PlyRecord>) -> Option<(GameOutcome, Ending)> {
        let winner = self.result(game)?;
        let outcome = winner.map_or(GameOutcome::Drawn, GameOutcome::Won);
        Some((outcome, Ending::Tables))
    }
}

#[cfg(test)]
mod tests;
