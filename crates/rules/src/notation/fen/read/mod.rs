//! The reader of FEN.

mod side;
mod signs;
mod square;

pub use side::name;

use self::signs::with_kings;
use super::{FenError, FenErrorKind};
use crate::board::{Bitboard, Color, Square};
use crate::notation::signs::Signs;
use crate::notation::variant;
use crate::rules::Setup;

/// What stands between two squares or sides.
#[derive(Default)]
struct Gap {
    any: bool,
    colon: bool,
    stop: bool,
}

pub(super) struct FenReader<'a> {
    text: &'a str,
    /// Plain signs, each with the byte where it was written.
    signs: Vec<(usize, char)>,
    at: usize,
    setup: Setup,
    /// The sides in the order of the text, each with the number of its pieces.
    sides: Vec<(Color, usize)>,
    /// Where each square stands, by number.
    places: [usize; 51],
    /// Sides without a letter.
    unnamed: usize,
    /// The side to move where it stands twice.
    doubled: Option<Color>,
    /// Whether fields may follow behind a semicolon.
    has_fields: bool,
    /// Whether semicolons stand between squares.
    has_semicolons: bool,
    /// Whether the letters are those of blancs and noirs.
    is_french: bool,
}

impl<'a> FenReader<'a> {
    pub fn new(text: &'a str) -> FenReader<'a> {
        FenReader {
            text,
            signs: with_kings(Signs::new(text, 0).collect()),
            at: 0,
            setup: Setup::empty(Color::White),
            sides: Vec::new(),
            places: [0; 51],
            unnamed: 0,
            doubled: None,
            has_fields: false,
            has_semicolons: false,
            is_french: false,
        }
    }

    /// The same; stops where fields follow.
    pub fn with_fields(self) -> FenReader<'a> {
        FenReader {
            has_fields: true,
            ..self
        }
    }

    /// What was not read.
    pub fn rest(&self) -> &'a str {
        &self.text[self.byte(self.at)..]
    }

    /// Number of the character where a square stands, from 1.
    pub fn column_of(&self, square: Square) -> usize {
        self.column(self.places[usize::from(square.number())])
    }

    /// Whether the side to move comes first, and then a colon or a square.
    pub fn begins(&mut self) -> bool {
        self.take_while(|c| c.is_whitespace() || c == '"');
        let turn = self.turn();
        self.take_while(char::is_whitespace);
        let next = self.peek();
        let is_word = self.word_at(self.at).len() > 1;
        turn.is_some() && next.is_none_or(|c| matches!(c, ':' | ';' | '0'..='9')) && !is_word
    }

    pub fn read(&mut self) -> Result<Setup, FenError> {
        let read = self.read_all();
        read.map_err(|error| match variant::of_fen(self.text) {
            Some(name) => FenError {
                kind: FenErrorKind::Variant(name),
                ..error
            },
            None => error,
        })?;
        Ok(self.setup)
    }

    fn read_all(&mut self) -> Result<(), FenError> {
        self.open();
        self.is_french = self.has_french_sides();
        let begin = self.at;
        let (mut turn, mut gap) = self.begin()?;
        while let Some(sign) = self.peek() {
            if !self.sides.is_empty() && self.turn_behind(&mut turn) {
                break;
            }
            match sign {
                '"' | '\'' | ']' => {
                    self.close()?;
                    break;
                }
                ';' => break,
                _ => self.part(sign, &gap, turn.is_some())?,
            }
            gap = self.gap();
        }
        match turn {
            Some(turn) if self.doubled.is_none() => self.setup.turn = turn,
            Some(_) => {}
            None => return self.error(begin, FenErrorKind::NoTurn),
        }
        self.swap_unnamed();
        Ok(())
    }

    /// Reads the side to move, if it comes first, and what parts it from the pieces.
    fn begin(&mut self) -> Result<(Option<Color>, Gap), FenError> {
        let begin = self.at;
        let mut turn = match self.peek() {
            Some('?') => return self.error(self.at, FenErrorKind::UnknownTurn),
            None => return self.error(self.at, FenErrorKind::Empty),
            Some(_) => match self.turn() {
                Some(turn) => Some(turn),
                None if self.turn_before(begin, &mut None) => None,
                None => return self.unexpected(FenErrorKind::Turn),
            },
        };
        let is_word = self.at > begin + 1;
        let begins_with_turn = self.turn_before(begin, &mut turn);
        let mut gap = self.gap();
        gap.any |= begins_with_turn;
        gap.colon |= begins_with_turn;
        let is_piece = self
            .peek()
            .is_some_and(|c| c.is_ascii_digit() || "KkD".contains(c));
        if !gap.any && !is_piece {
            return self.unexpected(FenErrorKind::Colon);
        }
        if is_piece && (!gap.colon || is_word) && !begins_with_turn {
            // The first side, and none to move: `W31-50:B1-20`, `White: 31-50, Black: 1-20`.
            (turn, self.at) = (None, begin);
            gap = Gap {
                any: true,
                colon: true,
                stop: false,
            };
        }
        Ok((turn, gap))
    }

    /// Reads the side, the squares or the counter that begins with a sign, behind a gap.
    fn part(&mut self, sign: char, gap: &Gap, has_turn: bool) -> Result<(), FenError> {
        match (sign, self.sides.last().copied()) {
            // Sides without letters: White's comes first.
            ('0'..='9' | 'K' | 'k' | 'D', last)
                if gap.colon && has_turn && (last.is_none() || self.is_unnamed(1)) =>
            {
                self.unnamed += 1;
                let color = if self.sides.is_empty() {
                    Color::White
                } else {
                    Color::Black
                };
                self.sides.push((color, 0));
                self.pieces(color)
            }
            // Counters behind both sides.
            ('0'..='9', Some((_, 1..))) if gap.colon && self.sides.len() > 1 => {
                self.take_while(|c| c.is_ascii_digit());
                Ok(())
            }
            ('0'..='9' | 'K' | 'k' | 'D' | 'G' | 'g' | 'P' | 'p', Some((color, _))) => {
                self.pieces(color)
            }
            ('H' | 'h' | 'F' | 'f' | '+', Some(_)) if gap.colon => {
                self.take_while(|c| c.is_ascii_alphanumeric() || c == '+');
                Ok(())
            }
            (first, _) if gap.any && name(&first.to_string()).is_some() => self.side(),
            _ if gap.stop => self.unexpected(FenErrorKind::Trailing),
            _ if gap.colon || self.sides.is_empty() => self.unexpected(FenErrorKind::Side),
            _ => self.unexpected(FenErrorKind::Square),
        }
    }

    /// Swaps two sides without letters if men can stand where they do only that way.
    fn swap_unnamed(&mut self) {
        let [white, black] = self.setup.men;
        let is_wrong = |[white, black]: [Bitboard; 2]| {
            let is_row = |men: Bitboard, rows: [u8; 5]| {
                rows.iter()
                    .any(|&row| Square::new(row).is_some_and(|square| men.contains(square)))
            };
            is_row(white, [1, 2, 3, 4, 5]) || is_row(black, [46, 47, 48, 49, 50])
        };
        if self.is_unnamed(2) && is_wrong([white, black]) && !is_wrong([black, white]) {
            self.setup.men.swap(0, 1);
            self.setup.kings.swap(0, 1);
        }
    }

    /// Whether the sides so far are so many, without letters.
    fn is_unnamed(&self, count: usize) -> bool {
        (self.sides.len(), self.unnamed) == (count, count)
    }

    /// Steps over `[FEN "`, or parts of it.
    fn open(&mut self) {
        let is_opening = |c: char| c.is_whitespace() || matches!(c, '[' | '"' | '\'');
        self.take_while(is_opening);
        let word: String = self.word_at(self.at);
        if word.eq_ignore_ascii_case("FEN") {
            self.at += word.chars().count();
            self.take_while(|c| is_opening(c) || matches!(c, ':' | '='));
        }
    }

    /// The end of the tag.
    fn close(&mut self) -> Result<(), FenError> {
        self.take_while(|c| c.is_whitespace() || matches!(c, '"' | '\'' | ']' | '.'));
        match self.peek() {
            None => Ok(()),
            Some(';') if self.has_fields => Ok(()),
            Some(_) => self.unexpected(FenErrorKind::Trailing),
        }
    }

    /// Steps over what parts squares and sides.
    fn gap(&mut self) -> Gap {
        let mut gap = Gap::default();
        while let Some(sign) = self.peek() {
            match sign {
                ':' | '/' | '|' => gap.colon = true,
                ';' if self.has_fields && !self.goes_on() => break,
                '.' => gap.stop = true,
                ',' | ';' | '=' | '(' | ')' | '{' | '}' => {}
                c if c.is_whitespace() => {}
                _ => break,
            }
            gap.any = true;
            self.at += 1;
        }
        gap
    }

    /// Whether the FEN goes on behind the semicolon here: a side follows, or squares and then another side.
    fn goes_on(&mut self) -> bool {
        let is_between = |c: &char| c.is_whitespace() || matches!(c, ';' | ',' | '.');
        let after = || self.signs[self.at..].iter().map(|&(_, sign)| sign);
        let blanks = after().take_while(is_between).count();
        if self.sides.len() < 2 && self.side_at(self.at + blanks).is_some() {
            return true;
        }
        let is_square = |c: &char| c.is_ascii_digit() || "KkDGgPp-".contains(*c);
        let squares = after()
            .take_while(|c| is_between(c) || is_square(c))
            .count();
        let next = self.signs.get(self.at + squares).map(|&(_, sign)| sign);
        let is_list =
            squares > blanks && (next == Some(':') || self.side_at(self.at + squares).is_some());
        let starts = after().nth(blanks).as_ref().is_some_and(is_square);
        let goes_on = is_list || self.has_semicolons && starts;
        self.has_semicolons |= goes_on;
        goes_on
    }
}
