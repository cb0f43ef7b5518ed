//! Any text is a position that survives being written and read, or an error of one bounded line.
#![no_main]

use damier_rules::notation::{fen, hub_board};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match fen::parse(text) {
        Ok(position) => {
            assert_eq!(fen::parse(&fen::format(&position)), Ok(position));
            assert_eq!(hub_board::parse(&hub_board::format(&position)), Ok(position));
            position.legal_moves();
        }
        Err(error) => is_one_line(&error.to_string()),
    }
    match hub_board::parse(text) {
        Ok(position) => assert_eq!(hub_board::parse(&hub_board::format(&position)), Ok(position)),
        Err(error) => is_one_line(&error.to_string()),
    }
});

fn is_one_line(message: &str) {
    assert!(message.len() < 1_000 && !message.contains(['\n', '\r']), "{message}");
}
