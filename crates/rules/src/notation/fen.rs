//! FEN, the text of a position: `W:W31,32,K33:B1,2,K3`.
//!
//! The reader takes every dialect seen in use: ranges (`31-50`, `K1-5`), either order of the colours, a missing or
//! empty side (no pieces), lower case, spaces, a trailing full stop, the PDN tag `[FEN "..."]`, the move counters of
//! lidraughts (`:H0:F1`) and its ghost pieces (`G12`, `P12`: already captured, so ignored). A side to move of `?` is an
//! error.
//!
//! The writer has one form, which even the strictest readers take: white before black, every square by itself (some
//! readers know no ranges), men before kings, in ascending order.
//!
//! ```
//! use damier_rules::notation::fen;
//!
//! let position = fen::parse("B:bK5,20:w31-33.")?;
//! assert_eq!(fen::format(&position), "B:W31,32,33:B20,K5");
//! let error = fen::parse("W:W31:B51").unwrap_err();
//! assert_eq!(error.to_string(), "FEN, character 8: 51 is no square; squares are numbers from 1 to 50");
//! # Ok::<(), fen::FenError>(())
//! ```

use super::cursor::{Cursor, found};
use super::text::excerpt;
use crate::board::{Bitboard, Color, Square};
use crate::rules::{Position, Setup, SetupError};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// Number of the character where it went wrong, from 1.
    pub column: usize,
    /// What went wrong.
    pub kind: FenErrorKind,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.place(), self.kind)
    }
}

impl Error for FenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.kind)
    }
}

/// What is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenErrorKind {
    /// There is no text.
    Empty,
    /// It does not begin with the side to move; what stands there.
    Turn(String),
    /// The side to move is `?`.
    UnknownTurn,
    /// Nothing follows the side to move, or something else than a colon; what stands there.
    Colon(String),
    /// A part between colons that is neither pieces nor a counter; what stands there.
    Side(String),
    /// The pieces of a side are given twice.
    SideTwice(Color),
    /// Not a square where there should be one; what stands there.
    Square(String),
    /// A number that is no square.
    NoSuchSquare(String),
    /// A square is given twice.
    SquareTwice(Square),
    /// Text after the end; what stands there.
    Trailing(String),
    /// The pieces are no position.
    Setup(SetupError),
}

impl fmt::Display for FenErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenErrorKind::Empty => {
                f.write_str("the FEN is empty; expected one like W:W31-50:B1-20")
            }
            FenErrorKind::Turn(it) => write!(f, "expected the side to move, W or B, found {it}"),
            FenErrorKind::UnknownTurn => f.write_str("the side to move is ?, write W or B"),
            FenErrorKind::Colon(it) => write!(
                f,
                "expected : and the pieces, as in W:W31-50:B1-20, found {it}"
            ),
            FenErrorKind::Side(it) => write!(f, "expected W or B and its squares, found {it}"),
            FenErrorKind::SideTwice(it) => write!(f, "the pieces of {it} are given twice"),
            FenErrorKind::Square(it) => write!(f, "expected a square, as 31 or K31, found {it}"),
            FenErrorKind::NoSuchSquare(it) => {
                write!(f, "{it} is no square; squares are numbers from 1 to 50")
            }
            FenErrorKind::SquareTwice(it) => write!(f, "square {it} is given twice"),
            FenErrorKind::Trailing(it) => write!(f, "expected the end, found {it}"),
            FenErrorKind::Setup(error) => error.fmt(f),
        }
    }
}

impl Error for FenErrorKind {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FenErrorKind::Setup(error) => error.source(),
            _ => None,
        }
    }
}

impl FenError {
    /// Where it went wrong, as the beginning of the message.
    fn place(&self) -> String {
        match self.kind {
            FenErrorKind::Empty => String::new(),
            FenErrorKind::Setup(_) => "FEN: ".to_owned(),
            _ => format!("FEN, character {}: ", self.column),
        }
    }
}

/// Reads a position.
///
/// # Errors
/// The text is no FEN, or two pieces share a square, or a man stands on its promotion row.
pub fn parse(text: &str) -> Result<Position, FenError> {
    Position::try_from(parse_setup(text)?).map_err(|error| FenError {
        column: 1,
        kind: FenErrorKind::Setup(error),
    })
}

/// Reads pieces and side to move without checking that they are a legal position.
///
/// # Errors
/// The text is no FEN.
pub fn parse_setup(text: &str) -> Result<Setup, FenError> {
    let mut reader = FenReader {
        cursor: Cursor::new(text),
        setup: Setup::empty(Color::White),
        given: [false; 2],
        seen: Bitboard::EMPTY,
    };
    reader.read()?;
    Ok(reader.setup)
}

/// Writes a position in the form described above.
pub fn format(position: &Position) -> String {
    position.to_string()
}

/// The FEN, in the form of [`format`](crate::notation::fen::format).
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.turn.letter())?;
        for color in Color::BOTH {
            write!(f, ":{}", color.letter())?;
            let men = self.men[color.index()].map(|square| ("", square));
            let kings = self.kings[color.index()].map(|square| ("K", square));
            for (i, (king, square)) in men.chain(kings).enumerate() {
                let comma = if i == 0 { "" } else { "," };
                write!(f, "{comma}{king}{square}")?;
            }
        }
        Ok(())
    }
}

/// The FEN, in the form of [`format`](crate::notation::fen::format).
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

/// Reads a FEN as [`parse_setup`] does.
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        parse_setup(text)
    }
}

/// Reads a FEN as [`parse`] does.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        parse(text)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Man,
    King,
    /// A captured piece that lidraughts still shows.
    Ghost,
}

struct FenReader<'a> {
    cursor: Cursor<'a>,
    setup: Setup,
    given: [bool; 2],
    seen: Bitboard,
}

/// Whether a part between colons ends here.
fn ends_part(c: Option<char>) -> bool {
    c.is_none_or(|c| matches!(c, ':' | '.' | '"' | ']'))
}

impl FenReader<'_> {
    fn error<T>(&self, kind: FenErrorKind) -> Result<T, FenError> {
        let column = self.cursor.column();
        Err(FenError { column, kind })
    }

    /// The error that something else was expected than what stands here.
    fn unexpected<T>(&self, kind: fn(String) -> FenErrorKind) -> Result<T, FenError> {
        self.error(kind(found(self.cursor.peek())))
    }

    fn read(&mut self) -> Result<(), FenError> {
        self.open_tag();
        self.turn()?;
        self.cursor.skip_space();
        if self.cursor.peek() != Some(':') {
            return self.unexpected(FenErrorKind::Colon);
        }
        while self.cursor.eat(|c| c == ':') {
            self.part()?;
            self.cursor.skip_space();
        }
        self.cursor
            .take_while(|c| matches!(c, '.' | '"' | ']') || c.is_whitespace());
        match self.cursor.peek() {
            None => Ok(()),
            Some(_) => self.unexpected(FenErrorKind::Trailing),
        }
    }

    /// Steps over `[FEN "`, and over `"`.
    fn open_tag(&mut self) {
        self.cursor.skip_space();
        if self.cursor.eat(|c| c == '[') {
            self.cursor.skip_space();
            let mut after = self.cursor;
            if after
                .take_while(char::is_alphabetic)
                .eq_ignore_ascii_case("FEN")
            {
                self.cursor = after;
            }
            self.cursor.skip_space();
        }
        self.cursor.eat(|c| c == '"');
        self.cursor.skip_space();
    }

    fn turn(&mut self) -> Result<(), FenError> {
        self.setup.turn = match self.cursor.peek() {
            Some('W' | 'w') => Color::White,
            Some('B' | 'b') => Color::Black,
            Some('?') => return self.error(FenErrorKind::UnknownTurn),
            None => return self.error(FenErrorKind::Empty),
            Some(_) => return self.unexpected(FenErrorKind::Turn),
        };
        self.cursor.next();
        Ok(())
    }

    /// What stands between two colons.
    fn part(&mut self) -> Result<(), FenError> {
        self.cursor.skip_space();
        match self.cursor.peek() {
            Some('W' | 'w') => self.side(Color::White),
            Some('B' | 'b') => self.side(Color::Black),
            Some('H' | 'h' | 'F' | 'f' | '+') => {
                self.cursor
                    .take_while(|c| c.is_ascii_alphanumeric() || c == '+');
                Ok(())
            }
            c if ends_part(c) => Ok(()),
            _ => self.unexpected(FenErrorKind::Side),
        }
    }

    fn side(&mut self, color: Color) -> Result<(), FenError> {
        if std::mem::replace(&mut self.given[color.index()], true) {
            return self.error(FenErrorKind::SideTwice(color));
        }
        self.cursor.next();
        loop {
            self.cursor.take_while(|c| c == ',' || c.is_whitespace());
            if ends_part(self.cursor.peek()) {
                return Ok(());
            }
            self.pieces(color)?;
        }
    }

    /// A square or a range of squares, with what stands on it.
    fn pieces(&mut self, color: Color) -> Result<(), FenError> {
        let piece = self.prefix();
        let first = self.square()?;
        let mut last = first;
        let mut ahead = self.cursor;
        ahead.skip_space();
        if ahead.eat(|c| c == '-') {
            self.cursor = ahead;
            self.cursor.skip_space();
            if self.cursor.peek().is_some_and(|c| !c.is_ascii_digit()) && self.prefix() != piece {
                return self.unexpected(FenErrorKind::Square);
            }
            last = self.square()?;
        }
        let (low, high) = (first.min(last).number(), first.max(last).number());
        for square in (low..=high).filter_map(Square::new) {
            self.put(color, piece, square)?;
        }
        Ok(())
    }

    fn prefix(&mut self) -> Piece {
        let piece = match self.cursor.peek() {
            Some('K' | 'k') => Piece::King,
            Some('G' | 'g' | 'P' | 'p') => Piece::Ghost,
            _ => return Piece::Man,
        };
        self.cursor.next();
        self.cursor.skip_space();
        piece
    }

    fn square(&mut self) -> Result<Square, FenError> {
        let mut ahead = self.cursor;
        let digits = ahead.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return self.unexpected(FenErrorKind::Square);
        }
        match digits.parse() {
            Ok(square) => {
                self.cursor = ahead;
                Ok(square)
            }
            Err(_) => self.error(FenErrorKind::NoSuchSquare(excerpt(digits))),
        }
    }

    fn put(&mut self, color: Color, piece: Piece, square: Square) -> Result<(), FenError> {
        let set = match piece {
            Piece::Man => &mut self.setup.men,
            Piece::King => &mut self.setup.kings,
            Piece::Ghost => return Ok(()),
        };
        if self.seen.contains(square) {
            return self.error(FenErrorKind::SquareTwice(square));
        }
        set[color.index()] |= Bitboard::of(square);
        self.seen |= Bitboard::of(square);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str, canonical: &str) {
        match parse(text) {
            Ok(position) => assert_eq!(format(&position), canonical, "{text}"),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    #[test]
    fn reads_every_dialect() {
        let start = format(&Position::start());
        assert!(start.starts_with("W:W31,32,") && start.ends_with(",19,20"));
        for text in [
            "W:W31-50:B1-20",
            "W:B1-20:W31-50",
            "w:w31-50:b1-20.",
            " W : W 31 - 50 : B 1 - 20 . ",
            "[FEN \"W:W31-50:B1-20\"]",
            "[FEN \"W:W31-50:B1-20.\"]",
            "\"W:W31-50:B1-20\"",
            "W:W31-50:B1-20:H0:F1",
            "W:W31-50,G22:B1-20,P23:H12:F7",
            "W:W31-40,41,42,43-50:B20-1:",
            "W:W031-0050:B1 2 3 4 5,6-20",
            "W:W31-50:B1-20:+0+0",
        ] {
            same(text, &start);
        }
        same("W:WK1-5,6:BK50", "W:W6,K1,K2,K3,K4,K5:BK50");
    }

    #[test]
    fn sides_may_be_empty_or_missing_or_crowded() {
        same("W:W31", "W:W31:B");
        same("B:B1:W", "B:W:B1");
        same("W:", "W:W:B");
        same("W:W:B", "W:W:B");
        let crowd = parse("B:W26-50:B1-25").unwrap();
        assert_eq!(crowd.occupied().len(), 50);
    }

    #[test]
    fn errors_say_what_and_where() {
        for (text, column, message) in [
            ("", 1, "the FEN is empty; expected one like W:W31-50:B1-20"),
            (
                "X:W31",
                1,
                "FEN, character 1: expected the side to move, W or B, found X",
            ),
            (
                "?:W31:B1",
                1,
                "FEN, character 1: the side to move is ?, write W or B",
            ),
            (
                "W",
                2,
                "FEN, character 2: expected : and the pieces, as in W:W31-50:B1-20, found the end",
            ),
            (
                "W:W31,51",
                7,
                "FEN, character 7: 51 is no square; squares are numbers from 1 to 50",
            ),
            (
                "W:W31,x",
                7,
                "FEN, character 7: expected a square, as 31 or K31, found x",
            ),
            (
                "W:W31-:B1",
                7,
                "FEN, character 7: expected a square, as 31 or K31, found :",
            ),
            (
                "W:Z31",
                3,
                "FEN, character 3: expected W or B and its squares, found Z",
            ),
            (
                "W:W31:W32",
                7,
                "FEN, character 7: the pieces of white are given twice",
            ),
            (
                "W:W31:B31",
                10,
                "FEN, character 10: square 31 is given twice",
            ),
            (
                "W:W31:B1. e4",
                11,
                "FEN, character 11: expected the end, found e",
            ),
            (
                "W:W5:B20",
                1,
                "FEN: a white man on 5, its promotion row (a king is K5)",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(
                (error.column, error.to_string().as_str()),
                (column, message),
                "{text}"
            );
        }
    }
}
