//! Whole matches by the command line, between test doubles. Engines that fail are in `faults`, what the report
//! says in `reports`.

use crate::doubles::{damier, engine, folder, games, report, rounds, run};

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
        format!(
            "name={name} cmd=\"'{path}' hub\" book=false nodes={nodes} line-gap=0 tt-size=16 bb-size=0"
        )
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
fn odds_are_a_part_of_the_first_engines_level() {
    let (a, b) = (engine("a", ""), engine("b", ""));
    let args = ["--engine", &a, "--engine", &b, "--games", "2"];
    let at_odds = |level: &[&str]| run(&[&args[..], level, &["--odds", "0.1", "--json"]].concat());
    for (level, expected) in [
        (["--nodes", "20"], ["nodes=2", "nodes=20"]),
        (["--move-time", "0.5"], ["move-time=0.05", "move-time=0.5"]),
        (["--tc", "20+0.1"], ["tc=2+0.01", "tc=20+0.1"]),
    ] {
        let (code, out, err) = at_odds(&level);
        assert_eq!(code, Some(0), "{err}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(report["settings"]["levels"], serde_json::json!(expected));
        assert_eq!(report["engines"][0]["level"], expected[0]);
    }
    let (code, _, err) = at_odds(&["--depth", "3"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(
        err.contains("--odds: odds are a factor on time or nodes"),
        "{err}"
    );
    let (code, _, err) = at_odds(&["--move-time", "1e-9"]);
    assert_eq!(code, Some(2), "{err}");
}

#[test]
fn the_log_has_the_traffic_of_each_engine() {
    let folder = folder("log");
    let (a, b) = (engine("a", ""), engine("bb", "crash 2 2"));
    let log = folder.join("match.log");
    let log_text = log.to_str().expect("a plain path");
    let play = |more: &[&str]| {
        let args = [
            "--engine",
            &a,
            "--engine",
            &b,
            "--nodes",
            "7",
            "--games",
            "2",
            "--log-file",
            log_text,
        ];
        let _ = std::fs::remove_file(&log);
        let (code, _, err) = run(&[&args, more].concat());
        assert_eq!((code, err.as_str()), (Some(0), ""));
        std::fs::read_to_string(&log).expect("a log")
    };
    let text = play(&[]);
    for expected in [
        "1.a > hub",
        "1.a < wait",
        "1.a > level nodes=7",
        "1.bb > go think",
        "1.bb < info depth=3",
        "1.bb < done move=",
        "1.bb stderr: double: out of cheese",
        "game 1 begins: a - bb",
        "game 2 is over",
    ] {
        let line = text.lines().find(|line| line.contains(expected));
        let line = line.unwrap_or_else(|| panic!("{expected}: {text:.2000}"));
        let seconds = line.split_whitespace().next().map(str::parse::<f64>);
        assert!(matches!(seconds, Some(Ok(_))), "{line}");
    }
    let text = play(&["--log-level", "info"]);
    assert!(
        text.contains("game 2 is over") && !text.contains("go think"),
        "{text}"
    );
}

#[test]
fn games_have_the_tags_that_pdn_asks_for() {
    let pdn = folder("tags").join("x.pdn");
    let (a, b) = (engine("a", ""), engine("bb", ""));
    let file = pdn.to_str().expect("a plain path");
    report(&[
        "--engine", &a, "--engine", &b, "--nodes", "1", "--games", "2", "--pdn", file,
    ]);
    let text = std::fs::read_to_string(&pdn).expect("a file");
    let tags: Vec<&str> = text
        .lines()
        .take_while(|line| line.starts_with('['))
        .collect();
    for (tag, name) in tags
        .iter()
        .zip(["Event", "Site", "Date", "Round", "White", "Black"])
    {
        assert!(tag.starts_with(&format!("[{name} \"")), "{tags:?}");
    }
    let date = tags[2].split('"').nth(1).expect("a value");
    let parts: Vec<_> = date.split('.').map(str::parse::<u32>).collect();
    assert!(
        matches!(parts[..], [Ok(2025..), Ok(1..=12), Ok(1..=31)]),
        "{date}"
    );
}

#[test]
fn the_help_is_wrapped_once() {
    let output = damier(&["--help"])
        .env("COLUMNS", "90")
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("text");
    for expected in ["LOS", "ormalised Elo", "SPRT", "--log-file"] {
        assert!(text.contains(expected), "{expected}");
    }
    // A paragraph that was wrapped by hand and then by clap has short lines in its middle.
    let (_, after) = text.split_once("OPENINGS. ").expect("paragraphs");
    let paragraph = after.split("\n\n").next().expect("a paragraph");
    let lines: Vec<&str> = paragraph.lines().collect();
    let middle = &lines[1..lines.len() - 1];
    assert!(
        middle.len() > 3 && middle.iter().all(|line| (70..=110).contains(&line.len())),
        "{paragraph}"
    );
}

#[test]
fn names_cannot_rule_the_terminal() {
    let folder = folder("names");
    let file = folder.join("engines.toml");
    for name in ["A\\nB", "A\\u001b[2J", "A\\u202e"] {
        let text = format!("[[engine]]\nname = \"{name}\"\ncmd = \"x\"\n");
        std::fs::write(&file, text).expect("a file");
        let file = file.to_str().expect("a plain path");
        let (code, out, err) = run(&["--engines", file, "--nodes", "1"]);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(
            err.contains("engine 1: name") && err.lines().count() == 1,
            "{err}"
        );
        assert!(!err.contains(['\u{1b}', '\u{202e}']), "{err:?}");
    }
}

#[test]
fn games_of_a_match_are_openings_of_another() {
    let (a, b) = (engine("a", ""), engine("bb", ""));
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
        ([&two[..], &["--tc", "x"]].concat(), "clock"),
        (with(&["--depth", "1"]), "exclude"),
        (with(&["--games", "3"]), "even"),
        (with(&["--resume"]), "--pdn or --journal"),
        (with(&["--pdn", "x", "--journal", "x"]), "one file"),
        (with(&["--sprt", "5,0"]), "smaller"),
        (with(&["--sprt", "0,5"]), "--random-plies"),
        (with(&["--threads", "2"]), "--threads"),
        (with(&["--concurrency", "0"]), "concurrency"),
        (with(&["--adjudicate-score", "5,1"]), "at least 2"),
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
