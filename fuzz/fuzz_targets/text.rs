//! Any bytes are text in some encoding, the same in pieces of any size; what is UTF-8 stays as it is.
#![no_main]

use damier_text::{Utf8Reader, decode};
use libfuzzer_sys::fuzz_target;
use std::io::{BufReader, Read};

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode(bytes, None);
    if !bytes.contains(&0) && let Ok(text) = std::str::from_utf8(bytes) {
        assert_eq!(decoded.text, text);
    }
    let size = 1 + bytes.len() % 7;
    let mut reader = Utf8Reader::new(BufReader::with_capacity(size, bytes), None);
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("valid UTF-8");
    assert_eq!((text, reader.taken().get()), (decoded.text.into_owned(), decoded.encoding));
});
