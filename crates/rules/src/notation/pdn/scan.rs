//! A place in the bytes of a file, and what can be recognised there.

use super::Outcome;
use crate::notation::moves::SIGNS;

/// Reads bytes: a PDN file may be in any encoding that extends ASCII.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

/// A multiplication sign in Latin-1.
const TIMES: &[u8] = b"\xd7";

/// White space besides ASCII's: a byte order mark, a no-break space (UTF-8, Latin-1), the end-of-file character of old
/// systems.
const BLANKS: [&[u8]; 4] = [b"\xef\xbb\xbf", "\u{a0}".as_bytes(), b"\xa0", b"\x1a"];

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Scanner<'a> {
        Scanner { bytes, at: 0 }
    }

    /// The same from another place on.
    pub(super) fn at(bytes: &'a [u8], at: usize) -> Scanner<'a> {
        Scanner { bytes, at }
    }

    /// The squares of everything between two places that looks like a move, `11-15` or `22x18`.
    pub(super) fn moves_between(&self, begin: usize, end: usize) -> Vec<u32> {
        let text = decode(&self.bytes[begin.min(end)..end.min(self.bytes.len())]);
        let is_move = |word: &&str| {
            let digits = |part: &str| (1..=2).contains(&part.len()) && part.parse::<u32>().is_ok();
            word.contains(['-', 'x']) && word.split(['-', 'x']).all(digits)
        };
        let words = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('['));
        let words = words.flat_map(str::split_whitespace);
        let words = words.map(|word| word.rsplit('.').next().unwrap_or_default());
        let squares = words
            .filter(|word| Outcome::parse(word).is_none())
            .filter(|word| is_move(word))
            .flat_map(|word| {
                word.split(['-', 'x'])
                    .map(|part| part.parse().unwrap_or(0))
                    .collect::<Vec<u32>>()
            });
        squares.collect()
    }

    /// What lies before `end`, read from this place on.
    pub(super) fn up_to(&self, end: usize) -> Scanner<'a> {
        Scanner {
            bytes: &self.bytes[..end.clamp(self.at, self.bytes.len())],
            at: self.at,
        }
    }

    /// Behind the last byte.
    pub(super) fn end(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The bytes from a place before this one up to here.
    pub(super) fn since(&self, from: usize) -> &'a [u8] {
        &self.bytes[from..self.at]
    }

    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        let eaten = self.rest().starts_with(text);
        self.at += if eaten { text.len() } else { 0 };
        eaten
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|&b| !wanted(b)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    pub(super) fn digits(&mut self) -> &'a [u8] {
        self.take_while(|b| b.is_ascii_digit())
    }

    pub(super) fn skip_space(&mut self) {
        loop {
            let blank = self.take_while(|b| b.is_ascii_whitespace() || b == 0x0b);
            if blank.is_empty() && !BLANKS.iter().any(|blank| self.eat(blank)) {
                return;
            }
        }
    }

    /// The rest of the line, without its end.
    pub(super) fn take_line(&mut self) -> &'a [u8] {
        self.take_while(|b| b != b'\n' && b != b'\r')
    }

    /// A sign between two squares, in UTF-8 or Latin-1.
    pub(super) fn eat_sign(&mut self) -> bool {
        let mut utf8 = [0; 4];
        let mut signs = SIGNS.iter();
        signs.any(|sign| self.eat(sign.encode_utf8(&mut utf8).as_bytes())) || self.eat(TIMES)
    }

    /// Consumes a result, if there is one.
    pub(super) fn eat_result(&mut self) -> Option<Outcome> {
        let found = |&(text, outcome)| Some((self.end_of(text)?, outcome));
        let (end, outcome) = Outcome::TEXTS.iter().find_map(found)?;
        self.at = end;
        Some(outcome)
    }

    /// Where a result ends that stands here, perhaps with blanks around its hyphen.
    fn end_of(&self, result: &str) -> Option<usize> {
        // Asked at every move: most begin otherwise.
        if self.peek() != result.bytes().next() {
            return None;
        }
        let mut ahead = *self;
        for (number, part) in result.split('-').enumerate() {
            if number > 0 {
                ahead.take_while(|b| matches!(b, b' ' | b'\t'));
                if !ahead.eat(b"-") {
                    return None;
                }
                ahead.take_while(|b| matches!(b, b' ' | b'\t'));
            }
            if !ahead.eat(part.as_bytes()) {
                return None;
            }
        }
        (result == "*" || !ahead.goes_on()).then_some(ahead.at)
    }

    /// Whether this text is here and no more digits or signs follow: `1-1` does not stand in `1-12`.
    pub(super) fn stands(&self, text: &str) -> bool {
        let mut ahead = *self;
        ahead.eat(text.as_bytes()) && (text == "*" || !ahead.goes_on())
    }

    /// Whether a number or a result goes on here.
    fn goes_on(&self) -> bool {
        let more = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/' | b':');
        self.peek().is_some_and(more)
    }

    /// Whether a tag begins here: `[Name "`.
    pub(super) fn is_tag(&self) -> bool {
        let mut ahead = *self;
        ahead.eat(b"[") && {
            ahead.take_while(|b| b == b' ' || b == b'\t');
            let name = ahead.take_while(|b| b.is_ascii_alphanumeric() || b == b'_');
            ahead.take_while(|b| b == b' ' || b == b'\t');
            name.first().is_some_and(u8::is_ascii_alphabetic) && ahead.peek() == Some(b'"')
        }
    }

    /// Whether nothing but blanks stands before this place in its line.
    pub(super) fn begins_line(&self) -> bool {
        let before = &self.bytes[..self.at];
        let blank = |b: &&u8| matches!(**b, b' ' | b'\t' | 0xef | 0xbb | 0xbf);
        let last = before.iter().rev().find(|b| !blank(b));
        last.is_none_or(|&b| b == b'\n' || b == b'\r')
    }

    /// Steps over `[Name ` up to the quote; returns the name. Only where [`Scanner::is_tag`].
    pub(super) fn take_tag_name(&mut self) -> String {
        self.eat(b"[");
        self.skip_space();
        let name = self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        let name = decode(name);
        self.skip_space();
        name
    }

    /// Steps over `"value"]`; returns the value. Quotes inside are escaped as `\"`; where a writer forgot that, the
    /// value goes up to the last quote before the last bracket of the line.
    pub(super) fn take_tag_value(&mut self) -> Option<String> {
        let mut ahead = *self;
        ahead.eat(b"\"");
        let mut value = Vec::new();
        loop {
            value.extend(ahead.take_while(|b| !matches!(b, b'"' | b'\\' | b'\n' | b'\r')));
            if ahead.eat(b"\\\"") {
                value.push(b'"');
            } else if ahead.eat(b"\\\\") || ahead.eat(b"\\") {
                value.push(b'\\');
            } else {
                break;
            }
        }
        if ahead.eat(b"\"") {
            ahead.take_while(|b| b == b' ' || b == b'\t');
            if ahead.eat(b"]") {
                *self = ahead;
                return Some(decode(&value));
            }
        }
        let line = Scanner { ..*self }.take_line();
        let bracket = line.iter().rposition(|&b| b == b']')?;
        let quote = line[..bracket].iter().rposition(|&b| b == b'"')?;
        let value = line.get(1..quote)?;
        self.at += bracket + 1;
        Some(decode(value))
    }

    /// Consumes something that looks like a move; returns it with plain signs. There may be spaces beside a sign, and
    /// none in `3228`.
    pub(super) fn take_move(&mut self) -> String {
        let mut text = decode(self.digits());
        if text.len() == 4 {
            text.insert(2, '-');
        }
        loop {
            let mut ahead = *self;
            ahead.skip_space();
            let capture = !matches!(ahead.peek(), Some(b'-'));
            if !ahead.eat_sign() {
                return text;
            }
            ahead.skip_space();
            let digits = ahead.digits();
            if digits.is_empty() {
                return text;
            }
            text.push(if capture { 'x' } else { '-' });
            text.push_str(&decode(digits));
            *self = ahead;
        }
    }

    /// Steps over a comment; returns its text, nothing for a line that begins with `%`. None where it does not end.
    pub(super) fn take_comment(&mut self) -> Option<String> {
        let begin = self.at;
        self.at += 1;
        match self.since(begin) {
            b"{" => {
                let closed = self.seek(b"}");
                let text = decode(&self.since(begin)[1..]);
                self.at += usize::from(closed);
                closed.then_some(text)
            }
            b";" => Some(decode(self.take_line())),
            _ => {
                self.take_line();
                Some(String::new())
            }
        }
    }

    /// Steps over a variation with those inside it. False: it does not end.
    pub(super) fn skip_variation(&mut self) -> bool {
        let mut depth = 0usize;
        while self.seek(b"(){;") {
            match self.peek() {
                Some(b'(') => depth += 1,
                Some(b')') => depth = depth.saturating_sub(1),
                _ if self.take_comment().is_some() => continue,
                _ => return false,
            }
            self.at += 1;
            if depth == 0 {
                return true;
            }
        }
        false
    }

    /// Goes to the first of these bytes at or after this place, but not beyond a line that begins with a tag: there a
    /// new game begins, even if something was left open. False: there is none, and the scanner is at that line or at
    /// the end.
    pub(super) fn seek(&mut self, wanted: &[u8]) -> bool {
        self.seek_before(wanted, self.bytes.len())
    }

    /// The same, no further than `until`.
    pub(super) fn seek_before(&mut self, wanted: &[u8], until: usize) -> bool {
        let mut line_begins = self.begins_line();
        while self.at < until
            && let Some(byte) = self.peek()
        {
            if byte == b'[' && line_begins && self.is_tag() {
                return false;
            }
            if wanted.contains(&byte) {
                return true;
            }
            line_begins =
                matches!(byte, b'\n' | b'\r') || line_begins && matches!(byte, b' ' | b'\t');
            self.at += 1;
        }
        false
    }
}

/// Counts lines and characters up to places that come in ascending order.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    bytes: &'a [u8],
    line: usize,
    /// Where the line begins.
    begin: usize,
    /// Up to where lines are counted.
    counted: usize,
}

impl<'a> Places<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Places<'a> {
        let begin = if bytes.starts_with(BLANKS[0]) { 3 } else { 0 };
        Places {
            bytes,
            line: 1,
            begin,
            counted: begin,
        }
    }

    /// Line and column, from 1. Bytes that continue a character of UTF-8 do not count; in Latin-1 they are rare.
    pub(super) fn find(&mut self, at: usize) -> (usize, usize) {
        let at = at.min(self.bytes.len());
        while self.counted < at {
            let byte = self.bytes[self.counted];
            let next = self.bytes.get(self.counted + 1);
            self.counted += 1;
            if byte == b'\n' || byte == b'\r' && next != Some(&b'\n') {
                self.line += 1;
                self.begin = self.counted;
            }
        }
        let before = self.bytes.get(self.begin..at).unwrap_or_default();
        let column = before.iter().filter(|&&b| b & 0xc0 != 0x80).count() + 1;
        (self.line, column)
    }
}

/// The bytes from 0x80 to 0x9f in Windows-1252, which is Latin-1 with signs for its second set of controls. Five stand
/// for no sign.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Text of a file: UTF-8, or else Windows-1252, in which every byte is a character.
pub(super) fn decode(bytes: &[u8]) -> String {
    let of_windows = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(of_windows).collect(),
    }
}
