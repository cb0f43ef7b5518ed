//! `damier experiment`, as a user runs it.

use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

fn damier(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .output()
        .expect("the binary runs")
}

/// Positions that are searched in no time.
const POSITIONS: &str = "W:W31-50:B1-20\nW:W27,28,32,33,38:B8,12,13,18,19\n";

#[test]
fn every_experiment_writes_tables_json_and_a_plot() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let positions = path("positions.fen");
    fs::write(&positions, POSITIONS).expect("written");
    for name in ["drivers", "ordering", "table", "depth", "threads", "mtdfix"] {
        let (json, plot) = (path("x.json"), path("x.svg"));
        let args = [
            "experiment",
            name,
            &positions,
            "--depth",
            "3",
            "--tt-size",
            "16",
            "--json",
            &json,
            "--plot",
            &plot,
        ];
        // Matches, where there are any, as short as they can be.
        let more = match name {
            "depth" => "--quick --bb-size 0 --games 2 --match-depth 3",
            "mtdfix" => "--quick --bb-size 0 --games 2 --nodes 20",
            _ => "--quick",
        };
        let more: Vec<&str> = more.split(' ').collect();
        let output = damier(&[&args[..], &more].concat());
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        let text = String::from_utf8(output.stdout).expect("text");
        let found: Value =
            serde_json::from_str(&fs::read_to_string(&json).expect("a file")).expect("JSON");
        assert_eq!(
            (&found["experiment"], &found["positions"], &found["depth"]),
            (&name.into(), &2.into(), &3.into())
        );
        // What stands in the JSON stands in the tables.
        let table = &found["tables"][0];
        let columns = table["columns"].as_array().expect("columns").len();
        for row in table["rows"].as_array().expect("rows") {
            let cells: Vec<&str> = row
                .as_array()
                .expect("cells")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert_eq!(cells.len(), columns);
            assert!(
                text.contains(&format!("| {} |", cells.join(" | "))),
                "{text}"
            );
        }
        let curves = found["plot"]["curves"].as_array().expect("curves").len();
        let picture = fs::read_to_string(&plot).expect("a file");
        assert!(
            curves > 1 && picture.matches("<polyline").count() >= curves,
            "{name}"
        );
    }
}

#[test]
fn interrupted_matches_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (positions, journals) = (path("positions.fen"), path("games"));
    fs::write(&positions, POSITIONS).expect("written");
    let run = |games: &str| {
        let words = "--quick --nodes 20 --bb-size 0 --tt-size 16 --depth 3 --journals";
        let args = ["experiment", "mtdfix", &positions, "--games", games];
        let words: Vec<&str> = words.split(' ').collect();
        damier(&[&args[..], &words, &[&journals]].concat())
    };
    let matches = |output: Output| {
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{text}");
        let end = text.find("to depth").expect("the positions come last");
        text[..end].to_owned()
    };
    let length = || {
        let files = fs::read_dir(&journals).expect("a folder");
        let lengths =
            files.map(|file| file.and_then(|file| file.metadata()).expect("a file").len());
        lengths.collect::<Vec<u64>>()
    };
    let first = matches(run("2"));
    let written = length();
    assert_eq!(written.len(), 3);
    assert_eq!(matches(run("2")), first);
    assert_eq!(length(), written, "no game is played again");
    // Two games more of each.
    assert!(matches(run("4")).contains("| 4 |"));
    assert!(length() > written);
}

#[test]
fn time_is_compared_with_what_was_planned() {
    let output = damier(&["experiment", "time", "--quick", "--tt-size", "16"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    for clock in ["| 0.1+0.001 |", "| 0.2+0.002 |", "| 0.4+0.004 |"] {
        // A row of the use of time, and one for each parity of the depth.
        assert_eq!(text.matches(clock).count(), 3, "{text}");
    }
}

#[test]
fn weights_from_different_games_and_losses_are_compared() {
    let words = "experiment evaluation --quick --games 2 --nodes 20 --bb-size 0 --tt-size 16";
    let output = damier(&words.split(' ').collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| self-play") || line.starts_with("| PDN"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 4, "{text}");
    for row in &rows {
        // To know nothing is ln 2; a few games teach some weights to be too sure.
        let losses = [row[2], row[3]].map(|loss| loss.parse::<f64>().expect("a loss"));
        assert!(
            losses.iter().all(|&loss| loss > 0.0 && loss < 2.0),
            "{text}"
        );
    }
}

#[test]
fn nodes_are_those_of_bench() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("start.fen");
    fs::write(&file, "W:W31-50:B1-20\n").expect("written");
    let file = file.display().to_string();
    let out = |args: &[&str]| String::from_utf8(damier(args).stdout).expect("text");
    let bench: Value =
        serde_json::from_str(&out(&["bench", &file, "--depth", "8", "--json"])).expect("JSON");
    let table = out(&["experiment", "table", &file, "--depth", "8"]);
    let first = table
        .lines()
        .find(|line| line.starts_with("| all |"))
        .expect("a row");
    assert_eq!(
        first.split('|').nth(2).map(str::trim),
        Some(&*bench["nodes"].to_string())
    );
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (args, expected) in [
        (
            vec!["experiment", "magic"],
            "drivers, ordering, table, depth",
        ),
        (vec!["experiment", "table", "no/such/file"], "no/such/file"),
        (vec!["experiment", "table", "--depth", "0"], "--depth"),
        (vec!["experiment", "table", "--games", "20"], "--games"),
        (vec!["experiment", "table", "--find", "2"], "--find"),
        (vec!["experiment", "levels", "--nodes", "9"], "--nodes"),
        (
            vec!["experiment", "mtdfix", "--nodes", "1", "--move-time", "1"],
            "nodes",
        ),
        (vec!["experiment", "levels", "--depth", "9"], "--depth"),
        (vec!["experiment", "levels", "x.fen"], "FILE"),
        (vec!["experiment", "levels", "--tt-size", "16"], "option"),
        (vec!["experiment", "levels", "--games", "3"], "even"),
        (vec!["experiment", "levels", "--guest", "cmd=x"], "name"),
        (
            vec!["experiment", "levels", "--guest", "name=x cmd=x"],
            "level",
        ),
        (
            vec!["experiment", "levels", "--guest", "name=1400 cmd=x depth=3"],
            "1400",
        ),
    ] {
        let output = damier(&args);
        let words = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && output.stdout.is_empty());
        assert!(
            words.contains(expected) && !words.contains("panicked"),
            "{words}"
        );
    }
}
