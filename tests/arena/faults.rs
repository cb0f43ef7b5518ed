//! Matches by the command line with engines that fail: a test double that misbehaves on command.

use crate::doubles::{damier, double, engine, folder, games, report, rounds, run};
use std::fs;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Each fault is named, lands on the side that commits it, and the match goes on to its end.
fn fault(text: &str, kind: &str, more: &[&str]) {
    fault_in("6", text, kind, more);
}

/// As [`fault`], in a match of so many games.
fn fault_in(games: &str, text: &str, kind: &str, more: &[&str]) {
    let total: u64 = games.parse().expect("a number");
    let good = engine("good", "");
    let bad = engine("bad", text);
    let args = [
        "--engine", &good, "--engine", &bad, "--games", games, "--nodes", "1",
    ];
    let report = report(&[&args, more].concat());
    assert_eq!(report["games"], total, "{text}");
    assert_eq!(
        report["engines"][0]["faults"],
        serde_json::json!({}),
        "{text}"
    );
    let count = report["engines"][1]["faults"][kind].as_u64().unwrap_or(0);
    assert!(count > 0, "{text}: {report}");
    let wins = report["pairings"][0]["wins"].as_u64();
    assert!(
        wins.is_some_and(|wins| (count..=total).contains(&wins)),
        "{report}"
    );
    let faults = report["faults"].as_array().expect("a list");
    assert_eq!(faults.len() as u64, count, "{text}: only {kind}");
    for fault in faults {
        assert_eq!(
            (fault["engine"].as_str(), fault["kind"].as_str()),
            (Some("bad"), Some(kind))
        );
        assert!(
            fault["fen"].as_str().is_some_and(|fen| fen.contains(":W")),
            "{fault}"
        );
        let lines = fault["lines"].as_array().expect("lines");
        assert!(
            lines.iter().any(|line| line.as_str() == Some("> go think")),
            "{fault}"
        );
        assert!(!fault["opening"].as_str().unwrap_or("").is_empty() && !fault["what"].is_null());
    }
}

#[test]
fn a_crash_is_the_fault_of_the_one_who_crashes() {
    fault("crash 5", "crash", &[]);
    fault("abort 1", "crash", &["--concurrency", "2"]);
    fault("close-stdout 3", "crash", &[]);
}

#[test]
fn the_last_words_of_a_crash_are_reported() {
    let (good, bad) = (engine("good", ""), engine("bad", "crash 2"));
    let args = [
        "--engine", &good, "--engine", &bad, "--games", "2", "--nodes", "1",
    ];
    let (code, out, _) = run(&args);
    assert_eq!(code, Some(0));
    for expected in [
        "faults of bad: crash 2",
        "bad lost against good: crashed: ended by itself (exit status: 3)",
        "stderr: double: out of cheese",
        "> go think",
        "opening ",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
}

#[test]
fn an_illegal_move_is_a_fault() {
    fault("cheat 4", "illegal", &[]);
    fault("nonsense 4", "illegal", &[]);
    fault("no-move 1", "illegal", &[]);
}

#[test]
fn silence_is_a_fault() {
    // Matches that wait, and so wait together.
    std::thread::scope(|scope| {
        for text in ["hang 3", "very-late 3", "slow-babble 2", "long-line 2"] {
            scope.spawn(move || fault_in("2", text, "silence", &["--patience", "1.5"]));
        }
    });
}

#[test]
fn endless_talk_is_a_fault() {
    fault("babble 2", "babble", &["--patience", "100"]);
}

#[test]
fn a_late_move_is_a_fault_where_time_counts() {
    let (good, bad) = (engine("good", ""), engine("bad", "late 3"));
    let args = ["--engine", &good, "--engine", &bad, "--games", "4"];
    let timed = report(&[&args[..], &["--move-time", "0.05", "--margin", "0.2"]].concat());
    let late = timed["engines"][1]["faults"]["late"].as_u64();
    assert!(late.is_some_and(|late| late > 0), "{timed}");
    // On a busy machine the other one may be late too.
    let of_bad = |fault: &&serde_json::Value| fault["engine"] == "bad";
    let fault = timed["faults"]
        .as_array()
        .expect("a list")
        .iter()
        .find(of_bad);
    let what = fault
        .and_then(|fault| fault["what"].as_str())
        .expect("words");
    assert!(what.starts_with("late by "), "{what}");
    let untimed = report(&[&args[..], &["--nodes", "1"]].concat());
    assert_eq!(untimed["faults"], serde_json::json!([]));
}

#[test]
fn what_is_odd_but_allowed_is_no_fault() {
    for oddity in ["ignore-quit", "flood-stderr", "fork", "garbage 2"] {
        let (good, odd) = (engine("good", ""), engine("odd", oddity));
        let report = report(&[
            "--engine", &good, "--engine", &odd, "--games", "4", "--nodes", "1",
        ]);
        assert_eq!(report["games"], 4, "{oddity}");
        assert_eq!(report["faults"], serde_json::json!([]), "{oddity}");
    }
}

#[test]
fn an_engine_that_cannot_start_ends_the_match() {
    let good = engine("good", "");
    let dies = engine("bad", "die-at-start");
    let none = "name=bad cmd=./no-such-program".to_owned();
    for (bad, expected) in [(dies, "no licence"), (none, "no-such-program")] {
        let args = ["--engine", &good, "--engine", &bad, "--nodes", "1"];
        let (code, out, err) = run(&args);
        assert_eq!((code, out.as_str()), (Some(1), ""));
        assert!(err.contains("bad ") && err.contains(expected), "{err}");
    }
}

#[test]
fn parameters_that_an_engine_did_not_take_are_told_once() {
    let with = |name: &str, params: &str| format!("name={name} cmd='{}' {params}", double());
    let (a, b) = (with("a", "seed=1"), with("b", "sede=2 score=1 seed=two"));
    // The second game of each pair has the processes of the first; restarts and workers have others.
    let faulty = format!("name=c cmd=\"'{}' crash 2\" speed=3", double());
    let args = [
        "--engine", &a, "--engine", &b, "--engine", &faulty, "--nodes", "1", "--games", "4",
    ];
    let args = [&args[..], &["--concurrency", "2"]].concat();
    let (code, out, err) = run(&args);
    assert_eq!(code, Some(0), "{err}");
    let expected = [
        "warning: b does not declare the parameter sede, and may ignore it",
        "warning: b to the parameter seed answers: no seed: two",
        "warning: c does not declare the parameter speed, and may ignore it",
    ];
    let mut told: Vec<_> = err
        .lines()
        .map(|line| line.trim_start_matches("damier: "))
        .collect();
    told.sort_unstable();
    assert_eq!(told, expected);
    let mut reported: Vec<_> = out.lines().filter(|l| l.starts_with("warning")).collect();
    reported.sort_unstable();
    assert_eq!(reported, expected);
    let (_, out, _) = run(&[&args[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&out).expect("one object");
    assert_eq!(report["games"], 12);
    let warnings = report["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().all(|w| {
        expected
            .iter()
            .any(|e| e.ends_with(w.as_str().unwrap_or("?")))
    }));
}

/// An engine whose process ends at the second move of every game, and that can be started twice only.
#[cfg(unix)]
fn twice_only(folder: &std::path::Path) -> String {
    let (script, starts) = (folder.join("engine.sh"), folder.join("starts"));
    let text = format!(
        "echo x >>'{0}'\n[ $(wc -l <'{0}') -le 2 ] || {{ echo 'no memory' >&2; exit 7; }}\nexec '{1}' crash 2\n",
        starts.display(),
        double()
    );
    fs::write(&script, text).expect("a script");
    format!("name=bad cmd=\"sh '{}'\"", script.display())
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_later_ends_the_match_with_a_report() {
    let good = engine("good", "");
    for json in [false, true] {
        let bad = twice_only(&folder("fails-later"));
        let mut args = vec![
            "--engine", &good, "--engine", &bad, "--nodes", "1", "--games", "8",
        ];
        args.extend(json.then_some("--json"));
        let (code, out, err) = run(&args);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains("bad ") && err.contains("no memory"), "{err}");
        if json {
            let report: serde_json::Value = serde_json::from_str(&out).expect("one object");
            assert_eq!(
                (&report["games"], &report["end"]),
                (&2.into(), &"broken".into())
            );
            assert_eq!(report["pairings"][0]["wins"], 2);
            assert_eq!(report["broken"]["engine"], "bad");
        } else {
            for expected in ["2 of 8 games", "good - bad: +2 =0 -0", "bad fails"] {
                assert!(out.contains(expected), "{expected}: {out}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn the_others_go_on_without_an_engine_that_fails() {
    let bad = twice_only(&folder("others-go-on"));
    let (a, b) = (engine("a", ""), engine("bb", ""));
    let args = [
        "--engine", &a, "--engine", &b, "--engine", &bad, "--nodes", "1", "--games", "8", "--json",
    ];
    let (code, out, err) = run(&args);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("bad ") && err.contains("no memory"), "{err}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("one object");
    let played = |n: usize| {
        let pairing = &report["pairings"][n];
        ["wins", "draws", "losses"]
            .iter()
            .filter_map(|key| pairing[key].as_u64())
            .sum::<u64>()
    };
    assert_eq!((report["end"].as_str(), played(0)), (Some("broken"), 8));
    assert!(played(1) + played(2) > 0, "{report}");
    assert_eq!(report["games"], played(0) + played(1) + played(2));
    assert_eq!(report["broken"]["engine"], "bad");
}

/// The first game of the schedule is never over, the others are.
#[cfg(target_os = "linux")]
#[test]
fn games_behind_one_that_is_not_over_count_when_the_match_is_cut_short() {
    let folder = folder("cut-short");
    let [once, pdn, journal] = ["once", "x.pdn", "x.pdn.journal"].map(|name| folder.join(name));
    // The first process hangs at its first move, the others play.
    let script = folder.join("engine.sh");
    let text = format!(
        "mkdir '{}' && exec '{1}' hang 1\nexec '{1}'\n",
        once.display(),
        double()
    );
    fs::write(&script, text).expect("a script");
    let slow = format!("name=slow cmd=\"sh '{}'\"", script.display());
    let (good, file) = (engine("good", ""), pdn.to_str().expect("a plain path"));
    let args = [
        "--engine", &good, "--engine", &slow, "--nodes", "1", "--games", "12", "--pdn", file,
    ];
    let mut command = damier(&[&args[..], &["--concurrency", "2", "--json"]].concat());
    let child = command
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let began = Instant::now();
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while lines() < 11 {
        assert!(began.elapsed().as_secs() < 120, "games end");
        sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("an end");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["end"], "interrupted");
    assert_eq!(report["games"], 10, "all but the pair that hangs");
    assert_eq!(games(&pdn).len(), 10);
    // The file is known again, and has its order at last.
    let (code, _, err) = run(&[&args[..], &["--resume"]].concat());
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(rounds(&games(&pdn)), (1..=12).collect::<Vec<_>>());
}

#[test]
fn an_engine_that_somebody_else_starts_may_need_a_moment() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let port = port.to_string();
    let good = engine("good", "");
    let other = format!("name=other protocol=dxp host=localhost port={port}");
    let args = [
        "--engine", &good, "--engine", &other, "--nodes", "1", "--games", "2", "--json",
    ];
    let child = damier(&args)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // The first try finds somebody who leaves, the next nobody.
    let (stream, _) = listener.accept().expect("a try");
    drop(listener);
    drop(stream);
    sleep(Duration::from_millis(100));
    let mut listens = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(["dxp", "--tt-size", "16", "--nodes", "100", "--port", &port])
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let output = child.wait_with_output().expect("an end");
    listens.kill().expect("it listens");
    listens.wait().expect("an end");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(
        (&report["games"], &report["end"]),
        (&2.into(), &"complete".into())
    );
    assert!(
        report["engines"][1]["restarts"]
            .as_u64()
            .is_some_and(|n| n > 0),
        "{report}"
    );
}

#[test]
fn a_second_answer_is_not_taken_for_the_next() {
    let folder = folder("double-done");
    // In the second game, where the other side takes its time to answer: what comes after its answer cannot be told
    // from a new one.
    let play = |fault: &str| {
        let pdn = folder.join(format!("{fault}.pdn"));
        let (good, odd) = (engine("good", "late 2"), engine("odd", fault));
        let file = pdn.to_str().expect("a plain path");
        let report = report(&[
            "--engine", &good, "--engine", &odd, "--games", "2", "--nodes", "1", "--pdn", file,
        ]);
        assert_eq!(report["faults"], serde_json::json!([]), "{fault}");
        // What it says of its moves comes between the two answers, and so too late.
        let bare = |game: String| -> String {
            let parts = game
                .split('{')
                .map(|part| part.split_once('}').map_or(part, |p| p.1));
            let words: String = parts.collect();
            let is_move = |word: &&str| *word != "time}";
            words
                .split_whitespace()
                .filter(is_move)
                .collect::<Vec<_>>()
                .join(" ")
        };
        games(&pdn).into_iter().map(bare).collect::<Vec<_>>()
    };
    assert_eq!(play("double-done 2 2"), play(""));
}

/// Three times ten seconds.
#[test]
#[ignore = "slow: .ci/full slow_tests"]
fn an_engine_that_does_not_introduce_itself_ends_the_match() {
    let (good, mute) = (engine("good", ""), engine("mute", "mute-at-start"));
    let (code, out, err) = run(&["--engine", &good, "--engine", &mute, "--nodes", "1"]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("mute ") && err.contains("10 s"), "{err}");
}
