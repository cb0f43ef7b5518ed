//! An engine as the referee sees it, whatever protocol it speaks.
//!
//! A player is one process or one connection. It is started once and plays game after game; a fault ends the game, and
//! the player may then be restarted.

pub mod dxp;
pub mod hub;
pub mod process;

use crate::board::Color;
use crate::lab::GameResult;
use crate::lab::arena::level::Level;
use crate::notation::text;
use crate::rules::{Game, Move, Position};
use std::time::Duration;

/// How much of a line is kept for reports, in characters.
const MAX_SHOWN: usize = 300;

/// The beginning of a line as it may be shown on a terminal: an engine can write anything, and a terminal would obey control
/// characters.
pub(in crate::lab::arena) fn printable(line: &str) -> String {
    let start: String = line.chars().take(MAX_SHOWN).collect();
    text::for_terminal(&start).replace('\n', "\\n")
}

/// The player's own clock at its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remaining {
    /// Time left, the increment of this move not included.
    pub time: Duration,
    /// Added before each move.
    pub increment: Duration,
    /// Moves to the next period.
    pub moves: Option<u32>,
}

/// What a player is asked.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game up to the position to move in.
    pub game: &'a Game,
    /// The level of this player.
    pub level: Level,
    /// Its clock, if the level is one.
    pub remaining: Option<Remaining>,
    /// No answer after this long is a fault.
    pub patience: Duration,
}

/// What a player answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A legal move.
    Move(Move),
    /// The player claims that the game is over, as DXP lets it. The referee decides whether it is.
    Claim(Claim),
}

/// How a player claims that the game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It has lost.
    Loss,
    /// It is a draw.
    Draw,
    /// It has won.
    Win,
    /// It does not say who won.
    Unknown,
}

/// An answer with what the player reported about it.
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
    /// From the question to the answer, by the arena's clock.
    pub elapsed: Duration,
}

/// How a player broke the game. It loses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It could not be started, or ended by itself: what the system says.
    #[error("crashed: {0}")]
    Crash(String),
    /// No answer in time.
    #[error("no answer after {:.3} s", .0.as_secs_f64())]
    Silence(Duration),
    /// A move that is not legal, as it was written, and why.
    #[error("illegal move: {0}")]
    Illegal(String),
    /// An answer that the protocol does not know.
    #[error("not understood: {0}")]
    Babble(String),
    /// A move that came this long after the time allowed.
    #[error("late by {:.3} s", .0.as_secs_f64())]
    Late(Duration),
}

impl Fault {
    /// The fault of a player that was interrupted because the match is over. It is nobody's fault, and is not reported.
    pub(in crate::lab::arena) fn interrupted() -> Fault {
        Fault::Crash("the match is over".to_owned())
    }
}

/// An engine.
pub trait Player: Send {
    /// Begins a game from a position with this colour. A DXP player learns its clock here.
    ///
    /// # Errors
    /// The player cannot be started, or refuses.
    fn begin(&mut self, start: &Position, color: Color, level: Level) -> Result<(), Fault>;

    /// Asks for a move in a game that is not over, when it is the player's turn.
    ///
    /// # Errors
    /// A fault; the player may be in any state after it and must be [`Player::restart`]ed before the next game.
    fn think(&mut self, turn: &Turn<'_>) -> Result<PlayerReply, Fault>;

    /// Ends the game: `game` has all its moves, `result` is for this player.
    ///
    /// # Errors
    /// The player did not accept it; the result of the game stands all the same.
    fn finish(&mut self, game: &Game, result: GameResult) -> Result<(), Fault>;

    /// Drops the process or the connection and makes a new one at the next [`Player::begin`].
    fn restart(&mut self);

    /// The last lines or messages exchanged, oldest first, `<` from the player and `>` to it.
    fn transcript(&self) -> Vec<String>;
}
