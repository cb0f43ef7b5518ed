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
    for name in ["drivers", "ordering", "table", "depth", "threads"] {
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
        let output = damier(&args);
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
