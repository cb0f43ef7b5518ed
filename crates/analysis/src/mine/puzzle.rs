//! A combination that was found, and the forms in which it is written.

use super::combination::Combination;
use crate::solve::WON;
use crate::{Effort, Motif, motifs, origin};
use damier_engine::eval::{Score, Wdl};
use damier_rules::Position;
use damier_rules::board::Color;
use damier_rules::notation::fen::FenError;
use damier_rules::notation::moves::MoveError;
use damier_rules::notation::pdn::{Annotated, Game as PdnGame, Outcome};
use damier_rules::notation::{fen, moves};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A position with exactly one good move, which begins a combination.
#[derive(Clone, PartialEq, Debug)]
pub struct MinedPuzzle {
    /// The position.
    pub position: Position,
    /// Plies of the game before it.
    pub ply: usize,
    /// The solution.
    pub combination: Combination,
    /// Score of the solution, for the side to move.
    pub score: Score,
    /// The score of the best other move.
    pub second: Score,
    /// What the score of the solution means.
    pub wdl: Wdl,
    /// Expected points between the two.
    pub margin: f64,
    /// From where on a search holds to the move and sees that it wins.
    pub found: Effort,
}

/// Why a stored puzzle cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MinedPuzzleError {
    /// The position of a puzzle cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move of its solution.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// A puzzle as an object; docs/json.md describes the fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MinedPuzzleObject {
    /// The game's number in the input, from 1.
    pub game: u64,
    /// Plies of the game before the position.
    pub ply: usize,
    /// The position.
    pub fen: String,
    /// The moves, the first one to find.
    pub solution: Vec<String>,
    /// In men, for the side to move.
    pub score: f64,
    /// Expected points of the best other move.
    pub second: f64,
    /// Chances of win, draw and loss for the side to move, with the solution.
    #[serde(default)]
    pub wdl: [f64; 3],
    /// Expected points between them.
    pub margin: f64,
    /// Material won in the end, in men.
    pub gain: i32,
    /// Most men down on the way.
    pub men_given: u32,
    /// Names of the combination, as far as it has some.
    #[serde(default)]
    pub motifs: Vec<String>,
    /// Plies of the solution.
    pub length: usize,
    /// Depth at which it is found.
    pub depth: u32,
    /// Nodes with which it is found.
    pub nodes: u64,
    /// 1, easy, to 4.
    pub grade: u32,
    /// Tags of the game.
    pub tags: BTreeMap<String, String>,
}

impl MinedPuzzle {
    /// The puzzle as an object, with the game from which it is.
    pub fn to_json(&self, number: u64, game: &PdnGame) -> MinedPuzzleObject {
        let line = &self.combination.line;
        let motifs = motifs(&self.position, line);
        MinedPuzzleObject {
            game: number,
            ply: self.ply,
            fen: fen::format(&self.position),
            solution: line.iter().map(ToString::to_string).collect(),
            score: self.score.men(),
            second: self.second.men(),
            wdl: self.wdl.rounded(),
            margin: (self.margin * 1e3).round() / 1e3,
            gain: self.combination.gain,
            men_given: self.combination.men_given,
            motifs: motifs.iter().map(Motif::to_string).collect(),
            length: line.len(),
            depth: self.found.depth,
            nodes: self.found.nodes,
            grade: self.found.grade(),
            tags: origin::tags(game),
        }
    }
}

impl MinedPuzzleObject {
    /// The position.
    ///
    /// # Errors
    /// The text is no position.
    pub fn position(&self) -> Result<Position, FenError> {
        fen::parse(&self.fen)
    }

    /// The puzzle as a game of PDN: the position as `FEN` tag, the solution as moves. Its result is what the solution
    /// comes to, whatever that of the game was: a win, or none where it only is ahead, by the measure of a
    /// [composition](WON).
    ///
    /// # Errors
    /// The texts are no position and moves.
    pub fn to_pdn(&self, by: &str) -> Result<PdnGame, MinedPuzzleError> {
        let start = self.position()?;
        let mut game = PdnGame::new(start);
        game.tags.extend(self.tags.clone());
        let numbers = [
            ("Ply", self.ply.to_string()),
            ("Grade", self.grade.to_string()),
            ("Depth", self.depth.to_string()),
            ("MenGiven", self.men_given.to_string()),
            ("Gain", self.gain.to_string()),
            ("Annotator", by.to_owned()),
        ];
        let numbers = numbers.map(|(name, value)| (name.to_owned(), value));
        game.tags.extend(numbers);
        if !self.motifs.is_empty() {
            game.tags.push(("Motif".to_owned(), self.motifs.join(", ")));
        }
        let mut position = start;
        for text in &self.solution {
            let mv = moves::parse(&position, text)?;
            game.moves.push(Annotated::from(mv));
            position = position.play(mv);
        }
        if let Some(first) = game.moves.first_mut() {
            first.nags.push(1);
            first.comment = Some(format!(
                "{:+.2}, second best {:+.2}",
                self.score, self.second
            ));
        }
        game.result = match start.turn() {
            _ if self.wdl[0] < WON => Outcome::Unknown,
            Color::White => Outcome::White,
            Color::Black => Outcome::Black,
        };
        Ok(game)
    }

    /// The puzzle as a line of a suite: position, move to find, grade and solution.
    pub fn to_suite(&self) -> String {
        let first = self.solution.first().map_or("", String::as_str);
        format!(
            "{}; bm {first}; id {}-{}; grade {}; proof {:.2} v {:.2}; source {}",
            self.fen,
            self.game,
            self.ply,
            self.grade,
            self.score,
            self.second,
            self.solution.join(" ")
        )
    }
}
