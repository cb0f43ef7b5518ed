//! The sessions at a terminal as a user ends them: with Ctrl-C.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

fn damier_command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn damier(args: &[&str]) -> Child {
    damier_command(args).spawn().unwrap()
}

fn press_ctrl_c(child: &Child) {
    send(child, "INT");
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-s", signal, &id]).status();
    assert!(status.unwrap().success());
}

/// Reads on to a line that contains a text.
fn line_with(output: &mut impl BufRead, text: &str) -> String {
    loop {
        let mut line = String::new();
        assert!(output.read_line(&mut line).unwrap() > 0, "no {text}");
        if line.contains(text) {
            return line;
        }
    }
}

#[test]
fn ctrl_c_gives_the_best_move_so_far() {
    for (limit, code) in [
        (&["--infinite"][..], 0),
        (&["--time", "0"], 0),
        (&["--time", "1000"], 1),
    ] {
        let mut child = damier(&[&["analyze", "start"], limit].concat());
        let mut output = BufReader::new(child.stdout.take().unwrap());
        line_with(&mut output, " s ");
        press_ctrl_c(&child);
        line_with(&mut output, "best move ");
        assert_eq!(child.wait().unwrap().code(), Some(code), "{limit:?}");
    }
}

#[test]
fn ctrl_c_ends_an_analysis_that_waits_for_its_input() {
    let mut child = damier(&["analyze", "-", "--json", "--depth", "1"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"start\n").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    line_with(&mut output, "{");
    press_ctrl_c(&child);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(input);
}

/// A game in which a move was played and the computer thinks.
fn game_in(folder: &Path) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut command = damier_command(&["play", "--time", "1000", "--tt-size", "16"]);
    let mut child = command.current_dir(folder).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(b"32-28\n").unwrap();
    line_with(&mut output, "(w)");
    (child, input, output)
}

/// Whether this process ignores SIGHUP, and so those that it starts: it was started by `nohup`.
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

/// The system and the shell each send SIGHUP when a window is closed.
/// Under `nohup` a game goes on without its window, and there is nothing to test.
#[test]
fn a_window_that_is_closed_loses_no_game() {
    if ignores_hangups() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut child, input, output) = game_in(folder.path());
    for _ in 0..3 {
        send(&child, "HUP");
    }
    drop(output);
    child.wait().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    drop(input);
}

#[test]
fn ctrl_c_saves_the_game_that_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, input, mut output) = game_in(folder.path());
    press_ctrl_c(&child);
    line_with(&mut output, "saved to ");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    drop(input);
}
