//! The search for the move that lost a game.

use super::losing_move::LosingMove;
use crate::analysis::Stop;
use crate::analysis::mine::Found;
use crate::analysis::searched::{Searched, search};
use crate::board::Color;
use crate::endgame::Tables;
use crate::engine::{Engine, EngineError, Options};
use crate::notation::pdn::{Game as PdnGame, Outcome};
use crate::rules::{Game, Move};
use crate::search::Report;
use std::sync::Arc;

/// The first look at a move has one of so many nodes of the proof.
const SHARE: u64 = 10;
/// Fewest nodes of the first look.
const FEWEST: u64 = 500;
/// What holds is proven once more with so many times the nodes.
const AGAIN: u64 = 10;
/// With at most so many expected points a game is lost.
const LOST: f64 = 0.25;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Positions to search for each half of a proof: after the move, and without it.
    pub nodes: u64,
    /// Expected points that the move lost at least.
    pub margin: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            nodes: 1_000_000,
            margin: 0.2,
        }
    }
}

/// Who lost a game; none where nobody did, or both.
pub fn loser(game: &PdnGame) -> Option<Color> {
    match game.result {
        Outcome::White => Some(Color::Black),
        Outcome::Black => Some(Color::White),
        Outcome::Draw | Outcome::Nobody | Outcome::Unknown => None,
    }
}

/// Finds losing moves, with an engine of its own.
pub struct Finder {
    engine: Engine,
    settings: Settings,
}

/// The move that was played and the best other one, each searched by itself.
struct Choice {
    played: Searched,
    other: Searched,
}

impl Choice {
    /// Expected points that the move lost.
    fn lost(&self) -> f64 {
        self.other.points() - self.played.points()
    }
}

impl Finder {
    /// A finder.
    ///
    /// # Errors
    /// There is no memory for the table, or the weights or endgame tables cannot be had.
    pub fn new(options: Options, settings: Settings) -> Result<Finder, EngineError> {
        let engine = Engine::new(options)?;
        Ok(Finder { engine, settings })
    }

    /// The same with endgame tables that are shared with others.
    ///
    /// # Errors
    /// There is no memory for the table, or the weights cannot be had.
    pub fn with_tables(
        options: Options,
        settings: Settings,
        tables: Arc<Tables>,
    ) -> Result<Finder, EngineError> {
        let engine = Engine::with_tables(options, tables)?;
        Ok(Finder { engine, settings })
    }

    /// The last move of the loser that lost at least the margin and left a lost position. None of it where nobody lost,
    /// or the loser was not lost at the end of the moves, or lost little by little. The outer None: stopped. What is
    /// found depends on the game alone.
    pub fn find(&mut self, game: &PdnGame, stop: &Stop) -> Option<Option<LosingMove>> {
        let Some(loser) = loser(game) else {
            return Some(None);
        };
        self.engine.new_game();
        let mut at = Game::new(game.start);
        for mv in game.plain_moves() {
            at.play(mv);
        }
        let few = (self.settings.nodes / SHARE).max(FEWEST);
        let end = self.search(&at, &[], few, stop)?;
        let points = match at.position().turn() {
            turn if turn == loser => end.points(),
            _ => 1.0 - end.points(),
        };
        if points > LOST {
            return Some(None);
        }
        // From the end, so that what follows a position is in the table when it is searched.
        while let Some(played) = at.take_back() {
            if at.position().turn() == loser
                && let Some(found) = self.judge(&at, played, few, stop)?
            {
                return Some(Some(found));
            }
        }
        Some(None)
    }

    /// The move, if it lost the game. The outer None: stopped.
    fn judge(
        &mut self,
        game: &Game,
        played: Move,
        few: u64,
        stop: &Stop,
    ) -> Option<Option<LosingMove>> {
        let nodes = self.settings.nodes;
        let margin = self.settings.margin;
        if game.position().legal_moves().len() == 1 {
            return Some(None);
        }
        // The first look may miss a part of the loss, but not more than half of it.
        let quick = self.choice(game, played, few, stop)?;
        if quick.lost() < margin / 2.0 {
            return Some(None);
        }
        let lost = |choice: &Choice| choice.lost() >= margin && choice.played.points() <= LOST;
        if !lost(&self.choice(game, played, nodes, stop)?) {
            return Some(None);
        }
        let proven = self.choice(game, played, nodes.saturating_mul(AGAIN), stop)?;
        if !lost(&proven) {
            return Some(None);
        }
        Some(Some(LosingMove {
            position: *game.position(),
            ply: game.moves().len(),
            lost: proven.lost(),
            played: proven.played.into(),
            other: proven.other.into(),
            avoided: self.avoided(game, played, stop)?,
        }))
    }

    /// Searches after the move, and without it.
    fn choice(&mut self, game: &Game, played: Move, nodes: u64, stop: &Stop) -> Option<Choice> {
        let mut after = game.clone();
        after.play(played);
        let reply = self.search(&after, &[], nodes, stop)?;
        let other = self.search(game, &[played], nodes, stop)?;
        let mut line = vec![played];
        line.extend(reply.line);
        Some(Choice {
            played: Searched {
                line,
                score: (-reply.score).to_root(1),
                wdl: reply.wdl.swapped(),
            },
            other,
        })
    }

    /// From which iteration on a search with the nodes of the proof, and an empty table, avoids the move; none where
    /// it plays it. The outer None: stopped.
    fn avoided(&mut self, game: &Game, played: Move, stop: &Stop) -> Option<Option<Found>> {
        self.engine.new_game();
        let nodes = self.settings.nodes;
        let mut since: Option<Found> = None;
        let mut watch = |report: &Report| {
            let avoids = report.pv.first().is_some_and(|&mv| mv != played);
            since = avoids.then(|| {
                since.unwrap_or(Found {
                    depth: report.depth,
                    nodes: report.nodes,
                })
            });
        };
        let found = search(&mut self.engine, game, &[], nodes, &mut watch, stop)?;
        Some(since.filter(|_| found.line.first() != Some(&played)))
    }

    fn search(
        &mut self,
        game: &Game,
        without: &[Move],
        nodes: u64,
        stop: &Stop,
    ) -> Option<Searched> {
        search(&mut self.engine, game, without, nodes, &mut |_| {}, stop)
    }
}
