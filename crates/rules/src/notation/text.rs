//! Foreign text (of a file, a client, an engine) made harmless before it is shown or sent.

/// Most characters of foreign text that [`excerpt`] repeats.
pub const EXCERPT: usize = 32;

/// The beginning of a foreign text, for a message that a protocol carries: see [`one_line`].
pub fn excerpt(text: &str) -> String {
    let mut out = one_line(text, EXCERPT);
    if text.chars().nth(EXCERPT).is_some() {
        out.push_str("...");
    }
    out
}

/// A text as one line in any script without double quotes, cut to `most` characters: single quotes stand for double
/// ones, spaces for what ends a line; controls, and what turns the direction of writing, are spelled out.
pub fn one_line(text: &str, most: usize) -> String {
    let plain = |c| match c {
        '"' => '\'',
        c if char::is_whitespace(c) => ' ',
        c => c,
    };
    let plain: String = text.chars().take(most).map(plain).collect();
    for_terminal(&plain).chars().take(most).collect()
}

/// The first `most` characters of a text as one line of printable ASCII without double quotes.
pub fn ascii(text: &str, most: usize) -> String {
    let legal = |c| match c {
        '"' => '\'',
        ' '..='~' => c,
        c if char::is_whitespace(c) => ' ',
        _ => '?',
    };
    text.chars().take(most).map(legal).collect()
}

/// The beginning of a foreign text as it was written, for a message of one line in any script.
pub fn quoted(text: &str) -> String {
    let space = |c: char| if c.is_whitespace() { ' ' } else { c };
    let mut out: String = text.chars().take(EXCERPT).map(space).collect();
    if text.chars().nth(EXCERPT).is_some() {
        out.push_str("...");
    }
    for_terminal(&out)
}

/// A text for a terminal, in any script: controls other than the end of a line, and what turns the direction of
/// writing, are spelled out.
pub fn for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let turns = matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        );
        match turns || c.is_control() && c != '\n' {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_bounded_and_harmless() {
        let out = excerpt(&"a\"\n\u{202e}é\0".repeat(1000));
        assert_eq!(out, "a' \\u{202e}é\\u{0}a' \\u{202e}é\\u{...");
        assert_eq!(excerpt("28x19"), "28x19");
        assert_eq!(ascii("12345", 3), "123");
        assert_eq!(
            quoted("32\u{2013}22\n\"\u{202e}"),
            "32\u{2013}22 \"\\u{202e}"
        );
        assert_eq!(quoted(&"é".repeat(33)), format!("{}...", "é".repeat(32)));
    }

    #[test]
    fn a_terminal_obeys_no_foreign_text() {
        let out = for_terminal("\u{1b}[2J\r\u{202e}é\nb");
        assert_eq!(out, "\\u{1b}[2J\\r\\u{202e}é\nb");
    }
}
