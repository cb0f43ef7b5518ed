//! Any bytes are games that survive being written and read, or none; any file is read as far as it is sound.
#![no_main]

use damier_os::shard::Shard;
use damier_training::dataset::{self, GameRecord, Header, Order, Reader, Recipe, format::BlockHead};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut rest = bytes;
    let mut games = 0;
    while let Some(game) = GameRecord::take(&mut rest, 0) {
        let mut written = Vec::new();
        game.put(&mut written, 0);
        assert_eq!(GameRecord::take(&mut written.as_slice(), 0), Some(game));
        games += 1;
    }
    // The same bytes as a file, as they are and behind a sound header and block head.
    let header = Header {
        recipe: Recipe::default(),
        shard: Shard::WHOLE,
    };
    let head = BlockHead {
        length: bytes.len() as u32,
        first: 0,
        last: u64::MAX,
        games: games.max(1),
        crc: crc32fast::hash(bytes),
    };
    let framed = [&header.to_bytes(), head.to_bytes().as_slice(), bytes].concat();
    for (content, least) in [(bytes, 0), (&framed, games.min(1) as usize)] {
        let file = std::env::temp_dir().join(format!("damier-fuzz-{}", std::process::id()));
        std::fs::write(&file, content).expect("a folder for temporary files");
        let name = file.to_str().expect("a name in UTF-8");
        if let Ok(reader) = Reader::open(&[name], Order::Stored) {
            reader.samples().count();
            assert!(reader.games().count() >= least);
        }
        let _ = dataset::verify(&[name], |_| ());
    }
});
