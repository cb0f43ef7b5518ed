//! The way from a damaged game to the next one, step by step where the input comes in pieces.

use super::scan::Scanner;

/// Where in the moves of a damaged game a reader is.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Skip {
    /// Variations around it.
    depth: usize,
    inside: Inside,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Inside {
    #[default]
    Moves,
    /// A comment in braces.
    Braces,
    /// A comment up to the end of its line.
    Line,
}

impl Skip {
    /// Goes on to the beginning of the next game: behind the result that ends this one, or to a line that begins with a
    /// tag. False: it is not found before `until`, or before the end; the scanner is then there or a little behind.
    pub fn go(&mut self, scan: &mut Scanner<'_>, until: usize) -> bool {
        loop {
            match self.inside {
                Inside::Moves => {}
                Inside::Braces if scan.seek_before(b"}", until) => scan.at += 1,
                // A line that begins with a tag, or no more to see.
                Inside::Braces => return scan.at < until,
                Inside::Line => {
                    scan.take_line();
                    if scan.is_end() {
                        return false;
                    }
                }
            }
            self.inside = Inside::Moves;
            scan.skip_space();
            if scan.at >= until {
                return false;
            }
            match scan.peek() {
                None => return false,
                Some(b'[') if scan.begins_line() && scan.is_tag() => return true,
                Some(b'{') => self.inside = Inside::Braces,
                Some(b';' | b'%') => self.inside = Inside::Line,
                Some(b'(') => self.depth += 1,
                Some(b')') => self.depth = self.depth.saturating_sub(1),
                _ if self.depth == 0 && scan.eat_result().is_some() => return true,
                _ => {}
            }
            if self.inside == Inside::Moves {
                // A word, or one character that is none.
                let is_word = |b: u8| b.is_ascii_alphanumeric() || b"-/:.!?$".contains(&b);
                let word = scan.take_while(is_word);
                scan.at += usize::from(word.is_empty() && !scan.is_end());
            }
        }
    }
}
