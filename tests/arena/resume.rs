//! Matches that come to a sudden end: by kill -9, by Ctrl-C, and how they go on.

use crate::doubles::{damier, double, engine, folder, games, report, rounds, run};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing in these tests takes this long, even on a busy machine.
const LONG: Duration = Duration::from_secs(120);

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

    /// Games in the journal.
    fn finished(&self) -> u64 {
        let journal = fs::read(self.pdn.with_extension("pdn.journal")).unwrap_or_default();
        let lines = journal.iter().filter(|&&byte| byte == b'\n').count() as u64;
        lines.saturating_sub(1)
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
    let mut hits = 0;
    for kill in 0..kills {
        let mut child = killed.start();
        let began = Instant::now();
        // In the first half, so that there is a second.
        let games = (kill + 1) * 30 / (kills + 1);
        while killed.finished() < games && began.elapsed() < LONG {
            thread::sleep(Duration::from_millis(1));
        }
        let moment = (kill + 1) * (kill + salt) * 7919 % 30;
        thread::sleep(Duration::from_millis(moment));
        child.kill().expect("a living match");
        child.wait().expect("an end");
        hits += u64::from((1..60).contains(&killed.finished()));
    }
    // On a busy machine a match may be over before it is looked at.
    assert!(
        hits * 2 >= kills,
        "{hits} of {kills} kills met a match half played"
    );
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
#[ignore = "slow: .ci/full slow_tests"]
fn a_match_survives_many_kills() {
    (0..5).for_each(|salt| survives_kills(&format!("many-{salt}"), 20, salt));
}

#[test]
fn the_journals_of_shards_are_together_that_of_the_match() {
    let whole = Long::new("shards-whole", "6");
    let expected = report(&whole.args());
    let joined = Long::new("shards-joined", "6");
    let mut lines = Vec::new();
    // Three pairs among four shards: the last one has none.
    for (shard, games) in [("1/4", 2), ("2/4", 2), ("3/4", 2), ("4/4", 0)] {
        let part = Long::new(&format!("shards-{}", &shard[..1]), "6");
        let played = report(&[&part.args()[..], &["--shard", shard]].concat());
        assert_eq!(played["games"], games, "{shard}");
        assert_eq!(played["games_planned"], games, "{shard}");
        let journal =
            fs::read_to_string(part.pdn.with_extension("pdn.journal")).expect("a journal");
        let skipped = usize::from(!lines.is_empty());
        lines.extend(journal.lines().skip(skipped).map(str::to_owned));
    }
    fs::write(
        joined.pdn.with_extension("pdn.journal"),
        lines.join("\n") + "\n",
    )
    .expect("written");
    let report = report(&joined.args());
    assert_eq!(report["games_played_now"], 0);
    assert_eq!(report["pairings"], expected["pairings"]);
    assert_eq!(games(&joined.pdn), games(&whole.pdn));
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
    assert!(err.contains("--resume"), "{err}");
    let (code, _, err) = run(&[&base[..], &["--nodes", "2", "--resume"]].concat());
    assert_eq!(code, Some(1));
    assert!(err.contains("levels"), "{err}");
    let resumed = [
        &base[..],
        &["--nodes", "1", "--random-plies", "3", "--resume"],
    ]
    .concat();
    let (code, _, err) = run(&[&resumed[..], &["--play-out"]].concat());
    assert_eq!(code, Some(1));
    assert!(err.contains("adjudicate-tables is true there"), "{err}");
    let tables = long.pdn.with_file_name("tables.pdn");
    let tables = tables.to_str().expect("a plain path");
    let base = [
        "--engine", a, "--engine", b, "--nodes", "1", "--games", "2", "--pdn", tables,
    ];
    report(&[&base[..], &["--play-out"]].concat());
    let (code, _, err) = run(&[&base[..], &["--resume"]].concat());
    assert_eq!(code, Some(1));
    assert!(
        err.contains("adjudicate-tables is not given there"),
        "{err}"
    );
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
    // With fewer the file would lose games.
    let before = fs::read(&long.pdn).expect("games");
    let (code, _, err) = run(&long.args());
    assert_eq!(code, Some(1));
    assert!(err.contains("--games 6"), "{err}");
    assert_eq!(fs::read(&long.pdn).expect("games"), before);
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
    assert!(!own.with_extension("pdn.journal").exists());
}

#[test]
fn a_match_replaces_no_games_but_its_own() {
    let long = Long::new("own-games", "4");
    report(&long.args());
    let written = fs::read(&long.pdn).expect("a file");
    let others = "[Event \"of somebody else\"]\n\n1. 32-28 19-23 *\n";
    let annotated = String::from_utf8_lossy(&written).replace("time=", "my time=");
    for (text, goes_on) in [
        (others.as_bytes(), false),
        (annotated.as_bytes(), false),
        // What a kill left.
        (&written[..written.len() / 2], true),
        (&written[..], true),
        (b"", true),
    ] {
        fs::write(&long.pdn, text).expect("a file");
        let (code, _, err) = run(&long.args());
        let now = fs::read(&long.pdn).expect("a file");
        if goes_on {
            assert_eq!(code, Some(0), "{err}");
            assert!(now == written);
        } else {
            assert_eq!(code, Some(1));
            assert!(err.contains("other games"), "{err}");
            assert!(err.lines().count() == 1 && now == text, "{err}");
        }
        let folder = long.pdn.parent().expect("a folder");
        let names = fs::read_dir(folder).expect("a folder").count();
        assert_eq!(names, 2, "only the games and the journal");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn two_matches_do_not_share_a_file_of_games() {
    let folder = folder("shared");
    let text = |name: &str| folder.join(name).to_str().expect("a plain path").to_owned();
    let (pdn, first, second) = (text("x.pdn"), text("first"), text("second"));
    let (a, b) = (engine("a", "hang 1 7"), engine("bb", ""));
    let args = |journal| ["--nodes", "1", "--pdn", &pdn, "--journal", journal].map(str::to_owned);
    let mut running = damier(&["--engine", &a, "--engine", &b]);
    let running = running.args(args(&first)).stdout(Stdio::null()).spawn();
    let mut running = running.expect("the binary runs");
    let began = Instant::now();
    while fs::metadata(&pdn).map_or(0, |data| data.len()) == 0 {
        assert!(began.elapsed() < LONG, "games are written");
        thread::sleep(Duration::from_millis(5));
    }
    let output = damier(&["--engine", &a, "--engine", &b, "--force"])
        .args(args(&second))
        .output();
    let output = output.expect("the binary runs");
    running.kill().expect("a living match");
    running.wait().expect("an end");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("x.pdn: in use by another process"), "{err}");
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
        out.contains("interrupted\n") && out.contains("score"),
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
