//! The reader of a line of moves: a game's, or a variation.

use super::error::{Flaw, Remarks};
use super::scan::{Scanner, decode};
use super::{Annotated, MAX_DEPTH, MOST_PLIES, Outcome, PdnErrorKind as Kind, Variation};
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
    /// What is no move in variations.
    pub remarks: Remarks,
    /// Variations around this one, itself included; 0 in a game.
    depth: usize,
    /// Plies of the game before this line.
    plies: usize,
    /// Where the game becomes too long.
    limit: usize,
    /// Where the result behind the moves stands.
    pub ended_at: usize,
}

impl<'a> Line<'a> {
    /// A line of a game that ends before `limit`.
    pub fn new(scan: Scanner<'a>, start: Position, limit: usize) -> Line<'a> {
        Line {
            scan,
            start,
            before: start,
            position: start,
            comment: None,
            moves: Vec::new(),
            remarks: Remarks::default(),
            depth: 0,
            plies: 0,
            limit,
            ended_at: scan.at,
        }
    }

    /// Reads the moves of a game up to its end: a result, that of the `Result` tag, or the first tag of the next game.
    pub fn read(&mut self, result: Option<&str>) -> Result<Option<Outcome>, Flaw> {
        loop {
            self.scan.skip_space();
            let at = self.scan.at;
            if at > self.limit {
                return Err(Flaw::new(at, Kind::TooLong));
            }
            let Some(byte) = self.scan.peek() else {
                return Ok(None);
            };
            if byte == b'[' && self.depth == 0 && self.scan.is_tag() {
                return Ok(None);
            }
            if let Some(outcome) = self.terminator(result) {
                if self.depth == 0 {
                    self.ended_at = at;
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

    /// A variation with those inside it; or a mark such as `(!)`, or a remark in parentheses. What is no line of legal
    /// moves becomes a comment: the game itself is sound, whatever its variations are.
    fn variation(&mut self) -> Result<(), Flaw> {
        let begin = self.scan;
        if !self.scan.skip_variation() {
            return Err(Flaw::new(begin.at, Kind::UnclosedVariation));
        }
        if self.scan.at > self.limit {
            return Err(Flaw::new(begin.at, Kind::TooLong));
        }
        let whole = begin.up_to(self.scan.at);
        let mut inside = begin.up_to(self.scan.at - 1);
        inside.at += 1;
        if let Some(nag) = short_mark(inside.rest()) {
            self.mark(Some(nag));
            return Ok(());
        }
        if self.moves.is_empty() {
            self.remarks.add(begin.at, Kind::NoMoveBefore);
            self.annotate(&as_comment(whole));
            return Ok(());
        }
        if self.depth >= MAX_DEPTH {
            self.remarks.add(begin.at, Kind::TooDeep);
            self.annotate(&as_comment(whole));
            return Ok(());
        }
        let mut line = Line {
            depth: self.depth + 1,
            plies: self.plies + self.moves.len() - 1,
            remarks: std::mem::take(&mut self.remarks),
            ..Line::new(inside, self.before, self.limit)
        };
        let read = line.read(None);
        self.remarks = line.remarks;
        if line.moves.is_empty() {
            match read {
                Ok(_) => self.annotate(&line.comment.unwrap_or_default()),
                Err(flaw) => {
                    // Words in parentheses are no variation.
                    if !matches!(flaw.kind, Kind::Unexpected(_)) {
                        self.remarks
                            .add(flaw.at, Kind::Variation(Box::new(flaw.kind)));
                    }
                    self.annotate(&as_comment(whole));
                }
            }
            return Ok(());
        }
        if let (Err(flaw), Some(last)) = (read, line.moves.last_mut()) {
            inside.at = flaw.at;
            append(&mut last.comment, &as_comment(inside));
            self.remarks
                .add(flaw.at, Kind::Variation(Box::new(flaw.kind)));
        }
        line.moves.shrink_to_fit();
        if let Some(last) = self.moves.last_mut() {
            // Most moves have one variation: no room for more.
            if last.variations.is_empty() {
                last.variations.reserve_exact(1);
            }
            last.variations.push(Variation {
                comment: line.comment,
                moves: line.moves,
            });
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
            _ if self.depth == 0 && self.moves.len() == MOST_PLIES => {
                return Err(Flaw::new(at, Kind::TooManyPlies));
            }
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
            let (ply, text) = (self.plies + self.moves.len() + 1, excerpt(&text));
            Flaw::new(at, Kind::Move { ply, text, error })
        })
    }
}

fn is_sign(c: char) -> bool {
    matches!(c, '-' | 'x' | 'X' | ':')
}

/// A mark in parentheses, such as `!`, without them.
fn short_mark(inside: &[u8]) -> Option<u8> {
    /// Longer than a mark with some blanks.
    const LONGER: usize = 16;
    let text = (inside.len() < LONGER).then(|| decode(inside))?;
    Annotated::mark(text.trim())
}

/// Text with comments as the text of one comment: braces around the lines that a semicolon begins, so that they end
/// where they did.
fn as_comment(mut scan: Scanner<'_>) -> String {
    let mut text = String::new();
    loop {
        let before = scan;
        scan.take_while(|b| b != b'{' && b != b';');
        text.push_str(&decode(scan.since(before.at)));
        match scan.peek() {
            None => return text,
            Some(b';') => {
                scan.at += 1;
                let line = decode(scan.take_line());
                text.push_str(&format!("{{{}}}", line.trim()));
            }
            Some(_) => {
                let from = scan.at;
                scan.take_while(|b| b != b'}');
                text.push_str(&decode(scan.since(from)));
            }
        }
    }
}

/// Appends a comment, with its blanks reduced to single spaces.
pub(super) fn append(comment: &mut Option<String>, text: &str) {
    for word in text.split_whitespace() {
        let comment = comment.get_or_insert_with(|| String::with_capacity(text.len()));
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(word);
    }
}
