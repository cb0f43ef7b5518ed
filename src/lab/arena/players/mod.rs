//! An engine as the referee sees it, whatever protocol it speaks.
//!
//! A player is one process or one connection. It is started once and plays game after game; a fault ends the game, and
//! the arena may then restart the player.

pub mod dxp;
pub mod hub;
pub mod process;

use crate::board::Color;
use crate::lab::GameResult;
use crate::lab::arena::level::Level;
use crate::rules::{Game, Move, Position};
use std::fmt;
use std::time::Duration;

/// The player's own clock at its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remaining {
    /// Time left, the increment of this move not included.
    pub time: Duration,
    /// Given before each move.
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
    /// Its clock, where the level is one.
    pub remaining: Option<Remaining>,
    /// No answer after this long is a fault.
    pub patience: Duration,
}

/// What a player answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A legal move.
    Move(Move),
    /// The player says that the game is over (a protocol such as DXP lets it). The referee judges whether it is.
    Claim(Claim),
}

/// How a player says that the game has ended.
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

/// A move with what the player said of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerReply {
    /// The move, or the end.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It could not be started, or ended by itself: what the system says.
    Crash(String),
    /// No answer in time.
    Silence(Duration),
    /// A move that is not legal, as it was written, and why.
    Illegal(String),
    /// An answer that the protocol does not know.
    Babble(String),
    /// A move that came this long after the time allowed.
    Late(Duration),
}

impl Fault {
    /// What a player gives that was interrupted because the match is over. It is nobody's fault, and is not reported.
    pub(in crate::lab::arena) fn interrupted() -> Fault {
        Fault::Crash("the match is over".to_owned())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crash(why) => write!(f, "crashed: {why}"),
            Fault::Silence(after) => write!(f, "no answer after {:.3} s", after.as_secs_f64()),
            Fault::Illegal(why) => write!(f, "illegal move: {why}"),
            Fault::Babble(why) => write!(f, "not understood: {why}"),
            Fault::Late(by) => write!(f, "late by {:.3} s", by.as_secs_f64()),
        }
    }
}

impl std::error::Error for Fault {}

/// An engine.
pub trait Player: Send {
    /// Begins a game from a position with this colour. A DXP player learns here what the clock is.
    ///
    /// # Errors
    /// The player cannot be started, or refuses.
    fn begin(&mut self, start: &Position, color: Color, level: Level) -> Result<(), Fault>;

    /// Asks for a move in a game that goes on, the side to move being the player's.
    ///
    /// # Errors
    /// A fault; the player may be in any state after it and must be [`Player::restart`]ed before the next game.
    fn think(&mut self, turn: &Turn<'_>) -> Result<PlayerReply, Fault>;

    /// Tells that the game is over: `game` with all its moves, and what it came to for this player.
    ///
    /// # Errors
    /// The player did not take it; the result of the game stands all the same.
    fn finish(&mut self, game: &Game, result: GameResult) -> Result<(), Fault>;

    /// Throws the process or the connection away and makes a new one at the next [`Player::begin`].
    fn restart(&mut self);

    /// The last lines or messages exchanged, oldest first, `<` from the player and `>` to it.
    fn transcript(&self) -> Vec<String>;
}
