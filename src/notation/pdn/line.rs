//! The reader of a line of moves: a game's, or a variation.

use super::error::Flaw;
use super::scan::{Scanner, decode};
use super::{Annotated, MAX_DEPTH, Outcome, PdnErrorKind as Kind, Variation};
use crate::notation::cursor::found;
use crate::notation::fen;
use crate::notation::moves::{self, MoveError};
use crate::notation::text::excerpt;
use crate::rules::{Move, Position};

/// A line that is being read.
pub(super) struct Line<'a> {
    pub scan: Scanner<'a>,
    pub start: Position,
    /// The position before the last move.
    before: Position,
    position: Position,
    /// The comment before the first move.
    pub comment: Option<String>,
    pub moves: Vec<Annotated>,
    /// Variations around this one, itself included; 0 in a game.
    depth: usize,
}

impl<'a> Line<'a> {
    pub fn new(scan: Scanner<'a>, start: Position) -> Line<'a> {
        Line {
            scan,
            start,
            before: start,
            position: start,
            comment: None,
            moves: Vec::new(),
            depth: 0,
        }
    }

    /// Reads the moves of a game up to its end: a result, that of the `Result` tag, or the first tag of the next game.
    pub fn read(&mut self, result: Option<&str>) -> Result<Option<Outcome>, Flaw> {
        loop {
            self.scan.skip_space();
            let at = self.scan.at;
            let Some(byte) = self.scan.peek() else {
                return Ok(None);
            };
            if byte == b'[' && self.scan.is_tag() {
                return Ok(None);
            }
            if let Some(outcome) = self.terminator(result) {
                if self.depth == 0 {
                    return Ok(Some(outcome));
                }
                continue;
            }
            match byte {
                b'{' | b';' | b'%' => {
                    let text = self.scan.take_comment();
                    let text = text.ok_or_else(|| Flaw::new(at, Kind::UnclosedComment))?;
                    self.annotate(&text);
                }
                b'(' => self.variation()?,
                b'/' => self.setup()?,
                b'0'..=b'9' => self.number_or_move()?,
                b'$' => {
                    self.scan.at += 1;
                    let number = decode(self.scan.digits()).parse().ok();
                    self.mark(number);
                }
                b'!' | b'?' => self.marks(),
                // Dots of move numbers, and strokes for moves that are not known.
                b'.' | b'-' => self.scan.at += 1,
                _ if self.scan.eat("\u{2026}".as_bytes()) => {}
                b'a'..=b'h' if matches!(self.scan.rest().get(1), Some(b'1'..=b'8')) => {
                    let name = "a board with 64 squares (c3-d4)".to_owned();
                    return Err(Flaw::new(at, Kind::Variant(name)));
                }
                _ => {
                    let c = decode(&self.scan.rest()[..self.scan.rest().len().min(4)]);
                    return Err(Flaw::new(at, Kind::Unexpected(found(c.chars().next()))));
                }
            }
        }
    }

    /// The end of the game: a known result, or what the `Result` tag says.
    fn terminator(&mut self, result: Option<&str>) -> Option<Outcome> {
        if let Some(outcome) = self.scan.eat_result() {
            return Some(outcome);
        }
        let value = result?;
        let stands = !value.is_empty() && self.scan.stands(value);
        if !stands || Outcome::parse(value).is_some() {
            return None;
        }
        self.scan.at += value.len();
        Some(Outcome::Unknown)
    }

    /// Adds a comment to the last move, or to the line before its first move.
    fn annotate(&mut self, text: &str) {
        let comment = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.comment,
        };
        append(comment, text);
    }

    /// Adds a mark to the last move; 0 means none.
    fn mark(&mut self, nag: Option<u8>) {
        if let (Some(last), Some(nag @ 1..)) = (self.moves.last_mut(), nag)
            && !last.nags.contains(&nag)
        {
            last.nags.push(nag);
        }
    }

    /// Marks behind a move; unknown ones are dropped.
    fn marks(&mut self) {
        let is_mark = |b| matches!(b, b'!' | b'?' | b'*' | b'+' | b'#');
        let text = self.scan.take_while(is_mark);
        self.mark(Annotated::mark(&decode(text)));
    }

    /// A variation with those inside it, up to where it cannot be read; or a mark such as `(!)`.
    fn variation(&mut self) -> Result<(), Flaw> {
        let begin = self.scan;
        if !self.scan.skip_variation() {
            return Err(Flaw::new(begin.at, Kind::UnclosedVariation));
        }
        let mut inside = begin.up_to(self.scan.at - 1);
        inside.at += 1;
        let text = decode(inside.rest());
        if let Some(nag) = Annotated::mark(text.trim()) {
            self.mark(Some(nag));
            return Ok(());
        }
        if self.depth >= MAX_DEPTH || self.moves.is_empty() {
            return Ok(());
        }
        let mut line = Line {
            depth: self.depth + 1,
            ..Line::new(inside, self.before)
        };
        // The game itself is sound, whatever its variations are.
        let _ = line.read(None);
        match self.moves.last_mut() {
            Some(last) if !line.moves.is_empty() => last.variations.push(Variation {
                comment: line.comment,
                moves: line.moves,
            }),
            _ => self.annotate(&line.comment.unwrap_or_default()),
        }
        Ok(())
    }

    /// `/FEN "..."/`, allowed before the first move.
    fn setup(&mut self) -> Result<(), Flaw> {
        let at = self.scan.at;
        self.scan.at += 1;
        let closed = self.scan.seek(b"/\n");
        let text = decode(&self.scan.since(at)[1..]);
        if !closed || !self.scan.eat(b"/") {
            return Err(Flaw::new(at, Kind::Unexpected(found(Some('/')))));
        }
        if !self.moves.is_empty() || self.depth > 0 {
            return Err(Flaw::new(at, Kind::Setup));
        }
        let text = text.trim();
        let fen = text.strip_prefix("FEN").unwrap_or(text);
        let position = fen::parse(fen).map_err(|error| Flaw::new(at, Kind::Fen(error)))?;
        (self.start, self.before, self.position) = (position, position, position);
        Ok(())
    }

    /// A move, or a move number, which is skipped: `12.`, `12...`, or `12` before a move.
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
                self.before = self.position;
                self.position = self.position.play(mv);
                self.moves.push(mv.into());
                // Without a space before it `*` is a mark, for a forced move.
                self.marks();
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
            Flaw::new(at, Kind::Move { ply, text, error })
        })
    }
}

fn is_sign(c: char) -> bool {
    matches!(c, '-' | 'x' | 'X' | ':')
}

/// Appends a comment, with its blanks reduced to single spaces.
pub(super) fn append(comment: &mut Option<String>, text: &str) {
    for word in text.split_whitespace() {
        let comment = comment.get_or_insert_default();
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(word);
    }
}
