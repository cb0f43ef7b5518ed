//! A move that lost a game, and the forms in which it is written.

use crate::json::texts;
use crate::{Effort, Evaluation, origin};
use damier_rules::Position;
use damier_rules::notation::fen::{self, FenError};
use damier_rules::notation::pdn::Game as PdnGame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The grade of a move that a search with the nodes of the proof plays too.
const HARDEST: u32 = 5;

/// The move that lost a game.
#[derive(Clone, PartialEq, Debug)]
pub struct LosingMove {
    /// The position before it.
    pub position: Position,
    /// Plies of the game before it.
    pub ply: usize,
    /// The move and its refutation, for the side that plays it.
    pub played: Evaluation,
    /// The best other move.
    pub other: Evaluation,
    /// Expected points between the two.
    pub cost: f64,
    /// From where on a search with an empty table avoids it; none where one with the nodes of the proof plays it.
    pub avoided: Option<Effort>,
}

/// A losing move as an object; docs/json.md describes the fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LosingMoveObject {
    /// The game's number in the input, from 1.
    pub game: u64,
    /// Plies of the game before the position.
    pub ply: usize,
    /// The position before the move.
    pub fen: String,
    /// The move, and its refutation.
    pub played: Vec<String>,
    /// In men, for the side to move.
    pub score: f64,
    /// Chances of win, draw and loss for the side to move, after the move.
    pub wdl: [f64; 3],
    /// The best other move, and what may follow.
    pub other: Vec<String>,
    /// In men, for the side to move.
    pub other_score: f64,
    /// Chances of win, draw and loss for the side to move, after it.
    pub other_wdl: [f64; 3],
    /// Expected points that the move cost.
    pub lost: f64,
    /// Depth from which on a search avoids the move; null where one with the nodes of the proof plays it.
    pub depth: Option<u32>,
    /// Nodes up to there.
    pub nodes: Option<u64>,
    /// How hard it is to avoid: 1, easy, to 5.
    pub grade: u32,
    /// Tags of the game.
    pub tags: BTreeMap<String, String>,
}

impl LosingMove {
    /// The move as an object, with the game from which it is.
    pub fn to_json(&self, number: u64, game: &PdnGame) -> LosingMoveObject {
        LosingMoveObject {
            game: number,
            ply: self.ply,
            fen: fen::format(&self.position),
            played: texts(&self.played.line),
            score: self.played.score.men(),
            wdl: self.played.wdl.rounded(),
            other: texts(&self.other.line),
            other_score: self.other.score.men(),
            other_wdl: self.other.wdl.rounded(),
            lost: (self.cost * 1e3).round() / 1e3,
            depth: self.avoided.map(|avoided| avoided.depth),
            nodes: self.avoided.map(|avoided| avoided.nodes),
            grade: self.avoided.map_or(HARDEST, |avoided| avoided.grade()),
            tags: origin::tags(game),
        }
    }
}

impl LosingMoveObject {
    /// The position.
    ///
    /// # Errors
    /// The text is no position.
    pub fn position(&self) -> Result<Position, FenError> {
        fen::parse(&self.fen)
    }

    /// The move as a line of a suite: position, move to avoid, grade, both moves with their scores, and players.
    pub fn to_suite(&self) -> String {
        let first = |line: &[String]| line.first().cloned().unwrap_or_default();
        let played = first(&self.played);
        let mut line = format!(
            "{}; am {played}; id {}-{}; grade {}; proof {played} {:+.2} v {} {:+.2}",
            self.fen,
            self.game,
            self.ply,
            self.grade,
            self.score,
            first(&self.other),
            self.other_score,
        );
        let players = ["White", "Black"].map(|color| self.tags.get(color).map(String::as_str));
        if players.iter().any(Option::is_some) {
            let [white, black] = players.map(|name| name.unwrap_or("?"));
            // A semicolon would end the field.
            let players = format!("{white} v {black}");
            let players = players.replace(|c: char| c == ';' || c.is_control(), " ");
            line += &format!("; source {players}");
        }
        line
    }
}
