//! Files of games as `damier annotate` and `analyze` read them: every dialect, and games that cannot be read.

use crate::annotate::{GAMES, annotate, run};
use crate::messages::one_line;
use serde_json::Value;
use std::fs;
use std::process::Command;

#[test]
fn every_dialect_is_read() {
    let dialects: [(&str, &[u8], usize); 9] = [
        ("PDN 3", b"[GameType \"20,W,10,10,N2,0\"]\n[Result \"2-0\"]\n1. 32-28 19-23 2. 28x19 14x23 *", 4),
        ("older results", b"[Result \"1-0\"]\n1. 32-28 19-23 2. 28x19 14x23 1-0", 4),
        ("a half", b"[Result \"1/2-1/2\"]\n1. 32-28 19-23 2. 28x19 14x23 1/2-1/2", 4),
        ("one half", b"[Result \"1/2\"]\n1. 32-28 19-23 1/2", 2),
        (
            "lidraughts",
            b"[Event \"Rated game\"]\n[Site \"https://lidraughts.org/abc\"]\n[GameType \"20\"]\n[WhiteElo \"1800\"]\n\
              [TimeControl \"180+2\"]\n\n1. 32-28 { [%eval 0.1] [%clock w0:03:00 B0:03:00] } 1... 19-23 \
              { [%clock W0:03:00 b0:02:58] } 2. 28x19 14x23 { A comment (with more). } 2-0",
            4,
        ),
        (
            "toernooibase",
            b"[Event \"NK\"]\r\n[Date \"2003.04.12\"]\r\n[White \"Ren\xe9\"]\r\n[Black \"J\xf6rg\"]\r\n\
              [Result \"1-1\"]\r\n\r\n 1. 32-28 19-23  2. 28x19 14x23  3. 37-32 10-14 1-1\r\n",
            6,
        ),
        (
            "Turbo Dambase",
            b"[Event \"Wereldkampioenschap\"]\r\n[Result \"0-2\"]\r\n[Round \"3\"]\r\n1.32-28 19-23 2.28x19 14x23 \
            3.37-32 0-2\r\n\x1a",
            5,
        ),
        (
            "variations and marks",
            b"{Before} 1. 32-28! (1. 33-29 {other} (1. 31-26 $5) 19-23) 1... 19-23 ; to the end of the line\n2. \
            28x19?? 14x23 *",
            4,
        ),
        ("captured squares", b"1. 32-28 19-23 2. 28x19x23 14x23x19 *", 4),
    ];
    for (name, text, plies) in dialects {
        let (games, complaints, success) = annotate(text);
        let told = match text.is_ascii() {
            true => "",
            false => "damier: stdin: read as windows-1252; --encoding names another\n",
        };
        assert!(success && complaints == told, "{name}: {complaints}");
        assert_eq!(games.len(), 1, "{name}");
        assert_eq!(
            games[0]["moves"].as_array().map(Vec::len),
            Some(plies),
            "{name}"
        );
    }
    let (games, _, _) = annotate(b"[White \"Ren\xe9\"]\n1. 32-28 *");
    assert_eq!(games[0]["tags"]["White"], "Ren\u{e9}");
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_annotated() {
    let text = "[GameType \"40\"]\n1. 32-28 *\n\n[Variant \"Russian\"]\n[GameType \"25\"]\n1. c3-d4 *\n\n\
                [Event \"Checkers\"]\n[Result \"1-0\"]\n1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 1-0\n\n\
                [White \"nobody\"]\n[Result \"2-0\"]\n2-0\n\n\
                [White \"X\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 50-1 1-12 *\n\n\
                [White \"Y\"]\n1. 31-26 *\n";
    let (games, complaints, success) = annotate(text.as_bytes());
    assert!(!success);
    let numbers: Vec<_> = games.iter().map(|game| game["game"].as_u64()).collect();
    // A game of tags alone is one.
    assert_eq!(numbers, [Some(4), Some(5), Some(6)], "{complaints}");
    let plies = |game: &Value| game["moves"].as_array().map(Vec::len);
    assert_eq!((plies(&games[0]), plies(&games[1])), (Some(0), Some(4)));
    let problem = games[1]["problem"].as_str().expect("a problem");
    assert!(
        problem.contains("line 17") && problem.contains("50-1"),
        "{problem}"
    );
    let complaints: Vec<&str> = complaints.lines().collect();
    assert_eq!(complaints.len(), 4, "{complaints:?}");
    for (line, word) in [
        (0, "Frisian"),
        (1, "Russian"),
        (2, "64 squares"),
        (3, "50-1"),
    ] {
        assert!(complaints[line].contains(word), "{complaints:?}");
    }
}

#[test]
fn a_variation_that_cannot_be_read_is_told_and_its_text_kept() {
    let text =
        b"1. 32-28 19-23 (1... 50-1 {lost?}) 2. 28x19 14x23 (2... 13x24 (2... 1-2) 3. 37-32) *\n\n\
                 1. 32-28 19-23 2. 28x19 14x23 3. 50-1 *";
    let (games, complaints, success) = annotate(text);
    let complaints: Vec<&str> = complaints.lines().collect();
    assert!(!success && complaints.len() == 2, "{complaints:?}");
    let note = games[0]["note"].as_str().expect("a note");
    assert!(
        note.starts_with("stdin: game 1, line 1, character 22: "),
        "{note}"
    );
    assert!(
        note.ends_with("; and one more such place") && complaints[0].contains(note),
        "{note}"
    );
    assert_eq!(games[1].get("note"), None);
    // Nothing is lost by that alone.
    let folder = tempfile::tempdir().expect("a folder");
    let first = text.split(|&byte| byte == b'\n').next().expect("a line");
    fs::write(folder.path().join("in.pdn"), first).expect("written");
    let output = run(
        folder.path(),
        &["in.pdn", "--nodes", "300", "--html", "out.html"],
    );
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
    assert!(page.contains("<p class=\"note\">in.pdn: game 1, line 1, character 22: "));
    let output = run(folder.path(), &["in.pdn", "--nodes", "300"]);
    let pdn = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        pdn.contains("{(1... 50-1 (lost?))}") && pdn.contains("{(2... 1-2)}"),
        "{pdn}"
    );
}

#[test]
fn what_holds_no_game_is_an_error_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = "[Annotator \"Damier 0.1.0, depth 9 a position\"]\n\n1. 32-28 *\n";
    for (name, text, wanted) in [
        ("empty.pdn", "", "game"),
        ("comment.pdn", "; nothing\n{here} *\n", "game"),
        ("empty.fen", "# nothing\n", "positions"),
        ("one.json", "{\"moves\": \"32-28 19-23\"}\n", "JSON"),
        ("two.json", "[\n  {\n\"moves\": [\"32-28\"]}]\n", "JSON"),
        ("games.csv", "nr,white,Moves\n1,A,32-28 19-23\n", "CSV"),
    ] {
        fs::write(folder.path().join(name), text).expect("written");
        fs::write(folder.path().join("out.pdn"), before).expect("written");
        let output = run(folder.path(), &[name, "--out", "out.pdn"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        one_line(error, &["damier: ", name, wanted]);
        assert_eq!(output.status.code(), Some(1));
        let kept = fs::read_to_string(folder.path().join("out.pdn")).expect("kept");
        assert_eq!(kept, before);
        assert!(!folder.path().join("out.pdn.journal").exists());
    }
    // One of two files.
    fs::write(folder.path().join("in.pdn"), GAMES).expect("written");
    let output = run(folder.path(), &["one.json", "in.pdn", "--nodes", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("[White \"C\"]"));
    // What looks a little like another format is PDN.
    for text in [
        "{\"naam\": zegt hij} 1. 32-28 *",
        "Jansen, Zetten\n1. 32-28 *",
    ] {
        fs::write(folder.path().join("like.pdn"), text).expect("written");
        let output = run(folder.path(), &["like.pdn", "--nodes", "100"]);
        assert_eq!(output.status.code(), Some(0), "{text}");
    }
    let output = run(folder.path(), &["empty.pdn", "in.pdn", "--nodes", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("[White \"C\"]"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("empty.pdn: no game in it"));
}

#[test]
fn what_is_wrong_reads_right_in_a_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "1. 32-28 19-23 } *\n[White \"b\"]\n1. 32-28 19-23 {open\n[White \"c\"]\n1. 32-28 (31-27 *\n";
    fs::write(folder.path().join("in.pdn"), text).expect("written");
    let output = run(folder.path(), &["in.pdn", "--nodes", "300"]);
    let pdn = String::from_utf8(output.stdout).expect("UTF-8");
    let pdn = pdn.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        // A brace by itself is kept as words are.
        "1. 32-28 19-23 {)} *",
        "1. 32-28 19-23 {open} *",
        "(1. 31-27)",
    ] {
        assert!(pdn.contains(words), "{pdn}");
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    for told in ["no closing brace", "a closing parenthesis is missing"] {
        assert!(errors.contains(told), "{errors}");
    }
}

#[test]
fn headers_and_text_of_a_game_that_cannot_be_read_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "[White \"A\"]\n[FEN \"X:rubbish\"]\n\n1. 33-17 {why} 19-23 2-0\n\n\
                [White \"B\"]\n\n1. 33-17 {so} 19-23 2-0\n\n[White \"C\"]\n\n1. 32-28 *\n";
    fs::write(folder.path().join("in.pdn"), text).expect("written");
    let output = run(folder.path(), &["in.pdn", "--nodes", "300"]);
    let pdn = String::from_utf8(output.stdout).expect("UTF-8");
    for words in [
        "[White \"A\"]",
        "[FEN \"X:rubbish\"]",
        "33-17 (why)",
        "[White \"B\"]",
        "33-17 (so)",
        "[White \"C\"]",
    ] {
        assert!(pdn.contains(words), "{pdn}");
    }
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 2);
}

#[test]
fn analyze_names_the_file_and_the_game_that_it_cannot_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = "[White \"A\"]\n1. 32-28 19-24 *\n\n[White \"B\"]\n1. 32-28 32-27 *\n";
    fs::write(folder.path().join("in.pdn"), games).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.args(["analyze", "in.pdn", "--nodes", "50"]);
    let output = command.current_dir(folder.path()).output().expect("damier");
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(
        why.starts_with("damier: in.pdn: game 2, line 5, character 10: "),
        "{why}"
    );
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(shown.matches("best move").count(), 1, "{shown}");
}

#[test]
fn analyze_takes_files_of_games_and_of_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = "[White \"A\"]\n1. 32-28 19-23 *\n\n[White \"B\"]\n1. 31-27 *\n";
    let positions = "# two\nW:W31-50:B1-20\nB:W31-50:B1-20\n";
    for (name, text, count) in [
        ("games", games, 2),
        ("positions", positions, 2),
        ("damaged", "W:W31-50:B1-20\nW:W77:B1\n", 1),
        ("comments", "# none\n", 0),
        ("empty", "", 0),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        command.args(["analyze", "--nodes", "50", "--json"]);
        let output = command.arg(&file).output().expect("damier");
        assert_eq!(output.status.success(), count == 2, "{name} {output:?}");
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let best = shown.lines().filter(|line| line.contains("\"best\""));
        assert_eq!(best.count(), count, "{name} {shown}");
    }
    let complaint = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        command.args(["analyze", "--nodes", "50", name]);
        let output = command.current_dir(&folder).output().expect("damier");
        assert!(!output.status.success(), "{name}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let why = complaint("damaged");
    assert!(why.starts_with("damier: damaged: line 2: FEN, "), "{why}");
    assert_eq!(
        complaint("comments"),
        "damier: comments: no position in it\n"
    );
    // What could block is not opened, and is no position either.
    #[cfg(unix)]
    assert_eq!(
        complaint("/dev/null"),
        "damier: /dev/null: not a regular file; - reads from stdin\n"
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command
        .args(["analyze", "--moves", "32-28"])
        .arg(folder.path().join("games"));
    let output = command.output().expect("damier");
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(2) && why.contains("--moves"),
        "{why}"
    );
}
