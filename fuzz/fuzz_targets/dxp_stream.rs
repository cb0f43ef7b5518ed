//! Any stream is split into bounded messages, each of which is one of DXP, and survives being written and read again,
//! or an error of one bounded line.
#![no_main]

use damier_protocol::dxp::{Framer, MAX_MESSAGE, Message};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|stream: &[u8]| {
    let mut framer = Framer::new();
    for mut piece in stream.chunks(97) {
        while let Some(frame) = framer.next(&mut piece) {
            let Ok(bytes) = frame else { continue };
            assert!((1..=MAX_MESSAGE).contains(&bytes.len()));
            match Message::parse(&bytes) {
                Ok(message) => {
                    let written = message.encode();
                    let (end, text) = written.split_last().expect("a NUL at least");
                    assert_eq!(*end, 0);
                    assert!(text.len() <= MAX_MESSAGE);
                    assert_eq!(Message::parse(text), Ok(message));
                }
                Err(error) => {
                    let shown = error.to_string();
                    assert!(shown.len() < 200 && shown.is_ascii() && !shown.contains(['"', '\n']), "{shown}");
                    assert!(error.column <= bytes.len() + 1);
                }
            }
        }
    }
});
