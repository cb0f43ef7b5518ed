//! Reads a picture of the board: ten rows of five squares, or of ten with the light ones; with or without borders,
//! numbers of squares and the marks of the last move; letters, or the symbols of Unicode.

use crate::board::{Bitboard, Color, Square};
use crate::notation::fen;
use crate::notation::signs::plain_char;
use crate::notation::text::quoted;
use crate::rules::Setup;
use std::error::Error;
use std::fmt;

/// Why a picture is no position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: PictureErrorKind,
}

/// What is wrong with a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PictureErrorKind {
    /// It has so many rows.
    Rows(usize),
    /// A row has so many squares.
    Squares(usize),
    /// It has the rows of a board of 64 squares.
    Small,
    /// A piece stands on a light square, the one of this number in its row.
    LightSquare(usize),
    /// A sign that both sides have where the colours of the terminal were lost.
    Colors(char),
    /// The FEN beside it is another position.
    OtherFen,
    /// The line is no part of a picture; what stands there.
    Text(String),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "picture, line {}: ", self.line)?;
        match &self.kind {
            PictureErrorKind::Rows(it) => write!(f, "the board has {it} rows, expected 10"),
            PictureErrorKind::Squares(it) => {
                write!(
                    f,
                    "the row has {it} squares, expected 5, or 10 with the light ones"
                )
            }
            PictureErrorKind::Small => {
                f.write_str("this is a board of 64 squares, expected 10 rows")
            }
            PictureErrorKind::LightSquare(it) => {
                write!(f, "a piece on a light square, the one in column {it}")
            }
            PictureErrorKind::Colors(it) => write!(
                f,
                "{it} is a piece of either side, as its colour was lost; write w and b, W and B for kings"
            ),
            PictureErrorKind::OtherFen => {
                f.write_str("the FEN is another position than the picture")
            }
            PictureErrorKind::Text(it) => {
                write!(
                    f,
                    "expected a row of the board, or the side to move, found {it}"
                )
            }
        }
    }
}

impl Error for PictureError {}

/// What a line of a picture holds.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::notation) enum Line {
    Blank,
    /// A border, or numbers of squares.
    Border {
        is_turned: bool,
    },
    /// Signs of squares; whether the numbers beside them are those of a board with black at the bottom.
    Row {
        signs: Vec<char>,
        is_turned: bool,
    },
    Turn(Color),
    Other,
}

impl Line {
    pub fn of(line: &str) -> Line {
        let plain = plain(line);
        let trimmed = plain.trim();
        if trimmed.is_empty() {
            return Line::Blank;
        }
        if let Some(turn) = turn(trimmed) {
            return Line::Turn(turn);
        }
        if let Some(signs) = fields(trimmed) {
            return Line::Row {
                signs,
                is_turned: false,
            };
        }
        let is_frame = trimmed
            .chars()
            .all(|c| "+-=|_ ".contains(c) || c.is_ascii_digit());
        let words = trimmed.split(|c: char| c.is_whitespace() || "|()[]".contains(c));
        let words = words.filter(|word| !word.is_empty());
        let (mut signs, mut numbers) = (Vec::new(), Vec::new());
        for word in words {
            match word.parse::<u8>() {
                Ok(number) => numbers.push(number),
                Err(_) => signs.extend(word.chars()),
            }
        }
        let is_turned = numbers == [50, 49, 48, 47, 46];
        let is_row = !signs.is_empty() && signs.iter().all(|&c| is_sign(c));
        match is_row
            && (signs.len() > 2 || !is_frame)
            && !trimmed.contains('+')
            && !trimmed.contains("---")
        {
            true => Line::Row { signs, is_turned },
            false if is_frame => Line::Border { is_turned },
            false => Line::Other,
        }
    }

    /// Whether it is a row of a whole board.
    pub fn is_row(&self) -> bool {
        matches!(self, Line::Row { signs, .. } if matches!(signs.len(), 5 | 10))
    }
}

/// A line without the codes of a terminal, in plain signs; every line of a frame is `|` or `+`.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                chars.find(char::is_ascii_alphabetic);
            }
            '\u{2502}' | '\u{2503}' | '\u{2551}' | '\u{a6}' | '\u{2506}' | '\u{250a}' => {
                out.push('|')
            }
            '\u{2500}'..='\u{257f}' => out.push('+'),
            c => out.extend(plain_char(c)),
        }
    }
    out
}

/// Whether a character stands for a square, empty or not.
fn is_sign(c: char) -> bool {
    "wWbBzZoOxX.-_*eEK\u{b7}\u{2022}".contains(c) || piece(c).is_some() || is_colorless(c)
}

/// A sign of both sides in a terminal with colours.
fn is_colorless(c: char) -> bool {
    matches!(c, '\u{25cf}' | '\u{265b}' | 'K')
}

/// The piece that a sign stands for, and whether it is a king; none for an empty square.
fn piece(c: char) -> Option<(Color, bool)> {
    Some(match c {
        'w' | 'o' | '\u{26c0}' | '\u{25cb}' | '\u{25ef}' | '\u{26aa}' => (Color::White, false),
        'W' | 'O' | '\u{26c1}' | '\u{2655}' | '\u{2654}' => (Color::White, true),
        'b' | 'z' | 'x' | '\u{26c2}' | '\u{26ab}' | '\u{25cf}' => (Color::Black, false),
        'B' | 'Z' | 'X' | '\u{26c3}' | '\u{265b}' | '\u{265a}' => (Color::Black, true),
        _ => return None,
    })
}

/// The side that a line says is to move: `W`, `white to move`, `zwart aan zet`.
pub(in crate::notation) fn turn(line: &str) -> Option<Color> {
    let line = line.trim_end_matches(['.', ':', ',']).to_lowercase();
    let line = ["trait aux ", "les ", "ход "]
        .iter()
        .find_map(|before| line.strip_prefix(before))
        .unwrap_or(&line);
    let (side, rest) = line.split_once([' ', ':']).unwrap_or((line, ""));
    let (color, _) = fen::name(side)?;
    let rest = rest.trim();
    // What is to be reached.
    let rest = [" and ", " en ", " et ", " und ", " и "]
        .iter()
        .find_map(|and| rest.split_once(and))
        .map_or(rest, |(verb, _)| verb);
    let is_turn = matches!(
        rest,
        "" | "to move"
            | "to play"
            | "moves"
            | "plays"
            | "aan zet"
            | "begint"
            | "speelt"
            | "au trait"
            | "jouent"
            | "am zug"
            | "zieht"
            | "ходят"
            | "начинают"
    );
    is_turn.then_some(color)
}

/// The signs of a row whose squares stand between bars, where an empty one may be blank or hold its number.
fn fields(line: &str) -> Option<Vec<char>> {
    let fields: Vec<&str> = line.split('|').collect();
    if !matches!(fields.len(), 7 | 12) {
        return None;
    }
    let inner = &fields[1..fields.len() - 1];
    inner
        .iter()
        .map(|field| {
            let field = field.trim().trim_matches(['(', ')', '[', ']']).trim();
            let mut chars = field.chars();
            match (chars.next(), chars.next()) {
                (None, _) => Some('.'),
                _ if field.parse::<u8>().is_ok() => Some('.'),
                (Some(sign), None) => is_sign(sign).then_some(sign),
                _ => None,
            }
        })
        .collect()
}

/// The position of a picture; none where the text is none.
pub(in crate::notation) fn read(text: &str) -> Option<Result<Setup, PictureError>> {
    let lines: Vec<Line> = text.lines().map(Line::of).collect();
    let is_any = |line: &&Line| matches!(line, Line::Row { signs, .. } if matches!(signs.len(), 4 | 5 | 8 | 10));
    (lines.iter().filter(is_any).count() > 2).then(|| read_lines(text, &lines))
}

fn read_lines(text: &str, lines: &[Line]) -> Result<Setup, PictureError> {
    let rows = lines
        .iter()
        .zip(1..)
        .filter_map(|(line, number)| match line {
            Line::Row { signs, .. } => Some((number, signs.as_slice())),
            _ => None,
        });
    let rows: Vec<(usize, &[char])> = rows.collect();
    let fail = |line, kind| Err(PictureError { line, kind });
    let first = rows.first().map_or(1, |&(line, _)| line);
    let last = rows.last().map_or(1, |&(line, _)| line);
    if rows.len() == 8 && rows.iter().all(|(_, signs)| matches!(signs.len(), 4 | 8)) {
        return fail(last, PictureErrorKind::Small);
    }
    let turned = |line: &Line| {
        matches!(
            line,
            Line::Row {
                is_turned: true,
                ..
            } | Line::Border { is_turned: true }
        )
    };
    let mut setup = pieces(&rows, lines[..first].iter().any(turned))?;
    if rows.len() != 10 {
        return fail(last, PictureErrorKind::Rows(rows.len()));
    }
    for (index, (line, written)) in lines.iter().zip(text.lines()).enumerate() {
        match line {
            Line::Turn(turn) => setup.turn = *turn,
            Line::Other => match fen::parse_setup(written) {
                Ok(other) if (other.men, other.kings) == (setup.men, setup.kings) => {
                    setup.turn = other.turn
                }
                Ok(_) => return fail(index + 1, PictureErrorKind::OtherFen),
                Err(_) => return fail(index + 1, PictureErrorKind::Text(quoted(written.trim()))),
            },
            _ => {}
        }
    }
    Ok(setup)
}

/// The pieces of rows, each with the number of its line.
fn pieces(rows: &[(usize, &[char])], is_turned: bool) -> Result<Setup, PictureError> {
    let fail = |line, kind| Err(PictureError { line, kind });
    let signs = || rows.iter().flat_map(|(_, signs)| signs.iter().copied());
    // A sign of one side alone tells the two apart.
    let has_white_disc =
        signs().any(|c| matches!(c, '\u{25cb}' | '\u{25ef}' | '\u{2655}' | '\u{2654}'));
    let has_cross = signs().any(|c| matches!(c, 'x' | 'X' | '\u{25cf}'));
    let mut setup = Setup::empty(Color::White);
    for (row, &(line, signs)) in rows.iter().enumerate() {
        if !matches!(signs.len(), 5 | 10) {
            return fail(line, PictureErrorKind::Squares(signs.len()));
        }
        if row > 9 {
            return fail(line, PictureErrorKind::Rows(rows.len()));
        }
        for (column, &sign) in signs.iter().enumerate() {
            let Some((color, is_king)) = piece(sign) else {
                if sign == 'K' {
                    return fail(line, PictureErrorKind::Colors(sign));
                }
                continue;
            };
            let is_unknown = match sign {
                '\u{25cf}' | '\u{265b}' => !has_white_disc && !signs.contains(&'o'),
                'o' | 'O' => !has_cross,
                _ => false,
            };
            if is_unknown {
                return fail(line, PictureErrorKind::Colors(sign));
            }
            let at = match signs.len() {
                5 => column,
                _ if column % 2 == row % 2 => {
                    return fail(line, PictureErrorKind::LightSquare(column + 1));
                }
                _ => column / 2,
            };
            let Some(square) = Square::new((5 * row + at + 1) as u8) else {
                return fail(line, PictureErrorKind::Rows(rows.len()));
            };
            let square = if is_turned { square.rotated() } else { square };
            let set = if is_king {
                &mut setup.kings
            } else {
                &mut setup.men
            };
            set[color.index()] |= Bitboard::of(square);
        }
    }
    Ok(setup)
}
