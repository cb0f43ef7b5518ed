//! Training patterns: what `train` promises of every learner holds of this one.

mod games;

use damier::eval::WeightsFile;
use damier::eval::network::Size;
use damier::lab::train::{self, Architecture, Event, Run, Settings, Summary};
use games::*;
use std::fs;

fn finish(run: &Run) -> Summary {
    let summary = train::run(run, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    assert!(!summary.stopped);
    summary
}

#[test]
fn patterns_learn_by_the_same_ways() {
    let folder = folder("train-patterns");
    play(&order(&name(&folder, "games"), 400, 2));
    let games = name(&folder, "games");
    let patterns = |out: &str| {
        let out = name(&folder, out);
        let mut settings = Settings {
            architecture: Architecture::Patterns,
            rate: Architecture::Patterns.rate(),
            epochs: 3,
            batch: 512,
            hold_out: 20,
            ..Settings::default()
        };
        settings.filter.one_of_kings = 1;
        Run {
            files: vec![games.clone()],
            checkpoint: format!("{out}.ckpt"),
            out,
            from: None,
            settings,
            threads: 2,
        }
    };
    let whole = patterns("whole");
    let summary = finish(&whole);
    let held_out: Vec<f64> = summary
        .epochs
        .iter()
        .map(|report| report.held_out.unwrap().loss)
        .collect();
    let best = held_out.iter().copied().fold(f64::MAX, f64::min);
    assert!(best < 0.67 && best < held_out[0], "{held_out:?}");
    let rounded = summary.rounded.unwrap().loss;
    assert!((rounded - best).abs() < 0.0005, "{rounded} {best}");
    let bytes = fs::read(&whole.out).unwrap();
    let file = WeightsFile::from_bytes(&bytes).unwrap();
    assert_eq!(file.weights.architecture(), "patterns");
    // Stopped in the middle of the second epoch, and finished with another number of threads.
    let mut part = patterns("part");
    let stopped = train::run(
        &part,
        &mut |event| !matches!(event, Event::Step { epoch: 2, done, total } if 2 * done > total),
    );
    assert_eq!(stopped.unwrap().epochs.len(), 1);
    part.threads = 3;
    finish(&part);
    assert!(fs::read(&part.out).unwrap() == bytes, "other weights");
    // Another seed, other weights; from these on, a better beginning; and a network does not begin with them.
    let mut other = patterns("other");
    other.settings.seed = 2;
    finish(&other);
    assert!(fs::read(&other.out).unwrap() != bytes, "the same weights");
    let mut next = patterns("next");
    next.from = Some(whole.out.clone());
    let first = finish(&next).epochs[0].held_out.unwrap().loss;
    assert!(first < held_out[0], "{first} {held_out:?}");
    let mut network = patterns("network");
    network.settings.architecture = Architecture::Network(Size::Small);
    network.from = Some(whole.out);
    let error = train::run(&network, &mut |_| true).expect_err("a refusal");
    let error = error.to_string();
    assert!(
        error.ends_with("whole: weights of patterns, which network-64 cannot begin with"),
        "{error}"
    );
}
