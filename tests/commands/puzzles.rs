//! `damier puzzles`: sets of the program and of files, and a session with a script.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const POSITION: &str = "[FEN \"W:W22,28,32,34,37:B9,11,17,19,24\"]";
const ANSWER: &str = "1. 34-29 24x33 2. 28x39 17x28 3. 32x3 *";

/// The program with a line each, in a folder where it keeps its progress.
fn damier(folder: &Path, arguments: &[&str], lines: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.arg("puzzles").args(arguments).current_dir(folder);
    command.env("XDG_DATA_HOME", folder).env("APPDATA", folder);
    command.env("HOME", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let script = lines.join("\n");
    // It may refuse to start.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a session says, which ends well.
fn said(folder: &Path, arguments: &[&str], lines: &[&str]) -> String {
    let out = damier(folder, arguments, lines);
    assert!(out.status.success(), "{}", text(&out.stderr));
    text(&out.stdout)
}

/// A failure with one line.
fn fails(out: &Output, code: i32, words: &str) {
    let told = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{told}");
    // Wrong arguments are told with the usage.
    let is_one_line = told.lines().count() == 1 || code == 2;
    assert!(is_one_line && told.contains(words), "{told}");
}

#[test]
fn a_puzzle_is_tried_solved_and_rated() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let set = folder.join("set.pdn");
    std::fs::write(&set, format!("{POSITION}\n[Grade \"1\"]\n{ANSWER}")).unwrap();
    let arguments = ["set.pdn", "--tt-size", "16"];
    let lines = [
        "hnit", "28-17", "hint", "32-27", "34-29", "moves", "28x39", "32x3", "next",
    ];
    let out = said(folder, &arguments, &lines);
    for words in [
        "Puzzle 1, grade 1: white to move.",
        "did you mean hint?",
        "Not possible: ",
        "The piece on 34 moves.",
        "There is a better move. Try again.",
        "Right: 34-29 24x33",
        "Right: 28x39 17x28",
        "Solved: 34-29 24x33 28x39 17x28 32x3",
        "This is a coup de talon.",
        "Your rating: 1180 (-20), solved in a row: 0. This one comes again.",
        "The next one comes again in 10 minutes.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let kept = std::fs::read_to_string(folder.join("damier/puzzles.json")).unwrap();
    assert!(kept.starts_with("{\"damier_puzzles\":1,"), "{kept}");
    assert!(
        kept.contains("\"W:W22,28,32,34,37:B9,11,17,19,24\":{\"box\":1,"),
        "{kept}"
    );
    // At the first try, in another file.
    let other = [&arguments[..], &["--progress", "ann.json"]].concat();
    let out = said(folder, &other, &["34-29", "28x39", "32x3", "quit"]);
    assert!(
        out.contains("Your rating: 1212 (+12), solved in a row: 1.\n"),
        "{out}"
    );
    // Who leaves at once leaves no file.
    let other = [&arguments[..], &["--progress", "none.json"]].concat();
    said(folder, &other, &["quit"]);
    assert!(!folder.join("none.json").exists());
    // Another program's file is not overwritten.
    std::fs::write(folder.join("note.json"), "{\"name\":\"Ann\"}").unwrap();
    let other = [&arguments[..], &["--progress", "note.json"]].concat();
    fails(
        &damier(folder, &other, &[]),
        1,
        "note.json: no progress of puzzles",
    );
}

#[test]
fn any_move_as_good_as_the_answer_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let set = "[FEN \"W:WK5,K46,31:B20\"]\n1. 31-26 *";
    std::fs::write(folder.path().join("set.pdn"), set).unwrap();
    let out = said(
        folder.path(),
        &["set.pdn", "--tt-size", "16"],
        &["31-27", "quit"],
    );
    assert!(out.contains("Solved: that is as good as 31-26"), "{out}");
}

#[test]
fn what_is_no_puzzle_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bad = format!(
        "{POSITION}\n1. 28-17 *\n\n{POSITION}\n1. 32-27 *\n\n{POSITION}\n*\n\n{POSITION}\n{ANSWER}\n"
    );
    std::fs::write(folder.join("bad.pdn"), bad).unwrap();
    std::fs::write(folder.join("games.pdn"), "1. 32-28 19-23 *\n").unwrap();
    let out = damier(folder, &["bad.pdn", "--json", "--tt-size", "16"], &[]);
    let (listed, told) = (text(&out.stdout), text(&out.stderr));
    assert!(
        out.status.success() && listed.lines().count() == 1,
        "{listed}{told}"
    );
    assert!(
        listed.contains("\"grade\":2,\"rating\":1400.0,\"motifs\":[\"coup de talon\"]"),
        "{listed}"
    );
    let told: Vec<&str> = told.lines().collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told[0].contains("28-17") && told[1].contains("has no answer"),
        "{told:?}"
    );
    assert!(
        told[2].contains("puzzle 1: there is a better move than its answer"),
        "{told:?}"
    );
    fails(
        &damier(folder, &["games.pdn"], &[]),
        1,
        "games.pdn: no puzzles in it",
    );
    fails(&damier(folder, &["none.pdn"], &[]), 1, "none.pdn");
    fails(&damier(folder, &["-"], &[]), 2, "stdin");
    fails(&damier(folder, &["--motif", "xyz"], &[]), 1, "coup royal");
    let mut homeless = Command::new(env!("CARGO_BIN_EXE_damier"));
    let homeless = homeless.arg("puzzles").env_clear().stdin(Stdio::null());
    fails(&homeless.output().unwrap(), 1, "--progress");
}

#[test]
fn the_built_in_set_is_listed_by_grade_and_motif() {
    let folder = tempfile::tempdir().unwrap();
    let count = |arguments: &[&str]| {
        let out = said(folder.path(), &[&["--json"], arguments].concat(), &[]);
        out.lines().count()
    };
    let all = count(&[]);
    assert!(all >= 500, "{all}");
    let grades =
        ["1", "2", "3", "4"].map(|grade| damier(folder.path(), &["--json", "--grade", grade], &[]));
    let by_grade = grades.map(|out| text(&out.stdout).lines().count());
    assert_eq!(by_grade.iter().sum::<usize>(), all);
    assert_eq!(count(&["--grade", "2-3"]), by_grade[1] + by_grade[2]);
    assert_eq!(
        count(&["--motif", "napoleon"]),
        count(&["--motif", "coup Napol\u{e9}on"])
    );
    let out = said(folder.path(), &["--seed", "1"], &["answer", "quit"]);
    assert!(
        out.contains("The answer: ") && out.contains("Your rating: "),
        "{out}"
    );
    assert_eq!(
        damier(folder.path(), &["--grade", "5"], &[]).status.code(),
        Some(2)
    );
}
