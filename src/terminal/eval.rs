//! The evaluation of a position without a search, and what each piece adds to it: the score with it minus that without
//! it.

use super::words;
use crate::analysis::json::text;
use crate::board::{Bitboard, Color, Square};
use crate::engine::Engine;
use crate::eval::Score;
use crate::notation::{fen, hub_board};
use crate::rules::{Game, Position, Setup};
use serde::Serialize;
use std::fmt;

/// A position and its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    position: Position,
    weights: String,
    score: Score,
    /// The result, where the game is over.
    over: Option<String>,
    pieces: Vec<Worth>,
}

/// A piece and what it is worth to its own side.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Worth {
    square: Square,
    letter: char,
    /// The score of its side with it minus that without it; none where it is its side's last.
    score: Option<Score>,
}

impl Judgement {
    /// Judges a position with the engine's evaluation.
    pub fn new(engine: &Engine, position: &Position) -> Judgement {
        let score = engine.evaluate(position);
        let mut pieces = Vec::new();
        for square in position.occupied() {
            let color = match position.pieces(Color::White).contains(square) {
                true => Color::White,
                false => Color::Black,
            };
            let own = |score: Score| {
                if color == position.turn() {
                    score
                } else {
                    -score
                }
            };
            let without = without(position, square, color);
            pieces.push(Worth {
                square,
                letter: hub_board::piece(position, square).unwrap_or('.'),
                score: without.map(|rest| own(score) - own(engine.evaluate(&rest)).centimen()),
            });
        }
        Judgement {
            position: *position,
            weights: engine.options().weights.display().to_string(),
            score,
            over: words::verdict(&Game::new(*position)),
            pieces,
        }
    }

    /// The score for the side to move.
    pub fn score(&self) -> Score {
        self.score
    }

    /// As one line of JSON. Scores are in men: that of the position for the side to move, the worth of a piece to its
    /// own side.
    pub fn to_json(&self) -> String {
        let object = JudgementJson {
            fen: fen::format(&self.position),
            turn: self.position.turn().to_string(),
            weights: &self.weights,
            score: self.score.men(),
            over: self.over.as_deref(),
            pieces: self
                .pieces
                .iter()
                .map(|piece| PieceJson {
                    square: piece.square.number(),
                    piece: piece.letter,
                    worth: piece.score.map(Score::men),
                })
                .collect(),
        };
        text(&object)
    }
}

#[derive(Serialize)]
struct JudgementJson<'a> {
    fen: String,
    turn: String,
    weights: &'a str,
    score: f64,
    /// The result, where the game is over.
    over: Option<&'a str>,
    pieces: Vec<PieceJson>,
}

#[derive(Serialize)]
struct PieceJson {
    square: u8,
    piece: char,
    /// Worth of the piece; None for the last piece of a side.
    worth: Option<f64>,
}

/// The position without the piece on a square; none where it is its side's last.
fn without(position: &Position, square: Square, color: Color) -> Option<Position> {
    let rest = |set: Bitboard| set.without(Bitboard::of(square));
    let [white, black] = Color::BOTH;
    let setup = Setup {
        men: [rest(position.men(white)), rest(position.men(black))],
        kings: [rest(position.kings(white)), rest(position.kings(black))],
        turn: position.turn(),
    };
    let position = Position::try_from(setup).ok()?;
    (!position.pieces(color).is_empty()).then_some(position)
}

/// The board with each piece's letter and its worth in hundredths of a man, and the score.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..10u8 {
            let line: String = (0..10u8).map(|column| self.cell(row, column)).collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f)?;
        write!(
            f,
            "score {} men for {}, by {}; beside each piece its worth to its side in hundredths",
            self.score,
            self.position.turn(),
            self.weights
        )?;
        match &self.over {
            Some(over) => write!(f, "\nthe game is over: {over}"),
            None => Ok(()),
        }
    }
}

impl Judgement {
    fn cell(&self, row: u8, column: u8) -> String {
        let at = |square: &Square| (square.row(), square.column()) == (row, column);
        let Some(square) = Square::all().find(at) else {
            return " ".repeat(6);
        };
        let Some(piece) = self.pieces.iter().find(|piece| piece.square == square) else {
            return format!("{:<6}", ".");
        };
        let worth = piece
            .score
            .map_or("-".to_owned(), |score| score.centimen().to_string());
        format!("{:<6}", format!("{}{worth}", piece.letter))
    }
}
