//! Positions in every form that docs/file-formats.md lists, and in the commands that take them.

use damier::notation::fen;
use std::io::Write;
use std::process::{Command, Stdio};

/// The section about positions.
fn section() -> &'static str {
    let docs = include_str!("../../docs/file-formats.md");
    let (_, rest) = docs.split_once("\n## Positions\n").expect("a section");
    rest.split_once("\n## ").expect("another section").0
}

#[test]
fn every_documented_form_is_read() {
    let rows = section()
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1);
    let mut count = 0;
    for row in rows {
        let texts: Vec<&str> = row.split('`').collect();
        let [.., example, _, written, _] = texts[..] else {
            panic!("{row}");
        };
        let read = fen::parse(example).unwrap_or_else(|error| panic!("{example}: {error}"));
        assert_eq!(fen::format(&read), written, "{example}");
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn the_documented_picture_is_read_from_stdin_and_as_an_argument() {
    let (_, rest) = section().split_once("```text\n").expect("a picture");
    let (picture, _) = rest.split_once("```").expect("an end");
    let expected = "B:W28,K46:B19,K5";
    assert_eq!(
        fen::parse(picture)
            .map(|read| fen::format(&read))
            .as_deref(),
        Ok(expected)
    );
    for (arguments, input) in [
        (["analyze", picture], ""),
        (["analyze", "-"], picture),
        (["solve", "-"], picture),
    ] {
        let limits = ["--nodes", "100", "--json"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        command
            .args(arguments)
            .args(limits)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("an end");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            out.contains(&format!("\"fen\":\"{expected}\"")),
            "{arguments:?}: {out}"
        );
    }
}
