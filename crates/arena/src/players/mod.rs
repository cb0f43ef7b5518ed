//! Players: engines as the referee sees them, whatever protocol they speak.
//!
//! A player is one process or connection. It is started once and plays game after game. A fault ends the game, after
//! which the player may be restarted.

pub mod dxp;
pub mod hub;
pub mod process;

use crate::level::{GameLevel, Remaining};
use damier_engine::search::Detections;
use damier_rules::GameResult;
use damier_rules::board::Color;
use damier_rules::notation::text;
use damier_rules::{Game, Move, Position};
use std::time::Duration;

/// Maximum length of a line in reports, in characters.
const MAX_SHOWN: usize = 300;

/// The start of a line, safe to show on a terminal: an engine can write anything, including control characters.
pub(crate) fn printable(line: &str) -> String {
    let start: String = line.chars().take(MAX_SHOWN).collect();
    text::for_terminal(&start).replace('\n', "\\n")
}

/// A request for a move.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game up to the current position.
    pub game: &'a Game,
    /// The level of this player.
    pub level: GameLevel,
    /// Clock, if it plays with one.
    pub remaining: Option<Remaining>,
    /// Timeout: no answer after this long is a fault.
    pub patience: Duration,
}

/// What a player answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A legal move.
    Move(Move),
    /// The player claims that the game is over, as DXP allows. The referee checks the claim.
    Claim(Claim),
}

/// How a player claims that the game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The player has lost.
    Loss,
    /// A draw.
    Draw,
    /// The player has won.
    Win,
    /// The player does not say who won.
    Unknown,
}

/// An answer with the search data that the player reported.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerReply {
    /// The move, or the claim.
    pub answer: Answer,
    /// Score in men from the side to move.
    pub score: Option<f64>,
    /// Plies searched.
    pub depth: Option<f64>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Inconsistencies that an MTD driver detected; none where the player says nothing of them.
    pub detections: Detections,
    /// From request to answer, by the arena's clock.
    pub elapsed: Duration,
}

/// A fault, by which a player loses the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineFault {
    /// The program could not be started, or ended by itself; the system's error.
    #[error("crashed: {0}")]
    Crash(String),
    /// No answer in time.
    #[error("no answer after {:.3} s", .0.as_secs_f64())]
    Silence(Duration),
    /// An illegal move as written, and why it is illegal.
    #[error("illegal move: {0}")]
    Illegal(String),
    /// An answer that does not follow the protocol.
    #[error("not understood: {0}")]
    Babble(String),
    /// A move that exceeded its time by this much.
    #[error("late by {:.3} s", .0.as_secs_f64())]
    Late(Duration),
}

impl EngineFault {
    /// Returned when a player is interrupted because the match is over. Not a fault of an engine, and not reported.
    pub(crate) fn interrupted() -> EngineFault {
        EngineFault::Crash("the match is over".to_owned())
    }
}

/// An engine.
pub trait Player: Send {
    /// Begins a game from a position with this colour. A DXP player is told its clock here.
    ///
    /// # Errors
    /// The player cannot be started, or refuses.
    fn begin(
        &mut self,
        start: &Position,
        color: Color,
        level: GameLevel,
    ) -> Result<(), EngineFault>;

    /// Asks for a move. The game must not be over, and it must be the player's turn.
    ///
    /// # Errors
    /// A fault, after which the player must be [`Player::restart`]ed before the next game.
    fn think(&mut self, turn: &Turn<'_>) -> Result<PlayerReply, EngineFault>;

    /// Ends the game: `game` has all its moves, `result` is for this player.
    ///
    /// # Errors
    /// The player did not accept it; the result of the game counts anyway.
    fn finish(&mut self, game: &Game, result: GameResult) -> Result<(), EngineFault>;

    /// Drops the process or the connection and makes a new one at the next [`Player::begin`].
    fn restart(&mut self);

    /// The last lines or messages exchanged, oldest first: `<` from the player, `>` to it.
    fn transcript(&self) -> Vec<String>;
}
