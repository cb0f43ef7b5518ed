//! The bench: the same nodes every time, whatever went before, and what it prints.

use damier::engine::{Job, Level, Options};
use damier::lab::LabError;
use damier::lab::bench::{self, BenchOptions, BenchResult};
use damier::rules::{Game, Position};
use damier::search::{Control, Driver};

const DEPTH: i32 = 6;

fn options(drivers: &[Driver]) -> BenchOptions {
    BenchOptions {
        depth: DEPTH,
        drivers: drivers.to_vec(),
        engine: Options {
            tt_size: 18,
            ..Options::default()
        },
    }
}

fn run(drivers: &[Driver]) -> Vec<BenchResult> {
    let positions = bench::positions().unwrap();
    bench::run(&positions, &options(drivers), |_| Ok(())).unwrap()
}

/// All of a result but what the clock has to say.
fn counts(result: &BenchResult) -> [u64; 5] {
    [
        result.nodes,
        result.iterations,
        result.passes,
        result.inconsistencies,
        result.decisive,
    ]
}

#[test]
fn two_runs_and_company_make_no_difference() {
    let all = run(&Driver::ALL);
    for result in &all {
        let alone = &run(&[result.driver])[0];
        assert_eq!(counts(alone), counts(result), "{}", result.driver);
        assert_eq!(result.positions, 69);
        assert_eq!(result.iterations, 69 * DEPTH as u64);
        assert!(result.nodes > 69 * 100 && result.passes >= result.iterations);
    }
    assert_ne!(all[0].nodes, all[3].nodes, "MTD(f) and PVS search alike");
}

#[test]
fn earlier_searches_make_no_difference() {
    let before = counts(&run(&[Driver::Mtdfix])[0]);
    let mut engine = damier::engine::Engine::new(Default::default()).unwrap();
    let job = Job::new(Game::new(Position::start()), Level::nodes(50_000));
    engine.run(&job, &Control::new(), &mut ());
    assert_eq!(counts(&run(&[Driver::Mtdfix])[0]), before);
}

#[test]
fn the_last_line_is_the_signature_of_the_first_driver() {
    let mut out = Vec::new();
    bench::command(
        None,
        &options(&[Driver::Pvs, Driver::Mtdf]),
        false,
        &mut out,
    )
    .unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // A line for each search, a title, a line for each driver, the last line.
    assert_eq!(lines.len(), 2 * 69 + 1 + 2 + 1);
    let nodes = run(&[Driver::Pvs])[0].nodes;
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    assert_eq!(words.len(), 5);
    assert_eq!((words[0], words[1]), ("Bench:", nodes.to_string().as_str()));
    assert_eq!((words[2], words[4]), ("nodes", "nps"));
    assert!(words[3].parse::<u64>().is_ok());
    let titles = lines[2 * 69];
    for title in ["nodes", "time", "per iter.", "inconsistencies", "decisive"] {
        assert!(titles.contains(title), "{titles}");
    }
}

#[test]
fn json_is_one_object_a_driver() {
    let mut out = Vec::new();
    bench::command(None, &options(&Driver::ALL), true, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), Driver::ALL.len());
    for (line, driver) in text.lines().zip(Driver::ALL) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["search"], driver.name());
        assert!(object["nodes"].as_u64().unwrap() > 0);
        assert!(object["passes_per_iteration"].as_f64().unwrap() >= 1.0);
    }
}

#[test]
fn drivers_are_read_from_a_list() {
    assert_eq!(bench::parse_drivers("all"), Ok(Driver::ALL.to_vec()));
    assert_eq!(
        bench::parse_drivers("pvs, mtdfix"),
        Ok(vec![Driver::Pvs, Driver::Mtdfix])
    );
    for bad in ["", "pvs,", "pvs,pvs", "alpha", "all,pvs"] {
        assert!(bench::parse_drivers(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_bad_file_is_refused() {
    let mut out = Vec::new();
    let missing = bench::command(
        Some("no/such.fen".into()),
        &options(&[Driver::Pvs]),
        false,
        &mut out,
    );
    assert!(matches!(missing, Err(LabError::Read { .. })));
    assert!(out.is_empty());
}
