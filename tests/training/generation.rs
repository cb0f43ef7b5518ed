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

/// Plays games by the count of pieces, learns weights from them, and plays these against the count.
fn generation(name: &str, games: u32, epochs: u32, nodes: u32, matches: u32) -> Value {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).display().to_string();
    let (data, weights) = (file("games.dgr"), file("new.dwt"));
    let run = |words: String| report(&words.split(' ').collect::<Vec<_>>());
    let played = run(format!(
        "selfplay --weights material --games {games} --nodes {nodes} --seed 3 --bb-size 0 --out {data} --json"
    ));
    assert_eq!(played["games"], games, "{played}");
    run(format!(
        "train {data} --out {weights} --arch network-64 --epochs {epochs} --batch 1024 --json"
    ));
    let engine = |name: &str, weights: &str| {
        format!(
            "name={name} cmd=\"{DAMIER} hub\" book=false line-gap=0 tt-size=16 bb-size=0 weights={weights}"
        )
    };
    let words = format!("--nodes {nodes} --random-plies 4 --games {matches} --json");
    let (new, old) = (engine("new", &weights), engine("old", "material"));
    let args = ["match", "--engine", &new, "--engine", &old];
    let words: Vec<&str> = words.split(' ').collect();
    let result = report(&[&args[..], &words].concat());
    assert_eq!(
        (&result["games"], &result["faults"]),
        (&matches.into(), &serde_json::json!([]))
    );
    result
}

#[test]
fn weights_learned_from_a_few_games_play() {
    generation("few-games", 100, 1, 100, 4);
}

#[test]
#[ignore = "slow: .ci/full slow_tests"]
fn a_generation_learns_to_beat_the_count_of_pieces() {
    let result = generation("generation", 2000, 10, 300, 300);
    let low = result["engines"][0]["elo"]["low"].as_f64();
    assert!(low.is_some_and(|low| low > 0.0), "{}", result["engines"][0]);
}
