//! The help, and the options that it lists.

use crate::program::{damier, folder, run};
use damier::engine::Options;
use std::fs;
use std::process::Stdio;

#[test]
fn help_and_version_succeed() {
    let (code, out, _) = run(&mut damier(&["--help"]), b"");
    assert_eq!(code, Some(0));
    for word in [
        "play",
        "analyze",
        "perft",
        "hub",
        "--tt-size",
        "--line-gap",
        "Examples:",
    ] {
        assert!(out.contains(word), "{word}\n{out}");
    }
    let (code, out, _) = run(&mut damier(&["--version"]), b"");
    assert_eq!(code, Some(0));
    assert_eq!(out.trim(), format!("damier {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_help_of_a_command_lists_the_options_that_it_takes() {
    let takes = |command: &[&str], option: &str| {
        let (code, out, _) = run(&mut damier(&[command, &["--help"]].concat()), b"");
        assert_eq!(code, Some(0));
        out.contains(&format!("{option} <"))
    };
    for (command, taken, not_taken) in [
        (&["hub"][..], &["--ponder", "--config"][..], &[][..]),
        (&["analyze"], &["--threads", "--config"], &["--ponder"]),
        (&["eval"], &["--weights"], &["--threads", "--line-gap"]),
        (&["train"], &["--threads"], &["--tt-size", "--config"]),
        (&["match"], &[], &["--threads", "--set", "--config"]),
        (
            &["bench"],
            &["--search", "--param"],
            &["--threads", "--config"],
        ),
        (
            &["dxp"],
            &["--port", "--ponder", "--config"],
            &["--line-gap"],
        ),
        (&["dataset", "stat"], &[], &["--threads", "--config"]),
        (&["selfplay"], &["--weights"], &["--ponder", "--config"]),
        (
            &["endgame", "build"],
            &["--threads", "--config"],
            &["--tt-size"],
        ),
    ] {
        for option in taken {
            assert!(takes(command, option), "{command:?} {option}");
        }
        for option in not_taken {
            assert!(!takes(command, option), "{command:?} {option}");
        }
    }
    // What is not listed is refused by name.
    for (args, expected) in [
        (
            &["train", "games", "--out", "w", "--ponder", "true"][..],
            &["`train`", "--ponder"][..],
        ),
        (&["eval", "--set", "nonsense=1"], &["nonsense", "weights"]),
        (
            &["--set", "ponder=true", "eval", "--set", "weights=material"],
            &["`eval`", "--ponder", "--weights"],
        ),
        (
            &["--ponder", "true", "dataset", "stat", "x"],
            &["`dataset stat`", "--ponder"],
        ),
        (
            &["dataset", "stat", "games", "--config", "x"],
            &["`dataset stat`", "--config"],
        ),
        (&["--config", "x", "match"], &["`match`", "--config"]),
        (
            &["eval", "--threads", "2"],
            &["Usage: damier eval ", "`eval`", "--threads"],
        ),
        (&["bench", "--threads", "2"], &["`bench`", "--threads"]),
        (
            &["suite", "tactics", "--prove", "10", "--threads", "2"],
            &["`suite --prove`", "--threads"],
        ),
        (
            &["selfplay", "--games", "1", "--out", "x", "--log-file", "x"],
            &["x: a log needs a file of its own"],
        ),
        (
            &["train", "x", "--out", "y", "--log-file=y.ckpt"],
            &["y.ckpt: a log needs a file of its own"],
        ),
        (
            &["match", "--pdn=y", "--log-file", "./y.journal"],
            &["y.journal: a log needs a file of its own"],
        ),
    ] {
        let (code, out, err) = run(&mut damier(args), b"");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        for expected in expected {
            assert!(err.contains(expected), "{args:?} {err}");
        }
    }
    // Given above and below the command, both count.
    let args = ["--set", "threads=4", "hub", "--set", "tt-size=20"];
    let (_, out, _) = run(&mut damier(&args), b"hub\nquit\n");
    assert!(out.contains("name=threads value=4 "), "{out}");
    assert!(out.contains("name=tt-size value=20 "), "{out}");
}

/// An option that a command lists and does not look at would be taken with any value.
#[test]
fn every_option_that_a_command_lists_is_looked_at() {
    let folder = folder("listed");
    let [games, suite, out] = ["games", "suite", "out"].map(|name| {
        let path = folder.join(name);
        path.to_str().unwrap().to_owned()
    });
    fs::write(&suite, "W:W28:B23,14; bm 28x10; id own-01\n").unwrap();
    let play = ["selfplay", "--games", "8", "--nodes", "20", "--out", &games];
    assert_eq!(run(&mut damier(&play), b"").0, Some(0));
    let commands: [(&[&str], &[&str]); 13] = [
        (&["hub"], &[]),
        (&["play"], &[]),
        (&["analyze"], &["--depth", "1"]),
        (&["eval"], &[]),
        (&["perft"], &["--depth", "1"]),
        (&["bench"], &["--depth", "1"]),
        (&["suite"], &[&suite, "--nodes", "10"]),
        (&["selfplay"], &["--games", "1", "--out", &out]),
        (&["train"], &[&games, "--out", &out]),
        (&["endgame", "build"], &["--pieces", "2"]),
        (&["endgame", "verify"], &["--step", "1000000"]),
        (&["endgame", "probe"], &["W:WK26,K33:BK4"]),
        (&["endgame", "stat"], &[]),
    ];
    // No number, no word, and no file or folder either: it would lie in a file.
    let senseless = format!("{suite}/such");
    let mut tried = 0;
    for (command, arguments) in commands {
        let (_, help, _) = run(&mut damier(&[command, &["--help"]].concat()), b"");
        let words = help.split_whitespace();
        for spec in Options::specs() {
            let option = format!("--{}", spec.name);
            // Without a book the engine plays on: tests/search/book.rs. To analyze --book is a flag.
            let other = spec.name == "book-file" || spec.name == "book" && command[0] == "analyze";
            if other || !words.clone().any(|word| word == option) {
                continue;
            }
            tried += 1;
            let args = [command, arguments, &[&option, &senseless]].concat();
            let (code, _, err) = run(&mut damier(&args), b"");
            assert!(matches!(code, Some(1 | 2)), "{args:?}: {err}");
            let told =
                err.contains(&senseless) || err.contains(spec.name) || err.contains("search is");
            assert!(told, "{args:?}: {err}");
        }
    }
    assert!(tried >= 50, "{tried}");
    // What is wrong in the file of options does not matter where it means nothing.
    let file = folder.join("options");
    fs::write(&file, "endgame-dir = /no/such\n").unwrap();
    let args = ["eval", "--config", file.to_str().unwrap()];
    let (code, _, err) = run(&mut damier(&args), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for args in [&["help"][..], &["analyze", "--help"], &["--version"]] {
        let status = damier(args)
            .stdout(full())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(1), "{args:?}");
    }
}
