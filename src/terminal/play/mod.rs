//! A game in the terminal: moves typed in any usual notation, either side or both played by the computer.
//!
//! - `session` reads and executes commands;
//! - `thinking` has the engine search on its own thread, and reads the lines of the player meanwhile;
//! - `turns` has the moves of both sides, resigning and draws;
//! - `files` saves and loads games as PDN;
//! - `show` draws the board and says how the game stands.

mod clocks;
mod command;
mod files;
mod session;
mod show;
mod thinking;
mod turns;

use super::board::Style;
use crate::board::Color;
use crate::engine::Level;
use crate::notation::pdn::Outcome;
use crate::rules::Position;
use crate::text::Encoding;
use std::path::PathBuf;

pub use clocks::TimeControl;
pub use command::CASUAL_ELO;
pub use session::run;

/// Who plays a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// The moves are typed.
    Human,
    /// The engine finds the moves.
    Computer,
}

/// How a game begins.
#[derive(Clone, Debug)]
pub struct PlaySettings {
    /// First position.
    pub start: Position,
    /// Who plays white and who black.
    pub players: [PlayerKind; 2],
    /// How long the computer thinks about a move, where there is no clock.
    pub level: Level,
    /// The clocks, if there are any.
    pub clock: Option<TimeControl>,
    /// Whether a person types: then lines are read during a search, and a command that would lose the game needs a
    /// confirmation. Otherwise the lines are a script, and each waits until the computer has moved.
    pub live: bool,
    /// The encoding of files to load, where it is given.
    pub encoding: Option<Encoding>,
    /// How the board is drawn.
    pub style: Style,
    /// Where a game that is interrupted is saved.
    pub folder: PathBuf,
    /// Whether the user has interrupted (Ctrl-C).
    pub asked_to_end: fn() -> bool,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The player left, or the input ended.
    Left,
    /// The user wanted an end (Ctrl-C).
    Interrupted,
}

impl PlaySettings {
    /// A game without clocks for a script.
    pub fn new(start: Position, players: [PlayerKind; 2], level: Level) -> PlaySettings {
        PlaySettings {
            start,
            players,
            level,
            clock: None,
            live: false,
            encoding: None,
            style: Style::default(),
            folder: PathBuf::from("."),
            asked_to_end: || false,
        }
    }

    /// The side at the lower edge of the board: that of the only human, otherwise white.
    fn bottom(&self) -> Color {
        match self.players {
            [PlayerKind::Computer, PlayerKind::Human] => Color::Black,
            _ => Color::White,
        }
    }

    /// Whether a person plays.
    fn has_human(&self) -> bool {
        self.players.contains(&PlayerKind::Human)
    }

    /// Whether lines are read during a search: those of a person always, those of a script where the computer plays
    /// both sides, since no turn of a human could read them.
    fn reads_during_search(&self) -> bool {
        self.live || !self.has_human()
    }
}

/// The result of a game that a side has won.
fn won_by(color: Color) -> Outcome {
    match color {
        Color::White => Outcome::White,
        Color::Black => Outcome::Black,
    }
}

#[cfg(test)]
mod tests;
