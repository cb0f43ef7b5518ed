//! The reader.

use super::scan::{Places, Scanner, decode};
use super::{Annotated, Game, Outcome, PdnError, PdnErrorKind as Kind};
use crate::notation::cursor::found;
use crate::notation::fen;
use crate::notation::moves::{self, MoveError};
use crate::notation::text::excerpt;
use crate::rules::{Move, Position};

/// Numbers and names of the games that are not this one, from the `GameType` tag of PDN 3.0.
const OTHER_TYPES: [(u32, &str); 14] = [
    (0, "chess"),
    (21, "English draughts"),
    (22, "Italian draughts"),
    (23, "pool checkers"),
    (24, "Spanish draughts"),
    (25, "Russian draughts"),
    (26, "Brazilian draughts"),
    (27, "Canadian draughts"),
    (28, "Portuguese draughts"),
    (29, "Czech draughts"),
    (30, "Turkish draughts"),
    (31, "Thai draughts"),
    (40, "Frisian draughts"),
    (41, "Spantsiretti"),
];

/// Values of the `Variant` tag that lidraughts and py-draughts write for other games, some of them of game type 20.
const OTHER_VARIANTS: [&str; 8] = [
    "frisian",
    "frysk!",
    "frysk",
    "antidraughts",
    "breakthrough",
    "russian",
    "brazilian",
    "american",
];

/// The games of a file, one after the other.
pub fn read(bytes: &[u8]) -> Games<'_> {
    Games {
        scan: Scanner::new(bytes),
        places: Places::new(bytes),
        number: 0,
    }
}

/// Reads game after game, see [`read`]. After an error it goes on with the next game.
pub struct Games<'a> {
    scan: Scanner<'a>,
    places: Places<'a>,
    number: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PdnError>;

    fn next(&mut self) -> Option<Result<Game, PdnError>> {
        loop {
            self.scan.skip_space();
            if self.scan.is_end() {
                return None;
            }
            let mut reader = Reader::new(self.scan);
            let read = reader.game();
            if read.is_err() {
                reader.scan.skip_damaged();
            }
            // Every game takes something: without this, a bug would be a loop without end.
            self.scan.at = reader.scan.at.max(self.scan.at + 1);
            if matches!(read, Ok(None)) {
                continue;
            }
            self.number += 1;
            return read.map_err(|flaw| self.locate(flaw)).transpose();
        }
    }
}

impl Games<'_> {
    fn locate(&mut self, flaw: Flaw) -> PdnError {
        let (line, column) = self.places.find(flaw.at);
        PdnError {
            game: self.number,
            line,
            column,
            kind: flaw.kind,
        }
    }
}

/// An error at a byte of the file.
struct Flaw {
    at: usize,
    kind: Kind,
}

/// Reads one game.
struct Reader<'a> {
    scan: Scanner<'a>,
    tags: Vec<(String, String)>,
    /// Where the value of the `FEN` tag stands.
    fen_at: usize,
    start: Position,
    position: Position,
    moves: Vec<Annotated>,
    outcome: Option<Outcome>,
}

impl<'a> Reader<'a> {
    fn new(scan: Scanner<'a>) -> Reader<'a> {
        Reader {
            scan,
            tags: Vec::new(),
            fen_at: scan.at,
            start: Position::start(),
            position: Position::start(),
            moves: Vec::new(),
            outcome: None,
        }
    }

    /// Reads a game; none where a terminator, or a comment, stands alone.
    fn game(&mut self) -> Result<Option<Game>, Flaw> {
        self.header()?;
        self.check_variant()?;
        if let Some(text) = self.tag("FEN").filter(|text| !text.trim().is_empty()) {
            let position =
                fen::parse(text).map_err(|error| self.flaw(self.fen_at, Kind::Fen(error)));
            self.set_start(position?);
        }
        self.movetext()?;
        if self.tags.is_empty() && self.moves.is_empty() {
            return Ok(None);
        }
        // The tag is what PDN 3.0 goes by; a terminator may just be the end.
        let tagged = self
            .tag("Result")
            .and_then(|text| Outcome::parse(text.trim()));
        let known = |outcome: &Outcome| *outcome != Outcome::Unknown;
        let result = tagged.filter(known).or(self.outcome).unwrap_or_default();
        Ok(Some(Game {
            tags: std::mem::take(&mut self.tags),
            start: self.start,
            moves: std::mem::take(&mut self.moves),
            result,
        }))
    }

    fn flaw(&self, at: usize, kind: Kind) -> Flaw {
        Flaw { at, kind }
    }

    fn set_start(&mut self, position: Position) {
        self.start = position;
        self.position = position;
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let same = |known: &&(String, String)| known.0.eq_ignore_ascii_case(name);
        self.tags.iter().find(same).map(|(_, value)| value.as_str())
    }

    /// The tags, with comments before them. All are read, whatever is wrong with one, so that the next game is found.
    fn header(&mut self) -> Result<(), Flaw> {
        let mut first = Ok(());
        loop {
            self.scan.skip_space();
            let at = self.scan.at;
            let read = match self.scan.peek() {
                Some(b'[') if self.repeats_tag() => return first,
                Some(b'[') => self.read_tag(),
                Some(b'{' | b';' | b'%') => self.comment().map(|_| ()),
                _ => return first,
            };
            if read.is_err() && self.scan.at == at {
                self.scan.take_line();
            }
            first = first.and(read);
        }
    }

    /// Whether a tag comes that this game has already: then a new game begins.
    fn repeats_tag(&self) -> bool {
        let mut ahead = self.scan;
        ahead.is_tag() && self.tag(&ahead.take_tag_name()).is_some()
    }

    fn read_tag(&mut self) -> Result<(), Flaw> {
        let begin = self.scan;
        let flaw = || {
            let mut line = begin;
            let kind = Kind::Tag(excerpt(&decode(line.take_line())));
            Flaw { at: begin.at, kind }
        };
        if !self.scan.is_tag() {
            return Err(flaw());
        }
        let mut ahead = self.scan;
        let name = ahead.take_tag_name();
        let value_at = ahead.at + 1;
        let Some(value) = ahead.take_tag_value() else {
            return Err(flaw());
        };
        if name.eq_ignore_ascii_case("FEN") {
            self.fen_at = value_at;
        }
        self.scan = ahead;
        self.tags.push((name, value));
        Ok(())
    }

    fn check_variant(&self) -> Result<(), Flaw> {
        let number = self.tag("GameType").map(|text| {
            let digits = text.trim_start().split(|c: char| !c.is_ascii_digit());
            digits.map(str::parse::<u32>).next().and_then(Result::ok)
        });
        let mut other = None;
        if let Some(Some(number)) = number
            && number != 20
        {
            let named = OTHER_TYPES.iter().find(|(known, _)| *known == number);
            other = Some(named.map_or(format!("type {number}"), |(_, name)| (*name).to_owned()));
        }
        let variant = self
            .tag("Variant")
            .unwrap_or_default()
            .trim()
            .to_lowercase();
        let first = variant.split([' ', '(']).next().unwrap_or_default();
        if OTHER_VARIANTS.contains(&first) {
            other = other.or(Some(first.to_owned()));
        }
        match other {
            Some(name) => Err(self.flaw(self.scan.at, Kind::Variant(name))),
            None => Ok(()),
        }
    }

    fn movetext(&mut self) -> Result<(), Flaw> {
        loop {
            self.scan.skip_space();
            let at = self.scan.at;
            let Some(byte) = self.scan.peek() else {
                return Ok(());
            };
            if byte == b'[' && self.scan.is_tag() {
                return Ok(());
            }
            if let Some(outcome) = self.terminator() {
                self.outcome = Some(outcome);
                return Ok(());
            }
            match byte {
                b'{' | b';' | b'%' => {
                    let text = self.comment()?;
                    self.annotate(&text);
                }
                b'(' => self.variation()?,
                b'/' => self.setup()?,
                b'0'..=b'9' => self.number_or_move()?,
                b'$' => {
                    self.scan.at += 1;
                    self.scan.digits();
                }
                // Marks that stand alone, dots of move numbers, and strokes for moves that are not known.
                b'!' | b'?' | b'.' | b'-' => self.scan.at += 1,
                _ if self.scan.eat("\u{2026}".as_bytes()) => {}
                b'a'..=b'h'
                    if self
                        .scan
                        .rest()
                        .get(1)
                        .is_some_and(|b| matches!(b, b'1'..=b'8')) =>
                {
                    let name = "a board with 64 squares (c3-d4)".to_owned();
                    return Err(self.flaw(at, Kind::Variant(name)));
                }
                _ => {
                    let c = decode(&self.scan.rest()[..self.scan.rest().len().min(4)]);
                    return Err(self.flaw(at, Kind::Unexpected(found(c.chars().next()))));
                }
            }
        }
    }

    /// The end of the game: a known result, or what the `Result` tag says.
    fn terminator(&mut self) -> Option<Outcome> {
        if let Some(outcome) = self.scan.eat_result() {
            return Some(outcome);
        }
        let value = self.tag("Result")?.to_owned();
        let stands = !value.is_empty() && self.scan.stands(&value);
        if !stands || Outcome::parse(&value).is_some() {
            return None;
        }
        self.scan.at += value.len();
        Some(Outcome::Unknown)
    }

    /// Steps over a comment; returns its text, nothing for a line that begins with `%`.
    fn comment(&mut self) -> Result<String, Flaw> {
        let at = self.scan.at;
        self.scan.at += 1;
        match self.scan.since(at) {
            b"{" => {
                let closed = self.scan.seek(b"}");
                let text = decode(&self.scan.since(at)[1..]);
                if !closed {
                    return Err(self.flaw(at, Kind::UnclosedComment));
                }
                self.scan.at += 1;
                Ok(text)
            }
            b";" => Ok(decode(self.scan.take_line())),
            _ => {
                self.scan.take_line();
                Ok(String::new())
            }
        }
    }

    /// Puts a comment to the last move; one before the first move has no place.
    fn annotate(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let (Some(last), false) = (self.moves.last_mut(), words.is_empty()) {
            let comment = last.comment.get_or_insert_default();
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(&words.join(" "));
        }
    }

    /// Steps over a variation with those inside it, or over a mark such as `(!)`.
    fn variation(&mut self) -> Result<(), Flaw> {
        let at = self.scan.at;
        let mut depth = 0usize;
        while self.scan.seek(b"(){;") {
            match self.scan.peek() {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                _ => {
                    self.comment()?;
                    continue;
                }
            }
            self.scan.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        Err(self.flaw(at, Kind::UnclosedVariation))
    }

    /// `/FEN "..."/`, allowed before the first move.
    fn setup(&mut self) -> Result<(), Flaw> {
        let at = self.scan.at;
        self.scan.at += 1;
        let closed = self.scan.seek(b"/\n");
        let text = decode(&self.scan.since(at)[1..]);
        if !closed || !self.scan.eat(b"/") {
            return Err(self.flaw(at, Kind::Unexpected(found(Some('/')))));
        }
        if !self.moves.is_empty() {
            return Err(self.flaw(at, Kind::Setup));
        }
        let text = text.trim();
        let fen = text.strip_prefix("FEN").unwrap_or(text);
        let position = fen::parse(fen).map_err(|error| self.flaw(at, Kind::Fen(error)))?;
        self.set_start(position);
        Ok(())
    }

    /// A move, or a move number, which nobody needs: `12.`, `12...`, or `12` before a move.
    fn number_or_move(&mut self) -> Result<(), Flaw> {
        let at = self.scan.at;
        let mut ahead = self.scan;
        let digits = ahead.digits();
        let mut after = ahead;
        after.skip_space();
        match after.peek() {
            Some(b'.') => self.scan = ahead,
            Some(b'0'..=b'9') if digits.len() != 4 && after.at > ahead.at => self.scan = ahead,
            _ => {
                let mv = self.read_move(at)?;
                self.position = self.position.play(mv);
                self.moves.push(mv.into());
                // Marks are only those without a space before them; then `*` is one too, for a forced move.
                self.scan
                    .take_while(|b| matches!(b, b'!' | b'?' | b'*' | b'+' | b'#'));
            }
        }
        Ok(())
    }

    fn read_move(&mut self, at: usize) -> Result<Move, Flaw> {
        let mut text = self.scan.take_move();
        let mut read = moves::parse(&self.position, &text);
        // Old files write a capture piece by piece: `11x18 18x25`.
        while let Err(MoveError::CaptureGoesOn { .. } | MoveError::MustTakeMost { .. }) = read {
            let mut ahead = self.scan;
            ahead.skip_space();
            let next = ahead.take_move();
            let Some((last, (first, more))) = text
                .rsplit_once(is_sign)
                .map(|(_, last)| last)
                .zip(next.split_once(is_sign))
            else {
                break;
            };
            if last.trim() != first.trim() {
                break;
            }
            text = format!("{text}x{more}");
            read = moves::parse(&self.position, &text);
            self.scan = ahead;
        }
        read.map_err(|error| {
            let (ply, text) = (self.moves.len() + 1, excerpt(&text));
            self.flaw(at, Kind::Move { ply, text, error })
        })
    }
}

fn is_sign(c: char) -> bool {
    matches!(c, '-' | 'x' | 'X' | ':')
}
