//! Moves as text.
//!
//! The reader takes any usual notation: `32-28`, `28x19`, `28x19x23` (the captured squares, in any order), `28x19x10`
//! (the squares where the piece lands or turns), with `-`, `x`, `X`, `:`, `*`, whatever looks like them (see [`signs`])
//! or spaces between squares, with leading zeros and dots behind squares. A text that fits two legal moves is an error
//! that lists them; a text that fits none is an error that names the rule it breaks.
//!
//! The writer has the full form of the Hub protocol (`Display` of [`Move`]), or the [`short`] one.
//!
//! ```
//! use damier_rules::Position;
//! use damier_rules::notation::moves;
//!
//! let position: Position = "W:W32:B28,19".parse()?;
//! let capture = moves::parse(&position, "32:14")?;
//! assert_eq!(capture.to_string(), "32x14x19x28");
//! assert_eq!(capture.captured().map(|square| square.number()).collect::<Vec<_>>(), [19, 28]);
//! let route = moves::ways(&position, capture, 1).remove(0);
//! assert_eq!(route.iter().map(|square| square.number()).collect::<Vec<_>>(), [32, 23, 14]);
//! let error = moves::parse(&position, "32-27").unwrap_err();
//! assert_eq!(error.to_string(), "a capture is compulsory: 32x14x19x28");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod explain;
mod line;
mod routes;

use super::cursor::{Cursor, found};
use super::signs;
use super::text::excerpt;
use crate::board::{Bitboard, Square};
use crate::rules::{Move, Position};
pub use error::MoveError;
pub use line::{LineError, parse_line, parse_typed};

/// Signs between two squares of a move, once a text is in [plain signs](signs::plain).
pub const SIGNS: [char; 4] = ['-', 'x', 'X', ':'];

/// Most squares a text for one move may name; no capture on 50 squares needs more.
const MOST_SQUARES: usize = 100;

/// Reads one move of the side to move.
///
/// # Errors
/// The text names no move, more than one, or one that is not legal.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let plain = signs::plain(text);
    let mut cursor = Cursor::new(&plain);
    let squares = read_squares(&mut cursor).map_err(|error| error.written_as(text))?;
    cursor.take_while(|c| matches!(c, '!' | '?' | '.'));
    cursor.skip_space();
    match cursor.peek() {
        None => find(position, &squares),
        other => {
            let (column, found) = (cursor.column(), found(other));
            Err(MoveError::Syntax { column, found }.written_as(text))
        }
    }
}

/// The shortest text that [`parse`] reads back: `32-28`, `28x19`, with the captured squares (`28x19x23`) only where
/// another legal move has the same first and last square.
pub fn short(position: &Position, mv: Move) -> String {
    let same_squares = |other: &&Move| other.from() == mv.from() && other.to() == mv.to();
    let sign = if mv.is_capture() { 'x' } else { '-' };
    match position.legal_moves().iter().filter(same_squares).count() {
        0 | 1 => format!("{}{sign}{}", mv.from(), mv.to()),
        _ => mv.to_string(),
    }
}

/// The text of PDN 3.0: `32-28`, `28x19`, and where another legal move has the same first and last square, every square
/// where the piece lands (`47x38x24x13x36`). [`parse`] reads it back.
///
/// Of several ways to take the same pieces it is the one that py-draughts, which knows only one, takes too.
pub fn with_path(position: &Position, mv: Move) -> String {
    let legal = position.legal_moves();
    let alike = legal
        .iter()
        .filter(|other| other.from() == mv.from() && other.to() == mv.to());
    let sign = if mv.is_capture() { "x" } else { "-" };
    let squares = match alike.count() {
        0 | 1 => vec![mv.from(), mv.to()],
        _ => routes::first(position, mv),
    };
    let squares: Vec<String> = squares.iter().map(Square::to_string).collect();
    squares.join(sign)
}

/// Every way the piece can go to make a move, at most so many: the squares where it stands on its way, first and last
/// included. A quiet move has one.
pub fn ways(position: &Position, mv: Move, most: usize) -> Vec<Vec<Square>> {
    match mv.is_capture() {
        true => routes::all(position, mv, most),
        false => vec![vec![mv.from(), mv.to()]],
    }
}

/// Reads squares with signs or spaces between them.
fn read_squares(cursor: &mut Cursor<'_>) -> Result<Vec<Square>, MoveError> {
    let mut squares = Vec::new();
    cursor.skip_space();
    loop {
        if squares.len() == MOST_SQUARES {
            return Err(MoveError::TooLong);
        }
        squares.push(read_square(cursor)?);
        let mut ahead = *cursor;
        ahead.take_while(|c| c == '.');
        ahead.skip_space();
        // `28! x 31! x 45`.
        let mut behind_mark = *cursor;
        behind_mark.skip_space();
        behind_mark.take_while(|c| matches!(c, '!' | '?'));
        behind_mark.skip_space();
        if behind_mark
            .peek()
            .is_some_and(|c| SIGNS.contains(&c) && c != '-')
        {
            ahead = behind_mark;
        }
        let is_apart = ahead.rest().len() < cursor.rest().len();
        let behind_star = ahead.rest().strip_prefix('*').filter(|_| !is_apart);
        let is_star =
            behind_star.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let sign = ahead.eat(|c| SIGNS.contains(&c) || is_star);
        ahead.skip_space();
        let digit = ahead.peek().is_some_and(|c| c.is_ascii_digit());
        // A sign behind a blank that leads nowhere belongs to what comes next.
        if !digit && (!sign || is_apart) {
            return Ok(squares);
        }
        *cursor = ahead;
    }
}

fn read_square(cursor: &mut Cursor<'_>) -> Result<Square, MoveError> {
    let mut ahead = *cursor;
    let digits = ahead.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return Err(MoveError::Syntax {
            column: cursor.column(),
            found: found(cursor.peek()),
        });
    }
    let square = digits
        .parse()
        .map_err(|_| MoveError::NoSuchSquare(excerpt(digits)))?;
    *cursor = ahead;
    Ok(square)
}

/// The legal move that the squares mean.
fn find(position: &Position, squares: &[Square]) -> Result<Move, MoveError> {
    let (&[from, _], &last) = (
        squares.first_chunk().ok_or(MoveError::OneSquare)?,
        squares.last().ok_or(MoveError::OneSquare)?,
    );
    // The captured squares hold pieces of the opponent, a path leads over free squares.
    let is_taken = |square: &Square| position.pieces(!position.turn()).contains(*square);
    let (taken, path): (Vec<Square>, Vec<Square>) =
        squares[1..].iter().copied().partition(is_taken);
    let by_captured = squares.len() > 2 && !taken.is_empty() && !path.is_empty();
    let named: Bitboard = taken.into_iter().collect();
    let to = match path.last() {
        Some(&to) if by_captured => to,
        _ => last,
    };
    let legal = position.legal_moves();
    let between: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|mv| mv.from() == from && mv.to() == to)
        .collect();
    let fitting: Vec<Move> = between
        .iter()
        .copied()
        .filter(|&mv| match squares.len() {
            2 => true,
            _ if by_captured => {
                mv.captured() == named
                    && (path.len() == 1 || routes::lands_on(position, mv, &path[..path.len() - 1]))
            }
            n => routes::lands_on(position, mv, &squares[1..n - 1]),
        })
        .collect();
    match (fitting.as_slice(), between.is_empty()) {
        (&[mv], _) => Ok(mv),
        (&[_, ..], _) => Err(MoveError::Ambiguous(fitting)),
        ([], false) if by_captured => Err(MoveError::OtherCaptured(between)),
        ([], false) => Err(MoveError::OtherPath(between)),
        ([], true) => {
            let captured = by_captured.then_some(named);
            Err(explain::why_not(position, &legal, (from, to), captured))
        }
    }
}

#[cfg(test)]
mod tests;
