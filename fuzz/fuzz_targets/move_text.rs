//! Any text is a legal move in the position before the semicolon, or an error of one bounded line.
#![no_main]

use damier_rules::notation::{fen, moves};
use damier_rules::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let (position, text) = match data.split_once(';') {
        Some((before, text)) => match fen::parse(before) {
            Ok(position) => (position, text),
            Err(_) => return,
        },
        None => (Position::start(), data),
    };
    match moves::parse(&position, text) {
        Ok(mv) => {
            assert!(position.is_legal(mv), "{mv}");
            assert_eq!(moves::parse(&position, &mv.to_string()), Ok(mv));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() < 1_000 && !message.contains(['"', '\n', '\r']), "{message}");
        }
    }
    let _ = moves::parse_line(&position, text);
    let _ = moves::parse_typed(&position, text);
});
