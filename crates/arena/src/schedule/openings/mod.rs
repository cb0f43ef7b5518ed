//! Openings: the positions from which games of a match begin.
//!
//! - [`OpeningSource`] and [`load`]: a file of FENs or PDN, the start position, or ballots of two or three moves.
//! - [`distinct`]: removes transpositions.
//! - [`random_plies`]: appends random moves, reproducibly.
//! - [`in_window`], [`WindowJudge`]: choose the openings whose score is in a window.
//! - [`Imbalance`]: draws openings whose score, by a search or an engine, is in a window, and gives the scores.

mod ballots;
mod error;
mod file;
mod imbalance;
mod material;
mod random;
mod window;

pub use error::OpeningsError;
pub use imbalance::{HubJudge, Imbalance, ScoredOpening};
pub use random::random_plies;
pub use window::{ScoreWindow, ScoreWindowError, WindowJudge, in_window};

use damier_rules::notation::moves;
use damier_rules::{Game, Move, Position};
use damier_text::Encoding;
use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a game begins: a position, and moves played from it before the engines take over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Name of the opening in reports.
    pub name: String,
    /// The initial position.
    pub start: Position,
    /// Moves played from there, each legal.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The start position without moves.
    pub fn start() -> Opening {
        Opening {
            name: "start".to_owned(),
            start: Position::start(),
            moves: Vec::new(),
        }
    }

    /// A game with the moves played.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        self.moves.iter().for_each(|&mv| game.play(mv));
        game
    }

    /// The position after the moves.
    pub fn position(&self) -> Position {
        let play = |position: Position, &mv: &Move| position.play(mv);
        self.moves.iter().fold(self.start, play)
    }

    /// The moves as text, `32-28 19-23`.
    pub fn line(&self) -> String {
        let mut position = self.start;
        let mut words = Vec::new();
        for &mv in &self.moves {
            words.push(moves::short(&position, mv));
            position = position.play(mv);
        }
        words.join(" ")
    }
}

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSource {
    /// The start position.
    Start,
    /// The 79 openings of one move each side after which no side loses a man at once.
    TwoMove,
    /// The 331 positions after three moves in which no side soon loses a man (reached by 494 lines).
    ThreeMove,
    /// A file: FENs, one per line, or PDN.
    File(PathBuf),
}

/// `start`, `two-move`, `three-move`, or the name of a file.
impl FromStr for OpeningSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<OpeningSource, Infallible> {
        Ok(match text {
            "start" => OpeningSource::Start,
            "two-move" => OpeningSource::TwoMove,
            "three-move" => OpeningSource::ThreeMove,
            file => OpeningSource::File(PathBuf::from(file)),
        })
    }
}

/// As from text; the name of a file may be any that the system has.
impl From<PathBuf> for OpeningSource {
    fn from(name: PathBuf) -> OpeningSource {
        match name.to_str().map(str::parse) {
            Some(Ok(source)) => source,
            None => OpeningSource::File(name),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Start => f.write_str("start"),
            OpeningSource::TwoMove => f.write_str("two-move"),
            OpeningSource::ThreeMove => f.write_str("three-move"),
            OpeningSource::File(path) => path.display().fmt(f),
        }
    }
}

/// All openings of a source: at least one, and none a finished game. From PDN, all moves of each game.
///
/// # Errors
/// The file cannot be read, is malformed, or holds no opening; the list in the program is damaged.
pub fn load(source: &OpeningSource) -> Result<Vec<Opening>, OpeningsError> {
    load_up_to(source, None, None).map(|(openings, _)| openings)
}

/// The 494 three-move ballots, with those that transpose to others.
///
/// # Errors
/// The list in the program is damaged.
pub fn ballot_lines() -> Result<Vec<Opening>, OpeningsError> {
    ballots::lines(3)
}

/// How many openings, and a checksum of them, for journals.
pub fn fingerprint(openings: &[Opening]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for opening in openings {
        hasher.update(format!("{:?} {:?};", opening.start, opening.moves).as_bytes());
    }
    format!("{} of sum {:08x}", openings.len(), hasher.finalize())
}

/// Like [`load`], with at most this many plies of each PDN game. The text of a file is in the encoding that is given,
/// or else in the one that it fits, which is returned.
///
/// # Errors
/// As [`load`].
pub fn load_up_to(
    source: &OpeningSource,
    plies: Option<usize>,
    given: Option<Encoding>,
) -> Result<(Vec<Opening>, Encoding), OpeningsError> {
    let built_in = |openings| Ok((openings, Encoding::Utf8));
    match source {
        OpeningSource::Start => built_in(vec![Opening::start()]),
        OpeningSource::TwoMove => built_in(ballots::positions(2)?),
        OpeningSource::ThreeMove => built_in(ballots::positions(3)?),
        OpeningSource::File(path) => file::load(path, plies, given),
    }
}

/// The openings without those that transpose to an earlier one, from which the same game would be played.
pub fn distinct(mut openings: Vec<Opening>) -> Vec<Opening> {
    let mut seen = HashSet::new();
    openings.retain(|opening| seen.insert(opening.position().key()));
    openings
}

#[cfg(test)]
mod tests;
