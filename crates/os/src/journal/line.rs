//! Lines with checksums.

use serde::de::DeserializeOwned;

/// The form of all lines of a file. The checksum is the CRC-32 of the text, in eight hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Checksum, space, text.
    SumFirst,
    /// Text, space, checksum.
    SumLast,
    /// Only the text.
    Plain,
}

impl Form {
    /// The line of a text.
    pub(super) fn line(self, text: &str) -> String {
        let sum = crc32fast::hash(text.as_bytes());
        match self {
            Form::SumFirst => format!("{sum:08x} {text}\n"),
            Form::SumLast => format!("{text} {sum:08x}\n"),
            Form::Plain => format!("{text}\n"),
        }
    }

    /// The text of a line whose checksum fits.
    pub(super) fn text(self, line: &[u8]) -> Option<&[u8]> {
        let line = line.strip_suffix(b"\n")?;
        let (text, sum) = match self {
            Form::SumFirst => {
                let (sum, text) = line.split_at_checked(9)?;
                (text, sum.strip_suffix(b" ")?)
            }
            Form::SumLast => {
                let (text, sum) = line.split_at_checked(line.len().checked_sub(9)?)?;
                (text, sum.strip_prefix(b" ")?)
            }
            Form::Plain => return Some(line),
        };
        let sum = u32::from_str_radix(std::str::from_utf8(sum).ok()?, 16).ok()?;
        (crc32fast::hash(text) == sum).then_some(text)
    }
}

/// Where a line is in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineSpan {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// A line as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Line number, from 1.
    pub number: u64,
    /// Where it is.
    pub span: LineSpan,
    /// With checksum and newline, as far as they are there.
    pub bytes: &'a [u8],
    pub(super) form: Form,
    /// Text, if its checksum fits.
    pub(super) text: Option<&'a [u8]>,
}

impl Line<'_> {
    /// Whether its checksum fits.
    pub fn is_sound(&self) -> bool {
        self.text.is_some()
    }

    /// Whether it has an end: the writer was not killed in it.
    pub fn is_whole(&self) -> bool {
        self.bytes.ends_with(b"\n")
    }

    /// Text, if it is sound.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.text?).ok()
    }

    /// The object that is its text as JSON, if it is sound and such an object.
    pub fn parse<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(self.text?).ok()
    }

    /// Whether it is the beginning of the line of this text, without its end: the writer was killed.
    pub fn is_beginning_of(&self, text: &str) -> bool {
        let whole = self.form.line(text);
        self.bytes.len() < whole.len() && whole.as_bytes().starts_with(self.bytes)
    }
}
