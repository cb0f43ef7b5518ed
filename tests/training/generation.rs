//! docs/selfplay-and-training.md in miniature: games by the count of pieces, weights learned from them, and a match
//! that tells the two apart.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const DAMIER: &str = env!("CARGO_BIN_EXE_damier");

fn report(args: &[&str]) -> Value {
    let output = Command::new(DAMIER)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {err}");
    let out = String::from_utf8(output.stdout).expect("text");
    let last = out.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {out}"))
}

#[test]
fn a_generation_learns_to_beat_the_count_of_pieces() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("generation");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).display().to_string();
    let (games, weights) = (file("games.dgr"), file("new.dwt"));
    let played = report(&[
        "selfplay",
        "--weights",
        "material",
        "--games",
        "2000",
        "--nodes",
        "300",
        "--seed",
        "3",
        "--out",
        &games,
        "--json",
    ]);
    assert_eq!(played["games"], 2000, "{played}");
    report(&[
        "train",
        &games,
        "--out",
        &weights,
        "--arch",
        "network-64",
        "--epochs",
        "10",
        "--batch",
        "1024",
        "--json",
    ]);
    let engine = |name: &str, weights: &str| {
        format!(
            "name={name} cmd=\"{DAMIER} hub\" book=false line-gap=0 tt-size=16 weights={weights}"
        )
    };
    let result = report(&[
        "match",
        "--engine",
        &engine("new", &weights),
        "--engine",
        &engine("old", "material"),
        "--nodes",
        "300",
        "--random-plies",
        "4",
        "--games",
        "300",
        "--json",
    ]);
    assert_eq!(
        (&result["games"], &result["faults"]),
        (&300.into(), &serde_json::json!([]))
    );
    let low = result["engines"][0]["elo"]["low"].as_f64();
    assert!(low.is_some_and(|low| low > 0.0), "{}", result["engines"][0]);
}
