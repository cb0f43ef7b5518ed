//! FEN, the text of a position: `W:W31,32,K3:B1,2`.
//!
//! The reader takes every dialect seen in use: ranges (`31-50`, `31..50`, `K1-5`), either order of the colours, a
//! missing or empty side (no pieces), lower case, `Z` for black, commas, semicolons, full stops or spaces between
//! squares, a trailing full stop, the PDN tag `[FEN "..."]`, the doubled side to move of old versions of py-draughts
//! (`W:B:W50:B`: the second one counts), the move counters of lidraughts (`:H0:F1`, `:+0+0`) and its ghost pieces
//! (`G12`, `P12`: already captured, so ignored); the boards of Hub and DXP (50 characters and the side to move), and
//! the board as a [`picture`] of several lines. Lookalikes of a [sign](super::signs) are that sign. A side to move of
//! `?` is an error.
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

mod read;
#[cfg(test)]
mod tests;

use super::hub_board::{self, HubBoardError};
use super::picture::{self, PictureError};
use crate::board::{Color, Square};
use crate::rules::{Position, Setup, SetupError};
use read::FenReader;
pub(super) use read::name;
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
    /// The side to move is given neither before nor behind the pieces.
    NoTurn,
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
    /// The squares are those of another game; its name.
    Variant(&'static str),
    /// The pieces are no position.
    Setup(SetupError),
    /// The text is a board of Hub or DXP with a mistake.
    Board(HubBoardError),
    /// The text is a picture of the board with a mistake.
    Picture(PictureError),
}

impl fmt::Display for FenErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenErrorKind::Empty => {
                f.write_str("the FEN is empty; expected one like W:W31-50:B1-20")
            }
            FenErrorKind::Turn(it) => write!(f, "expected the side to move, W or B, found {it}"),
            FenErrorKind::UnknownTurn => f.write_str("the side to move is ?, write W or B"),
            FenErrorKind::NoTurn => {
                f.write_str("the side to move is missing, write W: or B: before the pieces")
            }
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
            FenErrorKind::Variant(it) => {
                write!(
                    f,
                    "this is a position of another game, {it}; expected squares from 1 to 50"
                )
            }
            FenErrorKind::Setup(error) => error.fmt(f),
            FenErrorKind::Board(error) => error.fmt(f),
            FenErrorKind::Picture(error) => error.fmt(f),
        }
    }
}

impl Error for FenErrorKind {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FenErrorKind::Setup(error) => error.source(),
            FenErrorKind::Board(error) => error.source(),
            _ => None,
        }
    }
}

impl FenError {
    /// Where it went wrong, as the beginning of the message.
    fn place(&self) -> String {
        match self.kind {
            FenErrorKind::Empty | FenErrorKind::Board(_) | FenErrorKind::Picture(_) => {
                String::new()
            }
            _ => format!("FEN, character {}: ", self.column),
        }
    }
}

/// Reads a position. What follows behind a semicolon and is no square is left out.
///
/// # Errors
/// The text is no FEN, or two pieces share a square, or a man stands on its promotion row.
pub fn parse(text: &str) -> Result<Position, FenError> {
    parse_whole(text).or_else(|error| match parse_with_fields(text) {
        Ok((position, _)) if text.contains([';', '\u{ff1b}']) => Ok(position),
        _ => Err(error),
    })
}

fn parse_whole(text: &str) -> Result<Position, FenError> {
    if let Some(setup) = foreign(text) {
        return setup.and_then(|setup| checked(setup, |_| 1));
    }
    let mut reader = FenReader::new(text);
    let setup = reader.read()?;
    checked(setup, |square| reader.column_of(square))
}

/// Reads a position and what follows it behind a semicolon, as `W:W27,32:B8,16; bm 27-22`. A semicolon between squares
/// or sides is none of these.
///
/// # Errors
/// As for [`parse`].
pub fn parse_with_fields(text: &str) -> Result<(Position, &str), FenError> {
    let (before, fields) = text.split_once(';').unwrap_or((text, ""));
    if let Some(setup) = foreign(before) {
        return Ok((checked(setup?, |_| 1)?, fields));
    }
    let mut reader = FenReader::new(text).with_fields();
    let setup = reader.read()?;
    let position = checked(setup, |square| reader.column_of(square))?;
    let rest = reader.rest();
    Ok((position, rest.strip_prefix(';').unwrap_or(rest)))
}

/// Reads pieces and side to move without checking that they are a legal position.
///
/// # Errors
/// The text is no FEN.
pub fn parse_setup(text: &str) -> Result<Setup, FenError> {
    foreign(text).unwrap_or_else(|| FenReader::new(text).read())
}

/// Whether a text begins as a FEN does: the side to move, then a colon or squares.
pub(super) fn begins(text: &str) -> bool {
    FenReader::new(text).begins()
}

/// The position of a text that is no FEN but a board or a picture.
fn foreign(text: &str) -> Option<Result<Setup, FenError>> {
    let error = |kind| FenError { column: 1, kind };
    if hub_board::is_board(text) {
        let read = hub_board::parse_setup(text);
        return Some(read.map_err(|it| error(FenErrorKind::Board(it))));
    }
    let read = picture::read(text)?;
    Some(read.map_err(|it| error(FenErrorKind::Picture(it))))
}

/// The position of a setup; `column`: where a square stands in the text.
fn checked(setup: Setup, column: impl Fn(Square) -> usize) -> Result<Position, FenError> {
    Position::try_from(setup).map_err(|error| {
        let (SetupError::Overlap(square) | SetupError::ManOnPromotionRow(_, square)) = error;
        FenError {
            column: column(square),
            kind: FenErrorKind::Setup(error),
        }
    })
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
