//! Games and matches.

use serde::{Deserialize, Serialize};

/// A game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Where it begins in the text, in units of UTF-16, as JavaScript counts.
    pub begin: usize,
    /// Where it ends.
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
    /// Its number of plies.
    pub plies: usize,
    /// Why it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A game with its variations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Game {
    /// Names and values of the tags.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// The first position, as FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The comment before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// `2-0`, `1-1`, `0-2`, `0-0` or `*`.
    #[serde(default)]
    pub result: String,
    /// The moves.
    #[serde(default)]
    pub moves: Vec<Node>,
}

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// As Hub writes it; read in any notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The shortest text; only from the server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The squares on its way; only from the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<u8>,
    /// The position behind it, as Hub has it; only from the server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub board: String,
    /// Its marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// The comment behind it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The variations that begin in its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// A variation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Variation {
    /// The comment before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The moves.
    pub moves: Vec<Node>,
}

/// How a match stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// The file it is read from.
    pub file: String,
    /// How many games have ended: changes whenever the rest does.
    pub revision: u64,
    /// The players, the best one first.
    pub players: Vec<Player>,
    /// The last games, the newest first, as PDN.
    pub games: Vec<WatchedGame>,
}

/// A player of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// Games won, drawn and lost.
    pub won: u32,
    /// Drawn.
    pub drawn: u32,
    /// Lost.
    pub lost: u32,
    /// Points against each player, in the same order: 2 for a win. None where they did not meet.
    pub against: Vec<Option<u32>>,
    /// Elo against the field, with the limits of its interval of 95 %; none where it cannot be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<[f64; 3]>,
}

/// A game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WatchedGame {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Its result.
    pub result: String,
    /// Its number of plies.
    pub plies: usize,
    /// The whole of it.
    pub pdn: String,
}

/// A match in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Live {
    /// Games counted so far.
    pub played: u64,
    /// Games of the whole match.
    pub total: u64,
    /// The games in progress.
    pub games: Vec<LiveGame>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LiveGame {
    /// Its number in the match.
    pub game: u64,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The position, as Hub has it: the side to move, then squares 1 to 50.
    pub board: String,
    /// From and to of the last move, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<[u8; 2]>,
    /// Its number of plies so far.
    pub plies: usize,
    /// The last score that white and black reported, in men, each from its side; none where one has not.
    pub scores: [Option<f64>; 2],
    /// Seconds on the clocks of white and black when the last move was played; none without a clock.
    pub clocks: [Option<f64>; 2],
    /// Seconds since the last move.
    pub thinking: f64,
    /// The game so far.
    pub pdn: String,
}
