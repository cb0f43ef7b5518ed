//! The search for combinations in a game.

use super::combination::{Combination, is_offer};
use super::puzzle::MinedPuzzle;
use crate::evaluation::Look;
use crate::{Effort, Stop};
use damier_engine::search::{Report, Stopped};
use damier_engine::{Engine, Level};
use damier_rules::notation::pdn::Game as PdnGame;
use damier_rules::{Game, Move, Status};

/// The first look at a position has one of so many nodes of the proof.
const SHARE: u64 = 40;
/// Fewest nodes of the first look.
const FEWEST: u64 = 500;
/// What holds is proven once more with so many times the nodes.
const AGAIN: u64 = 10;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MineSettings {
    /// Positions to search for each half of a proof: with the move, and without it.
    pub nodes: u64,
    /// Expected points by which the move is better than any other.
    pub margin: f64,
    /// Expected points that the move is worth at least.
    pub least: f64,
    /// Whether positions of the opening book are left out.
    pub book: bool,
}

impl Default for MineSettings {
    fn default() -> MineSettings {
        MineSettings {
            nodes: 100_000,
            margin: 0.2,
            least: 0.75,
            book: true,
        }
    }
}

/// Finds combinations, with an engine of its own.
pub struct Miner {
    engine: Engine,
    settings: MineSettings,
}

impl Miner {
    /// A miner that searches with this engine.
    pub fn new(engine: Engine, settings: MineSettings) -> Miner {
        Miner { engine, settings }
    }

    /// The combinations in a game, each once: where it can be played for several moves, the first of these. What is
    /// found depends on the game alone.
    ///
    /// # Errors
    /// It was stopped.
    pub fn mine(&mut self, game: &PdnGame, stop: &Stop) -> Result<Vec<MinedPuzzle>, Stopped> {
        self.engine.new_game();
        let moves = game.plain_moves();
        let mut at = Game::new(game.start);
        let mut found: Vec<MinedPuzzle> = Vec::new();
        for ply in 0..=moves.len() {
            if let Some(puzzle) = self.position(&at, stop)? {
                let is_same = |before: &MinedPuzzle| {
                    let later = ply - before.ply;
                    let within = later < before.combination.line.len();
                    let delayed = before.combination.line[0] == puzzle.combination.line[0];
                    within || later == 2 && delayed
                };
                if !found.last().is_some_and(is_same) {
                    found.push(MinedPuzzle { ply, ..puzzle });
                }
            }
            if let Some(&mv) = moves.get(ply) {
                at.play(mv);
            }
        }
        Ok(found)
    }

    /// The combination of a position, if it has one.
    fn position(&mut self, game: &Game, stop: &Stop) -> Result<Option<MinedPuzzle>, Stopped> {
        if !self.is_candidate(game) {
            return Ok(None);
        }
        let MineSettings {
            nodes,
            margin,
            least,
            ..
        } = self.settings;
        let few = Level::nodes((nodes / SHARE).max(FEWEST));
        let position = *game.position();
        let quick = Look::at(game, few).run(&mut self.engine, stop)?;
        let Some(first) = quick.line.first().copied() else {
            return Ok(None);
        };
        // The first look may miss a part of the value, but not more than half of the margin.
        if !is_offer(&position, first) || quick.points() < least - margin / 2.0 {
            return Ok(None);
        }
        let rest = Look::at(game, few)
            .without(&[first])
            .run(&mut self.engine, stop)?;
        if quick.points() - rest.points() < margin / 2.0 {
            return Ok(None);
        }
        self.prove(game, stop)
    }

    /// Whether the position may have a combination at all.
    fn is_candidate(&self, game: &Game) -> bool {
        let position = game.position();
        if game.status() != Status::Playing || position.must_capture() {
            return false;
        }
        let legal = position.legal_moves();
        let in_book = || self.settings.book && self.engine.book_entry(position).is_some();
        legal.len() > 1 && legal.iter().any(|&mv| is_offer(position, mv)) && !in_book()
    }

    /// Proves that one move is good and all others are not, and proves it again with more nodes.
    fn prove(&mut self, game: &Game, stop: &Stop) -> Result<Option<MinedPuzzle>, Stopped> {
        let nodes = self.settings.nodes;
        // What is in the table from the first look would hide how hard the move is to find.
        self.engine.new_game();
        let mut reports: Vec<Report> = Vec::new();
        let mut keep = |report: &Report| reports.push(report.clone());
        let Some(first) = self.proof(game, nodes, &mut keep, stop)? else {
            return Ok(None);
        };
        let again = nodes.saturating_mul(AGAIN);
        let second = self.proof(game, again, &mut |_| {}, stop)?;
        let is_same =
            |second: &MinedPuzzle| second.combination.line[0] == first.combination.line[0];
        let Some(proven) = second.filter(is_same) else {
            return Ok(None);
        };
        let best = proven.combination.line[0];
        let found = self.since(&reports, game, best);
        Ok(Some(MinedPuzzle { found, ..proven }))
    }

    /// One proof with so many nodes for each part.
    fn proof(
        &mut self,
        game: &Game,
        nodes: u64,
        observer: &mut dyn FnMut(&Report),
        stop: &Stop,
    ) -> Result<Option<MinedPuzzle>, Stopped> {
        let MineSettings { margin, least, .. } = self.settings;
        let (position, level) = (*game.position(), Level::nodes(nodes));
        let whole = Look::at(game, level).run_observed(&mut self.engine, stop, observer)?;
        let Some(best) = whole.line.first().copied() else {
            return Ok(None);
        };
        if !is_offer(&position, best) || whole.points() < least {
            return Ok(None);
        }
        let others = Look::at(game, level)
            .without(&[best])
            .run(&mut self.engine, stop)?;
        if whole.points() - others.points() < margin {
            return Ok(None);
        }
        // From behind the move, so that neither half sees farther than the other.
        let mut after = game.clone();
        after.play(best);
        let reply = Look::at(&after, level).run(&mut self.engine, stop)?;
        let points = (1.0 - reply.points()).min(whole.points());
        if points < least || points - others.points() < margin {
            return Ok(None);
        }
        let mut line = vec![best];
        line.extend(reply.line);
        let combination = Combination::of(&position, &line);
        let combination = combination.or_else(|| Combination::of(&position, &whole.line));
        Ok(combination.map(|combination| MinedPuzzle {
            position,
            ply: 0,
            combination,
            score: (-reply.score).to_root(1),
            second: others.score,
            wdl: reply.wdl.swapped(),
            margin: points - others.points(),
            found: Effort::default(),
        }))
    }

    /// The first iteration from which on the search held to the move and saw that it wins.
    fn since(&self, reports: &[Report], game: &Game, best: Move) -> Effort {
        let least = self.settings.least;
        let sees = |report: &&Report| {
            let points = self.engine.wdl(report.score, game.position()).expected();
            report.pv.first() == Some(&best) && points >= least
        };
        let held = reports.iter().rev().take_while(sees).last();
        let held = held.or(reports.last());
        held.map_or(Effort::default(), |report| Effort {
            depth: report.depth,
            nodes: report.nodes,
        })
    }
}
