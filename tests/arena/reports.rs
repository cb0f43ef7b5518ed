//! The report of a match: results, statistics and figures of the engines, as text and JSON.

use crate::doubles::{double, engine, folder, report, run};

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
