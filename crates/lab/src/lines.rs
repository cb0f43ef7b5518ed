//! Files of positions. Lines that begin with `#` are comments, blank lines are skipped; every other line is a FEN, in a
//! suite followed by fields, each after a semicolon:
//!
//! ```text
//! W:W27,32:B8,16; bm 27-22 32-28; result win; id name; grade 2; proof how it was proven; source where it is from
//! W:W27,32:B8,16; am 32-28; id name
//! ```
//!
//! Files of games, as PDN, do as well: of each the last position, in a suite the one of the `FEN` tag with its first
//! move.

use super::LabError;
use damier_arena::{LineError, LineErrorKind};
use damier_engine::eval::Score;
use damier_os::input;
use damier_rules::GameResult;
use damier_rules::notation::{fen, moves, pdn, positions, text};
use damier_rules::{Move, Position};
use damier_text::Encoding;
use std::fmt;
use std::path::Path;

/// From this many men on, a score claims that the game is decided.
const DECIDED: Score = Score::new(200);
/// Up to this many men, a score claims that it is not.
const LEVEL: Score = Score::new(100);

/// Whether a score agrees with a result: it claims a decided game for a win or a loss, and an open one for a draw.
fn agrees(result: GameResult, score: Score) -> bool {
    match result {
        GameResult::Win => score >= DECIDED,
        GameResult::Draw => score <= LEVEL && -score <= LEVEL,
        GameResult::Loss => -score >= DECIDED,
    }
}

/// What must be found in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// A move of this list.
    Moves(Vec<Move>),
    /// Any other than these moves.
    Avoid(Vec<Move>),
    /// A score that agrees with this result: at least two men for a win or a loss, at most one man either way for a
    /// draw.
    Score(GameResult),
}

impl Solution {
    /// The moves that it names: those to find, or those to avoid.
    pub fn moves(&self) -> &[Move] {
        match self {
            Solution::Moves(moves) | Solution::Avoid(moves) => moves,
            Solution::Score(_) => &[],
        }
    }

    /// Whether this move with this score is the solution.
    pub fn is_met(&self, best: Option<Move>, score: Score) -> bool {
        match self {
            Solution::Moves(moves) => best.is_some_and(|mv| moves.contains(&mv)),
            Solution::Avoid(moves) => best.is_some_and(|mv| !moves.contains(&mv)),
            Solution::Score(result) => agrees(*result, score),
        }
    }
}

/// `27-21 33-28`, `not 27-21`, or `a win`.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |moves: &[Move]| {
            let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
            moves.join(" ")
        };
        match self {
            Solution::Moves(moves) => f.write_str(&text(moves)),
            Solution::Avoid(moves) => write!(f, "not {}", text(moves)),
            Solution::Score(result) => write!(f, "a {result}"),
        }
    }
}

/// A position of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteEntry {
    /// The position.
    pub position: Position,
    /// What must be found: the moves, if a line gives them and `result`.
    pub solution: Solution,
    /// The result with best play, if it is given.
    pub result: Option<GameResult>,
    /// Name; `line N` or `game N` if none is given.
    pub id: String,
    /// How hard it is; empty if the file does not say.
    pub grade: String,
    /// How the solution was proven; empty if the file does not say.
    pub proof: String,
    /// Where the position is from; empty for our own.
    pub source: String,
    /// Number of the line or game, from 1.
    pub line: usize,
}

/// A file of positions is never larger, in bytes.
const MAX_FILE: u64 = 1 << 26;

/// A file, a pipe, or with `-` standard input, that has positions or games.
#[derive(Clone, Copy)]
pub struct TextFile<'a> {
    /// Its name.
    pub path: &'a Path,
    encoding: Option<Encoding>,
    note: Option<&'a dyn Fn(Encoding)>,
}

impl<'a, P: AsRef<Path> + ?Sized> From<&'a P> for TextFile<'a> {
    fn from(path: &'a P) -> TextFile<'a> {
        TextFile {
            path: path.as_ref(),
            encoding: None,
            note: None,
        }
    }
}

impl<'a> TextFile<'a> {
    /// The same in an encoding, if it is given; `note` is told which was taken.
    pub fn encoded(self, encoding: Option<Encoding>, note: &'a dyn Fn(Encoding)) -> TextFile<'a> {
        let note = Some(note);
        TextFile {
            encoding,
            note,
            ..self
        }
    }

    /// Its name and its text.
    ///
    /// # Errors
    /// It cannot be read, is a named pipe that nobody writes to, or is too large.
    pub fn read(&self) -> Result<(String, String), LabError> {
        let file = self.path.display().to_string();
        match input::read_at_most(self.path, MAX_FILE) {
            Ok(bytes) => {
                let decoded = damier_text::decode(&bytes, self.encoding);
                self.note.inspect(|note| note(decoded.encoding));
                Ok((file, decoded.text.into_owned()))
            }
            Err(error) => Err(LabError::Read { file, error }),
        }
    }
}

/// Reads a file of positions, one a line, or of games; `file` is its name for errors.
///
/// # Errors
/// A line is not a FEN, a game cannot be read, or there is none.
pub fn parse_positions(file: &str, text: &str) -> Result<Vec<Position>, LabError> {
    match has_games(text) {
        true => each_game(file, text, |_, game| {
            let moves = game.plain_moves();
            let play = |position: Position, mv| position.play(mv);
            Ok(moves.into_iter().fold(game.start, play))
        }),
        false => each_line(file, text, |_, line| {
            fen::parse(line).map_err(LineErrorKind::Fen)
        }),
    }
}

/// Reads a suite; `file` is its name for errors.
///
/// # Errors
/// A line is malformed, names a move that is not legal, or asks for nothing; a game cannot be read; or there is none.
pub fn parse_entries(file: &str, text: &str) -> Result<Vec<SuiteEntry>, LabError> {
    match has_games(text) {
        true => each_game(file, text, entry_of),
        false => each_line(file, text, parse_entry),
    }
}

/// Whether a text is games rather than positions.
fn has_games(text: &str) -> bool {
    let is_game = |read: Result<pdn::Game, _>| text.trim_start().starts_with('[') || read.is_ok();
    !positions::begin(text) && pdn::read(text).next().is_some_and(is_game)
}

fn each_game<T>(
    file: &str,
    text: &str,
    parse: impl Fn(usize, &pdn::Game) -> Result<T, LineErrorKind>,
) -> Result<Vec<T>, LabError> {
    let mut parsed = Vec::new();
    for (index, game) in pdn::read(text).enumerate() {
        let file = || file.to_owned();
        let game = game.map_err(|error| LabError::Game {
            file: file(),
            error,
        })?;
        let number = index + 1;
        parsed.push(parse(number, &game).map_err(|kind| LabError::Puzzle {
            file: file(),
            number,
            kind,
        })?);
    }
    Ok(parsed)
}

/// The position of a game, and its first move.
fn entry_of(number: usize, game: &pdn::Game) -> Result<SuiteEntry, LineErrorKind> {
    let first = game.moves.first().filter(|_| game.tag("FEN").is_some());
    let Some(first) = first else {
        return Err(LineErrorKind::NothingToFind);
    };
    let named = ["Event", "White"].iter().filter_map(|tag| game.tag(tag));
    let name = { named }.find(|name| name.contains(char::is_alphanumeric));
    Ok(SuiteEntry {
        position: game.start,
        solution: Solution::Moves(vec![first.mv]),
        result: None,
        id: name.map_or_else(|| format!("game {number}"), str::to_owned),
        grade: String::new(),
        proof: String::new(),
        source: String::new(),
        line: number,
    })
}

fn each_line<T>(
    file: &str,
    text: &str,
    parse: impl Fn(usize, &str) -> Result<T, LineErrorKind>,
) -> Result<Vec<T>, LabError> {
    let mut parsed = Vec::new();
    for (line, text) in positions::of_text(text) {
        parsed.push(parse(line, &text).map_err(|kind| LineError {
            file: file.to_owned(),
            line,
            kind,
        })?);
    }
    if parsed.is_empty() {
        return Err(LabError::NoPosition {
            file: file.to_owned(),
        });
    }
    Ok(parsed)
}

/// The fields after the FEN, in the order in which they are documented.
const FIELDS: [&str; 7] = ["bm", "am", "result", "id", "grade", "proof", "source"];

fn parse_entry(line: usize, text: &str) -> Result<SuiteEntry, LineErrorKind> {
    let (position, fields) = fen::parse_with_fields(text).map_err(LineErrorKind::Fen)?;
    if position.is_terminal() {
        return Err(LineErrorKind::NoLegalMove);
    }
    let [bm, am, result, id, grade, proof, source] = split_fields(fields)?;
    let result = result.map(parse_result).transpose()?;
    let solution = match (bm, am, result) {
        (Some(_), Some(_), _) => return Err(LineErrorKind::BestAndAvoid),
        (Some(bm), None, _) => Solution::Moves(parse_moves(&position, "bm", bm)?),
        (None, Some(am), _) => Solution::Avoid(parse_avoided(&position, am)?),
        (None, None, Some(result)) => Solution::Score(result),
        (None, None, None) => return Err(LineErrorKind::NothingToFind),
    };
    let owned = |field: Option<&str>| field.unwrap_or_default().to_owned();
    Ok(SuiteEntry {
        position,
        solution,
        result,
        id: id.map_or_else(|| format!("line {line}"), str::to_owned),
        grade: owned(grade),
        proof: owned(proof),
        source: owned(source),
        line,
    })
}

fn split_fields(text: &str) -> Result<[Option<&str>; FIELDS.len()], LineErrorKind> {
    let mut values = [None; FIELDS.len()];
    for field in text.split(';').map(str::trim).filter(|f| !f.is_empty()) {
        let (name, value) = field.split_once(char::is_whitespace).unwrap_or((field, ""));
        let Some(at) = FIELDS.iter().position(|known| *known == name) else {
            return Err(LineErrorKind::UnknownField(text::excerpt(name)));
        };
        let value = value.trim();
        if value.is_empty() {
            return Err(LineErrorKind::EmptyField(FIELDS[at]));
        }
        if values[at].replace(value).is_some() {
            return Err(LineErrorKind::FieldTwice(FIELDS[at]));
        }
    }
    Ok(values)
}

fn parse_result(word: &str) -> Result<GameResult, LineErrorKind> {
    match word {
        "win" => Ok(GameResult::Win),
        "draw" => Ok(GameResult::Draw),
        "loss" => Ok(GameResult::Loss),
        _ => Err(LineErrorKind::Result(text::excerpt(word))),
    }
}

/// Moves to avoid: not all of them.
fn parse_avoided(position: &Position, text: &str) -> Result<Vec<Move>, LineErrorKind> {
    let moves = parse_moves(position, "am", text)?;
    if moves.len() == position.legal_moves().len() {
        return Err(LineErrorKind::AvoidsEveryMove);
    }
    Ok(moves)
}

fn parse_moves(
    position: &Position,
    field: &'static str,
    text: &str,
) -> Result<Vec<Move>, LineErrorKind> {
    let mut parsed = Vec::new();
    for word in text.split_whitespace() {
        let mv = moves::parse(position, word).map_err(|error| LineErrorKind::Move(field, error))?;
        if parsed.contains(&mv) {
            return Err(LineErrorKind::MoveTwice(field, mv));
        }
        parsed.push(mv);
    }
    Ok(parsed)
}
