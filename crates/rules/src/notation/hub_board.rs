//! The position of the Hub protocol: 51 characters, the side to move (`W` or `B`), then squares 1 to 50, each `w` or
//! `b` (a man), `W` or `B` (a king) or `e` (empty).
//!
//! ```
//! use damier_rules::Position;
//! use damier_rules::notation::hub_board;
//!
//! let text = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
//! assert_eq!(hub_board::parse(&text)?, Position::start());
//! assert_eq!(hub_board::format(&Position::start()), text);
//! # Ok::<(), hub_board::HubBoardError>(())
//! ```

use super::cursor::found;
use super::signs::plain_char;
use crate::board::{Bitboard, Color, Square};
use crate::rules::{Position, Setup, SetupError};
use std::error::Error;
use std::fmt;

/// Number of characters of a Hub position.
pub const LENGTH: usize = 51;

/// Why a text is not a Hub position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HubBoardError {
    /// Its length, in characters, is not 51.
    Length(usize),
    /// The first character is not the side to move; what stands there.
    Turn(String),
    /// A square holds none of the five characters; the square and what stands there.
    Piece(Square, String),
    /// The pieces are no position.
    Setup(SetupError),
}

impl fmt::Display for HubBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HubBoardError::Length(33) => f.write_str(
                "position: 33 characters are a board of 64 squares; expected 51 (side to move W or B, then 50 squares)",
            ),
            HubBoardError::Length(50) => f.write_str(
                "position: 50 squares without the side to move; put W or B before them",
            ),
            HubBoardError::Length(it) => write!(
                f,
                "position: {it} characters, expected 51 (side to move W or B, then 50 squares)"
            ),
            HubBoardError::Turn(it) => write!(
                f,
                "position, character 1: expected the side to move, W or B, found {it}"
            ),
            HubBoardError::Piece(a, b) => write!(
                f,
                "position, square {a}: expected one of w b W B e, found {b}"
            ),
            HubBoardError::Setup(it) => write!(f, "position: {it}"),
        }
    }
}

impl Error for HubBoardError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            HubBoardError::Setup(error) => Some(error),
            _ => None,
        }
    }
}

/// Whether a text is a board of Hub or DXP in one of the forms that people copy, perhaps with a mistake in its length:
/// the side to move before or behind the squares, with or without a blank or a colon between.
pub(super) fn is_board(text: &str) -> bool {
    let (_, squares) = parts(text);
    squares.len() > LENGTH / 2
        && squares.iter().all(|&c| "wWbBzZeE.-_\u{b7}".contains(c))
        && text.lines().count() < 2
}

/// The side to move where it stands apart, and all other characters.
fn parts(text: &str) -> (Option<char>, Vec<char>) {
    let plain: String = text.chars().filter_map(plain_char).collect();
    let plain = plain.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    let plain = plain.strip_prefix("pos ").unwrap_or(plain).trim_start();
    let plain = plain
        .strip_prefix("pos=")
        .unwrap_or(plain)
        .trim_matches(['"', '\'']);
    let words = plain.split(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '/' | '|'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let letter = |word: &str| word.chars().next().filter(|_| word.chars().count() == 1);
    let squares = |words: &[&str]| words.concat().chars().collect();
    match words.as_slice() {
        [first, rest @ ..] if !rest.is_empty() && letter(first).is_some() => {
            (letter(first), squares(rest))
        }
        [rest @ .., last] if !rest.is_empty() && letter(last).is_some() => {
            (letter(last), squares(rest))
        }
        words => (None, squares(words)),
    }
}

/// Reads a board as [`is_board`] finds one.
///
/// # Errors
/// It has another number of squares, or no side to move.
pub(super) fn parse_setup(text: &str) -> Result<Setup, HubBoardError> {
    let (apart, mut squares) = parts(text);
    let length = squares.len() + usize::from(apart.is_some());
    if length != LENGTH {
        return Err(HubBoardError::Length(length));
    }
    let turn = apart.unwrap_or_else(|| squares.remove(0));
    let mut setup = Setup::empty(match turn {
        'W' | 'w' => Color::White,
        'B' | 'b' | 'Z' | 'z' => Color::Black,
        other => return Err(HubBoardError::Turn(found(Some(other)))),
    });
    for (square, c) in Square::all().zip(squares) {
        let set = match c {
            'w' => &mut setup.men[Color::White.index()],
            'b' | 'z' => &mut setup.men[Color::Black.index()],
            'W' => &mut setup.kings[Color::White.index()],
            'B' | 'Z' => &mut setup.kings[Color::Black.index()],
            _ => continue,
        };
        *set |= Bitboard::of(square);
    }
    Ok(setup)
}

/// Reads a Hub position.
///
/// # Errors
/// It is malformed, or a man stands on its promotion row.
pub fn parse(text: &str) -> Result<Position, HubBoardError> {
    let length = text.chars().count();
    if length != LENGTH {
        return Err(HubBoardError::Length(length));
    }
    let mut chars = text.chars();
    let mut setup = Setup::empty(match chars.next() {
        Some('W') => Color::White,
        Some('B') => Color::Black,
        other => return Err(HubBoardError::Turn(found(other))),
    });
    for (square, c) in Square::all().zip(chars) {
        let set = match c {
            'w' => &mut setup.men[Color::White.index()],
            'b' => &mut setup.men[Color::Black.index()],
            'W' => &mut setup.kings[Color::White.index()],
            'B' => &mut setup.kings[Color::Black.index()],
            'e' => continue,
            other => return Err(HubBoardError::Piece(square, found(Some(other)))),
        };
        *set |= Bitboard::of(square);
    }
    Position::try_from(setup).map_err(HubBoardError::Setup)
}

/// Writes a Hub position.
pub fn format(position: &Position) -> String {
    let mut out = String::with_capacity(LENGTH);
    out.push(position.turn().letter());
    out.extend(Square::all().map(|square| piece(position, square).unwrap_or('e')));
    out
}

/// The letter of the piece on a square: `w` or `b` for a man, `W` or `B` for a king.
pub fn piece(position: &Position, square: Square) -> Option<char> {
    Color::BOTH.into_iter().find_map(|color| {
        if position.men(color).contains(square) {
            Some(color.letter().to_ascii_lowercase())
        } else if position.kings(color).contains(square) {
            Some(color.letter())
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

    #[test]
    fn reads_and_writes() {
        assert_eq!(format(&Position::start()), START);
        assert_eq!(parse(START), Ok(Position::start()));
        let kings = format!("BW{}B", "e".repeat(48));
        assert_eq!(format(&parse(&kings).unwrap()), kings);
    }

    #[test]
    fn errors_say_what_and_where() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("").starts_with("position: 0 characters"));
        assert!(message(&START[..50]).starts_with("position: 50 squares without the side"));
        assert!(message(&START.replace('W', "w")).contains("character 1"));
        assert!(message(&START.replacen('e', "x", 1)).contains("square 21: expected one of"));
        let promoted = format!("Ww{}", "e".repeat(49));
        assert!(message(&promoted).contains("white man on 1"));
    }
}
