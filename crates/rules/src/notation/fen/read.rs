//! The reader of FEN.

use super::{FenError, FenErrorKind};
use crate::board::{Bitboard, Color, Square};
use crate::notation::cursor::found;
use crate::notation::picture;
use crate::notation::signs::Signs;
use crate::notation::text::quoted;
use crate::notation::variant;
use crate::rules::Setup;

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Man,
    King,
    /// A captured piece that lidraughts still shows.
    Ghost,
}

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
        while let Some(sign) = self.peek() {
            if !self.sides.is_empty() && self.turn_behind(&mut turn) {
                break;
            }
            match (sign, self.sides.last().copied()) {
                ('"' | '\'' | ']', _) => {
                    self.close()?;
                    break;
                }
                (';', _) => break,
                // Sides without letters: White's comes first.
                ('0'..='9' | 'K' | 'k' | 'D', last)
                    if gap.colon && turn.is_some() && (last.is_none() || self.is_unnamed(1)) =>
                {
                    self.unnamed += 1;
                    let color = if self.sides.is_empty() {
                        Color::White
                    } else {
                        Color::Black
                    };
                    self.sides.push((color, 0));
                    self.pieces(color)?;
                }
                // Counters behind both sides.
                ('0'..='9', Some((_, 1..))) if gap.colon && self.sides.len() > 1 => {
                    self.take_while(|c| c.is_ascii_digit());
                }
                ('0'..='9' | 'K' | 'k' | 'D', Some((color, _))) => self.pieces(color)?,
                ('G' | 'g' | 'P' | 'p', Some((color, _))) => self.pieces(color)?,
                ('H' | 'h' | 'F' | 'f' | '+', Some(_)) if gap.colon => {
                    self.take_while(|c| c.is_ascii_alphanumeric() || c == '+');
                }
                (first, _) if gap.any && name(&first.to_string()).is_some() => self.side()?,
                _ if gap.stop => return self.unexpected(FenErrorKind::Trailing),
                _ if gap.colon || self.sides.is_empty() => {
                    return self.unexpected(FenErrorKind::Side);
                }
                _ => return self.unexpected(FenErrorKind::Square),
            }
            gap = self.gap();
        }
        match turn {
            Some(turn) if self.doubled.is_none() => self.setup.turn = turn,
            Some(_) => {}
            None => return self.error(begin, FenErrorKind::NoTurn),
        }
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
        Ok(())
    }

    /// Whether the sides so far are so many, without letters.
    fn is_unnamed(&self, count: usize) -> bool {
        (self.sides.len(), self.unnamed) == (count, count)
    }

    /// Reads the side to move behind the pieces: `W` by itself, or `white to move`. Whether it stands here.
    fn turn_behind(&mut self, turn: &mut Option<Color>) -> bool {
        /// Longer than a name and a verb.
        const LONGER: usize = 64;
        let rest = &self.text[self.byte(self.at)..];
        if rest.len() > LONGER {
            return false;
        }
        let line = rest.trim_matches(|c: char| c.is_whitespace() || "\"'].:".contains(c));
        let is_letter = turn.is_none() && self.sides.len() > 1;
        let named = picture::turn(line).filter(|_| line.chars().count() > 1 || is_letter);
        let Some(color) = named.filter(|color| turn.is_none_or(|turn| turn == *color)) else {
            return false;
        };
        *turn = Some(color);
        self.at = self.signs.len();
        true
    }

    /// Reads the side to move before the pieces as words, `Zwart aan zet.`; whether it stands at this place.
    fn turn_before(&mut self, begin: usize, turn: &mut Option<Color>) -> bool {
        let rest = &self.text[self.byte(begin)..];
        let Some(end) = rest.find(['.', ':', '\n', ',', ';']) else {
            return false;
        };
        let words = rest[..end].trim();
        let named = picture::turn(words).filter(|_| words.contains(' '));
        if named.is_some() {
            *turn = named;
            let end = self.byte(begin) + end;
            self.at = self.signs.iter().take_while(|&&(at, _)| at < end).count();
        }
        named.is_some()
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

    /// Whether the sides are `B` and `N`, as in `N:B31:N1`.
    fn has_french_sides(&self) -> bool {
        let begins_side = |letter: char| {
            let mut signs = self
                .signs
                .windows(3)
                .map(|part| (part[0].1, part[1].1, part[2].1));
            signs.any(|(before, sign, behind)| {
                sign.eq_ignore_ascii_case(&letter)
                    && !before.is_alphabetic()
                    && "K0123456789".contains(behind)
            })
        };
        begins_side('B') && begins_side('N')
    }

    /// The side that a word or a letter of this text names, and its length.
    fn name(&self, word: &str) -> Option<(Color, usize)> {
        let named = name(word);
        match word {
            "B" | "b" if self.is_french => named.map(|(color, length)| (!color, length)),
            _ => named,
        }
    }

    fn turn(&mut self) -> Option<Color> {
        let named = self.name(&self.word_at(self.at));
        let (color, length) = named.or_else(|| {
            let first = self.peek()?.to_string();
            self.name(&first)
        })?;
        self.at += length;
        Some(color)
    }

    /// The side that begins at a place, and the length of its name.
    fn side_at(&self, at: usize) -> Option<(Color, usize)> {
        let word = self.word_at(at);
        self.name(&word).or_else(|| {
            // A prefix of a square follows.
            let (first, rest) = word.split_at_checked(1)?;
            self.name(first)
                .filter(|_| matches!(rest, "K" | "k" | "D" | "G" | "g" | "P" | "p"))
        })
    }

    /// The letters that begin at a place.
    fn word_at(&self, at: usize) -> String {
        let letters = self.signs[at.min(self.signs.len())..].iter();
        letters
            .map(|&(_, sign)| sign)
            .take_while(|c| c.is_alphabetic())
            .take(8)
            .collect()
    }

    fn side(&mut self) -> Result<(), FenError> {
        let first = self.peek().and_then(|first| self.name(&first.to_string()));
        let Some((color, length)) = self.name(&self.word_at(self.at)).or(first) else {
            return self.unexpected(FenErrorKind::Side);
        };
        let is_given = |sides: &[(Color, usize)]| sides.iter().any(|&(given, _)| given == color);
        // The side to move stands twice: `W:B:W50:B` of py-draughts.
        if is_given(&self.sides) && self.sides.len() < 3 && self.sides[0].1 == 0 {
            (self.setup.turn, _) = self.sides.remove(0);
            self.doubled = Some(self.setup.turn);
        }
        // So does the letter of a side: `W:W:W31:B:B1`.
        if self.sides.last() == Some(&(color, 0)) {
            self.sides.pop();
        }
        if is_given(&self.sides) && self.is_unnamed(1) {
            self.rename();
        }
        if is_given(&self.sides) {
            return self.error(self.at, FenErrorKind::SideTwice(color));
        }
        self.sides.push((color, 0));
        self.at += length;
        Ok(())
    }

    /// Gives the pieces of the side without a letter to the other one.
    fn rename(&mut self) {
        self.setup.men.swap(0, 1);
        self.setup.kings.swap(0, 1);
        self.sides[0].0 = !self.sides[0].0;
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

    /// A square or a range of squares, with what stands on it.
    fn pieces(&mut self, color: Color) -> Result<(), FenError> {
        let begin = self.at;
        let piece = self.prefix();
        let first = self.square()?;
        let mut last = first;
        if self.range() {
            if self.peek().is_some_and(|c| !c.is_ascii_digit()) && self.prefix() != piece {
                return self.unexpected(FenErrorKind::Square);
            }
            last = self.square()?;
        }
        let (low, high) = (first.min(last).number(), first.max(last).number());
        for square in (low..=high).filter_map(Square::new) {
            self.put(color, piece, square, begin)?;
        }
        Ok(())
    }

    /// Steps over a dash between two squares, or two full stops.
    fn range(&mut self) -> bool {
        let begin = self.at;
        self.take_while(char::is_whitespace);
        let at = self.byte(self.at);
        let is_ellipsis = self.text[at..].starts_with(['\u{2026}', '\u{22ef}', '\u{2025}']);
        let dashes = self.take_while(|c| c == '-');
        let stops = self.take_while(|c| c == '.');
        self.take_while(char::is_whitespace);
        let is_square = self
            .peek()
            .is_some_and(|c| c.is_ascii_digit() || "KkDGgPp".contains(c));
        let is_range = dashes > 0 || (stops > 1 || is_ellipsis) && is_square;
        if !is_range {
            self.at = begin;
        }
        is_range
    }

    fn prefix(&mut self) -> Piece {
        let piece = match self.peek() {
            Some('K' | 'k' | 'D') => Piece::King,
            Some('G' | 'g' | 'P' | 'p') => Piece::Ghost,
            _ => return Piece::Man,
        };
        self.at += 1;
        self.take_while(char::is_whitespace);
        piece
    }

    fn square(&mut self) -> Result<Square, FenError> {
        let begin = self.at;
        if self.take_while(|c| c.is_ascii_digit()) == 0 {
            return self.unexpected(FenErrorKind::Square);
        }
        let digits: String = self.signs[begin..self.at]
            .iter()
            .map(|&(_, sign)| sign)
            .collect();
        digits.parse().or_else(|_| {
            let written = &self.text[self.byte(begin)..self.byte(self.at)];
            self.error(begin, FenErrorKind::NoSuchSquare(quoted(written)))
        })
    }

    fn put(
        &mut self,
        color: Color,
        piece: Piece,
        square: Square,
        at: usize,
    ) -> Result<(), FenError> {
        let setup = &mut self.setup;
        let taken = setup
            .men
            .iter()
            .chain(&setup.kings)
            .any(|set| set.contains(square));
        let set = match piece {
            Piece::Man => &mut setup.men,
            Piece::King => &mut setup.kings,
            Piece::Ghost => return Ok(()),
        };
        if taken {
            return self.error(at, FenErrorKind::SquareTwice(square));
        }
        set[color.index()] |= Bitboard::of(square);
        self.places[usize::from(square.number())] = at;
        if let Some((_, pieces)) = self.sides.last_mut() {
            *pieces += 1;
        }
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.signs.get(self.at).map(|&(_, sign)| sign)
    }

    /// Steps over all wanted signs; returns how many.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> usize {
        let begin = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.at - begin
    }

    /// The byte where a sign was written.
    fn byte(&self, at: usize) -> usize {
        self.signs
            .get(at)
            .map_or(self.text.len(), |&(byte, _)| byte)
    }

    /// Number of the character where a sign was written, from 1.
    fn column(&self, at: usize) -> usize {
        self.text[..self.byte(at)].chars().count() + 1
    }

    fn error<T>(&self, at: usize, kind: FenErrorKind) -> Result<T, FenError> {
        let column = self.column(at);
        Err(FenError { column, kind })
    }

    /// The error that something else was expected than what stands here.
    fn unexpected<T>(&self, kind: fn(String) -> FenErrorKind) -> Result<T, FenError> {
        let written = self.text[self.byte(self.at)..].chars().next();
        self.error(self.at, kind(found(written)))
    }
}

/// The signs of a text, with `K` for a word before a square that says king, `dam 5`, `дамка 5`, and a plain quote for
/// the one of Markdown.
fn with_kings(signs: Vec<(usize, char)>) -> Vec<(usize, char)> {
    const KING: [&str; 6] = ["dam", "dame", "king", "дамка", "д", "дам"];
    let mut out = Vec::with_capacity(signs.len());
    for word in
        signs.chunk_by(|before, behind| before.1.is_alphabetic() && behind.1.is_alphabetic())
    {
        let letters = || word.iter().flat_map(|(_, sign)| sign.to_lowercase());
        let is_king = word.len() < 6 && KING.iter().any(|king| king.chars().eq(letters()));
        match word[0] {
            (at, _) if is_king => out.push((at, 'K')),
            (at, '`') => out.push((at, '\'')),
            _ => out.extend_from_slice(word),
        }
    }
    out
}

/// The side that a word names, and its length.
pub fn name(word: &str) -> Option<(Color, usize)> {
    let color = match word.to_lowercase().as_str() {
        "w" | "white" | "wit" | "blanc" | "blancs" | "weiss" | "weiß" | "\u{431}" | "белые"
        | "белых" => Color::White,
        "b" | "black" | "z" | "zwart" | "noir" | "noirs" | "n" | "schwarz" | "s" => Color::Black,
        "\u{447}" | "черные" | "чёрные" | "черных" | "чёрных" => {
            Color::Black
        }
        _ => return None,
    };
    Some((color, word.chars().count()))
}
