//! The signs of a text, and where each was written.

use super::FenReader;
use crate::notation::cursor::found;
use crate::notation::fen::{FenError, FenErrorKind};

impl FenReader<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.signs.get(self.at).map(|&(_, sign)| sign)
    }

    /// Steps over all wanted signs; returns how many.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> usize {
        let begin = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.at - begin
    }

    /// The byte where a sign was written.
    pub(super) fn byte(&self, at: usize) -> usize {
        self.signs
            .get(at)
            .map_or(self.text.len(), |&(byte, _)| byte)
    }

    /// Number of the character where a sign was written, from 1.
    pub(super) fn column(&self, at: usize) -> usize {
        self.text[..self.byte(at)].chars().count() + 1
    }

    pub(super) fn error<T>(&self, at: usize, kind: FenErrorKind) -> Result<T, FenError> {
        let column = self.column(at);
        Err(FenError { column, kind })
    }

    /// The error that something else was expected than what stands here.
    pub(super) fn unexpected<T>(&self, kind: fn(String) -> FenErrorKind) -> Result<T, FenError> {
        let written = self.text[self.byte(self.at)..].chars().next();
        self.error(self.at, kind(found(written)))
    }
}

/// The signs of a text, with `K` for a word before a square that says king, `dam 5`, `дамка 5`, and a plain quote for
/// the one of Markdown.
pub(super) fn with_kings(signs: Vec<(usize, char)>) -> Vec<(usize, char)> {
    const KING: [&str; 6] = ["dam", "dame", "king", "дамка", "д", "дам"];
    let mut out = Vec::with_capacity(signs.len());
    for word in
        signs.chunk_by(|before, behind| before.1.is_alphabetic() && behind.1.is_alphabetic())
    {
        let letters = || word.iter().flat_map(|(_, sign)| sign.to_lowercase());
        let is_king = word.len() < 6 && KING.iter().any(|king| king.chars().eq(letters()));
        match word[0] {
            (at, _) if is_king => out.push((at, 'K')),
            (at, '`') => out.push((at, '\'')),
            _ => out.extend_from_slice(word),
        }
    }
    out
}
