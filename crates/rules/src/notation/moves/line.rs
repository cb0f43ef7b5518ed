use super::{MoveError, find, read_squares};
use crate::notation::cursor::Cursor;
use crate::notation::pdn::Outcome;
use crate::notation::signs;
use crate::notation::text::quoted;
use crate::rules::{Move, Position};
use std::error::Error;
use std::fmt;

/// Why a text is not a line of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    /// Which move is wrong, from 1.
    pub ply: usize,
    /// Number of its first character, from 1.
    pub column: usize,
    /// Its text as it was written, shortened, printable.
    pub text: String,
    /// What is wrong with it.
    pub error: MoveError,
    /// The legal moves before it.
    pub played: Vec<Move>,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} ({}): {}", self.ply, self.text, self.error)
    }
}

impl Error for LineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// Reads moves played one after the other: `32-28 19-23 28x19`, with or without move numbers (`1. 32-28 19-23 2.
/// 28x19`), with or without a result at the end.
///
/// # Errors
/// A move is malformed or not legal where it stands.
pub fn parse_line(position: &Position, text: &str) -> Result<Vec<Move>, LineError> {
    let mut position = *position;
    let mut played = Vec::new();
    let plain = signs::plain(text);
    let mut cursor = Cursor::new(&plain);
    loop {
        cursor.take_while(|c| c.is_whitespace() || matches!(c, ',' | ';' | '.'));
        skip_number(&mut cursor);
        if is_end(cursor.rest()) {
            return Ok(played);
        }
        let start = cursor;
        let read = read_squares(&mut cursor, false).and_then(|squares| find(&position, &squares));
        match read {
            Ok(mv) => {
                position = position.play(mv);
                played.push(mv);
                cursor.take_while(|c| matches!(c, '!' | '?'));
            }
            Err(error) => {
                let from = signs::written(text, plain.len() - start.rest().len());
                let word = text[from..].split_whitespace().next();
                return Err(LineError {
                    ply: played.len() + 1,
                    column: text[..from].chars().count() + 1,
                    text: quoted(word.unwrap_or_default()),
                    error: error.written_as(text),
                    played,
                });
            }
        }
    }
}

/// Steps over a move number, `12.` or `12...`.
fn skip_number(cursor: &mut Cursor<'_>) {
    let mut ahead = *cursor;
    let digits = ahead.take_while(|c| c.is_ascii_digit());
    if !digits.is_empty() && !ahead.take_while(|c| c == '.').is_empty() {
        *cursor = ahead;
        cursor.skip_space();
    }
}

/// Whether the text is nothing, or the result of a game. No move reads like one: 0 is no square, and no quiet move is
/// `1-1`.
fn is_end(rest: &str) -> bool {
    rest.is_empty() || Outcome::parse(rest).is_some()
}
