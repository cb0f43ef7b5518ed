//! Text files of any encoding, as UTF-8.
//!
//! UTF-8 stays as it is, byte by byte. UTF-16 is known by its byte order mark. Of anything else, each line that is valid
//! UTF-8 stays so, as files are often concatenated, and the others are in one encoding with a byte for a character: the
//! one in which they look most like names and sentences.
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
mod reader;

pub use encoding::{Encoding, UnknownEncoding};
pub use reader::{Taken, Utf8Reader};

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

/// Bytes as text: in the encoding that is given, or else in the one that the bytes are in.
pub fn decode(bytes: &[u8], given: Option<Encoding>) -> Decoded<'_> {
    let is_plain = given.is_none_or(|given| given == Encoding::Utf8) && !bytes.contains(&0);
    if is_plain && let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded {
            text: Cow::Borrowed(text),
            encoding: Encoding::Utf8,
        };
    }
    let mut reader = Utf8Reader::new(bytes, given);
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
