//! Perft: known counts, and agreement of the fast count with the plain one, with threads, with a table and with divide.

use crate::common::{fen, plain_perft, position, positions};
use damier::rules::Position;
use damier::rules::perft::{NoMemory, Perft, PerftOptions, perft};
use proptest::prelude::*;
use std::num::NonZeroUsize;

const STANDARD: &str = include_str!("../data/standard.perft");
const RANDOM: &str = include_str!("../data/random.perft");
const MORE: &str = include_str!("../data/more.perft");

/// The lines `position;depth;count` of a file.
fn lines(data: &str) -> impl Iterator<Item = (Position, u32, u64)> {
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<&str> = line.split(';').collect();
        let [fen, depth, count] = fields[..] else {
            panic!("{line}");
        };
        (
            position(fen),
            depth.parse().unwrap(),
            count.parse().unwrap(),
        )
    })
}

fn counts_are_met(data: &str, sizes: impl Fn(u64) -> bool) {
    let mut met = 0;
    for (position, depth, count) in lines(data).filter(|line| sizes(line.2)) {
        assert_eq!(
            perft(&position, depth),
            count,
            "{} depth {depth}",
            fen(&position)
        );
        met += 1;
    }
    assert!(met > 0);
}

/// A count up to this is met in every test run.
const SHALLOW: u64 = 100_000_000;

#[test]
fn standard_positions() {
    counts_are_met(STANDARD, |count| count <= SHALLOW);
}

#[test]
fn random_positions() {
    counts_are_met(RANDOM, |count| count <= SHALLOW);
}

#[test]
fn more_positions() {
    counts_are_met(MORE, |count| count <= SHALLOW);
}

#[test]
#[ignore = "about a minute: cargo test --release --test rules perft -- --ignored"]
fn deep_counts() {
    counts_are_met(STANDARD, |count| count > SHALLOW);
    counts_are_met(MORE, |count| count > SHALLOW);
}

fn agrees(position: &Position, depths: std::ops::RangeInclusive<u32>) -> Result<(), TestCaseError> {
    for depth in depths {
        let (fast, plain) = (perft(position, depth), plain_perft(position, depth));
        prop_assert_eq!(fast, plain, "{} depth {}", fen(position), depth);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn agrees_with_plain_perft_where_there_are_men(p in positions(12, 0)) {
        agrees(&p, 0..=4)?;
    }

    #[test]
    fn agrees_with_plain_perft_in_compositions(p in positions(22, 0)) {
        agrees(&p, 0..=4)?;
    }

    #[test]
    fn agrees_with_plain_perft_where_there_are_kings(p in positions(8, 2)) {
        agrees(&p, 0..=3)?;
    }

    #[test]
    fn agrees_with_plain_perft_in_endings(p in positions(3, 1)) {
        agrees(&p, 4..=4)?;
    }

    #[test]
    fn agrees_with_plain_perft_before_promotions(p in positions(4, 0)) {
        agrees(&p, 3..=5)?;
    }
}

/// As many single captures as rows can be made to give.
#[test]
fn many_single_captures() {
    let p = position(
        "W:W6,7,8,9,10,26,27,28,29,30,46,47,48,49,50:B11,12,13,14,15,21,22,23,24,25,31,32,33,34,35,41,42,43,44,45",
    );
    assert_eq!(p.legal_moves().len(), 32);
    agrees(&p, 1..=3).unwrap();
    agrees(&p.flipped(), 1..=3).unwrap();
}

#[test]
fn threads_table_and_divide_change_nothing() {
    let counters: Vec<Perft> = [(1, 0), (3, 0), (1, 1), (2, 4)]
        .into_iter()
        .map(|(threads, hash_mib)| {
            let threads = NonZeroUsize::new(threads).unwrap();
            Perft::new(PerftOptions { threads, hash_mib }).unwrap()
        })
        .collect();
    for (position, depth, count) in lines(STANDARD).filter(|line| line.2 < 2_000_000) {
        for counter in &counters {
            assert_eq!(counter.count(&position, depth), count);
            // What is in the table must not depend on how it came there.
            let divided = counter.divide(&position, depth);
            assert_eq!(divided.len(), position.legal_moves().len());
            assert_eq!(divided.iter().map(|(_, n)| n).sum::<u64>(), count);
        }
    }
}

#[test]
fn reports_depth_by_depth() {
    let mut lines = Vec::new();
    let counter = Perft::new(PerftOptions::default()).unwrap();
    let counted = counter.run(&Position::start(), 9, |report| {
        lines.push((report.depth, report.count, report.to_string()));
        // An error ends the counting.
        if report.depth < 5 { Ok(()) } else { Err(()) }
    });
    assert_eq!(counted, Err(()));
    let counts: Vec<_> = lines.iter().map(|line| (line.0, line.1)).collect();
    assert_eq!(counts, [(1, 9), (2, 81), (3, 658), (4, 4265), (5, 27117)]);
    assert!(
        lines[4].2.starts_with("perft(5) 27117 0."),
        "{}",
        lines[4].2
    );
    assert!(lines[4].2.ends_with(" Mnps"));
}

#[test]
fn a_terminal_position_has_one_sequence_of_no_move_and_no_other() {
    let counter = Perft::new(PerftOptions::default()).unwrap();
    for fen in ["W:W:B1", "B:W:B", "W:W46:B41,37", "B:WK1,6:B"] {
        let p = position(fen);
        assert_eq!((counter.count(&p, 0), counter.count(&p, 1)), (1, 0));
        assert_eq!((counter.count(&p, 2), counter.count(&p, 9)), (0, 0));
        assert!(counter.divide(&p, 3).is_empty());
    }
    assert!(counter.divide(&Position::start(), 0).is_empty());
}

#[test]
fn a_table_too_large_is_an_error() {
    for hash_mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
        let options = PerftOptions {
            hash_mib,
            ..PerftOptions::default()
        };
        assert_eq!(Perft::new(options).err(), Some(NoMemory { mib: hash_mib }));
    }
}
