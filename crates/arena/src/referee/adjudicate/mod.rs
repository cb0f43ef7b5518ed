//! Adjudication: ends games that are decided before they are over.

use crate::record::{Ending, GameOutcome, PlyRecord};
use damier_endgame::TableAdjudicator;
use damier_rules::Game;
use damier_rules::board::Color;

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

/// By the tables, under the draw rules and their counters.
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
