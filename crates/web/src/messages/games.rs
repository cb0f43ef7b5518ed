//! Games and matches.

use serde::{Deserialize, Serialize};

/// A game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameEntry {
    /// Start in the text, in UTF-16 units, as in JavaScript.
    pub begin: usize,
    /// End in the text.
    pub end: usize,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The event.
    pub event: String,
    /// The date.
    pub date: String,
    /// `2-0`, `1-1`, `0-2`, `0-0` or `*`.
    pub result: String,
    /// Number of plies that can be read.
    pub plies: usize,
    /// Why it cannot be read to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A game with its variations.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Game {
    /// Names and values of the tags.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// The start position, as FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The comment before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// White's expected points by `[%eval ...]` in the comment; only from the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// `2-0`, `1-1`, `0-2`, `0-0` or `*`.
    #[serde(default)]
    pub result: String,
    /// The moves.
    #[serde(default)]
    pub moves: Vec<Node>,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// The move, in Hub notation; read in any notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The notation of PDN; only from the server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The squares of its route; only from the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<u8>,
    /// The position after it, as a Hub board; only from the server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub board: String,
    /// Its marks (numeric annotation glyphs).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// The comment after it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// White's expected points by `[%eval ...]` in the comment; only from the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// The alternatives to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// A variation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Variation {
    /// The comment before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The moves.
    pub moves: Vec<Node>,
}

/// Standings of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// Name of the PDN file.
    pub file: String,
    /// Number of finished games; changes whenever the rest does.
    pub revision: u64,
    /// The players, best first.
    pub players: Vec<Player>,
    /// The last games, newest first.
    pub games: Vec<WatchedGame>,
}

/// A player of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Points against each player, in the same order, 2 for a win; none without a game.
    pub against: Vec<Option<u32>>,
    /// Elo against the field, with the bounds of its 95 % interval; none where it cannot be computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<[f64; 3]>,
}

/// A game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WatchedGame {
    /// Its number in the file, from 1.
    pub number: u64,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Its result.
    pub result: String,
    /// Number of plies.
    pub plies: usize,
    /// The game as PDN.
    pub pdn: String,
}

/// A match in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchInProgress {
    /// Games that count so far.
    pub played: u64,
    /// Games of the whole match.
    pub total: u64,
    /// The games in progress.
    pub games: Vec<GameInProgress>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameInProgress {
    /// Its number in the match.
    pub game: u64,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The position as a Hub board: the side to move, then squares 1 to 50.
    pub board: String,
    /// First and last square of the last move, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<[u8; 2]>,
    /// Number of plies so far.
    pub plies: usize,
    /// The last scores reported by white and black, in men, each for its own side.
    pub scores: [Option<f64>; 2],
    /// Seconds on the clocks of white and black after the last move; none without a clock.
    pub clocks: [Option<f64>; 2],
    /// Seconds since the last move.
    pub thinking: f64,
    /// The game so far, as PDN.
    pub pdn: String,
}
