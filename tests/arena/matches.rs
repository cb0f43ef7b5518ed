//! Whole matches by the command line, between test doubles. Engines that fail are in `faults`.

use crate::doubles::{damier, double, engine, folder, games, report, rounds, run};

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
fn search_inconsistencies_stand_in_json_games_and_journal() {
    let folder = folder("detections");
    let engine = |name: &str, search: &str| {
        let path = env!("CARGO_BIN_EXE_damier");
        format!(
            "name={name} cmd=\"'{path}' hub\" book=false line-gap=0 tt-size=16 bb-size=0 search={search}"
        )
    };
    let (a, b) = (engine("A", "mtdfix"), engine("B", "pvs"));
    let pdn = folder.join("games.pdn");
    let file = pdn.to_str().expect("a plain path");
    let args = ["--engine", &a, "--engine", &b, "--openings", "three-move"];
    let more = ["--games", "2", "--nodes", "1500", "--pdn", file];
    let report = report(&[&args[..], &more].concat());
    let engines = &report["engines"];
    let stats = &engines[0]["detections"];
    assert_eq!(stats["searches"], engines[0]["moves"]);
    assert_eq!(engines[1]["detections"], serde_json::Value::Null);
    let (count, decisive) = (&stats["detections"], &stats["decisive"]);
    assert!(count.as_u64() > decisive.as_u64(), "{stats}");
    let phases = stats["by_pieces"].as_array().expect("phases");
    let sum: u64 = phases.iter().filter_map(|p| p["detections"].as_u64()).sum();
    assert_eq!(Some(sum), count.as_u64());
    // Each move of the games and of the journal has its own.
    let written = |text: &str, before: &str| -> (u64, u64) {
        let counts = text.split(before).skip(1).filter_map(|part| {
            let end = part.find(|c: char| !c.is_ascii_digit() && c != '/')?;
            let (count, decisive) = part[..end].split_once('/')?;
            Some((count.parse::<u64>().ok()?, decisive.parse::<u64>().ok()?))
        });
        counts.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
    };
    let expected = (sum, decisive.as_u64().expect("a number"));
    let text = std::fs::read_to_string(&pdn).expect("games");
    assert_eq!(written(&text, "detections="), expected);
    // A tag of each game sums up those of its engine: searches, those with detections, decisive ones.
    let mut sums = [0; 3];
    for game in text.split("[Event ").skip(1) {
        let (own, other) = match game.contains("[White \"A\"]") {
            true => ("White", "Black"),
            false => ("Black", "White"),
        };
        assert!(!game.contains(&format!("[{other}Detections")), "{game}");
        let own = format!("[{own}Detections \"");
        let Some((_, tag)) = game.split_once(&own) else {
            assert!(!game.contains("detections="), "{game}");
            continue;
        };
        let words = tag.split('"').next().expect("a value").split(' ');
        let counts: Vec<u64> = words
            .filter_map(|word| word.split_once('=')?.1.parse().ok())
            .collect();
        assert_eq!(counts[1], game.matches("detections=").count() as u64);
        let moves = game.matches("time=").count() as u64;
        assert!(
            (moves / 2..=moves.div_ceil(2)).contains(&counts[0]),
            "{game}"
        );
        sums = std::array::from_fn(|i| sums[i] + counts[i]);
    }
    assert!(sums[1] > 0 && sums[1] <= sum);
    assert_eq!(Some(sums[2]), decisive.as_u64());
    let journal = std::fs::read_to_string(format!("{file}.journal")).expect("a journal");
    // Only these stand behind the overshoot, which is unknown here.
    assert_eq!(written(&journal, "null,\""), expected);
    // The report as text has none of it: they concern the search, not the match.
    let (code, out, _) = run(&[&args[..], &more, &["--resume"]].concat());
    assert_eq!(code, Some(0));
    assert!(
        out.contains("2 of 2 games") && !out.contains("inconsistenc"),
        "{out}"
    );
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

/// The fields of an engine that docs/json.md says every report has.
fn documented() -> Vec<&'static str> {
    let page = include_str!("../../docs/json.md");
    let (_, section) = page.split_once("\n## match\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("another section");
    let always = section
        .lines()
        .filter(|row| row.starts_with("| `engines[].") && !row.contains("only when"));
    let names = always.flat_map(|row| {
        row.split('`')
            .filter_map(|name| name.strip_prefix("engines[]."))
    });
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 8, "{names:?}");
    names
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
    let results = [
        "wins",
        "draws",
        "losses",
        "score",
        "elo",
        "normalised_elo",
        "los",
        "draw_rate",
    ];
    for field in documented().into_iter().chain(results) {
        assert!(engine.get(field).is_some(), "{field}: {engine}");
    }
    assert_eq!(report["end"], "complete");
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
    assert_eq!(ended["sprt"]["unit"], "elo");
    let (_, out, _) = run(&[&args[..], &["--sprt", "-50,0"]].concat());
    assert!(out.contains("SPRT: H1 accepted (Elo 0)"), "{out}");
    assert!(out.contains(", with 0, 0.5, 1, 1.5 and 2 points"), "{out}");
    let few = ["--sprt", "0,5,normalised", "--games", "2"];
    let (_, out, _) = run(&[&args[..4], &["--nodes", "1"], &few].concat());
    assert!(
        out.contains("SPRT: undecided between normalised Elo 0 and 5"),
        "{out}"
    );
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
fn the_elo_of_a_whitewash_has_a_sign() {
    let (good, bad) = (engine("good", ""), engine("bad", "cheat 1"));
    for (first, second, text, number) in [
        (&bad, &good, "-infinite,", "-Infinity"),
        (&good, &bad, "+infinite,", "Infinity"),
    ] {
        let args = [
            "--engine", first, "--engine", second, "--games", "4", "--nodes", "1",
        ];
        let (_, out, _) = run(&args);
        let line = out.lines().find(|line| line.starts_with("Elo"));
        assert!(line.is_some_and(|line| line.contains(text)), "{out}");
        let elo = &report(&args)["pairings"][0]["elo"];
        assert_eq!(elo["value"], number, "{elo}");
        assert!(elo["low"].is_number() != elo["high"].is_number(), "{elo}");
    }
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
fn copies_of_games_are_no_evidence() {
    let (a, b) = (engine("a", ""), engine("b", ""));
    let fens = folder("copies").join("list.fen").display().to_string();
    std::fs::write(&fens, "W:W31-50:B1-20\nB:W31-50:B1-20\nW:W31-50:B1-20\n").expect("a file");
    let two = ["--engine", &a, "--engine", &b, "--nodes", "1"];
    let (code, out, err) = run(&[&two[..], &["--openings", &fens]].concat());
    assert_eq!(code, Some(0));
    assert!(out.starts_with("4 of 4 games"), "{out}");
    let dropped = "list.fen: 1 of 3 openings";
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
