//! Splits lines into words and arguments, and quotes values.
//!
//! A blank, an equals sign or a quote may be any [sign](damier_rules::notation::signs) that looks like it; a value that
//! begins with `"` ends only with `"`.

use super::error::Problem;
use damier_rules::notation::signs::plain_char;
use damier_rules::notation::text::excerpt;
use std::borrow::Cow;
use std::fmt;

/// One argument: `name=value`, or a flag without a value. `name=` at the end of a line, or before the next `name=`, has
/// an empty value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arg<'a> {
    pub name: &'a str,
    pub value: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Quoted(&'a str),
    Equals,
}

/// The text of a line, invalid UTF-8 replaced.
pub(super) fn text(line: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(line)
}

/// The first word of the line and the rest. The word is empty in a blank line. What is not seen around them (a byte
/// order mark, which some shells add to piped text) is none of them.
pub(super) fn split_command(text: &str) -> (&str, &str) {
    let text = text.trim_matches(|c| is_blank(c) || plain_char(c).is_none());
    text.split_at(word_end(text))
}

/// All arguments of a line, in order.
///
/// # Errors
/// An unclosed quote, a quote inside a word, or an `=` without a name.
pub(super) fn args(text: &str) -> Result<Vec<Arg<'_>>, Problem> {
    let mut lexer = Lexer { rest: text };
    let mut args = Vec::new();
    while let Some(token) = lexer.next()? {
        let name = match token {
            Token::Word(name) | Token::Quoted(name) => name,
            Token::Equals => return Err(Problem::MissingName),
        };
        let value = if lexer.equals() {
            Some(lexer.value()?)
        } else {
            None
        };
        args.push(Arg { name, value });
    }
    Ok(args)
}

struct Lexer<'a> {
    rest: &'a str,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Result<Option<Token<'a>>, Problem> {
        self.rest = self.rest.trim_start_matches(is_blank);
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let (token, rest) = match plain_char(first) {
            Some('=') => (Token::Equals, &self.rest[first.len_utf8()..]),
            Some('"') => {
                let closes = |c| c == '"' || first != '"' && plain_char(c) == Some('"');
                let inner = &self.rest[first.len_utf8()..];
                let end = inner.find(closes).ok_or(Problem::UnclosedQuote)?;
                let behind = inner[end..].strip_prefix(closes);
                (Token::Quoted(&inner[..end]), behind.unwrap_or_default())
            }
            _ => {
                let (word, rest) = self.rest.split_at(word_end(self.rest));
                if word.contains('"') {
                    return Err(Problem::QuoteInWord {
                        word: excerpt(word),
                    });
                }
                (Token::Word(word), rest)
            }
        };
        self.rest = rest;
        Ok(Some(token))
    }

    /// Consumes an `=` if it comes next, after any blanks.
    fn equals(&mut self) -> bool {
        match self
            .rest
            .trim_start_matches(is_blank)
            .strip_prefix(is_equals)
        {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// The value after an `=`.
    fn value(&mut self) -> Result<&'a str, Problem> {
        let after_equals = self.rest;
        match self.next()? {
            None => Ok(""),
            Some(Token::Equals) => Err(Problem::MissingName),
            Some(Token::Quoted(value)) => Ok(value),
            Some(Token::Word(value)) => {
                // `moves= foo=1`: the word after the blank is the next name, not a value.
                let blank = after_equals.starts_with(is_blank);
                if blank
                    && self
                        .rest
                        .trim_start_matches(is_blank)
                        .starts_with(is_equals)
                {
                    self.rest = after_equals;
                    return Ok("");
                }
                Ok(value)
            }
        }
    }
}

/// Where the first word of a text ends.
fn word_end(text: &str) -> usize {
    text.find(|c| is_blank(c) || is_equals(c))
        .unwrap_or(text.len())
}

fn is_blank(c: char) -> bool {
    c.is_whitespace()
}

fn is_equals(c: char) -> bool {
    plain_char(c) == Some('=')
}

/// A value as written on the wire: quoted only if necessary, since some clients take quotes around a single word as
/// part of it.
pub(super) struct QuotedValue<'a>(pub &'a str);

impl fmt::Display for QuotedValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_sign = |c| is_blank(c) || matches!(plain_char(c), Some('=' | '"'));
        if self.0.is_empty() || self.0.contains(is_sign) {
            write!(f, "\"{}\"", self.0)
        } else {
            f.write_str(self.0)
        }
    }
}

/// Several words as one quoted value.
pub(super) struct QuotedWords<'a>(pub &'a [String]);

impl fmt::Display for QuotedWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [word] => f.write_str(word),
            words => write!(f, "\"{}\"", words.join(" ")),
        }
    }
}
