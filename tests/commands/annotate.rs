//! `damier annotate`: every dialect in, PDN, JSON and a page out, through kills and damage.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Two games that differ, some moves of each with something to find.
pub const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n\n\
    1. 32-28 18-23 2. 34-30 23x32 3. 37x28 20-25 4. 40-34 14-20 5. 44-40 12-18 6. 30-24 \
    20x29 7. 34x21 16x27 8. 31x22 2-0\n\n\
    [White \"C\"]\n[Black \"A\"]\n[Result \"1-1\"]\n\n\
    1. 32-28 19-23 2. 28x19 14x23 3. 37-32 16-21 4. 32-28 23x32 5. 38x16 1-1\n\n";

fn damier(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.arg("annotate").args(args).current_dir(folder);
    command.args(["--no-book", "--tt-size", "14", "--bb-size", "4"]);
    command
}

pub fn run(folder: &Path, args: &[&str]) -> Output {
    damier(folder, args).output().expect("damier")
}

/// Annotates this text, given on stdin, as JSON.
pub fn annotate(text: &[u8]) -> (Vec<Value>, String, bool) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = damier(folder.path(), &["-", "--json", "--nodes", "300"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("damier");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text).expect("read");
    drop(input);
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let objects = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    (objects.collect(), complaints, output.status.success())
}

#[test]
fn moves_have_commas_and_a_position_alone_gets_a_hint() {
    let folder = tempfile::tempdir().expect("a folder");
    for moves in ["32-28,19-23", "32-28, 19-23 {a, b}", "32-28"] {
        let output = run(folder.path(), &[moves, "--nodes", "100", "--json"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let game: Value = serde_json::from_str(&text).expect("JSON");
        let plies = game["moves"].as_array().map(Vec::len);
        assert_eq!(plies, Some(moves.matches('-').count()), "{output:?}");
    }
    let output = run(folder.path(), &["W:W28,33:B19"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("--moves") && error.contains("damier analyze"),
        "{error}"
    );
    assert_eq!((error.lines().count(), output.status.code()), (1, Some(1)));
    // Moves that belong to nothing.
    let output = run(folder.path(), &["32-28 19-23", "--moves", "28x19"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("--moves continue a position"), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_output_that_cannot_be_written_is_named_before_the_work_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), GAMES).expect("written");
    let begun = Instant::now();
    for outputs in [
        &["--out", "no/x.pdn"][..],
        &["--html", "no/x.pdn"],
        &["--out", "y.pdn", "--html", "no/x.pdn"],
    ] {
        let output = run(
            folder.path(),
            &[&["in.pdn", "--time", "60"], outputs].concat(),
        );
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            error.starts_with("damier: no/x.pdn: cannot be written: "),
            "{error}"
        );
        assert_eq!((error.lines().count(), output.status.code()), (1, Some(1)));
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 1, "{outputs:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_move_that_loses_something_has_a_mark_a_score_and_a_better_line() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), GAMES).expect("written");
    let output = run(
        folder.path(),
        &["in.pdn", "--nodes", "3000", "--threads", "1"],
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        output.status.success() && text.contains("[%lost ") && text.contains("[WhiteAccuracy "),
        "{text}"
    );
    // What was written is read again with the same outcome.
    fs::write(folder.path().join("again.pdn"), &text).expect("written");
    let again = run(
        folder.path(),
        &["again.pdn", "--nodes", "3000", "--threads", "2"],
    );
    assert_eq!(String::from_utf8_lossy(&again.stdout), text);
}

#[test]
fn a_kill_costs_the_games_in_work_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::write(path.join("in.pdn"), GAMES.repeat(20)).expect("written");
    let args = [
        "in.pdn", "--nodes", "2000", "--out", "out.pdn", "--html", "out.html",
    ];
    let whole = run(
        path,
        &[
            "in.pdn",
            "--nodes",
            "2000",
            "--out",
            "whole.pdn",
            "--html",
            "whole.html",
        ],
    );
    assert!(whole.status.success(), "{whole:?}");
    let mut child = damier(path, &args)
        .stdout(Stdio::null())
        .spawn()
        .expect("damier");
    let began = Instant::now();
    let journal = path.join("out.pdn.journal");
    let lines =
        || fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|&&b| b == b'\n').count());
    while lines() < 6 && began.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("an end");
    if !path.join("out.pdn").exists() {
        assert!(lines() >= 6);
        // Other work does not go on with it.
        let other = run(
            path,
            &[
                "in.pdn", "--nodes", "2001", "--out", "out.pdn", "--html", "out.html",
            ],
        );
        let why = String::from_utf8_lossy(&other.stderr).into_owned();
        assert!(!other.status.success() && why.contains("nodes"), "{why}");
        let rest = run(path, &args);
        assert!(rest.status.success(), "{rest:?}");
        assert_eq!(rest.stdout, whole.stdout);
    }
    for (one, other) in [("out.pdn", "whole.pdn"), ("out.html", "whole.html")] {
        assert!(
            fs::read(path.join(one)).expect("a file")
                == fs::read(path.join(other)).expect("a file"),
            "{one}"
        );
    }
    assert!(!journal.exists());
}

#[test]
fn shards_have_each_game_once() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), GAMES.repeat(3)).expect("written");
    let mut numbers = Vec::new();
    for shard in ["1/4", "2/4", "3/4", "4/4"] {
        let output = run(
            folder.path(),
            &["in.pdn", "--nodes", "200", "--json", "--shard", shard],
        );
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let objects = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        numbers.extend(objects.map(|object| object["game"].as_u64().expect("a number")));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn text_of_a_file_stays_text_on_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = "<script>alert(1)</script><img src=x onerror=alert(1)>";
    let game = format!(
        "[White \"{bad}\"]\n[Event \"{bad}\"]\n1. 32-28 {{{bad}}} 18-23 ({{{bad}}} 1... 19-23 {{</script>{bad}}}) \
         2. 34-30 23x32 3. 37x28 20-25 4. 40-34 14-20 5. 44-40 12-18 6. 30-24 *\n"
    );
    fs::write(folder.path().join("in.pdn"), game).expect("written");
    let output = run(
        folder.path(),
        &["in.pdn", "--nodes", "2000", "--html", "out.html"],
    );
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
    assert!(
        !page.contains("<script>alert")
            && !page.contains("<img")
            && page.contains("&lt;script&gt;alert(1)")
    );
    // Its own script and the data of the game.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("default-src 'none'") && !page.contains("unsafe-inline"));
    for remote in ["http://", "https://", "src=\"", "url("] {
        let found = page
            .match_indices(remote)
            .filter(|(at, _)| !page[*at..].starts_with("http://www.w3.org/"));
        assert_eq!(found.count(), 0, "{remote}");
    }
}

#[test]
fn no_input_is_written_over_and_nothing_given_may_be_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.pdn"), GAMES).expect("written");
    let output = run(
        folder.path(),
        &["in.pdn", "--nodes", "100", "--out", "in.pdn"],
    );
    assert!(!output.status.success());
    assert_eq!(
        fs::read_to_string(folder.path().join("in.pdn")).expect("a file"),
        GAMES
    );
    // Nor what is of another kind, or was not annotated.
    for (form, name, text) in [
        ("--out", "thesis.txt", "years of work"),
        ("--html", "thesis.txt", "years of work"),
        ("--out", "club.pdn", "[Event \"Club\"]\n\n1. 32-28 *\n"),
        ("--html", "home.html", "<!DOCTYPE html><title>Home</title>"),
    ] {
        fs::write(folder.path().join(name), text).expect("written");
        let output = run(folder.path(), &["in.pdn", "--nodes", "100", form, name]);
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && why.contains(name) && why.lines().count() == 1,
            "{why}"
        );
        let left = fs::read_to_string(folder.path().join(name)).expect("a file");
        assert_eq!(left, text);
    }
    // What it wrote itself it writes again.
    for _ in 0..2 {
        let args = [
            "in.pdn", "--nodes", "100", "--out", "own.pdn", "--html", "own.html",
        ];
        let output = run(folder.path(), &args);
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.is_empty(), "{why}");
    }
    let output = run(folder.path(), &["none.pdn", "--nodes", "100"]);
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && why.contains("none.pdn"),
        "{why}"
    );
    // A position with moves, and moves alone.
    for args in [
        &["W:W28,K33:B8,14,K3", "--moves", "33-29"][..],
        &["1. 32-28 19-23"][..],
    ] {
        let output = run(folder.path(), &[args, &["--nodes", "100"]].concat());
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn players_without_a_name_are_not_taken_for_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "[White \"?\"]\n[Black \"B\"]\n\n1. 32-28 18-23 *\n\n";
    fs::write(folder.path().join("in.pdn"), game.repeat(2)).expect("written");
    let output = run(
        folder.path(),
        &["in.pdn", "--nodes", "300", "--out", "out.pdn"],
    );
    let table = String::from_utf8(output.stdout).expect("text");
    let names: Vec<&str> = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split("  ").last())
        .collect();
    assert_eq!(names, ["B", "White of game 1", "White of game 2"]);
}
