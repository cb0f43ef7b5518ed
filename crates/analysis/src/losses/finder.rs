//! The search for the move that lost a game.

use super::losing_move::LosingMove;
use crate::evaluation::{Look, behind};
use crate::{Effort, Evaluation, Stop};
use damier_engine::search::{Report, Stopped};
use damier_engine::{Engine, Job, Level, Purpose};
use damier_rules::board::Color;
use damier_rules::notation::pdn::{Game as PdnGame, Outcome};
use damier_rules::{Game, Move, Status};

/// The first look at a move has one of so many nodes of the proof.
const SHARE: u64 = 10;
/// Fewest nodes of the first look.
const FEWEST: u64 = 500;
/// What holds is proven once more with so many times the nodes.
const AGAIN: u64 = 10;
/// Lost: at most this many expected points.
const LOST_AT_MOST: f64 = 0.25;
/// Held: at least this many; the losing move is not further back.
const HELD_AT_LEAST: f64 = 0.35;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossSettings {
    /// Positions to search for each half of a proof: after the move, and without it.
    pub nodes: u64,
    /// Expected points that the move cost at least.
    pub margin: f64,
}

impl Default for LossSettings {
    fn default() -> LossSettings {
        LossSettings {
            nodes: 1_000_000,
            margin: 0.2,
        }
    }
}

/// Who lost a game: by its result or, where it has none, on the board. None where nobody did, or both.
pub fn loser(game: &PdnGame) -> Option<Color> {
    if game.result != Outcome::Unknown {
        return game.result.loser();
    }
    match at_the_end(game).status() {
        Status::WonBy(color) => Some(!color),
        Status::Playing | Status::Drawn(_) => None,
    }
}

fn at_the_end(game: &PdnGame) -> Game {
    let mut at = Game::new(game.start);
    for mv in game.plain_moves() {
        at.play(mv);
    }
    at
}

/// Finds losing moves, with an engine of its own.
pub struct Finder {
    engine: Engine,
    settings: LossSettings,
}

/// The move that was played and the best other one, each searched by itself.
struct Choice {
    played: Evaluation,
    other: Evaluation,
}

impl Choice {
    /// Expected points that the move cost.
    fn cost(&self) -> f64 {
        self.other.points() - self.played.points()
    }
}

/// What a move did.
enum Effect {
    /// The move lost the game.
    Losing(Box<LosingMove>),
    /// The position was lost already, or was lost gradually.
    Lost,
    /// The game was not lost after it.
    Held,
}

impl Finder {
    /// A finder that searches with this engine.
    pub fn new(engine: Engine, settings: LossSettings) -> Finder {
        Finder { engine, settings }
    }

    /// The last move of the loser that cost at least the margin and left a lost position, while another did not; after
    /// it the loser was lost to the end. None where nobody lost, where the position at the end is not lost, and where
    /// the game was lost gradually. What is found depends on the game alone.
    ///
    /// # Errors
    /// It was stopped.
    pub fn find(&mut self, game: &PdnGame, stop: &Stop) -> Result<Option<LosingMove>, Stopped> {
        let mut at = at_the_end(game);
        let Some(loser) = loser(game) else {
            return Ok(None);
        };
        self.engine.new_game();
        let end = Look::at(&at, Level::nodes(self.settings.nodes)).run(&mut self.engine, stop)?;
        let points = match at.position().turn() {
            turn if turn == loser => end.points(),
            _ => 1.0 - end.points(),
        };
        if points > LOST_AT_MOST {
            return Ok(None);
        }
        // From the end, so that what follows a position is in the table when it is searched.
        while let Some(played) = at.take_back() {
            if at.position().turn() != loser {
                continue;
            }
            match self.judge(&at, played, stop)? {
                Effect::Losing(found) => return Ok(Some(*found)),
                Effect::Lost => {}
                Effect::Held => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Judges a move of the loser.
    fn judge(&mut self, game: &Game, played: Move, stop: &Stop) -> Result<Effect, Stopped> {
        let LossSettings { nodes, margin } = self.settings;
        // A game may go on where the rules would have ended it.
        if game.status() != Status::Playing || game.position().legal_moves().len() == 1 {
            return Ok(Effect::Lost);
        }
        let few = (nodes / SHARE).max(FEWEST);
        let is_held = |after: &Evaluation| after.points() >= HELD_AT_LEAST;
        let quick = self.choice(game, played, few, stop)?;
        if is_held(&quick.played) {
            // What loses may be too deep for the first look.
            let deeper = behind(&mut self.engine, game, played, Level::nodes(nodes), stop)?;
            if is_held(&deeper) {
                return Ok(Effect::Held);
            }
        } else if quick.cost() < margin / 2.0 {
            return Ok(Effect::Lost);
        }
        // Without the moves before, as the position will be searched in a suite.
        let alone = Game::new(*game.position());
        let is_losing = |choice: &Choice| {
            let held = choice.other.points() > LOST_AT_MOST;
            held && choice.played.points() <= LOST_AT_MOST && choice.cost() >= margin
        };
        if !is_losing(&self.choice(&alone, played, nodes, stop)?) {
            return Ok(Effect::Lost);
        }
        let proven = self.choice(&alone, played, nodes.saturating_mul(AGAIN), stop)?;
        if !is_losing(&proven) {
            return Ok(Effect::Lost);
        }
        Ok(Effect::Losing(Box::new(LosingMove {
            position: *game.position(),
            ply: game.moves().len(),
            cost: proven.cost(),
            played: proven.played,
            other: proven.other,
            avoided: self.avoided(&alone, played, stop)?,
        })))
    }

    /// Searches after the move, and without it.
    fn choice(
        &mut self,
        game: &Game,
        played: Move,
        nodes: u64,
        stop: &Stop,
    ) -> Result<Choice, Stopped> {
        let (engine, level) = (&mut self.engine, Level::nodes(nodes));
        Ok(Choice {
            played: behind(engine, game, played, level, stop)?,
            other: Look::at(game, level).without(&[played]).run(engine, stop)?,
        })
    }

    /// From where on a search with an empty table avoids the move; none where it plays it even with the nodes of the
    /// proof. Searched as in a suite.
    fn avoided(
        &mut self,
        game: &Game,
        played: Move,
        stop: &Stop,
    ) -> Result<Option<Effort>, Stopped> {
        let effort = |report: &Report| Effort {
            depth: report.depth,
            nodes: report.nodes,
        };
        let mut since = None;
        let mut watch = |report: &Report| {
            let avoids = report.pv.first().is_some_and(|&mv| mv != played);
            since = avoids.then(|| since.unwrap_or(effort(report)));
        };
        self.engine.new_game();
        let level = Level::nodes(self.settings.nodes);
        let job = Job::new(game.clone(), level).with_purpose(Purpose::Measure);
        let outcome = self.engine.run(&job, &stop.control(), &mut watch);
        if stop.is_asked() {
            return Err(Stopped);
        }
        let avoids = outcome.best != Some(played);
        Ok(avoids.then(|| since.unwrap_or(effort(&outcome.report))))
    }
}
