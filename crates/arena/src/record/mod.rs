//! The record of a game, and its files: the journal, from which a match continues, and the PDN file.

mod error;
mod game_line;
pub mod journal;
pub(super) mod pdn_file;
pub(super) mod score_sheet;

pub use self::error::RecordError;

use crate::players::EngineFault;
use damier_engine::search::Detections;
use damier_rules::GameResult;
use damier_rules::board::Color;
use damier_rules::{DrawRule, Move, Position};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Identifies a game of a match: its pair, and whether it is the first or second game of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameId(
    /// Two numbers per pair, from 0.
    pub u64,
);

impl GameId {
    /// A game of a pair; `leg` is 0 or 1.
    pub fn of(pair: u64, leg: u64) -> GameId {
        GameId(2 * pair + leg)
    }

    /// The pair.
    pub fn pair(self) -> u64 {
        self.0 / 2
    }

    /// 0 for the first game of the pair, 1 for the second.
    pub fn leg(self) -> usize {
        usize::from(!self.0.is_multiple_of(2))
    }

    /// The number shown in reports, from 1.
    pub fn number(self) -> u64 {
        self.0 + 1
    }
}

/// A move with the search data that its player reported.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlyRecord {
    /// The move.
    pub mv: Move,
    /// Score in men from the side to move.
    pub score: Option<f64>,
    /// Plies searched.
    pub depth: Option<f64>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Inconsistencies that an MTD driver detected; none where the player says nothing of them.
    pub detections: Detections,
    /// From request to answer.
    pub elapsed: Duration,
    /// How much the move exceeded its time, if it was limited by time.
    pub overshoot: Option<Duration>,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameOutcome {
    /// This side.
    Won(Color),
    /// A draw.
    Drawn,
}

impl GameOutcome {
    /// The result for one side.
    pub fn of(self, color: Color) -> GameResult {
        match self {
            GameOutcome::Won(winner) => GameResult::of(color, Some(winner)),
            GameOutcome::Drawn => GameResult::Draw,
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move has no legal move.
    NoMove,
    /// A draw by rule.
    Rule(DrawRule),
    /// The maximum number of moves was reached.
    MaxMoves,
    /// Adjudicated by the scores of both engines.
    Scores,
    /// Adjudicated by the endgame tables.
    Tables,
    /// The loser resigned.
    Resigned,
    /// The loser committed a fault.
    Fault,
}

impl Ending {
    const ALL: [Ending; 10] = [
        Ending::NoMove,
        Ending::Rule(DrawRule::Repetition),
        Ending::Rule(DrawRule::KingsOnly),
        Ending::Rule(DrawRule::ThreeVsKing),
        Ending::Rule(DrawRule::TwoVsKing),
        Ending::MaxMoves,
        Ending::Scores,
        Ending::Tables,
        Ending::Resigned,
        Ending::Fault,
    ];

    /// The ending with this short name.
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// A short name, for reports and the journal.
    pub fn name(self) -> &'static str {
        match self {
            Ending::NoMove => "no move",
            Ending::Rule(DrawRule::Repetition) => "repetition",
            Ending::Rule(DrawRule::KingsOnly) => "25 moves",
            Ending::Rule(DrawRule::ThreeVsKing) => "16 moves",
            Ending::Rule(DrawRule::TwoVsKing) => "5 moves",
            Ending::MaxMoves => "max-moves",
            Ending::Scores => "agreed scores",
            Ending::Tables => "endgame tables",
            Ending::Resigned => "resigned",
            Ending::Fault => "fault",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Kinds of faults. The journal stores their names in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// The process ended, or could not be reached.
    Crash,
    /// No answer.
    Silence,
    /// An illegal move.
    Illegal,
    /// A protocol violation.
    Babble,
    /// A move that exceeded its time.
    Late,
}

impl FaultKind {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Crash => "crash",
            FaultKind::Silence => "silence",
            FaultKind::Illegal => "illegal",
            FaultKind::Babble => "babble",
            FaultKind::Late => "late",
        }
    }
}

impl From<&EngineFault> for FaultKind {
    fn from(fault: &EngineFault) -> FaultKind {
        match fault {
            EngineFault::Crash(_) => FaultKind::Crash,
            EngineFault::Silence(_) => FaultKind::Silence,
            EngineFault::Illegal(_) => FaultKind::Illegal,
            EngineFault::Babble(_) => FaultKind::Babble,
            EngineFault::Late(_) => FaultKind::Late,
        }
    }
}

/// A fault, with what is needed to investigate it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultRecord {
    /// The side that committed it.
    pub color: Color,
    /// What kind.
    pub kind: FaultKind,
    /// What happened.
    pub what: String,
    /// The position in which it happened.
    pub position: Position,
    /// The last lines exchanged, oldest first.
    pub lines: Vec<String>,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// Place in the match.
    pub id: GameId,
    /// When it began, in seconds since 1970; missing in journals of Damier 0.1.
    pub began: Option<u64>,
    /// The moves that the engines played after the opening.
    pub plies: Vec<PlyRecord>,
    /// Who won.
    pub outcome: GameOutcome,
    /// Why it is over.
    pub ending: Ending,
    /// The fault that ended it, if one did.
    pub fault: Option<FaultRecord>,
}
