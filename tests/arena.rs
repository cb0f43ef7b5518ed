//! Whole matches by the command line, against a test double that misbehaves on command.

mod doubles;

use doubles::{double, engine, folder, games, report, rounds, run};

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
    fault_in("2", "hang 3", "silence", &["--patience", "1.5"]);
    fault_in("2", "very-late 3", "silence", &["--patience", "1.5"]);
    fault_in("2", "slow-babble 2", "silence", &["--patience", "1.5"]);
    fault_in("2", "long-line 2", "silence", &["--patience", "1.5"]);
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
    for (bad, expected) in [(dies, "no licence"), (none, "cannot be started")] {
        let args = ["--engine", &good, "--engine", &bad, "--nodes", "1"];
        let (code, out, err) = run(&args);
        assert_eq!((code, out.as_str()), (Some(1), ""));
        assert!(
            err.contains("bad cannot begin a game") && err.contains(expected),
            "{err}"
        );
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
        "warning: b does not declare the parameter sede, and may pass over it",
        "warning: b to the parameter seed answers: no seed: two",
        "warning: c does not declare the parameter speed, and may pass over it",
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
    std::fs::write(&script, text).expect("a script");
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
        assert!(
            err.contains("bad cannot begin a game") && err.contains("no memory"),
            "{err}"
        );
        if json {
            let report: serde_json::Value = serde_json::from_str(&out).expect("one object");
            assert_eq!(
                (&report["games"], &report["end"]),
                (&2.into(), &"broken".into())
            );
            assert_eq!(report["pairings"][0]["wins"], 2);
            assert_eq!(report["broken"]["engine"], "bad");
        } else {
            for expected in [
                "2 of 8 games",
                "good - bad: +2 =0 -0",
                "bad cannot begin a game",
            ] {
                assert!(out.contains(expected), "{expected}: {out}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn only_files_of_games_are_replaced() {
    let folder = folder("replaced");
    let (a, b) = (engine("a", ""), engine("bb", ""));
    let text = |name: &str| folder.join(name).to_str().expect("a plain path").to_owned();
    let (pipe, link, target, journal) = (text("pipe"), text("link"), text("x.pdn"), text("j"));
    let match_in = |more: &[&str]| {
        let args = [
            "--engine", &a, "--engine", &b, "--nodes", "1", "--games", "2",
        ];
        run(&[&args, more].concat())
    };
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let (code, out, err) = match_in(&["--pdn", &pipe, "--journal", &journal, "--force"]);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    assert!(err.contains("pipe: not a regular file"), "{err}");
    let kind = |name: &str| {
        std::fs::symlink_metadata(name)
            .expect("it is there")
            .file_type()
    };
    assert!(!kind(&pipe).is_file() && !std::path::Path::new(&journal).exists());
    std::fs::write(&target, "").expect("a file");
    std::os::unix::fs::symlink("x.pdn", &link).expect("a link");
    assert_eq!(match_in(&["--pdn", &link]).0, Some(0));
    assert!(kind(&link).is_symlink());
    assert_eq!(games(std::path::Path::new(&target)).len(), 2);
    // The journal would be gone as soon as the games are written.
    for journal in [text("y.pdn"), text("./y.pdn")] {
        let (code, _, err) = match_in(&["--pdn", &text("y.pdn"), "--journal", &journal]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("one file"), "{err}");
    }
}

#[test]
fn the_same_seed_plays_the_same_games_whatever_the_concurrency() {
    let folder = folder("same-seed");
    let engine = |name: &str, nodes: u32| {
        let path = env!("CARGO_BIN_EXE_damier");
        format!("name={name} cmd=\"'{path}' hub\" nodes={nodes} line-gap=0 tt-size=16")
    };
    let (a, b) = (engine("A", 300), engine("B", 200));
    let play = |name: &str, concurrency: &str, seed: &str| {
        let pdn = folder.join(name);
        let file = pdn.to_str().expect("a plain path");
        let args = [
            "--engine",
            &a,
            "--engine",
            &b,
            "--games",
            "12",
            "--random-plies",
            "4",
        ];
        let more = ["--seed", seed, "--concurrency", concurrency, "--pdn", file];
        report(&[&args[..], &more].concat());
        games(&pdn)
    };
    let alone = play("alone.pdn", "1", "7");
    assert_eq!(rounds(&alone), (1..=12).collect::<Vec<_>>());
    assert_eq!(alone, play("crowd.pdn", "3", "7"));
    assert_ne!(alone, play("other.pdn", "3", "8"));
}

#[test]
fn a_round_robin_has_a_table_and_a_gauntlet_its_hero() {
    let engines = ["a", "bb", "ccc"].map(|name| engine(name, ""));
    let mut args = vec!["--nodes", "1", "--games", "4"];
    engines
        .iter()
        .for_each(|engine| args.extend(["--engine", engine]));
    let all = report(&args);
    assert_eq!(
        (
            all["games"].as_u64(),
            all["pairings"].as_array().map(Vec::len)
        ),
        (Some(12), Some(3))
    );
    let (code, out, _) = run(&[&args[..], &["--per-opening"]].concat());
    assert_eq!(code, Some(0));
    assert_eq!(
        out.lines().filter(|line| line.contains(" ± ")).count(),
        3,
        "{out}"
    );
    assert!(out.contains("white + = -, opening"), "{out}");
    args.push("--gauntlet");
    let some = report(&args);
    assert_eq!(
        (
            some["games"].as_u64(),
            some["pairings"].as_array().map(Vec::len)
        ),
        (Some(8), Some(2))
    );
    assert!(
        some["pairings"]
            .as_array()
            .expect("a list")
            .iter()
            .all(|p| p["first"] == "a")
    );
}

#[test]
fn agreed_scores_end_games_when_asked() {
    let says = |name: &str| format!("name={name} cmd='{}' score=9.5", double());
    let (a, b) = (says("a"), says("b"));
    let args = [
        "--engine", &a, "--engine", &b, "--games", "4", "--nodes", "1",
    ];
    let report = report(&[&args[..], &["--adjudicate-score", "9,4"]].concat());
    assert_eq!(report["endings"], serde_json::json!({"agreed scores": 4}));
    assert_eq!(
        report["pairings"][0]["pairs"],
        serde_json::json!([0, 0, 2, 0, 0])
    );
    let engine = &report["engines"][0];
    assert_eq!(
        (engine["moves"].as_u64(), engine["mean_depth"].as_f64()),
        (Some(8), Some(7.0))
    );
    for key in [
        "name",
        "level",
        "wins",
        "draws",
        "losses",
        "score",
        "elo",
        "normalised_elo",
        "los",
        "draw_rate",
        "decisive_pair_rate",
        "nps",
        "seconds_per_move",
        "overshoot_99",
        "overshoot_worst",
        "faults",
        "restarts",
    ] {
        assert!(engine.get(key).is_some(), "{key}: {engine}");
    }
    assert_eq!(report["end"], "complete");
}

#[test]
fn a_sequential_test_ends_the_match_and_says_which_hypothesis() {
    let (good, bad) = (engine("good", ""), engine("bad", "cheat 1"));
    let args = [
        "--engine", &good, "--engine", &bad, "--games", "1000", "--nodes", "1",
    ];
    let ended = report(&[&args[..], &["--sprt", "0,50", "--concurrency", "2"]].concat());
    assert_eq!(
        (ended["end"].as_str(), ended["sprt"]["accepted"].as_str()),
        (Some("sprt"), Some("H1"))
    );
    assert!(
        ended["games"].as_u64().is_some_and(|games| games < 200),
        "{}",
        ended["games"]
    );
    let (_, out, _) = run(&[&args[..], &["--sprt", "-50,0"]].concat());
    assert!(out.contains("SPRT: H1 accepted (Elo 0)"), "{out}");
    // Without --games it goes on until it knows, beyond one round of the openings.
    let few = [
        "--engine",
        &good,
        "--engine",
        &bad,
        "--nodes",
        "1",
        "--openings",
        "start",
    ];
    let ended = report(&[&few[..], &["--random-plies", "4", "--sprt", "0,50"]].concat());
    assert_eq!(ended["sprt"]["accepted"], "H1", "{ended}");
    assert!(ended["games"].as_u64().is_some_and(|games| games > 2));
    let backwards = [
        "--engine", &bad, "--engine", &good, "--games", "1000", "--nodes", "1",
    ];
    let (_, out, _) = run(&[&backwards[..], &["--sprt", "0,50"]].concat());
    assert!(out.contains("SPRT: H0 accepted (Elo 0)"), "{out}");
}

#[test]
fn copies_of_games_are_no_evidence() {
    let (a, b) = (engine("a", ""), engine("b", ""));
    let fens = folder("copies").join("list.fen").display().to_string();
    std::fs::write(&fens, "W:W31-50:B1-20\nB:W31-50:B1-20\nW:W31-50:B1-20\n").expect("a file");
    let two = ["--engine", &a, "--engine", &b, "--nodes", "1"];
    let (code, out, err) = run(&[&two[..], &["--openings", &fens]].concat());
    assert_eq!(code, Some(0));
    assert!(out.starts_with("4 of 4 games"), "{out}");
    let dropped = "list.fen: 1 of 3 openings dropped, which lead to the position of an earlier one";
    assert!(err.contains(dropped) && err.lines().count() == 1, "{err}");
    let start = [&two[..], &["--openings", "start", "--random-plies", "1"]].concat();
    // There are nine first moves.
    for (games, repeats) in [("18", false), ("20", true)] {
        let report = report(&[&start[..], &["--games", games]].concat());
        assert_eq!(report["games_repeat"], repeats, "{games}");
    }
    let (code, _, err) = run(&[&start[..], &["--sprt", "0,5"]].concat());
    assert_eq!(code, Some(2));
    assert!(err.contains("--random-plies, or more of them"), "{err}");
}

#[test]
fn games_of_a_match_are_openings_of_another() {
    let (a, b) = (engine("a", ""), engine("b", ""));
    let folder = folder("games-as-openings");
    let pdn = folder.join("games.pdn").display().to_string();
    let two = ["--engine", &a, "--engine", &b, "--nodes", "1"];
    let played = report(&[&two[..], &["--games", "4", "--pdn", &pdn]].concat());
    assert_eq!(played["games"], 4);
    let again = [&two[..], &["--openings", &pdn]].concat();
    let (code, out, err) = run(&again);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("--opening-plies"), "{err}");
    let report = report(&[&again[..], &["--opening-plies", "6"]].concat());
    // Four games, both colours.
    assert_eq!(
        (&report["games"], &report["faults"]),
        (&8.into(), &serde_json::json!([]))
    );
}

#[test]
fn arguments_that_make_no_sense_are_said_to() {
    let a = engine("a", "");
    let again = a.clone();
    let b = engine("bb", "");
    let two = ["--engine", &a, "--engine", &b];
    let nodes = [&two[..], &["--nodes", "1"]].concat();
    let with = |first: &[&'static str]| [&nodes[..], first].concat();
    for (args, expected) in [
        (vec!["--engine", &a, "--nodes", "1"], "two engines or more"),
        (
            vec!["--engine", &a, "--engine", &again, "--nodes", "1"],
            "different names",
        ),
        (
            vec!["--engine", &a, "--engine", "cmd=x", "--nodes", "1"],
            "name is missing",
        ),
        (two.to_vec(), "has no level"),
        ([&two[..], &["--tc", "x"]].concat(), "no clock"),
        (with(&["--depth", "1"]), "exclude"),
        (with(&["--games", "3"]), "even"),
        (with(&["--resume"]), "--pdn or --journal"),
        (with(&["--pdn", "x", "--journal", "x"]), "one file"),
        (with(&["--sprt", "5,0"]), "smaller"),
        (with(&["--sprt", "0,5"]), "--random-plies"),
        (with(&["--threads", "2"]), "description"),
        (with(&["--concurrency", "0"]), "concurrency"),
        (with(&["--opening-plies", "0"]), "opening-plies"),
    ] {
        let (code, out, err) = run(&args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{expected}: {err}");
        assert!(err.contains(expected), "{expected}: {err}");
    }
    let base = with(&["--games", "2"]);
    for (more, expected) in [
        (["--openings", "/no/such/file"], "/no/such/file"),
        (["--engines", "/no/such/file"], "/no/such/file"),
        (["--pdn", "/no/such/folder/x.pdn"], "/no/such/folder"),
        (["--pdn", env!("CARGO_TARGET_TMPDIR")], "not a regular file"),
        (["--journal", "/no/such/folder/x"], "/no/such/folder"),
    ] {
        let (code, out, err) = run(&[&base[..], &more].concat());
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains(expected) && err.lines().count() == 1, "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_once() {
    let (a, b) = (engine("a", ""), engine("bb", ""));
    let base = ["--engine", &a, "--engine", &b, "--nodes", "1"];
    let (code, _, err) = run(&[&base[..], &["--journal", "/dev/full", "--force"]].concat());
    assert_eq!(code, Some(1), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn games_have_cores_of_their_own_when_there_are_enough() {
    let (a, b) = (engine("a", ""), engine("bb", ""));
    let base = [
        "--engine", &a, "--engine", &b, "--nodes", "1", "--games", "2", "--pin",
    ];
    assert_eq!(report(&base)["games"], 2);
    let (code, _, err) = run(&[&base[..], &["--concurrency", "5000"]].concat());
    assert_eq!(code, Some(1));
    assert!(err.contains("need 5000"), "{err}");
}
