//! Any bytes are a book or none, also behind a sound checksum; what opens can be walked, looked into and written again.
#![no_main]

use damier_book::Book;
use damier_lab::book::{self, JsonBook};
use damier_rules::Position;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let mut sealed = bytes.to_vec();
    if let Some(at) = sealed.len().checked_sub(4) {
        let sum = crc32fast::hash(&sealed[..at]);
        sealed[at..].copy_from_slice(&sum.to_le_bytes());
    }
    for content in [bytes.to_vec(), sealed] {
        let Ok(book) = Book::from_bytes(content) else {
            continue;
        };
        let _ = book.find(&Position::start());
        book.entries().count();
        let Ok(walk) = book.walk() else { continue };
        for known in walk.take(1000) {
            for mv in &known.entry.moves {
                let line = book.line(&known.position, mv.mv, 8);
                assert!(line.first() == Some(&mv.mv));
            }
        }
        let _ = book::write_pdn(&book, 6, &mut Vec::new());
        if let Ok(json) = JsonBook::new(&book) {
            let text = serde_json::to_vec(&json).expect("JSON");
            let _ = book::from_json(Path::new("again"), &text);
        }
    }
    let _ = book::from_json(Path::new("text"), bytes);
});
