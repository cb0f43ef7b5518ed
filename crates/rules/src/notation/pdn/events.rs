//! PDN as a flow of events: what a text holds, in its order, without a judgement on what is legal.

use super::{Annotated, Outcome};
use crate::notation::signs::{Signs, plain, plain_char};
use std::ops::Range;

/// Something that stands in a text of PDN. All text is as it was written, in whatever signs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// `[Name "value"]`.
    Tag {
        /// The name.
        name: &'a str,
        /// The value, without its quotes.
        value: String,
        /// Whether it stands in two double quotes of ASCII before a bracket.
        is_sound: bool,
    },
    /// `/FEN "..."/`: what stands between the strokes.
    Setup(&'a str),
    /// A move number, its dots alone, or a stroke for a move that is not known.
    MoveNumber(&'a str),
    /// What looks like a move, or a number by itself.
    Move(&'a str),
    /// A mark, `!?`, or a number of one, `$5`.
    Mark(&'a str),
    /// A comment, without its braces or its semicolon; empty for a line that begins with `%`.
    Comment(&'a str),
    /// A comment without an end.
    Unclosed,
    /// The beginning of a variation.
    Open,
    /// Its end.
    Close,
    /// A result.
    Result(Outcome),
    /// Any other text up to a blank, or a word in brackets.
    Word(&'a str),
}

/// The events of a text, each with its place in bytes.
///
/// ```
/// use damier_rules::notation::pdn::{Event, Events};
///
/// let text = "[White \"A\"] 1. 32-28!? {why} 19\u{2013}23 2:0";
/// let events: Vec<Event> = Events::new(text).map(|(_, event)| event).collect();
/// assert!(matches!(&events[0], Event::Tag { name: "White", value, is_sound: true } if value == "A"));
/// assert_eq!(events[1..5], [Event::MoveNumber("1."), Event::Move("32-28"), Event::Mark("!?"), Event::Comment("why")]);
/// assert!(matches!(events[6], Event::Result(outcome) if outcome.text() == "2-0"));
/// let (place, _) = Events::new(text).nth(5).expect("a move");
/// assert_eq!(&text[place], "19\u{2013}23");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    text: &'a str,
    pub(super) at: usize,
    /// Whether the last event was a tag.
    after_tag: bool,
    /// Whether it was a move or a mark, and no blank stands behind it.
    after_move: bool,
}

/// Most bytes of a word in brackets, and of the value of a tag without proper quotes.
const WINDOW: usize = 1_000;
/// Most bytes of a tag's name.
const LONGEST_NAME: usize = 64;
/// Tags that are known in small letters too.
const NAMES: [&str; 10] = [
    "event", "site", "date", "round", "white", "black", "result", "fen", "gametype", "setup",
];
/// Words in brackets around games in forums.
const WRAPPERS: [&str; 13] = [
    "pdn", "pgn", "code", "quote", "game", "fen", "pre", "spoiler", "draughts", "dam", "b", "i",
    "u",
];

/// Whether a word is the `[pdn]` or `[/pdn]` of a forum.
pub(super) fn is_wrapper(word: &str) -> bool {
    let name = word
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'));
    let name = name.map(|name| name.trim().trim_start_matches('/').to_lowercase());
    // `[quote=Jan]` says who is quoted.
    let name = name
        .as_deref()
        .map(|name| name.split(['=', ' ']).next().unwrap_or_default());
    name.is_some_and(|name| WRAPPERS.contains(&name))
}

/// Whether a word is a move on a board whose squares have letters, `c3-d4`.
pub(super) fn has_letters(word: &str) -> bool {
    let is_square = |text: &[u8]| matches!(text, [b'a'..=b'h', b'1'..=b'8', ..]);
    let bytes = word.as_bytes();
    let to = bytes.get(3..).unwrap_or_default();
    is_square(bytes) && matches!(bytes.get(2), Some(b'-' | b'x' | b':')) && is_square(to)
}

/// Nothing to see: a blank, a comma, a character without a width.
fn is_blank(c: char) -> bool {
    plain_char(c).is_none_or(|c| c == ',' || c.is_whitespace())
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn digits(signs: &mut Signs<'_>) -> usize {
    let from = *signs;
    *signs = signs.past(|c| c.is_ascii_digit());
    let end = signs.at();
    from.take_while(|&(at, c)| at < end && c.is_ascii_digit())
        .count()
}

/// The first bytes of a text, about so many.
pub(super) fn start_of(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or(0)]
}

impl<'a> Events<'a> {
    /// The events of a text.
    pub fn new(text: &'a str) -> Events<'a> {
        Events::at(text, 0)
    }

    /// Those from a place on.
    pub(super) fn at(text: &'a str, at: usize) -> Events<'a> {
        Events {
            text,
            at,
            after_tag: false,
            after_move: false,
        }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Those that lie before a place.
    pub(super) fn up_to(&self, end: usize) -> Events<'a> {
        Events {
            text: &self.text[..end],
            ..*self
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Steps over blanks and commas.
    pub(super) fn skip_blanks(&mut self) {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(is_blank).len();
        self.at += length;
        self.after_move &= length == 0;
    }

    /// Whether nothing but blanks stands before a place in its line.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        let blank = |c: char| !is_line_end(c) && is_blank(c);
        let before = self.text[..at].trim_end_matches(blank);
        before.is_empty() || before.ends_with(is_line_end)
    }

    /// The name of a tag that begins at a place, and where its value does.
    fn tag_name(&self, at: usize) -> Option<(&'a str, usize)> {
        let inside = self.text[at..].strip_prefix('[')?;
        let space = |c: char| !is_line_end(c) && is_blank(c);
        let inside = inside.trim_start_matches(space);
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = inside
            .bytes()
            .take(LONGEST_NAME)
            .take_while(is_part)
            .count();
        let (name, rest) = inside.split_at(length);
        // `[White: "A"]` and `[White="A"]` too.
        let value = rest.trim_start_matches(space);
        let value = match value.strip_prefix([':', '=']) {
            Some(_) if WRAPPERS.contains(&name.to_lowercase().as_str()) => return None,
            behind => behind.unwrap_or(value),
        };
        let value = value.trim_start_matches(space);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        is_name.then_some((name, self.text.len() - value.len()))
    }

    /// Whether a tag with a double quote begins at a place: a game begins there, even if something was left open.
    fn is_tag(&self, at: usize) -> bool {
        let value = self
            .tag_name(at)
            .map(|(_, at)| self.text[at..].chars().next());
        value.flatten().and_then(plain_char) == Some('"')
    }

    /// Goes to a character of ASCII at or after this place, no further than `until` and not beyond a line that begins
    /// with a tag. False: it is not found there.
    pub(super) fn seek(&mut self, wanted: u8, until: usize) -> bool {
        let mut line_begins = self.begins_line(self.at);
        let bytes = self.text.as_bytes();
        let (begin, end) = (self.at, until.clamp(self.at, bytes.len()));
        for (at, &byte) in bytes.iter().enumerate().take(end).skip(begin) {
            self.at = at;
            if byte == b'[' && line_begins && self.is_tag(at) {
                return false;
            }
            if byte == wanted {
                return true;
            }
            line_begins =
                matches!(byte, b'\n' | b'\r') || line_begins && matches!(byte, b' ' | b'\t');
        }
        self.at = end;
        false
    }

    /// Steps over so many bytes; returns them.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    /// Steps over what lies before a place that signs have reached.
    fn take_to(&mut self, signs: Signs<'_>) -> &'a str {
        self.take(signs.at() - self.at)
    }

    fn line(&mut self) -> &'a str {
        self.take(self.rest().find(is_line_end).unwrap_or(self.rest().len()))
    }

    fn event(&mut self, is_glued: bool) -> Option<Event<'a>> {
        let first = self.rest().chars().next()?;
        let found = match first {
            '{' => {
                self.at += 1;
                let from = self.at;
                match self.seek(b'}', self.text.len()) {
                    true => {
                        let text = &self.text[from..self.at];
                        self.at += 1;
                        Event::Comment(text)
                    }
                    false => Event::Unclosed,
                }
            }
            ';' => Event::Comment(&self.line()[1..]),
            '%' if self.begins_line(self.at) => Event::Comment(&self.line()[..0]),
            '(' => {
                self.at += 1;
                Event::Open
            }
            ')' => {
                self.at += 1;
                Event::Close
            }
            '[' => self.tag().unwrap_or_else(|| self.brackets()),
            '/' if self.rest()[1..]
                .trim_start()
                .get(..3)
                .is_some_and(|tag| tag.eq_ignore_ascii_case("FEN")) =>
            {
                self.setup()
            }
            '$' => {
                let is_number = |c: char| c.is_ascii_digit();
                let number = self.rest()[1..].trim_start_matches(is_number);
                Event::Mark(self.take(self.rest().len() - number.len()))
            }
            '*' if is_glued => Event::Mark(self.take(1)),
            '*' => {
                self.at += 1;
                Event::Result(Outcome::Unknown)
            }
            _ => return Some(self.signs(first)),
        };
        Some(found)
    }

    /// A result, a number, a move, a mark or a word.
    fn signs(&mut self, first: char) -> Event<'a> {
        let signs = Signs::new(self.text, self.at);
        if let Some((outcome, behind)) = Outcome::begin(signs, false) {
            self.take_to(behind);
            return Event::Result(outcome);
        }
        if let Some(behind) = Outcome::unknown(signs) {
            return Event::Word(self.take_to(behind));
        }
        if signs.peek().is_some_and(|c| c.is_ascii_digit()) {
            return self.number(signs);
        }
        if let Some(length) = self.mark(first) {
            return Event::Mark(self.take(length));
        }
        match signs.peek() {
            Some('/')
                if !self.rest()[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.word()
            }
            Some('.' | '-' | '/' | '|') => {
                let dots = signs.past(|c| matches!(c, '.' | '-' | '/' | '|'));
                Event::MoveNumber(self.take_to(dots))
            }
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Event<'a> {
        let rest = self.rest();
        let ends = |(at, c): &(usize, char)| *at > 0 && (is_blank(*c) || "{}()[];".contains(*c));
        let end = rest
            .char_indices()
            .find(ends)
            .map_or(rest.len(), |(at, _)| at);
        Event::Word(self.take(end))
    }

    /// The length of the longest mark here.
    fn mark(&self, first: char) -> Option<usize> {
        if first.is_alphanumeric() && first != 'N' {
            return None;
        }
        let ends = self
            .rest()
            .char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .take(3);
        let ends: Vec<usize> = ends.collect();
        let known = |end: &&usize| Annotated::mark(&plain(&self.rest()[..**end])).is_some();
        match ends.iter().rev().find(known) {
            Some(&end) if first == 'N' && self.rest()[end..].starts_with(char::is_alphanumeric) => {
                None
            }
            Some(&end) => Some(end),
            None if matches!(first, '+' | '#' | '=') => Some(1),
            None => None,
        }
    }

    /// A number or a move, where a digit stands.
    fn number(&mut self, signs: Signs<'a>) -> Event<'a> {
        let mut first = signs;
        let length = digits(&mut first);
        let dots = first.past(|c| c == '.');
        let next = dots.peek();
        if dots.at() > first.at() {
            // `32.-28` is a move, `1.-19-23` a number and a stroke.
            let is_sign = |c| matches!(c, '-' | 'x' | 'X' | ':');
            let leg = next.filter(|&c| is_sign(c)).and_then(|_| leg(dots));
            let is_move =
                leg.is_some_and(|(behind, ..)| next != Some('-') || behind.peek() != Some('-'));
            if !is_move {
                return Event::MoveNumber(self.take_to(dots));
            }
        }
        if let Some(behind) = with_captured(dots) {
            return Event::Move(self.take_to(behind));
        }
        let Some((mut end, first_sign, is_spaced)) = leg(dots) else {
            let after = first.past(|c| c.is_whitespace() || c == ',');
            let is_apart = after.at() > first.at();
            return match after.peek() {
                Some(c) if !is_apart && c.is_alphabetic() => self.word(),
                _ if length == 4 => Event::Move(self.take_to(first)),
                Some(c) if is_apart && c.is_ascii_digit() => Event::MoveNumber(self.take_to(first)),
                Some('(' | '{' | '|') => Event::MoveNumber(self.take_to(first)),
                Some(')') if self.begins_numbered(after) => Event::MoveNumber(self.take_to(first)),
                _ => Event::Move(self.take_to(first)),
            };
        };
        // `1: 32-28` and `1 - 32-28` begin with a number.
        let mut number = first.past(char::is_whitespace);
        let sign = number.next().map(|(_, sign)| sign);
        if matches!(sign, Some('-' | ':'))
            && number.past(char::is_whitespace).at() > number.at()
            && leg(end).is_some_and(|(_, sign, is_spaced)| {
                !is_spaced && (sign != ':' || first_sign != ':')
            })
        {
            return Event::MoveNumber(self.take_to(number));
        }
        // `32-28 - 19-23` is two moves with a stroke between them; so are `32-28 x 50-45` and `28x19 : 2. 50-45`, where
        // a sign by itself is a capture between them.
        let is_apart = |sign: char, behind: Signs<'_>| match sign {
            '-' => !is_spaced,
            _ => first_sign == '-' && !is_spaced || matches!(behind.peek(), Some('-' | '.')),
        };
        while let Some((behind, sign, spaced)) = leg(end)
            && sign != '*'
            && !(spaced && is_apart(sign, behind))
        {
            end = behind;
        }
        Event::Move(self.take_to(end))
    }

    /// Whether a parenthesis is part of a move number, `1) 32-28`.
    fn begins_numbered(&self, mut signs: Signs<'a>) -> bool {
        signs.next();
        let after = signs.past(char::is_whitespace);
        after.at() > signs.at() && after.peek().is_some_and(|c| c.is_ascii_digit())
    }

    /// Where no tag begins: a word in brackets, or a bracket.
    fn brackets(&mut self) -> Event<'a> {
        let window = start_of(&self.rest()[1..], WINDOW);
        let end = window.find(['\n', '\r', ']', '[', '(', ')', '{', '}']);
        let end = end.filter(|&end| window[end..].starts_with(']'));
        Event::Word(self.take(end.map_or(1, |end| end + 2)))
    }

    /// `/FEN "..."/`, where it begins.
    fn setup(&mut self) -> Event<'a> {
        let inside = &self.rest()[1..];
        match inside.find(['/', '\n']) {
            Some(end) if inside[end..].starts_with('/') => {
                self.at += end + 2;
                Event::Setup(&inside[..end])
            }
            _ => Event::Word(self.take(1)),
        }
    }

    /// A tag, whatever stands around its value.
    fn tag(&mut self) -> Option<Event<'a>> {
        let (name, at) = self.tag_name(self.at)?;
        let value = &self.text[at..];
        let quote = value.chars().next().filter(|&c| is_quote(c));
        if let Some((value, length)) = quote.and_then(|quote| quoted(value, quote)) {
            self.at = at + length;
            let is_sound = quote == Some('"');
            return Some(Event::Tag {
                name,
                value,
                is_sound,
            });
        }
        let window = start_of(value, WINDOW);
        let line = &window[..window.find(is_line_end).unwrap_or(window.len())];
        let ends_tag = |&(end, _): &(usize, &str)| {
            let behind = line[end + 1..].trim_start_matches(is_blank);
            behind.is_empty() || behind.starts_with('[')
        };
        let brackets = || line.match_indices(']');
        let end = brackets()
            .find(ends_tag)
            .or_else(|| brackets().next_back())
            .map(|(end, _)| end);
        let (inside, length) = match (end, quote) {
            (Some(end), _) => (&line[..end], end + 1),
            // Words in brackets are not always tags.
            (None, None) => return None,
            (None, Some(quote)) => {
                let behind = &value[quote.len_utf8()..];
                let same = |c: char| plain_char(c) == plain_char(quote) || is_line_end(c);
                let end = behind.find(same).unwrap_or(behind.len()) + quote.len_utf8();
                let closing = value[end..].chars().next().filter(|&c| !is_line_end(c));
                let length = end + closing.map_or(0, char::len_utf8);
                (&value[..length], length)
            }
        };
        let inside = inside.trim_matches(is_blank);
        if quote.is_none() {
            let is_known = NAMES.iter().any(|known| known.eq_ignore_ascii_case(name));
            let stands = self.after_tag || self.begins_line(self.at);
            let is_name = is_known || name.starts_with(|c: char| c.is_ascii_uppercase());
            // A value stands apart from its name.
            let is_apart = inside.is_empty()
                || self.text[..at].ends_with(|c| is_blank(c) || matches!(c, ':' | '='));
            if !stands
                || !is_name
                || !is_apart
                || inside.is_empty() && is_wrapper(&format!("[{name}]"))
            {
                return None;
            }
        }
        let is_sound =
            inside.len() > 1 && inside.starts_with('"') && inside.ends_with('"') && end.is_some();
        self.at = at + length;
        let value = unquoted(inside).to_owned();
        Some(Event::Tag {
            name,
            value,
            is_sound,
        })
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = (Range<usize>, Event<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        let begin = self.at;
        let event = self.event(self.after_move)?;
        self.after_tag = matches!(event, Event::Tag { .. });
        self.after_move = matches!(event, Event::Move(_) | Event::Mark(_));
        Some((begin..self.at, event))
    }
}

/// A sign and the square behind it: what follows, the sign, and whether a blank stands before it.
fn leg(signs: Signs<'_>) -> Option<(Signs<'_>, char, bool)> {
    let dots = signs.past(|c| c == '.');
    let mut behind = dots.past(char::is_whitespace);
    let is_spaced = behind.at() > dots.at();
    let (_, sign) = behind.next()?;
    let is_sign = matches!(sign, '-' | 'x' | 'X' | ':') || sign == '*' && !is_spaced;
    let mut square = if sign == '*' {
        behind
    } else {
        behind.past(char::is_whitespace)
    };
    (is_sign && digits(&mut square) > 0).then_some((square, sign, is_spaced))
}

/// Behind a capture with what is captured in parentheses, `26x(21,12)8`, `26x(21)17x(12)8`.
fn with_captured(first: Signs<'_>) -> Option<Signs<'_>> {
    let mut behind = first;
    let mut any = false;
    loop {
        let mut sign = behind;
        if !matches!(sign.next(), Some((_, 'x' | 'X' | ':'))) {
            return any.then_some(behind);
        }
        let mut inside = sign;
        if matches!(inside.next(), Some((_, '('))) {
            let mut close = inside.past(|c| c.is_ascii_digit() || ", -x:".contains(c));
            if close.at() == inside.at() || !matches!(close.next(), Some((_, ')'))) {
                return None;
            }
            (sign, any) = (close.past(|c| matches!(c, 'x' | 'X' | ':')), true);
        }
        if digits(&mut sign) == 0 {
            return None;
        }
        behind = sign;
    }
}

/// The value of a tag that begins with a quote, and its length up to behind the bracket. Quotes inside are escaped.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let closes = |c: char| {
        if quote == '"' {
            c == quote
        } else {
            plain_char(c) == plain_char(quote)
        }
    };
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                let escaped = chars.next_if(|&(_, c)| c == '"' || c == '\\');
                value.push(escaped.map_or('\\', |(_, c)| c));
            }
            '\n' | '\r' => return None,
            c if closes(c) => {
                let behind = text[at + c.len_utf8()..].trim_start_matches([' ', '\t']);
                let behind = behind.strip_prefix(']')?;
                return Some((value, text.len() - behind.len()));
            }
            c => value.push(c),
        }
    }
    None
}

fn is_quote(c: char) -> bool {
    matches!(plain_char(c), Some('"' | '\'' | '`'))
}

/// A value without the quotes around it, which may be doubled, and of which one may be missing.
fn unquoted(value: &str) -> &str {
    let Some(inside) = value.strip_prefix(is_quote) else {
        // A closing quote by itself may be part of a name.
        let double = |c: char| plain_char(c) == Some('"');
        return value.strip_suffix(double).unwrap_or(value);
    };
    let inside = inside.strip_suffix(is_quote).unwrap_or(inside);
    let double = inside
        .strip_prefix('\'')
        .and_then(|inside| inside.strip_suffix('\''));
    double.unwrap_or(inside)
}
