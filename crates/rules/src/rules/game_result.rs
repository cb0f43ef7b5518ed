use crate::board::Color;
use std::fmt;

/// The result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// Win for the side.
    Win,
    /// Drawn.
    Draw,
    /// Loss for the side.
    Loss,
}

impl GameResult {
    /// For `color`, where `winner` has won.
    #[inline(always)]
    pub fn of(color: Color, winner: Option<Color>) -> GameResult {
        match winner {
            None => GameResult::Draw,
            Some(winner) if winner == color => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// For the other side.
    pub fn reversed(self) -> GameResult {
        match self {
            GameResult::Win => GameResult::Loss,
            GameResult::Draw => GameResult::Draw,
            GameResult::Loss => GameResult::Win,
        }
    }

    /// 0, 0.5 or 1.
    pub fn points(self) -> f32 {
        match self {
            GameResult::Loss => 0.0,
            GameResult::Draw => 0.5,
            GameResult::Win => 1.0,
        }
    }
}

/// `win`, `draw` or `loss`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win => "win",
            GameResult::Draw => "draw",
            GameResult::Loss => "loss",
        })
    }
}
