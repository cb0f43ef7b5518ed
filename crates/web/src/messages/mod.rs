//! The messages of the socket. docs/web.md describes the JSON; a test checks its examples against these types.
//!
//! Every message is an object with a `type`. A request has a number, `id`, which its answers repeat. Positions are FEN
//! or Hub boards; moves are written as in Hub and read in any notation; scores are in men for the side to move; times
//! are in seconds.

mod base;
mod games;
#[cfg(test)]
mod tests;

pub(super) use base::{Occurrence, Wanted};
pub(super) use games::{
    Game, GameEntry, GameInProgress, MatchInProgress, Node, Player, Standings, Variation,
    WatchedGame,
};

use damier_analysis::json::{BookMove, Distance, TableVerdict};
use damier_base::{Content, Explored, Found, Header};
use serde::{Deserialize, Serialize};

/// Version of the protocol, sent in [`Answer::Welcome`]. New fields do not change it.
pub const PROTOCOL: u32 = 1;

/// A request of the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Its number, repeated in its answers.
    pub id: u32,
    /// Kind and parameters.
    #[serde(flatten)]
    pub ask: Ask,
}

/// A start position and moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// The start position, as FEN in any dialect or as a Hub board; by default that of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves, in any notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Limits of a search; the first one reached ends it.
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

/// The kinds of requests.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ask {
    /// Position, status and legal moves of a game: [`Answer::Position`].
    Position(Line),
    /// Endgame table and book entries of a position: [`Answer::Knowledge`].
    Knowledge(Line),
    /// A move to play: [`Answer::Info`], then [`Answer::Best`].
    Think {
        /// The game.
        #[serde(flatten)]
        line: Line,
        /// Limits of the search.
        limit: Limit,
        /// Whether the opening book may answer.
        #[serde(default)]
        book: bool,
        /// Playing strength, as the option `elo`; full strength by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        elo: Option<u32>,
    },
    /// The best moves, until [`Ask::Stop`]: [`Answer::Info`], then [`Answer::Best`].
    Analyse {
        /// The game.
        #[serde(flatten)]
        line: Line,
        /// Number of moves.
        lines: usize,
    },
    /// Annotate a game: [`Answer::Progress`], then [`Answer::Annotated`].
    Annotate {
        /// The game.
        game: Game,
        /// Nodes of each search.
        nodes: u64,
    },
    /// Stop the search of this page, if there is one.
    Stop,
    /// The text of some bytes of a file: [`Answer::Decoded`].
    Decode {
        /// The bytes, each as its character in windows-1252.
        text: String,
        /// The encoding that the answer for the bytes before these named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        encoding: Option<String>,
    },
    /// The games of a PDN file: [`Answer::Games`].
    ReadGames {
        /// The file, or a part that starts with a game.
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
    /// Standings of the watched match: [`Answer::Match`].
    Match {
        /// Whether to answer again whenever something has changed, until a request without it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        follow: bool,
    },
    /// Finished games of the watched match: [`Answer::MatchGames`].
    MatchGames {
        /// The number of the game before which they were played.
        before: u64,
    },
    /// What is in the base of games: [`Answer::Base`].
    Base,
    /// Games of the base: [`Answer::BaseGames`].
    BaseSearch {
        /// Which games.
        #[serde(default)]
        wanted: Wanted,
        /// A position that they had.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<Line>,
        /// Whether the last day comes first; by default the order of import.
        #[serde(default)]
        newest: bool,
        /// Number of games before the first one that is listed.
        #[serde(default)]
        offset: usize,
        /// Most games to list.
        limit: usize,
    },
    /// What was played in a position in games of the base: [`Answer::BaseExplored`].
    BaseExplore {
        /// The position.
        #[serde(flatten)]
        line: Line,
        /// Which games.
        #[serde(default)]
        wanted: Wanted,
    },
    /// A game of the base: [`Answer::BaseGame`].
    BaseGame {
        /// Its number.
        game: i64,
    },
    /// Add games to the base: [`Answer::BaseImported`].
    BaseImport {
        /// What the text is called, such as the name of its file.
        name: String,
        /// The games as PDN.
        text: String,
        /// The name of the collection that they belong to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        collection: Option<String>,
    },
    /// Which of some games had a position: [`Answer::GamesWith`].
    GamesWith {
        /// The games as PDN, each by itself.
        games: Vec<String>,
        /// The position.
        #[serde(flatten)]
        line: Line,
    },
}

/// An answer, or an event of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The number of the request; none in the first message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// Kind and content.
    #[serde(flatten)]
    pub answer: Answer,
}

/// The kinds of answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// The first message of a connection.
    Welcome(Welcome),
    /// Position, status and legal moves of a game.
    Position(Box<PositionInfo>),
    /// Endgame table and book entries of a position.
    Knowledge {
        /// The entry of the tables, where they know every move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<Table>,
        /// The moves of the book, best first; empty where it does not have the position.
        book: Vec<BookMove>,
    },
    /// The search waits for those of other pages.
    Queued {
        /// Number of searches ahead of this one.
        ahead: usize,
    },
    /// Intermediate result of a search.
    Info(SearchInfo),
    /// Final result of a search.
    Best {
        /// The move to play; none without a legal move.
        best: Option<String>,
        /// The lines.
        #[serde(flatten)]
        found: SearchInfo,
    },
    /// Progress of an annotation.
    Progress {
        /// Number of annotated positions.
        done: usize,
        /// Number of positions.
        total: usize,
    },
    /// An annotated game.
    Annotated {
        /// The game, with a mark, a comment and a better line for each weak move.
        game: Box<Game>,
        /// The evaluation of each position, in order.
        positions: Vec<Evaluation>,
    },
    /// The text of some bytes.
    Decoded {
        /// The text.
        text: String,
        /// The encoding of what is not UTF-8; UTF-8 where all is.
        encoding: String,
    },
    /// The games of a file.
    Games {
        /// Position in the file and summary of each game.
        games: Vec<GameEntry>,
    },
    /// A game.
    Game {
        /// The game.
        game: Box<Game>,
        /// Which variations are illegal and kept as comments, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Why it is not read to its end: its first illegal move, from which on it is a comment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A game as PDN.
    Pdn {
        /// The text.
        text: String,
    },
    /// Standings of the watched match.
    Match {
        /// None without a watched match or before its first game has ended.
        standings: Option<Box<Standings>>,
        /// The games in progress, while the match runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        live: Option<Box<MatchInProgress>>,
    },
    /// Finished games of the watched match.
    MatchGames {
        /// The games, newest first.
        games: Vec<WatchedGame>,
        /// Whether there are earlier ones.
        more: bool,
    },
    /// What is in the base.
    Base {
        /// The name of its file.
        name: String,
        /// Its games.
        #[serde(flatten)]
        content: Content,
    },
    /// Games of the base.
    BaseGames(Found),
    /// What was played in a position.
    BaseExplored(Explored),
    /// A game of the base.
    BaseGame {
        /// What is known of it.
        #[serde(flatten)]
        header: Header,
        /// The game.
        pdn: String,
    },
    /// Games were added to the base.
    BaseImported {
        /// Number of games stored.
        games: u64,
        /// Number of games that were there already.
        duplicates: u64,
        /// Number of games that cannot be read.
        left_out: u64,
        /// Why the first of those cannot be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// Which games had a position.
    GamesWith {
        /// The games, in their order.
        found: Vec<Occurrence>,
    },
    /// The request cannot be answered.
    Error {
        /// Why.
        message: String,
    },
}

/// Properties of the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// Version of the program.
    pub version: String,
    /// Version of the protocol, [`PROTOCOL`].
    pub protocol: u32,
    /// Number of searches that run at once.
    pub engines: usize,
    /// Maximum length of a message in bytes.
    pub longest: usize,
    /// Whether there is an opening book.
    pub book: bool,
    /// Whether a match is watched.
    #[serde(rename = "match")]
    pub has_match: bool,
    /// The name of the base of games, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// Position, status and legal moves of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionInfo {
    /// The start position, as FEN.
    pub start: String,
    /// The moves, in Hub notation.
    pub moves: Vec<String>,
    /// The last move, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LegalMove>,
    /// The position, as FEN.
    pub fen: String,
    /// The position as a Hub board: the side to move, then squares 1 to 50.
    pub board: String,
    /// `playing`, `white-wins`, `black-wins` or `draw`.
    pub status: String,
    /// Why the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `reason` as a code: `white-stuck`, `black-stuck`, `repetition`, `kings`, `three-pieces` or `two-pieces`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<String>,
    /// Number of occurrences of the position.
    pub repeated: usize,
    /// Plies until the game is drawn, where the rules set a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_left: Option<u32>,
    /// The legal moves; also in a drawn game.
    pub legal: Vec<LegalMove>,
}

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LegalMove {
    /// The move, in Hub notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The notation of PDN: with the squares of the way where another capture ends on the same square.
    pub text: String,
    /// The squares of the captured pieces.
    pub captured: Vec<u8>,
    /// The possible routes of the piece, from its first to its last square.
    pub ways: Vec<Vec<u8>>,
}

/// The endgame table entry of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// On the position.
    #[serde(flatten)]
    pub verdict: TableVerdict,
    /// The best moves: the shortest wins, the longest losses, or all draws.
    pub best: Vec<String>,
    /// Number of moves that keep the value under the draw rules, where that is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<usize>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchInfo {
    /// Depth of the last iteration in plies.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time in seconds.
    pub time: f64,
    /// Number of legal moves that hold the result, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<usize>,
    /// The best moves, best first.
    pub lines: Vec<Pv>,
}

/// The principal variation of one of the best moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pv {
    /// Its evaluation.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// Depth in plies.
    pub depth: u32,
    /// The moves, in Hub notation.
    pub pv: Vec<String>,
    /// The moves, in the notation of PDN.
    pub text: Vec<String>,
}

/// A score, the probabilities that it stands for, and the result that it proves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Evaluation {
    /// In men, for the side to move.
    pub score: f64,
    /// Expected points, from 0 to 1.
    pub points: f64,
    /// Probabilities of win, draw and loss; they sum to 1.
    pub wdl: [f64; 3],
    /// How far away a proven result is.
    #[serde(flatten)]
    pub distance: Distance,
}
