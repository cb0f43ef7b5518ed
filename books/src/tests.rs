//! Books written and read back.

use super::format::{MAGIC, RawEntry, RawMove, encode};
use super::*;
use damier_rules::Position;
use damier_rules::notation::hub_board;
use damier_rules::notation::moves;

fn header() -> Header {
    Header {
        program: "test".to_owned(),
        positions: 0,
        nodes: 1_000,
        lines: 2,
        roots: vec![hub_board::format(&Position::start())],
        learning_bound: 20,
    }
}

fn raw(position: &Position, scores: &[i32]) -> RawEntry {
    RawEntry {
        key: Canonical::of(position).code().key(),
        depth: 12,
        moves: scores
            .iter()
            .enumerate()
            .map(|(number, &score)| RawMove {
                number: number as u8,
                score,
                learned: Learned::default(),
            })
            .collect(),
    }
}

/// The start, its children and theirs.
fn small() -> Vec<u8> {
    let start = Position::start();
    let mut entries = vec![raw(&start, &[-8, 16, 0])];
    for mv in numbered_moves(&start) {
        let child = start.play(mv);
        entries.push(raw(&child, &[5, 4, -300]));
        entries.extend(
            numbered_moves(&child)
                .iter()
                .map(|mv| raw(&child.play(*mv), &[8_000])),
        );
    }
    encode(&header(), entries)
}

#[test]
fn what_was_written_is_found() {
    let book = Book::from_bytes(small()).expect("a book");
    let start = Position::start();
    let entry = book.find(&start).expect("in it");
    let scores: Vec<i32> = entry.moves.iter().map(|mv| mv.score).collect();
    assert_eq!((scores, entry.depth), (vec![16, 0, -8], 12));
    let all = numbered_moves(&start);
    assert_eq!(entry.moves[0].mv, all[1]);
    let raws: Vec<RawEntry> = book.entries().collect::<Option<_>>().expect("all sound");
    assert_eq!(raws.len() as u64, book.header().positions);
    assert!(raws.is_sorted_by_key(|raw| raw.key));
    for raw in &raws {
        assert_eq!(book.raw(raw.key).as_ref(), Some(raw));
        assert_eq!(book.raw(raw.key ^ 1), None);
    }
    let deep = start.play(all[0]).play(start.play(all[0]).legal_moves()[0]);
    assert_eq!(
        book.find(&deep).map(|entry| entry.moves[0].score),
        Some(8_000)
    );
    // The book goes on from the best move and its reply, and then ends.
    let line = book.line(&start, all[1], 9);
    assert_eq!(line.len(), 3);
    assert_eq!(book.line(&start, all[1], 2).len(), 2);
    let mut reached = 0;
    for known in book.walk().expect("a root") {
        assert!(
            known
                .entry
                .moves
                .iter()
                .all(|mv| known.position.is_legal(mv.mv))
        );
        reached += 1;
    }
    assert_eq!(reached, 1 + 3 + 3 * 3);
}

#[test]
fn a_twin_has_the_same_moves_turned() {
    let book = Book::from_bytes(small()).expect("a book");
    let entry = book.find(&Position::start().flipped()).expect("in it");
    assert_eq!(
        moves::short(&Position::start().flipped(), entry.moves[0].mv),
        "20-24"
    );
}

#[test]
fn every_damage_is_seen() {
    let good = small();
    assert_eq!(
        Book::from_bytes(good[..4].to_vec()).err(),
        Some(Fault::Foreign)
    );
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(Book::from_bytes(bad).is_err(), "byte {at}");
        assert!(
            Book::from_bytes(good[..at].to_vec()).is_err(),
            "cut at {at}"
        );
    }
    let mut long = good.clone();
    long.push(0);
    assert!(Book::from_bytes(long).is_err());
    let mut newer = good;
    newer[8] = 2;
    assert_eq!(Book::from_bytes(newer).err(), Some(Fault::Version(2)));
}

#[test]
fn nonsense_with_a_good_checksum_gives_nothing() {
    let good = small();
    for at in MAGIC.len()..good.len() - 4 {
        let mut bad = good.clone();
        bad[at] = !bad[at];
        let end = bad.len() - 4;
        let checksum = crc32fast::hash(&bad[..end]).to_le_bytes();
        bad[end..].copy_from_slice(&checksum);
        if let Ok(book) = Book::from_bytes(bad) {
            let _ = book.entries().count();
            let _ = book.find(&Position::start());
            let _ = book.walk().map(Iterator::count);
        }
    }
}

#[test]
fn results_move_scores() {
    let mut entry = raw(&Position::start(), &[4, 0]);
    entry.moves[1].learned = Learned {
        games: 24,
        points: 48,
    };
    let book = Book::from_bytes(encode(&header(), vec![entry])).expect("a book");
    let moves = book.find(&Position::start()).expect("in it").moves;
    assert_eq!((moves[0].searched, moves[0].score), (0, 15));
    assert_eq!((moves[1].searched, moves[1].score), (4, 4));
}

#[test]
fn the_book_inside_the_program_is_sound() {
    let book = Book::embedded().expect("a book");
    let positions = book.header().positions;
    assert!(positions >= 20_000, "{positions} positions");
    assert!(book.size() <= 512_000, "{} bytes", book.size());
    assert!(book.header().nodes >= 500_000);
    assert_eq!(
        book.walk().expect("it begins somewhere").count() as u64,
        positions
    );
    let start = book.find(&Position::start()).expect("the start position");
    assert!(start.moves.len() > 4);
}
