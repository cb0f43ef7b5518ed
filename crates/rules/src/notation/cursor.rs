//! A cursor over a text.

use super::signs::plain_char;

/// A name for the character at some place, for a message: `x`, or `the end`.
pub(super) fn found(c: Option<char>) -> String {
    match c {
        None => "the end".to_owned(),
        Some(' ') => "a space".to_owned(),
        Some('"') => "a double quote".to_owned(),
        // A comment of PDN, which tells a mistake, cannot hold these.
        Some('{') => "an opening brace".to_owned(),
        Some('}') => "a closing brace".to_owned(),
        Some('(') => "an opening parenthesis".to_owned(),
        Some(')') => "a closing parenthesis".to_owned(),
        // What is seen is shown as it was written.
        Some(c) if c.is_ascii_graphic() || !c.is_ascii() && is_seen(c) => c.to_string(),
        Some(c) => format!("the character U+{:04X}", u32::from(c)),
    }
}

/// Whether a character beyond ASCII has a form of its own, wherever it stands.
fn is_seen(c: char) -> bool {
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    let joins = matches!(c, '\u{300}'..='\u{36f}' | '\u{fffe}' | '\u{ffff}');
    !(c.is_whitespace() || c.is_control() || is_private || joins) && plain_char(c).is_some()
}

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Consumes the next character if it is wanted.
    pub(super) fn eat(&mut self, wanted: impl Fn(char) -> bool) -> bool {
        let eaten = self.peek().is_some_and(wanted);
        if eaten {
            self.next();
        }
        eaten
    }

    /// Consumes all wanted characters; returns them.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let from = self.at;
        while self.eat(&wanted) {}
        &self.text[from..self.at]
    }

    pub(super) fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Number of the next character, from 1.
    pub(super) fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_a_name() {
        assert_eq!(found(Some('\n')), "the character U+000A");
        assert_eq!(found(Some('"')), "a double quote");
        assert_eq!(found(Some('\u{200b}')), "the character U+200B");
        assert_eq!(
            (found(Some('→')), found(Some('é'))),
            ("→".to_owned(), "é".to_owned())
        );
        assert_eq!(found(Some('}')), "a closing brace");
        assert_eq!(found(None), "the end");
    }
}
