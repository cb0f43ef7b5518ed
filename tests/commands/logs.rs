//! The log.

use crate::messages::one_line;
use crate::program::{damier, folder, run};
use std::fs;

#[test]
fn the_log_goes_where_it_is_wanted() {
    let file = folder("log").join("damier.log");
    let path = file.to_str().unwrap();
    for runs in 1..=2 {
        let (code, _, err) = run(
            &mut damier(&["analyze", "--depth", "2", "--log-file", path]),
            b"",
        );
        assert_eq!((code, err.as_str()), (Some(0), ""));
        // What the file held stays.
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches("INFO  damier ").count(), runs, "{text}");
    }
    let (_, _, err) = run(
        &mut damier(&["analyze", "--depth", "2", "--log-level", "info"]),
        b"",
    );
    assert!(err.contains("INFO"), "{err}");
    // Nothing is added to what is no log.
    let games = folder("log").join("games.pdn");
    fs::write(&games, "[Event \"?\"]\n*\n").unwrap();
    let args = [
        "analyze",
        "--depth",
        "2",
        "--log-file",
        games.to_str().unwrap(),
    ];
    let (code, out, err) = run(&mut damier(&args), b"");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    one_line(err, &["games.pdn"]);
    assert_eq!(fs::read_to_string(&games).unwrap(), "[Event \"?\"]\n*\n");
    let (code, _, err) = run(
        &mut damier(&["eval", "--log-file", env!("CARGO_TARGET_TMPDIR")]),
        b"",
    );
    assert_eq!(code, Some(1));
    one_line(err, &[env!("CARGO_TARGET_TMPDIR")]);
}

#[test]
fn a_message_does_nothing_to_the_terminal() {
    let (code, _, err) = run(&mut damier(&["suite", "no\u{1b}[2Jsuch\u{7}"]), b"");
    assert_eq!(code, Some(1));
    assert!(
        err.starts_with("damier: no\\u{1b}[2Jsuch\\u{7}: "),
        "{err:?}"
    );
}

#[test]
fn the_log_tells_what_a_command_did_and_why_it_failed() {
    let folder = folder("log-of-commands");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let logged = |name: &str, args: &[&str]| {
        let log = path(name);
        let args = [args, &["--log-file", &log]].concat();
        run(&mut damier(&args), b"");
        fs::read_to_string(&log).unwrap()
    };
    let (games, weights, tables) = (path("games"), path("weights"), path("tables"));
    let log = logged(
        "selfplay.log",
        &["selfplay", "--games", "8", "--nodes", "20", "--out", &games],
    );
    assert!(log.contains("selfplay"), "{log}");
    let train = [
        "train",
        &games,
        "--out",
        &weights,
        "--epochs",
        "1",
        "--arch",
        "network-64",
        "--batch",
        "64",
    ];
    let log = logged("train.log", &train);
    assert!(
        log.contains("positions to train on") && log.contains("is done"),
        "{log}"
    );
    let log = logged("dataset.log", &["dataset", "verify", &games]);
    assert!(log.contains("8 games"), "{log}");
    let log = logged("failed.log", &["dataset", "verify", &weights]);
    assert!(log.contains("weights") && log.contains("failed"), "{log}");
    let log = logged(
        "endgame.log",
        &["endgame", "build", "--pieces", "2", "--dir", &tables],
    );
    assert!(
        log.contains("4 of 4 slices") && log.contains("is done"),
        "{log}"
    );
}
