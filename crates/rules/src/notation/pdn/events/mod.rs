//! PDN as a flow of events: what a text holds, in its order, without a judgement on what is legal.

mod number;
mod tag;

use super::{Annotated, Outcome};
use crate::notation::signs::{Signs, entity, plain, plain_char};
use crate::notation::variant;
use std::ops::Range;
pub(super) use tag::is_wrapper;

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
    /// A comment without an end: all up to a line that begins with a tag.
    Unclosed(&'a str),
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
    /// Whether it shares its brackets with the next one.
    in_brackets: bool,
    /// Whether it was a move or a mark, and no blank stands behind it.
    after_move: bool,
    /// Whether two asterisks began bold text.
    is_bold: bool,
}

/// Nothing to see: a blank, a comma, a character without a width.
fn is_blank(c: char) -> bool {
    plain_char(c).is_none_or(|c| c == ',' || c.is_whitespace())
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Whether a line has moves on squares with letters: one as `c3-d4`, or several in short, `cd4`.
pub(super) fn has_letters(line: &str) -> bool {
    let mut short = 0;
    line.split_whitespace().any(|word| {
        let squares = variant::named_squares(word);
        short += usize::from(squares == 1);
        squares > 1 || short > 1
    })
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
            in_brackets: false,
            after_move: false,
            is_bold: false,
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
        let mut behind = rest.trim_start_matches(is_blank);
        while let Some((_, length)) = entity(behind).filter(|&(c, _)| is_blank(c)) {
            behind = behind[length..].trim_start_matches(is_blank);
        }
        let length = rest.len() - behind.len();
        self.at += length;
        self.after_move &= length == 0;
    }

    /// Steps over the signs of Markdown around bold text and code.
    fn skip_markdown(&mut self) {
        loop {
            self.skip_blanks();
            let rest = self.rest();
            if let Some(behind) = rest.strip_prefix("**") {
                let line = behind.split(is_line_end).next().unwrap_or_default();
                let begins =
                    behind.starts_with(|c: char| c.is_ascii_digit()) && line.contains("**");
                if !self.is_bold && !begins {
                    return;
                }
                (self.is_bold, self.after_move) = (!self.is_bold, self.after_move && self.is_bold);
                self.at += 2;
            } else if rest.starts_with('`') {
                self.at += rest.len() - rest.trim_start_matches('`').len();
            } else {
                return;
            }
        }
    }

    /// A move or a number by itself in quotes, or as Markdown and lists in other languages have it: `"32-28"`,
    /// `*32-28*`, `_1._`.
    fn wrapped(&mut self) -> Option<Event<'a>> {
        let rest = self.rest();
        let sign = rest.chars().next().filter(|c| "\"'*_".contains(*c))?;
        let inside = &rest[1..];
        let end = start_of(inside, 64).find(sign)?;
        let text = &inside[..end];
        let goes_on = inside[end + 1..].starts_with(|c: char| c.is_alphanumeric());
        let last = text.chars().next_back()?;
        if !text.starts_with(|c: char| c.is_ascii_digit())
            || !(last.is_ascii_digit() || "!?.".contains(last))
            || text.contains(char::is_whitespace)
            || goes_on
        {
            return None;
        }
        let mut events = Events::new(text);
        let event = events.next().map(|(_, event)| event);
        let event = event.filter(|event| matches!(event, Event::Move(_) | Event::MoveNumber(_)))?;
        if events.any(|(_, event)| !matches!(event, Event::Mark(_))) {
            return None;
        }
        self.at += end + 2;
        // A number in a table.
        Some(match event {
            Event::Move(number) if number.len() < 3 => Event::MoveNumber(number),
            event => event,
        })
    }

    /// Whether only blanks precede a place in its line.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        let blank = |c: char| !is_line_end(c) && is_blank(c);
        let before = self.text[..at].trim_end_matches(blank);
        before.is_empty() || before.ends_with(is_line_end)
    }

    /// Goes to a sign at or after this place, no further than `until` and not beyond a line that begins with a tag.
    /// False: it is not found there.
    pub(super) fn seek(&mut self, wanted: &str, until: usize) -> bool {
        let mut line_begins = self.begins_line(self.at);
        let bytes = self.text.as_bytes();
        let (begin, end) = (self.at, until.clamp(self.at, bytes.len()));
        for (at, &byte) in bytes.iter().enumerate().take(end).skip(begin) {
            self.at = at;
            if byte == b'[' && line_begins && self.is_tag(at) {
                return false;
            }
            if byte == wanted.as_bytes()[0] && bytes[at..].starts_with(wanted.as_bytes()) {
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
        if std::mem::take(&mut self.in_brackets)
            && let Some(tag) = self.tag(self.name_at(self.at))
        {
            return Some(tag);
        }
        if let Some(event) = self.wrapped() {
            return Some(event);
        }
        let width = first.len_utf8();
        let found = match plain_char(first).unwrap_or(first) {
            // A list of strings.
            '[' if first == '[' && self.rest()[1..].starts_with(['"', '\'']) && {
                let list = Events::at(self.text, self.at + 1);
                { list }.wrapped().is_some()
            } =>
            {
                self.at += 1;
                return self.wrapped();
            }
            '{' => self.comment(first),
            ';' => Event::Comment(&self.line()[width..]),
            '%' if self.begins_line(self.at) => Event::Comment(&self.line()[..0]),
            '(' => {
                self.at += width;
                Event::Open
            }
            ')' => {
                self.at += width;
                Event::Close
            }
            '[' => match self.tag(self.tag_name(self.at)) {
                Some(tag) => tag,
                None => self.brackets(width, '[', ']'),
            },
            '<' => self.brackets(width, '<', '>'),
            '/' if self.rest()[width..]
                .trim_start()
                .get(..3)
                .is_some_and(|tag| tag.eq_ignore_ascii_case("FEN")) =>
            {
                self.setup(width)
            }
            '$' => self.number_of_mark(width),
            '*' if is_glued => Event::Mark(self.take(width)),
            '*' => {
                self.at += width;
                Event::Result(Outcome::Unknown)
            }
            // `w32-28`: the side before its move.
            'w' | 'W' | 'b' | 'B' | 'z' | 'Z' if self.is_move(self.at + width) => {
                self.at += width;
                self.number(Signs::new(self.text, self.at))
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
        if let Some(behind) = Outcome::unknown(signs).or_else(|| Outcome::forfeit(signs)) {
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

    /// A comment in braces, full-width ones too.
    fn comment(&mut self, brace: char) -> Event<'a> {
        self.at += brace.len_utf8();
        let open = *self;
        let closing = if brace == '{' { "}" } else { "\u{ff5d}" };
        match self.seek(closing, self.text.len()) {
            true => {
                let text = &self.text[open.at..self.at];
                self.at += closing.len();
                Event::Comment(text)
            }
            false => Event::Unclosed(&self.text[open.at..self.at]),
        }
    }

    /// `$5`, perhaps with a blank behind the sign; or what else begins with it.
    fn number_of_mark(&mut self, width: usize) -> Event<'a> {
        let behind = Signs::new(self.text, self.at + width);
        let number = behind.past(|c| c == ' ');
        let end = number.past(|c| c.is_ascii_digit());
        let is_apart = number.at() > behind.at();
        let is_move = is_apart && end.peek().is_some_and(|c| "-x:.".contains(c));
        let length = match end.at() > number.at() && !is_move {
            true => end.at() - self.at,
            false => self.word_length(),
        };
        Event::Mark(self.take(length))
    }

    fn word(&mut self) -> Event<'a> {
        Event::Word(self.take(self.word_length()))
    }

    fn word_length(&self) -> usize {
        let rest = self.rest();
        let ends =
            |c: char| is_blank(c) || matches!(plain_char(c), Some(c) if "{}()[];<>".contains(c));
        let mut behind = 0;
        for (at, c) in rest.char_indices() {
            if at < behind {
                continue;
            }
            match entity(&rest[at..]) {
                Some((c, _)) if at > 0 && is_blank(c) => return at,
                Some((_, length)) => behind = at + length,
                None if at > 0 && ends(c) => return at,
                None => {}
            }
        }
        rest.len()
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

    /// `/FEN "..."/`, where it begins.
    fn setup(&mut self, width: usize) -> Event<'a> {
        let inside = &self.rest()[width..];
        match inside.find(['/', '\n']) {
            Some(end) if inside[end..].starts_with('/') => {
                self.at += width + end + 1;
                Event::Setup(&inside[..end])
            }
            _ => Event::Word(self.take(width)),
        }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = (Range<usize>, Event<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_markdown();
        let begin = self.at;
        let event = self.event(self.after_move)?;
        self.after_tag = matches!(event, Event::Tag { .. });
        self.after_move = matches!(event, Event::Move(_) | Event::Mark(_));
        Some((begin..self.at, event))
    }
}
