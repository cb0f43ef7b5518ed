//! Whole matches by the command line, against a test double that misbehaves on command.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing in these tests takes this long, even on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// The test double, an example of this package: `cargo test` builds it.
fn double() -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_damier")).parent();
    let path = folder.expect("a folder").join("examples").join("double");
    let path = path.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        path.exists(),
        "build it with: cargo build --examples (and --release, if the tests are)"
    );
    path.to_str().expect("a plain path").to_owned()
}

/// A description of a double with this name and fault.
fn engine(name: &str, fault: &str) -> String {
    format!(
        "name={name} cmd=\"'{}' {fault}\" seed={}",
        double(),
        name.len()
    )
}

fn damier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.arg("match").args(args).stdin(Stdio::null());
    command
}

/// Exit code, stdout and stderr.
fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = damier(args).output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

/// The report of a match that went well.
fn report(args: &[&str]) -> Value {
    let (code, out, err) = run(&[args, &["--json"]].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    serde_json::from_str(&out).expect("one object")
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Games of a PDN file without what may differ from run to run: the times.
fn games(pdn: &Path) -> Vec<String> {
    let text = fs::read_to_string(pdn).expect("a file");
    let words = text.split_whitespace().map(|word| {
        let end = if word.ends_with('}') { "}" } else { "" };
        match word.trim_start_matches('{').starts_with("time=") {
            true => format!("time{end}"),
            false => word.to_owned(),
        }
    });
    let text = words.collect::<Vec<_>>().join(" ");
    text.split("[Event ").skip(1).map(str::to_owned).collect()
}

fn rounds(games: &[String]) -> Vec<u64> {
    let round = |game: &String| {
        let rest = game.split_once("[Round \"").expect("a round").1;
        rest.split_once('"')
            .expect("an end")
            .0
            .parse()
            .expect("a number")
    };
    games.iter().map(round).collect()
}

/// Each fault is named, lands on the side that commits it, and the match goes on to its end.
fn fault(text: &str, kind: &str, more: &[&str]) {
    let good = engine("good", "");
    let bad = engine("bad", text);
    let args = [
        "--engine", &good, "--engine", &bad, "--games", "6", "--nodes", "1",
    ];
    let report = report(&[&args, more].concat());
    assert_eq!(report["games"], 6, "{text}");
    assert_eq!(
        report["engines"][0]["faults"],
        serde_json::json!({}),
        "{text}"
    );
    let count = report["engines"][1]["faults"][kind].as_u64().unwrap_or(0);
    assert!(count > 0, "{text}: {report}");
    assert_eq!(
        report["pairings"][0]["losses"]
            .as_u64()
            .map(|lost| lost + count <= 6),
        Some(true)
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
    fault("hang 3", "silence", &["--patience", "0.3"]);
    fault("very-late 3", "silence", &["--patience", "0.3"]);
    fault("slow-babble 2", "silence", &["--patience", "0.3"]);
    fault("long-line 2", "silence", &["--patience", "0.3"]);
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
    let what = timed["faults"][0]["what"].as_str().expect("words");
    assert!(what.starts_with("late by 0.3"), "{what}");
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
    assert_eq!(report["engines"][0]["moves"], 8);
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
    let backwards = [
        "--engine", &bad, "--engine", &good, "--games", "1000", "--nodes", "1",
    ];
    let (_, out, _) = run(&[&backwards[..], &["--sprt", "0,50"]].concat());
    assert!(out.contains("SPRT: H0 accepted (Elo 0)"), "{out}");
}

#[test]
fn arguments_that_make_no_sense_are_said_to() {
    let a = engine("a", "");
    let again = a.clone();
    let b = engine("bb", "");
    for (args, expected) in [
        (vec!["--engine", &a, "--nodes", "1"], "two engines or more"),
        (
            vec!["--engine", &a, "--engine", &again, "--nodes", "1"],
            "different names",
        ),
        (vec!["--engine", &a, "--engine", &b], "has no level"),
        (
            vec![
                "--engine", &a, "--engine", &b, "--nodes", "1", "--depth", "1",
            ],
            "exclude",
        ),
        (
            vec!["--engine", &a, "--engine", &b, "--tc", "x"],
            "no clock",
        ),
        (
            vec!["--engine", &a, "--engine", "cmd=x", "--nodes", "1"],
            "name is missing",
        ),
        (
            vec![
                "--engine", &a, "--engine", &b, "--nodes", "1", "--games", "3",
            ],
            "even",
        ),
        (
            vec!["--engine", &a, "--engine", &b, "--nodes", "1", "--resume"],
            "--pdn or --journal",
        ),
        (
            vec![
                "--engine", &a, "--engine", &b, "--nodes", "1", "--sprt", "5,0",
            ],
            "smaller",
        ),
        (
            vec![
                "--engine",
                &a,
                "--engine",
                &b,
                "--nodes",
                "1",
                "--threads",
                "2",
            ],
            "description",
        ),
        (
            vec![
                "--engine",
                &a,
                "--engine",
                &b,
                "--nodes",
                "1",
                "--concurrency",
                "0",
            ],
            "concurrency",
        ),
    ] {
        let (code, out, err) = run(&args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{expected}: {err}");
        assert!(err.contains(expected), "{expected}: {err}");
    }
    let base = [
        "--engine", &a, "--engine", &b, "--nodes", "1", "--games", "2",
    ];
    for (more, expected) in [
        (["--openings", "/no/such/file"], "/no/such/file"),
        (["--engines", "/no/such/file"], "/no/such/file"),
        (["--pdn", "/no/such/folder/x.pdn"], "/no/such/folder"),
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

/// A match with names that differ enough for its processes to be found.
struct Long {
    pdn: PathBuf,
    engines: [String; 2],
    games: &'static str,
}

impl Long {
    fn new(name: &str, games: &'static str) -> Long {
        Long {
            pdn: folder(name).join("games.pdn"),
            engines: [engine("a", ""), engine("bb", "")],
            games,
        }
    }

    fn args(&self) -> Vec<&str> {
        let [a, b] = &self.engines;
        let pdn = self.pdn.to_str().expect("a plain path");
        vec![
            "--engine",
            a,
            "--engine",
            b,
            "--nodes",
            "1",
            "--games",
            self.games,
            "--random-plies",
            "3",
            "--concurrency",
            "2",
            "--resume",
            "--pdn",
            pdn,
        ]
    }

    fn start(&self) -> Child {
        let mut command = damier(&self.args());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().expect("the binary runs")
    }
}

/// Kills matches at moments that depend on `salt`; what comes out is what an undisturbed match plays.
fn survives_kills(name: &str, kills: u64, salt: u64) {
    let whole = Long::new(&format!("{name}-whole"), "60");
    report(&whole.args());
    let killed = Long::new(&format!("{name}-killed"), "60");
    for kill in 0..kills {
        let mut child = killed.start();
        let moment = 5 + (kill + 1) * (kill + salt) * 7919 % 150;
        thread::sleep(Duration::from_millis(moment));
        child.kill().expect("a living match");
        child.wait().expect("an end");
    }
    let last = report(&killed.args());
    assert_eq!(last["games"], 60);
    let games_of = games(&killed.pdn);
    assert_eq!(rounds(&games_of), (1..=60).collect::<Vec<_>>());
    assert_eq!(games_of, games(&whole.pdn));
    // Nothing is left to play.
    let again = report(&killed.args());
    assert_eq!(
        (again["games"].as_u64(), again["games_played_now"].as_u64()),
        (Some(60), Some(0))
    );
    assert_eq!(again["pairings"], last["pairings"]);
    assert_eq!(games(&killed.pdn), games_of);
}

#[test]
fn a_killed_match_goes_on_with_nothing_lost_or_played_twice() {
    survives_kills("few", 4, 3);
}

#[test]
#[ignore = "takes a minute"]
fn a_match_survives_many_kills() {
    (0..5).for_each(|salt| survives_kills(&format!("many-{salt}"), 20, salt));
}

#[test]
fn the_journal_guards_what_was_played() {
    let long = Long::new("guard", "4");
    report(&long.args());
    let pdn = long.pdn.to_str().expect("a plain path");
    let [a, b] = &long.engines;
    let base = ["--engine", a, "--engine", b, "--games", "4", "--pdn", pdn];
    let (code, _, err) = run(&[&base[..], &["--nodes", "1"]].concat());
    assert_eq!(code, Some(1));
    assert!(err.contains("--resume goes on"), "{err}");
    let (code, _, err) = run(&[&base[..], &["--nodes", "2", "--resume"]].concat());
    assert_eq!(code, Some(1));
    assert!(err.contains("another match: levels"), "{err}");
    // More games of the same match are no other match.
    let mut more = long.args();
    let games_at = more.iter().position(|arg| *arg == "4").expect("games");
    more[games_at] = "6";
    let report_more = report(&more);
    assert_eq!(
        (
            report_more["games"].as_u64(),
            report_more["games_played_now"].as_u64()
        ),
        (Some(6), Some(2))
    );
    // Somebody's own file is no match to go on with.
    let own = long.pdn.with_file_name("own.pdn");
    fs::write(&own, "precious").expect("a file");
    let own_text = own.to_str().expect("a plain path");
    let (code, _, err) = run(&[
        "--engine", a, "--engine", b, "--nodes", "1", "--pdn", own_text, "--resume",
    ]);
    assert_eq!(code, Some(1));
    assert!(err.contains("--force"), "{err}");
    assert_eq!(fs::read_to_string(&own).expect("a file"), "precious");
}

/// The processes whose command line holds this text.
#[cfg(target_os = "linux")]
fn processes(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("proc").flatten() {
        let Some(id) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(text) && id != std::process::id() {
            found.push(id);
        }
    }
    found
}

#[cfg(target_os = "linux")]
fn wait_until_none(text: &str) {
    let began = Instant::now();
    while !processes(text).is_empty() {
        assert!(began.elapsed() < LONG, "{text}: {:?}", processes(text));
        thread::sleep(Duration::from_millis(20));
    }
}

/// A match whose engines can be told from those of other tests by a word on their command line.
#[cfg(target_os = "linux")]
fn marked(mark: &str, fault: &str, signal: &str) -> (Option<i32>, String) {
    let [a, b] = ["a", "b"].map(|name| format!("name={name} cmd=\"'{}' {fault}\"", double()));
    let args = [
        "--engine", &a, "--engine", &b, "--nodes", "1", "--games", "100000",
    ];
    let mut child = damier(&args)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let began = Instant::now();
    while processes(mark).len() < 3 {
        assert!(began.elapsed() < LONG, "engines run");
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(100));
    let id = child.id().to_string();
    let sent = Command::new("kill")
        .args([signal, &id])
        .status()
        .expect("kill runs");
    assert!(sent.success());
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        assert!(began.elapsed() < LONG, "the match ends");
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("an end");
    wait_until_none(mark);
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_match_cleanly() {
    let (code, out) = marked("interrupted 7001", "interrupted 7001", "-INT");
    assert_eq!(code, Some(1));
    assert!(
        out.contains("interrupted; --resume") && out.contains("score"),
        "{out}"
    );
    // In the middle of a long thought too.
    let (code, _) = marked("hang 1 7", "hang 1 7", "-TERM");
    assert_eq!(code, Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn engines_end_with_a_match_that_is_killed() {
    let (code, _) = marked("ignore-quit 7002", "ignore-quit 7002", "-KILL");
    assert_eq!(code, None);
}
