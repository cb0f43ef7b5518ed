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
    assert_eq!((number(16), number(20)), (860, 470));
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
