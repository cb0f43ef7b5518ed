//! What JSON of the terminal, the web and files has in common; docs/json.md describes the fields.

use damier_endgame::{Advice, MoveVerdict};
use damier_engine::eval::Score;
use damier_rules::board::Color;
use damier_rules::notation::moves;
use damier_rules::{Game, Move, Position, Status};
use serde::{Deserialize, Serialize};

/// An object on one line.
pub fn text(object: &impl Serialize) -> String {
    // Only maps without text keys and types that refuse to be written can fail.
    serde_json::to_string(object).unwrap_or_else(|error| unreachable!("plain data: {error}"))
}

/// Plies to a proven result, or to the endgame tables that prove it; nothing for an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Distance {
    /// Plies to a proven win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_in: Option<u32>,
    /// Plies to a proven loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_in: Option<u32>,
    /// Plies to a won position of the endgame tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_win_in: Option<u32>,
    /// Plies to a lost position of the endgame tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_loss_in: Option<u32>,
}

impl Distance {
    /// The distance in a score.
    pub fn of(score: Score) -> Distance {
        let to_table = 9_000_u32.saturating_sub(score.centimen().unsigned_abs());
        let is_table = score.end_in().is_none() && !score.is_eval();
        let table = is_table.then_some(to_table);
        let wins = score > Score::DRAW;
        Distance {
            win_in: score.end_in().filter(|_| wins),
            loss_in: score.end_in().filter(|_| !wins),
            table_win_in: table.filter(|_| wins),
            table_loss_in: table.filter(|_| !wins),
        }
    }
}

/// The verdict of the endgame tables on a position, or on a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableVerdict {
    /// `win`, `draw` or `loss` for the side to move, ignoring the draw rules.
    pub value: String,
    /// The value under the draw rules.
    pub fmjd: String,
    /// Whether `fmjd` is certain.
    pub certain: bool,
    /// Plies to the end; none for a draw, or where the tables do not have it.
    #[serde(default)]
    pub distance: Option<u32>,
}

impl From<&Advice> for TableVerdict {
    fn from(advice: &Advice) -> TableVerdict {
        TableVerdict {
            value: advice.value.value.to_string(),
            fmjd: advice.ruled.value.to_string(),
            certain: advice.certain,
            distance: advice.value.distance,
        }
    }
}

impl From<&MoveVerdict> for TableVerdict {
    fn from(mv: &MoveVerdict) -> TableVerdict {
        TableVerdict {
            value: mv.value.value.to_string(),
            fmjd: mv.ruled.value.to_string(),
            certain: mv.certain,
            distance: mv.value.distance,
        }
    }
}

/// A move of the opening book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BookMove {
    /// As Hub writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// Score in men.
    pub score: f64,
}

impl BookMove {
    /// A move with its score.
    pub fn new(mv: Move, score: Score) -> BookMove {
        BookMove {
            mv: mv.to_string(),
            score: score.men(),
        }
    }
}

/// Whether a game is over, and why.
pub fn status(game: &Game) -> (&'static str, Option<String>) {
    match game.status() {
        Status::Playing => ("playing", None),
        Status::WonBy(Color::White) => ("white-wins", Some("black has no legal move".to_owned())),
        Status::WonBy(Color::Black) => ("black-wins", Some("white has no legal move".to_owned())),
        Status::Drawn(rule) => ("draw", Some(rule.to_string())),
    }
}

/// Moves as Hub writes them.
pub fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// The moves of a line from a position, in their shortest texts.
pub fn short_texts(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = *position;
    let texts = line.iter().map(|&mv| {
        let text = moves::short(&position, mv);
        position = position.play(mv);
        text
    });
    texts.collect()
}
