//! Adjudication: ends games that are decided before they are over.

use crate::record::{Ending, GameOutcome, PlyRecord};
use damier_endgame::{Tables, Value, is_certain};
use damier_rules::Game;
use damier_rules::board::Color;
use std::sync::Arc;

/// Decides games that are not over.
pub trait Adjudicator: Send {
    /// A new game begins.
    fn begin(&mut self);

    /// The result of a game that is not over by the rules, if it is decided. Called once for each position; `last` is
    /// the move that led to it, None at the start.
    fn decide(&mut self, game: &Game, last: Option<&PlyRecord>) -> Option<(GameOutcome, Ending)>;
}

/// Decides a game once both players have scored it as won for the same side for some time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreAdjudicator {
    /// The lowest score that counts, in men.
    men: f64,
    /// For this many consecutive plies.
    plies: u32,
    /// Which side is ahead, and for how many plies.
    ahead: Option<(Color, u32)>,
}

impl ScoreAdjudicator {
    /// Decides after scores of at least `men` for `plies` consecutive plies, by both players in turn. At least two
    /// plies, so that one player alone cannot decide.
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

    fn decide(&mut self, game: &Game, last: Option<&PlyRecord>) -> Option<(GameOutcome, Ending)> {
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

/// Decides games with few pieces by the endgame tables, under the draw rules and their counters.
pub struct TableAdjudicator {
    tables: Arc<Tables>,
    /// Maximum number of pieces on the board.
    pieces: u8,
}

impl TableAdjudicator {
    /// Maximum pieces of the tables with distances, which tell whether a win is in time for the draw counters.
    const PIECES: u8 = 4;

    /// Decides by these tables.
    pub fn new(tables: Arc<Tables>) -> TableAdjudicator {
        TableAdjudicator::up_to(tables, TableAdjudicator::PIECES)
    }

    /// Decides by tables of up to this many pieces. Wins without a distance are left undecided.
    pub fn up_to(tables: Arc<Tables>, pieces: u8) -> TableAdjudicator {
        TableAdjudicator { tables, pieces }
    }

    /// The result of a game that is not over, if the tables know it: the winner, or None for a draw.
    pub fn result(&self, game: &Game) -> Option<Option<Color>> {
        let position = game.position();
        if position.occupied().len() > u32::from(self.pieces) {
            return None;
        }
        let verdict = self.tables.probe(position, self.pieces)?;
        // A win that takes too long may still be possible by a sacrifice, so the game goes on.
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

    fn decide(&mut self, game: &Game, _: Option<&PlyRecord>) -> Option<(GameOutcome, Ending)> {
        let winner = self.result(game)?;
        let outcome = winner.map_or(GameOutcome::Drawn, GameOutcome::Won);
        Some((outcome, Ending::Tables))
    }
}

#[cfg(test)]
mod tests;
