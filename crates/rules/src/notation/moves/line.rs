use super::{MoveError, parse};
use crate::notation::cursor::found;
use crate::notation::pdn::typed;
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

/// Reads moves played one after the other, as they stand in a game of [PDN](crate::notation::pdn): `32-28 19-23 28x19`,
/// with or without move numbers (`1. 32-28 19-23 2. 28x19`), signs between them (`;` too), marks (`!?`), comments in
/// braces, variations, a result at the end; also `3228`, and moves of one side in parentheses.
///
/// # Errors
/// A move is malformed or not legal where it stands, or something stands there that is no part of a line of moves.
pub fn parse_line(position: &Position, text: &str) -> Result<Vec<Move>, LineError> {
    typed::moves(position, &text.replace(';', ",")).map_err(|misread| {
        let (before, behind) = text.split_at(misread.place.start);
        let column = before.chars().count() + 1;
        let found = found(behind.chars().next());
        let error = misread
            .error
            .filter(|error| !matches!(error, MoveError::Syntax { .. }));
        LineError {
            ply: misread.played.len() + 1,
            column,
            text: quoted(&text[misread.place]),
            error: error.unwrap_or(MoveError::Syntax { column, found }),
            played: misread.played,
        }
    })
}

/// Reads one move of the side to move as a person types it: as [`parse`] does, or as it stands among those of a game,
/// with its number, marks, comments, in parentheses, or without a sign.
///
/// # Errors
/// The text names no move, more than one, or one that is not legal.
pub fn parse_typed(position: &Position, text: &str) -> Result<Move, MoveError> {
    parse(position, text).or_else(|error| {
        let may_be_number = signs::plain(text).contains('.');
        let is_vague = matches!(error, MoveError::Syntax { .. } | MoveError::NoSuchSquare(_));
        match parse_line(position, text) {
            Ok(line) if line.len() == 1 => Ok(line[0]),
            Ok(line) if line.len() > 1 => Err(MoveError::TooManyMoves(1)),
            Err(line) if line.played.is_empty() && (may_be_number || is_vague) => Err(line.error),
            _ => Err(error),
        }
    })
}
