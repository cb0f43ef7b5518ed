//! A command line to words, as a shell does it; no shell is run.

use std::fmt;

/// Why a text is no command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordsError {
    /// A quote is opened and not closed: which one.
    Open(char),
    /// A backslash with nothing after it.
    Backslash,
    /// There is no word.
    Empty,
}

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordsError::Open(quote) => write!(f, "a {quote} is opened and never closed"),
            WordsError::Backslash => f.write_str("nothing follows the backslash at the end"),
            WordsError::Empty => f.write_str("no program is named"),
        }
    }
}

impl std::error::Error for WordsError {}

/// Splits at blanks. Quotes of both kinds keep blanks in a word; a backslash takes the next character as it is, outside
/// quotes before any character, in double quotes before `"` and `\` only. Where paths have backslashes (Windows) they are
/// plain characters outside quotes.
///
/// # Errors
/// An open quote, or no word.
pub fn words(text: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') if chars.peek().is_some_and(|&c| matches!(c, '"' | '\\')) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '\\') if !cfg!(windows) => {
                let next = chars.next().ok_or(WordsError::Backslash)?;
                word.get_or_insert_default().push(next);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(WordsError::Open(open));
    }
    words.extend(word);
    match words.first().is_some_and(|program| !program.is_empty()) {
        true => Ok(words),
        false => Err(WordsError::Empty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_divide_and_quotes_keep() {
        assert_eq!(
            words("  ./damier  hub ").as_deref(),
            Ok(&["./damier", "hub"].map(String::from)[..])
        );
        assert_eq!(
            words("'a b' \"c  d\"e '' x").as_deref(),
            Ok(&["a b", "c  de", "", "x"].map(String::from)[..])
        );
        assert_eq!(
            words(r#""a\"b\\c\d" "it's""#).as_deref(),
            Ok(&[r#"a"b\c\d"#, "it's"].map(String::from)[..])
        );
        #[cfg(unix)]
        assert_eq!(
            words(r"a\ b \'c").as_deref(),
            Ok(&["a b", "'c"].map(String::from)[..])
        );
    }

    #[test]
    fn what_is_no_command_is_said() {
        assert_eq!(words(""), Err(WordsError::Empty));
        assert_eq!(words("  "), Err(WordsError::Empty));
        assert_eq!(words("'' x"), Err(WordsError::Empty));
        assert_eq!(words("a 'b"), Err(WordsError::Open('\'')));
        assert_eq!(words("a \"b'"), Err(WordsError::Open('"')));
        #[cfg(unix)]
        assert_eq!(words("a \\"), Err(WordsError::Backslash));
    }
}
