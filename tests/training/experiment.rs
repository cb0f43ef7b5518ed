//! `damier experiment`, as a user runs it.

use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn damier(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .output()
        .expect("the binary runs")
}

/// Positions that are searched in no time.
const POSITIONS: &str = "W:W31-50:B1-20\nW:W27,28,32,33,38:B8,12,13,18,19\n";

#[test]
fn every_experiment_writes_tables_json_and_a_plot() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let positions = path("positions.fen");
    fs::write(&positions, POSITIONS).expect("written");
    for name in ["drivers", "depth", "threads", "mtdfix"] {
        let (json, plot) = (path("x.json"), path("x.svg"));
        let args = [
            "experiment",
            name,
            &positions,
            "--depth",
            "3",
            "--tt-size",
            "16",
            "--bb-size",
            "0",
            "--json",
            &json,
            "--plot",
            &plot,
        ];
        // Matches, where there are any, as short as they can be.
        let more = match name {
            "depth" => "--quick --games 2 --match-depth 3",
            "mtdfix" => "--quick --games 2 --nodes 20",
            _ => "--quick",
        };
        let more: Vec<&str> = more.split(' ').collect();
        let output = damier(&[&args[..], &more].concat());
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        let text = String::from_utf8(output.stdout).expect("text");
        let found: Value =
            serde_json::from_str(&fs::read_to_string(&json).expect("a file")).expect("JSON");
        assert_eq!(
            (&found["experiment"], &found["positions"], &found["depth"]),
            (&name.into(), &2.into(), &3.into())
        );
        // What stands in the JSON stands in the tables.
        let table = &found["tables"][0];
        let columns = table["columns"].as_array().expect("columns").len();
        for row in table["rows"].as_array().expect("rows") {
            let cells: Vec<&str> = row
                .as_array()
                .expect("cells")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert_eq!(cells.len(), columns);
            assert!(
                text.contains(&format!("| {} |", cells.join(" | "))),
                "{text}"
            );
        }
        let curves = found["plot"]["curves"].as_array().expect("curves").len();
        let picture = fs::read_to_string(&plot).expect("a file");
        assert!(
            curves > 1 && picture.matches("<polyline").count() >= curves,
            "{name}"
        );
    }
}

#[test]
fn interrupted_matches_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let journals = path("games");
    let run = |games: &str| {
        let words = "--nodes 20 --bb-size 0 --tt-size 16 --pairing mtdfix:mtdf --journals";
        let args = ["experiment", "mtdfix", "--games", games];
        let words: Vec<&str> = words.split(' ').collect();
        damier(&[&args[..], &words, &[&journals]].concat())
    };
    let matches = |output: Output| {
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{text}");
        text
    };
    let length = || {
        let files = fs::read_dir(&journals).expect("a folder");
        let lengths =
            files.map(|file| file.and_then(|file| file.metadata()).expect("a file").len());
        lengths.collect::<Vec<u64>>()
    };
    let first = matches(run("2"));
    let written = length();
    assert_eq!(written.len(), 1);
    assert_eq!(matches(run("2")), first);
    assert_eq!(length(), written, "no game is played again");
    // Two games more.
    assert!(matches(run("4")).contains("| 4 |"));
    assert!(length() > written);
}

#[test]
fn chosen_pairings_are_reported_from_their_journals() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (journals, json) = (path("games"), path("x.json"));
    let run = |games: &str, more: &[&str]| {
        let words = "experiment mtdfix --pairing mtdfix:mtdf-clear-exact --pairing mtdfix-unpruned:weaker --nodes 300 \
                     --bb-size 0 --tt-size 16 --journals";
        let words: Vec<&str> = words.split(' ').collect();
        let output = damier(&[&words[..], &[&journals, "--games", games], more].concat());
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        String::from_utf8(output.stdout).expect("text")
    };
    let played = run("4", &[]);
    assert!(
        played.contains("| mtdfix | mtdf-clear-exact | 4 |"),
        "{played}"
    );
    assert_eq!(run("4", &["--report", "--json", &json]), played);
    let found: Value =
        serde_json::from_str(&fs::read_to_string(&json).expect("a file")).expect("JSON");
    assert_eq!(
        (&found["positions"], &found["tables"][0]["rows"][1][2]),
        (&8.into(), &"4".into())
    );
    // A match that was killed while it wrote its last game.
    let journal = folder
        .path()
        .join("games/mtdfix---mtdf-clear-exact.journal");
    let text = fs::read(&journal).expect("a journal");
    fs::write(&journal, &text[..text.len() - 9]).expect("written");
    assert!(run("4", &["--report"]).contains("| mtdfix | mtdf-clear-exact | 3 of 4 |"));
    assert_eq!(run("4", &[]), played);
    let looked = run("4", &["--report", "--losses", "500"]);
    assert!(looked.contains("which is decisive"), "{looked}");
}

#[test]
fn pairings_that_would_mislead_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, nowhere, json) = (path("games"), path("nowhere"), path("x.json"));
    // In a word, `+` stands for a blank.
    let run = |words: &str| {
        let words = format!("experiment mtdfix {words} --bb-size 0 --tt-size 16");
        let words: Vec<String> = words
            .split_whitespace()
            .map(|word| word.replace('+', " "))
            .collect();
        damier(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let weak = format!("--pairing mtdfix:weaker --journals {games} --nodes");
    assert!(run(&format!("{weak} 20 --games 2")).status.success());
    let lost = format!("--journals {nowhere} --nodes 20 --pairing");
    for (words, message) in [
        (
            format!("{weak} 21 --report"),
            r#"levels is ["nodes=20","nodes=20"] there"#,
        ),
        (
            format!("{weak} 20 --report --weaker name=x+cmd=x"),
            "engines is [",
        ),
        (
            format!("{lost} mtdfix:weaker --report"),
            "no journal of these matches",
        ),
        (
            format!("{lost} mtdfix:weaker --games 160"),
            "only 158 games differ",
        ),
        (
            format!("{lost} mtdf:mtdfix --games 664"),
            "only 662 games differ",
        ),
        (
            format!("{lost} mtdfix:pvs --guest name=mtdf-unpruned+cmd=x"),
            "cannot be called mtdf-unpruned",
        ),
        (
            format!("{lost} mtdfix:pvs --weaker name=x+cmd=x"),
            "no pairing has the player weaker",
        ),
        (
            format!("{lost} mtdfix:pvs --guest name=x+cmd=x"),
            "no pairing has the player x",
        ),
        ("--report".to_owned(), "--report needs --pairing or --paper"),
        (format!("--find 1 --json {json}"), "does not use --json"),
        ("--find 1 --depth 3".to_owned(), "needs --depth 4 or more"),
    ] {
        let output = run(&words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && said.contains(message),
            "{words}: {said}"
        );
    }
    // Of players at a time each game is another one: what fails here is the program.
    let timed = format!("{lost} mtdfix:weaker --games 160 --weaker name=x+cmd=nothing+move-time=1");
    let said = String::from_utf8(run(&timed).stderr).expect("text");
    assert!(!said.contains("differ"), "{said}");
    fs::remove_dir_all(&nowhere).expect("made by a match that could begin");
    for words in [
        "evaluation --nodes 20 --games 664",
        "depth --depth 2 --games 664",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let output = damier(&[&["experiment"], &words[..]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("only 662 games differ"), "{words:?}: {said}");
    }
    assert!(!folder.path().join("nowhere").exists() && !folder.path().join("x.json").exists());
}

#[test]
fn the_passes_of_a_position_are_printed() {
    let fen = "W:W25,27,28,33,39,47:B6,12,13,16,24,26";
    let args = ["experiment", "mtdfix", "--passes", fen, "--depth", "6"];
    let output = damier(&[&args[..], &["--bb-size", "0", "--tt-size", "16"]].concat());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    let tables: Vec<&str> = text.split("Passes of ").skip(1).collect();
    for (table, driver) in tables.iter().zip(["mtdf at depth 6", "mtdfix at depth 6"]) {
        assert!(table.starts_with(driver), "{text}");
        // The value is known when it has a bound on either side.
        let has = |bound: &str| table.contains(&format!("? | at {bound} "));
        assert!(has("least") && has("most"), "{text}");
    }
    assert_eq!(tables.len(), 2);
}

#[test]
#[ignore = "slow: .ci/full slow_tests"]
fn a_tournament_of_levels_goes_on_after_a_kill_and_comes_out_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (journals, json) = (path("games"), path("x.json"));
    let (shown, shown_json) = (journals.display().to_string(), json.display().to_string());
    let words = "experiment levels --quick --games 2 --concurrency 2 --journals";
    let args: Vec<&str> = words.split(' ').collect();
    let args = [&args[..], &[&shown, "--json", &shown_json]].concat();
    let run = || {
        let output = damier(&args);
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{text}");
        text
    };
    // Killed in the second of the ten matches.
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"));
    let mut child = child
        .args(&args)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let begun = Instant::now();
    while !journals.join("2600---2400.journal").exists() {
        assert!(begun.elapsed() < Duration::from_secs(300), "no match ends");
        sleep(Duration::from_millis(10));
    }
    child.kill().expect("killed");
    child.wait().expect("dead");
    let whole = run();
    let found: Value =
        serde_json::from_str(&fs::read_to_string(&json).expect("a file")).expect("JSON");
    let rows = found["tables"][0]["rows"].as_array().expect("rows");
    let pairs: Vec<[u32; 2]> = rows
        .iter()
        .map(|row| {
            [0, 1].map(|at| {
                row[at]
                    .as_str()
                    .and_then(|elo| elo.parse().ok())
                    .expect("a level")
            })
        })
        .collect();
    let expected: Vec<[u32; 2]> = (800..2800)
        .step_by(200)
        .rev()
        .map(|elo| [elo + 200, elo])
        .collect();
    assert_eq!(pairs, expected);
    assert!(rows.iter().all(|row| row[2] == "2"), "{whole}");
    // Half of the last game of each of the cheap matches is lost; those of the others are not played again.
    let name = |elo: u32| journals.join(format!("{}---{elo}.journal", elo + 200));
    let length = |elo| fs::metadata(name(elo)).expect("a journal").len();
    let lengths = [2600, 2400, 2200, 2000].map(length);
    for elo in [800, 1000, 1200] {
        let text = fs::read(name(elo)).expect("a journal");
        fs::write(name(elo), &text[..text.len() - 200]).expect("written");
    }
    assert_eq!(run(), whole);
    assert_eq!([2600, 2400, 2200, 2000].map(length), lengths);
}

#[test]
fn time_is_compared_with_what_was_planned() {
    let run = |more: &str| {
        let words = format!("experiment time --quick --tt-size 16 --bb-size 0{more}");
        let output = damier(&words.split(' ').collect::<Vec<_>>());
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{text}");
        text
    };
    let text = run("");
    for clock in ["| 0.1+0.001 |", "| 0.2+0.002 |", "| 0.4+0.004 |"] {
        // A row of the use of time, one for each predictor, and one of the growth.
        assert_eq!(text.matches(clock).count(), 5, "{text}");
    }
    let text = run(" --move-time 0.01 --games 2");
    assert_eq!(text.matches("| 0.01 s a move |").count(), 5, "{text}");
    let text = run(" --nodes 2000 --games 2");
    assert_eq!(text.matches("| 2000 nodes a move |").count(), 5, "{text}");
    assert_eq!(
        run(" --nodes 2000 --games 2"),
        text,
        "it depends on the machine"
    );
    // The nodes nearly always end within an iteration.
    let row = text.lines().find(|line| line.starts_with("| 2000 nodes"));
    let broken_off = row.and_then(|row| row.split('|').nth(6));
    let share = broken_off.map(|cell| cell.trim().trim_end_matches(" %").parse::<f64>());
    assert!(matches!(share, Some(Ok(share)) if share > 50.0), "{text}");
}

#[test]
fn weights_from_different_games_and_losses_are_compared() {
    let words = "experiment evaluation --quick --games 2 --nodes 20 --bb-size 0 --tt-size 16 --pdn";
    let people = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/v0.1/match.pdn");
    let words: Vec<&str> = words.split(' ').chain([people]).collect();
    let output = damier(&words);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| {
            let kinds = ["| self-play", "| PDN", "| games of people"];
            kinds.iter().any(|kind| line.starts_with(kind))
        })
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 6, "{text}");
    for row in &rows {
        // To know nothing is ln 2; a few games teach some weights to be too sure.
        let losses = [row[2], row[3]].map(|loss| loss.parse::<f64>().expect("a loss"));
        assert!(
            losses.iter().all(|&loss| loss > 0.0 && loss < 2.0),
            "{text}"
        );
    }
    // The tables up to four pieces, of which there are 41, and counts of larger ones.
    let tables = text.split_once("Endgame tables").expect("a table").1;
    let rows = tables.lines().filter(|line| line.starts_with("| "));
    assert_eq!(rows.count(), 1 + 41 + 3, "{tables}");
    let same = "| 19 | the same positions, wins, draws, losses, longest win |";
    assert!(tables.contains(same), "{tables}");
}

#[test]
fn matches_at_odds_find_the_even_factor_and_go_on_from_their_journals() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (journals, json, plot) = (path("games"), path("x.json"), path("x.svg"));
    let program = env!("CARGO_BIN_EXE_damier");
    // A quarter of the nodes of a match: even at the factor where both have 50.
    let guest = format!("name=Other cmd=\"'{program}' hub\" book=false line-gap=0 nodes=50");
    let words = "experiment odds --nodes 200 --games 6 --seed 3 --guest";
    let args: Vec<&str> = words.split(' ').chain([&*guest]).collect();
    let files = ["--journals", &journals, "--json", &json, "--plot", &plot];
    let run = || {
        let output = damier(&[&args[..], &files].concat());
        assert!(output.status.success(), "{output:?}");
        let text = fs::read_to_string(&json).expect("a file");
        (String::from_utf8(output.stdout).expect("text"), text)
    };
    let (text, found) = run();
    assert!(
        text.contains("| 0.2500 | nodes=50 | nodes=50 | 6 |"),
        "{text}"
    );
    let found_object: Value = serde_json::from_str(&found).expect("JSON");
    let tables = &found_object["tables"];
    let rows = tables[0]["rows"].as_array().expect("rows");
    let even = tables[1]["rows"][0][0].as_str().expect("a factor");
    let even: f64 = even.parse().expect(even);
    assert!((0.06..=1.0).contains(&even), "{text}");
    assert_eq!(
        fs::read_dir(&journals).expect("journals").count(),
        rows.len()
    );
    assert!(
        fs::read_to_string(&plot)
            .expect("a plot")
            .contains("</svg>")
    );
    // A match that is lost is played again; the rest comes from the journals.
    let begun = Instant::now();
    let lost = fs::read_dir(&journals)
        .expect("journals")
        .next()
        .expect("one")
        .expect("a file");
    fs::remove_file(lost.path()).expect("removed");
    assert_eq!(run(), (text, found), "{:?}", begun.elapsed());
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (args, expected) in [
        (vec!["experiment", "magic"], "drivers, depth, threads"),
        (
            vec!["experiment", "drivers", "no/such/file"],
            "no/such/file",
        ),
        (vec!["experiment", "drivers", "--depth", "0"], "--depth"),
        (vec!["experiment", "drivers", "--games", "20"], "--games"),
        (vec!["experiment", "drivers", "--find", "2"], "--find"),
        (vec!["experiment", "ordering"], "docs/experiments.md"),
        (
            vec!["bench", "--param", "tally=true"],
            "docs/experiments.md",
        ),
        (vec!["experiment", "levels", "--nodes", "9"], "--nodes"),
        (
            vec!["experiment", "mtdfix", "--nodes", "1", "--move-time", "1"],
            "nodes",
        ),
        (
            vec!["experiment", "mtdfix", "--pairing", "mtdfix:mtdfx"],
            "mtdf-clear-exact",
        ),
        (
            vec!["experiment", "mtdfix", "--pairing", "pvs"],
            "mtdfix:mtdf",
        ),
        (vec!["experiment", "mtdfix", "--pairing", "pvs:pvs"], "pvs"),
        (vec!["experiment", "mtdfix", "--report"], "--report"),
        (
            vec!["experiment", "mtdfix", "--paper", "--quick"],
            "--quick",
        ),
        (
            vec!["experiment", "mtdfix", "--paper", "--weaker", "x"],
            "--weaker",
        ),
        (
            vec!["experiment", "mtdfix", "--passes", "W:W31:B", "--find", "9"],
            "--find",
        ),
        (vec!["experiment", "mtdfix", "--passes", "W:X"], "--passes"),
        (vec!["experiment", "time", "--paper"], "--paper"),
        (vec!["experiment", "time", "--pdn", "x"], "--pdn"),
        (
            vec!["experiment", "evaluation", "--pdn", "no/such/file"],
            "no/such/file",
        ),
        (vec!["experiment", "levels", "--depth", "9"], "--depth"),
        (vec!["experiment", "levels", "x.fen"], "FILE"),
        (vec!["experiment", "levels", "--tt-size", "16"], "option"),
        (vec!["experiment", "levels", "--games", "3"], "even"),
        (vec!["experiment", "odds"], "--guest"),
        (
            vec!["experiment", "odds", "--match-depth", "3"],
            "--match-depth",
        ),
        (
            vec!["experiment", "odds", "--guest", "name=Damier cmd=x"],
            "Damier",
        ),
        (
            vec![
                "experiment",
                "odds",
                "--guest",
                "name=x cmd=x",
                "--games",
                "900",
                "--nodes",
                "9",
            ],
            "331",
        ),
        (vec!["experiment", "levels", "--guest", "cmd=x"], "name"),
        (
            vec!["experiment", "levels", "--guest", "name=x cmd=x"],
            "level",
        ),
        (
            vec!["experiment", "levels", "--guest", "name=1400 cmd=x depth=3"],
            "1400",
        ),
    ] {
        let output = damier(&args);
        let words = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && output.stdout.is_empty());
        assert!(
            words.contains(expected) && !words.contains("panicked"),
            "{words}"
        );
    }
}
