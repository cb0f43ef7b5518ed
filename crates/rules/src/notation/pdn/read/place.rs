//! Bytes of a file as text, and places in it as people count them.

use std::borrow::Cow;

/// Counts lines and characters up to places that come in ascending order.
#[derive(Clone, Copy)]
pub(in crate::notation::pdn) struct Places<'a> {
    text: &'a str,
    line: usize,
    /// Where the line begins.
    begin: usize,
    /// Up to where lines are counted.
    counted: usize,
}

impl<'a> Places<'a> {
    /// Places in a whole text. A byte order mark at its beginning is none of its characters.
    pub(in crate::notation::pdn) fn new(text: &'a str) -> Places<'a> {
        let mark = '\u{feff}';
        let begin = if text.starts_with(mark) {
            mark.len_utf8()
        } else {
            0
        };
        Places {
            begin,
            counted: begin,
            ..Places::within(text)
        }
    }

    /// Places in a part of a text, counted from there.
    pub(in crate::notation::pdn) fn within(text: &'a str) -> Places<'a> {
        Places {
            text,
            line: 1,
            begin: 0,
            counted: 0,
        }
    }

    /// Line and column, from 1.
    pub(in crate::notation::pdn) fn find(&mut self, at: usize) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let at = at.min(bytes.len());
        while self.counted < at {
            let byte = bytes[self.counted];
            let next = bytes.get(self.counted + 1);
            self.counted += 1;
            if byte == b'\n' || byte == b'\r' && next != Some(&b'\n') {
                self.line += 1;
                self.begin = self.counted;
            }
        }
        let before = bytes.get(self.begin..at).unwrap_or_default();
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

/// Bytes as the text that [`read`](super::read) takes: UTF-8, and Windows-1252 for the bytes that are none.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let text = str::from_utf8(bytes).map(Cow::Borrowed);
    text.unwrap_or_else(|_| {
        let mut text = String::with_capacity(bytes.len());
        append_decoded(&mut text, bytes);
        Cow::Owned(text)
    })
}

/// Appends bytes to a text in the same way.
pub(in crate::notation::pdn) fn append_decoded(text: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| match byte {
            0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(byte),
        }));
    }
}
