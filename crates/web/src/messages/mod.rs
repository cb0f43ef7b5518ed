//! The messages of the socket. docs/web.md describes the JSON; a test checks its examples against these types.
//!
//! Every message is an object with a `type`. A request has a number, `id`, which its answers repeat. Positions are FEN
//! or boards of the Hub protocol; moves are written as in Hub, and read in any notation; scores are in men for the side
//! to move; times in seconds.

mod games;
#[cfg(test)]
mod tests;

pub(super) use games::{
    Entry, Game, Live, LiveGame, Node, Player, Standings, Variation, WatchedGame,
};

use damier_analysis::json::{BookMove, Distance};
use serde::{Deserialize, Serialize};

/// Version of the protocol, told in [`Answer::Welcome`]. Fields may be added without a new one.
pub const PROTOCOL: u32 = 1;

/// A request of the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Its number, repeated in what answers it.
    pub id: u32,
    /// What is asked.
    #[serde(flatten)]
    pub ask: Ask,
}

/// A game up to a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// Its first position, as FEN in any dialect or as Hub has it; the usual one where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves, in any notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// When a search ends: at the first of these limits.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Limit {
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds for this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The engine's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// A game clock.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Clock {
    /// Seconds left.
    pub time: f64,
    /// Seconds added for each move.
    #[serde(default)]
    pub increment: f64,
}

/// What can be asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ask {
    /// Where a game stands, and what can be played: [`Answer::Position`].
    Position(Line),
    /// What endgame tables and book say: [`Answer::Knowledge`].
    Knowledge(Line),
    /// A move to play: [`Answer::Info`], then [`Answer::Best`].
    Think {
        /// The game.
        #[serde(flatten)]
        line: Line,
        /// How long.
        limit: Limit,
        /// Whether the opening book may answer.
        #[serde(default)]
        book: bool,
        /// The level to play at, as the option `elo`; full strength where there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        elo: Option<u32>,
    },
    /// The best moves, until [`Ask::Stop`]: [`Answer::Info`], then [`Answer::Best`].
    Analyse {
        /// The game.
        #[serde(flatten)]
        line: Line,
        /// How many moves.
        lines: usize,
    },
    /// The moves of a game, judged: [`Answer::Progress`], then [`Answer::Annotated`].
    Annotate {
        /// The game.
        game: Game,
        /// Nodes of each search.
        nodes: u64,
    },
    /// Ends the search of this page, if there is one.
    Stop,
    /// The games of a PDN file: [`Answer::Games`].
    ReadGames {
        /// The file, or a part of it that begins with a game.
        text: String,
    },
    /// The first game of a text: [`Answer::Game`].
    ReadGame {
        /// The text.
        text: String,
    },
    /// A game as PDN: [`Answer::Pdn`].
    WriteGame {
        /// The game.
        game: Game,
    },
    /// The match that is watched, if there is one: [`Answer::Match`].
    Match,
}

/// An answer, or news of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The number of the request. None before any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// What is said.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What can be answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// The first message of a connection.
    Welcome(Welcome),
    /// Where a game stands.
    Position(Box<Place>),
    /// What endgame tables and book say.
    Knowledge {
        /// The verdict of the tables, where they know every move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<Table>,
        /// The moves of the book, best first; none where it has no such position.
        book: Vec<BookMove>,
    },
    /// Other pages are served first.
    Queued {
        /// Searches before this one.
        ahead: usize,
    },
    /// What a search has found so far.
    Info(Found),
    /// What it has found at its end.
    Best {
        /// The move to play; none where there is no legal one.
        best: Option<String>,
        /// The lines.
        #[serde(flatten)]
        found: Found,
    },
    /// How far a game is judged.
    Progress {
        /// Positions done.
        done: usize,
        /// All positions.
        total: usize,
    },
    /// A game with its moves judged.
    Annotated {
        /// The game, with a mark, a comment and a better line for each move that lost something.
        game: Box<Game>,
        /// What each position is worth, the first one first.
        positions: Vec<Worth>,
    },
    /// The games of a file.
    Games {
        /// Each with its place.
        games: Vec<Entry>,
    },
    /// A game.
    Game {
        /// The game.
        game: Box<Game>,
        /// Where its variations are no moves, and kept as comments; none where all are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A game as text.
    Pdn {
        /// The text.
        text: String,
    },
    /// The match that is watched.
    Match {
        /// None: no match is watched, or no game has ended.
        standings: Option<Box<Standings>>,
        /// The games in progress, where a match runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        live: Option<Box<Live>>,
    },
    /// The request cannot be answered.
    Error {
        /// Why.
        message: String,
    },
}

/// What a page should know of the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// Of the program.
    pub version: String,
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Searches that run at once.
    pub engines: usize,
    /// Most characters of a message.
    pub longest: usize,
    /// Whether there is an opening book.
    pub book: bool,
    /// Whether a match is watched.
    #[serde(rename = "match")]
    pub has_match: bool,
}

/// Where a game stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The first position, as FEN.
    pub start: String,
    /// The moves, as Hub writes them.
    pub moves: Vec<String>,
    /// The last move, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Legal>,
    /// The position, as FEN.
    pub fen: String,
    /// The position, as Hub has it: the side to move, then squares 1 to 50.
    pub board: String,
    /// `playing`, `white-wins`, `black-wins` or `draw`.
    pub status: String,
    /// Why the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How often the position has occurred.
    pub repeated: usize,
    /// Plies within which the game must be won, where the rules count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_left: Option<u32>,
    /// What can be played; also in a drawn game.
    pub legal: Vec<Legal>,
}

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Legal {
    /// As Hub writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The shortest text for it.
    pub text: String,
    /// The squares of the pieces that it takes.
    pub captured: Vec<u8>,
    /// The ways the piece can go, each with its first and last square.
    pub ways: Vec<Vec<u8>>,
}

/// What the endgame tables say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// `win`, `draw` or `loss` for the side to move, without the draw rules.
    pub value: String,
    /// The same under the draw rules.
    pub fmjd: String,
    /// Whether `fmjd` is certain.
    pub certain: bool,
    /// Plies to the end, where the tables have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// The best moves: the shortest wins, the longest losses; all that draw.
    pub best: Vec<String>,
    /// How many moves keep the value under the draw rules, where that is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<usize>,
}

/// What a search knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// Plies of the last iteration.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Seconds searched.
    pub time: f64,
    /// How many legal moves hold the result, once that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<usize>,
    /// The best moves, the best one first.
    pub lines: Vec<Pv>,
}

/// One of the best moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pv {
    /// What it is worth.
    #[serde(flatten)]
    pub worth: Worth,
    /// Plies.
    pub depth: u32,
    /// The line expected, as Hub writes moves.
    pub pv: Vec<String>,
    /// The same in the shortest texts.
    pub text: Vec<String>,
}

/// A score, and the result that it proves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Worth {
    /// Men, for the side to move.
    pub score: f64,
    /// The points that it makes one expect, from 0 to 1.
    pub points: f64,
    /// How likely win, draw and loss are; they sum to 1.
    pub wdl: [f64; 3],
    /// How far away a proven result is.
    #[serde(flatten)]
    pub distance: Distance,
}
