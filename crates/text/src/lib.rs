//! Text files of any encoding, as UTF-8.
//!
//! UTF-8 stays as it is, byte by byte. UTF-16 is known by its byte order mark or its zeros. Of anything else, each line
//! that is valid UTF-8 stays so, as files are often concatenated, and the others are in one encoding with a byte for a
//! character: the one in which they look most like names and sentences.
//!
//! [`decode`] takes a whole file, [`Utf8Reader`] an input of any length:
//!
//! ```
//! use damier_text::{Encoding, Utf8Reader, decode};
//! use std::io::Read;
//!
//! let file = b"[Black \"Andr\x82\"]\n";
//! assert_eq!(decode(file, None).encoding, Encoding::Cp850);
//!
//! let mut reader = Utf8Reader::new(&file[..], None);
//! let mut text = String::new();
//! reader.read_to_string(&mut text)?;
//! assert_eq!((text.as_str(), reader.taken().get()), ("[Black \"André\"]\n", Encoding::Cp850));
//! # Ok::<(), std::io::Error>(())
//! ```

mod encoding;
mod guess;
mod letters;
mod reader;

pub use encoding::{Encoding, UnknownEncoding};
pub use reader::{DetectedEncoding, Utf8Reader};

use std::borrow::Cow;
use std::io::Read;

/// A text, and the encoding it was in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// The encoding of what was not UTF-8; UTF-8 where all was.
    pub encoding: Encoding,
}

impl Decoded<'_> {
    /// How many of the bytes, which are those of this text, say the first `length` bytes of it.
    pub fn bytes_before(&self, bytes: &[u8], length: usize) -> usize {
        let text = &self.text[..length];
        match (&self.text, self.encoding) {
            (Cow::Borrowed(_), _) => return length,
            (_, encoding @ (Encoding::Utf16Le | Encoding::Utf16Be)) => {
                let is_marked = encoding.bytes_of("\u{feff}") == bytes[..bytes.len().min(2)];
                return encoding.bytes_of(text).len() + if is_marked { 2 } else { 0 };
            }
            _ => {}
        }
        // Lines end alike in all the others, and each is either UTF-8 or has a byte for a character.
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let ends = text.bytes().filter(|byte| is_end(byte)).count();
        let rest = &text[text
            .bytes()
            .rposition(|byte| is_end(&byte))
            .map_or(0, |last| last + 1)..];
        let mut lines = bytes.split_inclusive(is_end);
        let before: usize = lines.by_ref().take(ends).map(<[u8]>::len).sum();
        let is_utf8 = lines
            .next()
            .is_some_and(|line| line.starts_with(rest.as_bytes()));
        before
            + if is_utf8 {
                rest.len()
            } else {
                rest.chars().count()
            }
    }
}

/// Bytes as text: in the encoding that is given, or else in the one that the bytes are in.
pub fn decode(bytes: &[u8], given: Option<Encoding>) -> Decoded<'_> {
    let is_plain = given.is_none_or(|given| given == Encoding::Utf8) && !bytes.contains(&0);
    if is_plain && let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded {
            text: Cow::Borrowed(text),
            encoding: Encoding::Utf8,
        };
    }
    read(Utf8Reader::new(bytes, given))
}

/// The rest of a text as it follows a part that was in this encoding.
pub fn decode_rest(bytes: &[u8], known: Encoding) -> Decoded<'_> {
    match known {
        Encoding::Utf8 => decode(bytes, None),
        known => read(Utf8Reader::new(bytes, None).after(known)),
    }
}

fn read(mut reader: Utf8Reader<&[u8]>) -> Decoded<'static> {
    let mut text = String::new();
    // Memory can be read, and the reader gives UTF-8.
    let _ = reader.read_to_string(&mut text);
    Decoded {
        text: Cow::Owned(text),
        encoding: reader.taken().get(),
    }
}

#[cfg(test)]
mod tests;
