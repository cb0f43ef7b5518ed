use super::costs::{Known, Seen};
use super::play::note_iterations;
use super::tables::quantile;
use damier_engine::search::params::Params;
use damier_engine::search::{IterationTime, Outcome, Report, Stats, Timing};
use damier_rules::Position;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn iteration(depth: u32, cost: u32, finished: bool) -> IterationTime {
    IterationTime {
        depth,
        predicted: None,
        cost: MS * cost,
        finished,
        changed: !finished,
    }
}

#[test]
fn iterations_are_compared_with_what_was_predicted() {
    let params = Params::default();
    let outcome = |iterations| Outcome {
        timing: Timing {
            target: Some(MS * 100),
            iterations,
        },
        ..Outcome::default()
    };
    let (mut seen, mut known) = (Seen::default(), Known::default());
    let first = [(1, 10, true), (2, 20, true), (3, 60, true), (4, 30, false)];
    let second = [(1, 10, true), (2, 20, true), (3, 80, true)];
    for iterations in [&first[..], &second] {
        let iterations = iterations.iter();
        let iterations = iterations.map(|&(depth, cost, done)| iteration(depth, cost, done));
        seen.add(&outcome(iterations.collect()), MS * 80, &mut known, &params);
    }
    assert!(seen.used.len() == 2 && (seen.used[0] - 0.8).abs() < 1e-9);
    assert_eq!((seen.broken_off, seen.salvaged, seen.lost), (1, 1, MS * 30));
    assert_eq!((seen.growth[0].len(), seen.growth[1].len()), (2, 2));
    // 80 where the depth cost 60 before, and 20 doubled is 40.
    let expected = [80.0 / 60.0, 2.0, 80.0 / 50.0];
    for (found, expected) in seen.accuracy.iter().zip(expected) {
        assert!(found.len() == 1 && (found[0] - expected).abs() < 1e-9);
    }
    let [(depth, ratio)] = seen.curve("x").points[..] else {
        panic!("{:?}", seen.curve("x"));
    };
    assert!(depth == 3 && (ratio - 80.0 / 50.0).abs() < 1e-9);
}

#[test]
fn a_search_with_a_fixed_time_is_told_by_its_reports() {
    let moves = Position::start().legal_moves();
    let report = |depth, time, mv| Report {
        depth,
        time: MS * time,
        pv: vec![mv],
        ..Report::default()
    };
    // The third iteration was broken off when it had changed the move.
    let reports = [
        report(1, 10, moves[0]),
        report(2, 30, moves[1]),
        report(3, 90, moves[0]),
    ];
    let mut outcome = Outcome {
        best: Some(moves[0]),
        stats: Stats {
            iterations: 2,
            ..Stats::default()
        },
        ..Outcome::default()
    };
    note_iterations(&mut outcome, &reports, MS * 99, MS * 100);
    let found = &outcome.timing.iterations;
    assert_eq!(found[1].cost, MS * 20);
    let last = IterationTime {
        changed: true,
        ..iteration(3, 69, false)
    };
    assert_eq!((found.len(), found[2]), (3, last));
    note_iterations(&mut outcome, &reports, MS * 50, MS * 100);
    assert_eq!(outcome.timing.iterations.len(), 2, "it ended by itself");
}

#[test]
fn quantiles_are_values() {
    assert_eq!(quantile(&[], 0.5), 0.0);
    assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), 2.0);
    assert_eq!(quantile(&[3.0, 1.0, 2.0], 1.0), 3.0);
}
