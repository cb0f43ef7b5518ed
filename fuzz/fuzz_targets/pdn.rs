//! Any bytes are text in some encoding, and that is games with legal moves, which survive being written and read, or
//! errors of one bounded line. A stream gives the same games.
#![no_main]

use damier_rules::notation::pdn;
use damier_text::decode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = decode(bytes, None).text;
    let mut stream = pdn::Stream::new(text.as_bytes());
    for game in pdn::read(&text) {
        let streamed = stream.next_game().expect("memory can be read").expect("a game");
        assert_eq!(streamed.as_ref().map_err(|damaged| &damaged.error), game.as_ref());
        match game {
            Ok(game) => {
                let mut out = Vec::new();
                game.write(&mut out).expect("a vector takes everything");
                let text = pdn::decode(&out);
                let mut again = pdn::read(&text);
                let read = again.next().expect("a game").expect("readable");
                assert_eq!((read.start, read.plain_moves()), (game.start, game.plain_moves()));
                assert_eq!(read.result, game.result);
                assert!(again.next().is_none());
                // Comments lose some characters when they are written the first time.
                let mut out = Vec::new();
                read.write(&mut out).expect("a vector takes everything");
                let again = pdn::read(&pdn::decode(&out)).next().expect("a game").expect("readable");
                assert_eq!(again, read);
            }
            Err(error) => {
                let message = error.to_string();
                assert!(message.len() < 1_000 && !message.contains(['\n', '\r']), "{message}");
            }
        }
    }
});
