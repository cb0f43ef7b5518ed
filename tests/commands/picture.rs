//! `damier picture`: SVG and PNG, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn picture(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    let command = command.arg("picture").args(args).current_dir(folder);
    command.output().expect("damier")
}

const FEN: &str = "W:W28,K33:B8,14,K3";

#[test]
fn the_name_of_the_file_says_what_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, start) in [
        ("x.png", &b"\x89PNG\r\n\x1a\n"[..]),
        ("x.PNG", b"\x89PNG\r\n\x1a\n"),
        ("x.svg", b"<svg "),
    ] {
        let output = picture(folder.path(), &[FEN, "--moves", "33-29", "--out", name]);
        assert!(output.status.success(), "{output:?}");
        let bytes = fs::read(folder.path().join(name)).expect("a file");
        assert!(bytes.starts_with(start), "{name}");
    }
    let stdout = picture(folder.path(), &[FEN]).stdout;
    assert!(stdout.starts_with(b"<svg "));
    // Width and height of a page of two boards, one pixel for a unit.
    let args = [
        FEN,
        FEN,
        "--caption",
        "one",
        "--scale",
        "1",
        "--out",
        "two.png",
    ];
    assert!(picture(folder.path(), &args).status.success());
    let bytes = fs::read(folder.path().join("two.png")).expect("a file");
    let number = |at: usize| {
        bytes[at..at + 4]
            .iter()
            .fold(0, |all, &byte| all << 8 | u32::from(byte))
    };
    assert_eq!((number(16), number(20)), (860, 492));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let many = vec![FEN; 300];
    let many = [&many[..], &["--scale", "16", "--out", "x.png"]].concat();
    for args in [
        &[FEN, "--out", "x.jpg"][..],
        &[FEN, "--moves", "28-19", "--out", "x.png"],
        &[FEN, "--moves", "33-29", "--moves", "33-29"],
        &[FEN, "--scale", "0", "--out", "x.png"],
        &["W:W60:B3", "--out", "x.png"],
        &many,
    ] {
        let output = picture(folder.path(), args);
        assert!(!output.status.success(), "{args:?}");
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!why.is_empty() && !why.contains("panicked"), "{why}");
    }
    assert!(!folder.path().join("x.png").exists());
}

const GAMES: &str = r#"
[White "Чижов"]
[Black "B"]
[Event "Cup"]
[Date "2024.08.??"]
[Result "2-0"]
{Before.} 1. 32-28 19-23 {A fork.} 2. 28x19 14x23 {[%eval 0.1]} *

[White "C"]
[Result "0-2"]
1. 33-29 *
"#;

#[test]
fn positions_of_games_are_drawn_with_who_is_to_move() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pdn"), GAMES).expect("written");
    let drawn = |args: &[&str]| {
        let output = picture(folder.path(), &[&["games.pdn"], args].concat());
        let text = String::from_utf8(output.stdout).expect("text");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (text, said)
    };
    let (start, _) = drawn(&[]);
    assert_eq!(start.matches(">White to move<").count(), 2);
    assert!(
        start.contains(">Чижов \u{2013} B, Cup, 2024.08<"),
        "{start}"
    );
    assert!(start.contains(">C \u{2013} ?<"), "{start}");
    let (third, said) = drawn(&["--at", "3"]);
    assert_eq!(third.matches("to move<").count(), 1);
    assert!(said.contains("1 game with fewer plies"), "{said}");
    let (last, _) = drawn(&["--at", "last", "--captions", "turn"]);
    assert!(last.contains(">White to move<") && last.contains(">Black to move<"));
    assert!(!last.contains("Cup"));
    let (dutch, _) = drawn(&["--at", "last", "--language", "nl"]);
    assert!(dutch.contains(">Wit aan zet<") && !dutch.contains("to move"));
    let (comments, _) = drawn(&["--at", "comments"]);
    assert!(comments.contains(">Before.<") && comments.contains(">A fork.<"));
    assert_eq!(comments.matches("to move<").count(), 2);
    let (own, _) = drawn(&[
        "--captions",
        "none",
        "--caption",
        "mine",
        "--numbers",
        "none",
    ]);
    assert!(own.contains(">mine<") && own.matches("<text").count() == 1);
}

#[test]
fn a_language_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = picture(folder.path(), &[FEN, "--language", "xx"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && said.contains("nl, fr, de or ru"),
        "{said}"
    );
}

#[test]
fn a_sheet_has_pages_answers_and_solutions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("games.pdn"), GAMES.repeat(4)).expect("written");
    let sheet = [
        "games.pdn",
        "--per-page",
        "6",
        "--title",
        "Club",
        "--answers",
        "--solutions",
    ];
    let with = |more: &[&str]| picture(folder.path(), &[&sheet[..], more].concat());
    assert!(with(&["--out", "x.pdf"]).status.success());
    let bytes = fs::read(path("x.pdf")).expect("a file");
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.starts_with("%PDF-1.") && text.ends_with("%%EOF"));
    // Two of diagrams, one of solutions.
    assert!(text.contains("/Count 3") && text.contains("/Title (Club)"));
    assert!(with(&["--out", "x.svg"]).status.success());
    let pages: Vec<String> = (1..=3)
        .map(|page| fs::read_to_string(path(&format!("x-{page}.svg"))).expect("a page"))
        .collect();
    assert!(!path("x.svg").exists() && !path("x-4.svg").exists());
    assert!(pages[0].contains(">6.<") && pages[1].contains(">8.<"));
    assert!(
        pages[2].contains(">1. 32-28 19-23 2. 28x19 14x23<"),
        "{}",
        pages[2]
    );
    // A page alone keeps its name.
    let one = picture(
        folder.path(),
        &[FEN, "--per-page", "6", "--out", "one.png", "--scale", "1"],
    );
    assert!(one.status.success());
    let bytes = fs::read(path("one.png")).expect("a file");
    assert_eq!(
        bytes[16..24],
        [
            0,
            0,
            595_u16.to_be_bytes()[0],
            595_u16.to_be_bytes()[1],
            0,
            0,
            842_u16.to_be_bytes()[0],
            842_u16.to_be_bytes()[1]
        ]
    );
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("games.pdn"), GAMES).expect("written");
    fs::write(path("x.pdf"), "my notes").expect("written");
    fs::write(path("empty.pdn"), "").expect("written");
    let asian = "[White \"\u{4e2d}\"]\n1. 32-28 19-28 *";
    fs::write(path("damaged.pdn"), asian).expect("written");
    for (args, words) in [
        (&["games.pdn", "--out", "x.pdf"][..], "another kind of file"),
        (&["games.pdn", "--out", "no/x.pdf"], "no/x.pdf: "),
        (&["games.pdn", "--out", "games.pdn"], ".svg, .png or .pdf"),
        (&["nothing.pdn", "--out", "y.pdf"], "nothing.pdn: "),
        (&["empty.pdn", "--out", "y.pdf"], "empty.pdn: no game"),
        (
            &["games.pdn", "--at", "99", "--out", "y.pdf"],
            "2 games with fewer plies",
        ),
        (
            &["games.pdn", "--at", "middle"],
            "expected start, last, comments",
        ),
        (&["games.pdn", "--per-page", "31"], "30"),
        (&["games.pdn", "--per-page", "1"], "--out FILE"),
        (&["games.pdn", "--title", "x"], "--per-page"),
        (&["damaged.pdn", "--out", "z.pdf"], "damaged.pdn: "),
    ] {
        let output = picture(folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{args:?}"
        );
        assert!(said.contains(words) && !said.contains("panicked"), "{said}");
    }
    assert!(!path("y.pdf").exists());
    assert_eq!(fs::read(path("x.pdf")).expect("a file"), b"my notes");
    // The game is drawn up to the damage, with a sign for the letter that the font lacks.
    assert!(
        fs::read(path("z.pdf"))
            .expect("a file")
            .starts_with(b"%PDF")
    );
    let again = picture(folder.path(), &["games.pdn", "--out", "z.pdf"]);
    assert!(again.status.success(), "{again:?}");
}
