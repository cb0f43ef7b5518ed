//! Tags, whatever stands around their values, and words in brackets.

use super::{Event, Events, is_blank, is_line_end, start_of};
use crate::notation::signs::{plain_char, without_entities};

/// Most bytes of a word in brackets, and of the value of a tag without proper quotes.
const WINDOW: usize = 1_000;
/// Most bytes of a tag's name.
const LONGEST_NAME: usize = 64;
/// Tags that are known in small letters too.
const NAMES: [&str; 10] = [
    "event", "site", "date", "round", "white", "black", "result", "fen", "gametype", "setup",
];
/// Words in brackets around games in forums and pages of the web.
const WRAPPERS: [&str; 18] = [
    "pdn", "pgn", "code", "quote", "game", "fen", "pre", "spoiler", "draughts", "dam", "b", "i",
    "u", "p", "br", "div", "span", "strong",
];

/// Whether a word is the `[pdn]` or `[/pdn]` of a forum.
pub(in crate::notation::pdn) fn is_wrapper(word: &str) -> bool {
    let inside = |open: char, close: char| word.strip_prefix(open)?.strip_suffix(close);
    let name = inside('[', ']').or_else(|| inside('<', '>'));
    // `[quote=Jan]` says who is quoted.
    let name = name.and_then(|name| name.trim().trim_matches('/').split(['=', ' ']).next());
    name.is_some_and(is_wrapper_name)
}

fn is_wrapper_name(name: &str) -> bool {
    WRAPPERS.contains(&name.to_lowercase().as_str())
}

impl<'a> Events<'a> {
    /// The name of a tag that begins at a place, and where its value does.
    pub(super) fn tag_name(&self, at: usize) -> Option<(&'a str, usize)> {
        let inside = self.text[at..].strip_prefix(['[', '\u{ff3b}', '\u{3010}'])?;
        self.name_at(self.text.len() - inside.len())
    }

    /// The name of a tag at a place, and where its value begins.
    pub(super) fn name_at(&self, at: usize) -> Option<(&'a str, usize)> {
        let space = |c: char| !is_line_end(c) && is_blank(c);
        let inside = self.text[at..].trim_start_matches(space);
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = inside
            .bytes()
            .take(LONGEST_NAME)
            .take_while(is_part)
            .count();
        let (name, rest) = inside.split_at(length);
        // `[White: "A"]` and `[White="A"]` too.
        let value = rest.trim_start_matches(space);
        let value = match value.strip_prefix([':', '=', '\u{ff1a}']) {
            Some(_) if is_wrapper_name(name) && !name.eq_ignore_ascii_case("fen") => return None,
            behind => behind.unwrap_or(value),
        };
        let value = value.trim_start_matches(space);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        is_name.then_some((name, self.text.len() - value.len()))
    }

    /// Whether a tag with a double quote begins at a place: a game begins there, even if something was left open.
    pub(super) fn is_tag(&self, at: usize) -> bool {
        let value = self
            .tag_name(at)
            .map(|(_, at)| self.text[at..].chars().next());
        value.flatten().and_then(plain_char) == Some('"')
    }

    /// Where no tag begins: a word in brackets, perhaps with parentheses in it, or a bracket of this width.
    pub(super) fn brackets(&mut self, width: usize, open: char, close: char) -> Event<'a> {
        let window = start_of(&self.rest()[width..], WINDOW);
        let is = |c: char, wanted: char| plain_char(c) == Some(wanted);
        let mut depth = 0_usize;
        let mut ends = |c: char| match c {
            '(' => {
                depth += 1;
                false
            }
            ')' if depth > 0 => {
                depth -= 1;
                false
            }
            _ => is_line_end(c) || is(c, open) || is(c, close) || matches!(c, ')' | '{' | '}'),
        };
        let end = window.char_indices().find(|&(_, c)| ends(c));
        let end = end.filter(|_| depth == 0);
        let length = match end.filter(|&(_, c)| is(c, close)) {
            Some((end, c)) => width + end + c.len_utf8(),
            None => width,
        };
        Event::Word(self.take(length))
    }

    /// A tag, whatever stands around its value: its name, and where the value begins.
    pub(super) fn tag(&mut self, name: Option<(&'a str, usize)>) -> Option<Event<'a>> {
        let (name, at) = name?;
        let value = &self.text[at..];
        let quote = value.chars().next().filter(|&c| is_quote(c));
        if let Some((value, length, goes_on)) = quote.and_then(|quote| self.quoted(at, quote)) {
            self.at = at + length;
            self.in_brackets = goes_on;
            let is_sound = quote == Some('"') && !goes_on;
            return Some(Event::Tag {
                name,
                value: without_entities(&value).into_owned(),
                is_sound,
            });
        }
        let window = start_of(value, WINDOW);
        let line = &window[..window.find(is_line_end).unwrap_or(window.len())];
        let ends_tag = |&(end, bracket): &(usize, &str)| {
            let behind = line[end + bracket.len()..].trim_start_matches(is_blank);
            behind.is_empty() || behind.starts_with(['[', '\u{ff3b}'])
        };
        let brackets = || line.match_indices([']', '\u{ff3d}', '\u{3011}']);
        let end = brackets().find(ends_tag).or_else(|| brackets().next_back());
        let (inside, length) = match (end, quote) {
            (Some((end, bracket)), _) => (&line[..end], end + bracket.len()),
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
        let value = unquoted(&without_entities(inside)).to_owned();
        Some(Event::Tag {
            name,
            value,
            is_sound,
        })
    }

    /// The value at a place that begins with a quote, its length up to behind the bracket, and whether another tag
    /// follows before that. Quotes inside are escaped.
    fn quoted(&self, at: usize, quote: char) -> Option<(String, usize, bool)> {
        let closes = |c: char| match quote {
            '"' => c == quote,
            _ => plain_char(c) == plain_char(quote),
        };
        let text = &self.text[at..];
        let mut value = String::new();
        let mut chars = text.char_indices().skip(1).peekable();
        while let Some((at_quote, c)) = chars.next() {
            match c {
                '\\' => {
                    let escaped = chars.next_if(|&(_, c)| c == '"' || c == '\\');
                    value.push(escaped.map_or('\\', |(_, c)| c));
                }
                c if is_line_end(c) => return None,
                c if closes(c) => {
                    let behind = text[at_quote + c.len_utf8()..].trim_start_matches([' ', '\t']);
                    if let Some(behind) = behind.strip_prefix([']', '\u{ff3d}', '\u{3011}']) {
                        return Some((value, text.len() - behind.len(), false));
                    }
                    let end = text.len() - behind.len();
                    if self.tag_name(at + end).is_some() {
                        return Some((value, end, false));
                    }
                    let next = behind.trim_start_matches(|c| is_blank(c) || c == ';');
                    let next = text.len() - next.len();
                    let is_apart = next > at_quote + c.len_utf8();
                    if let Some((name, place)) = self.name_at(at + next).filter(|_| is_apart)
                        && is_usual(name)
                        && self.text[place..].starts_with(is_quote)
                    {
                        return Some((value, next, true));
                    }
                    if at_quote > WINDOW || quote != '"' {
                        return None;
                    }
                    value.push(c);
                }
                c => value.push(c),
            }
        }
        None
    }
}

/// Whether a word is the name of a tag that many games have.
fn is_usual(name: &str) -> bool {
    let name = name.to_lowercase();
    let begins = ["white", "black", "event"]
        .iter()
        .any(|known| name.starts_with(known));
    begins || NAMES.contains(&name.as_str())
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
