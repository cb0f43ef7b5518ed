//! A game in the terminal: moves typed in any usual notation, either side or both played by the computer.

mod command;
mod session;

use crate::board::Color;
use crate::engine::Level;
use crate::rules::Position;

pub use session::run;

/// Who plays a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// The moves are typed.
    Human,
    /// The engine finds the moves.
    Computer,
}

/// How a game begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// First position.
    pub start: Position,
    /// Who plays white and who black.
    pub players: [Player; 2],
    /// How long the computer thinks about a move.
    pub level: Level,
}

impl Setting {
    /// The side at the lower edge of the board: that of the only human, otherwise white.
    fn bottom(&self) -> Color {
        match self.players {
            [Player::Computer, Player::Human] => Color::Black,
            _ => Color::White,
        }
    }
}

#[cfg(test)]
mod tests;
