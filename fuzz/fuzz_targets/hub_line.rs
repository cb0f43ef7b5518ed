//! Any bytes are a Hub command or reply, or an error of one bounded line.
#![no_main]

use damier_protocol::hub::{Command, Reply};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    let errors = [
        Command::parse(line).err().map(|error| error.to_string()),
        Reply::parse(line).err().map(|error| error.to_string()),
    ];
    for message in errors.into_iter().flatten() {
        assert!(message.len() < 1_000 && !message.contains(['"', '\n', '\r']), "{message}");
    }
});
