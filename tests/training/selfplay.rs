//! Self-play: the same bytes whatever happens on the way.

use crate::games::*;
use crate::messages::one_line;
use damier::os::shard::Shard;
use damier::search::Control;
use damier::training::dataset::{self, DatasetError};
use damier::training::selfplay::{Run, SelfplayError};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn threads_shards_and_merges_make_no_difference() {
    let folder = folder("same");
    let [one, three, merged] = ["one", "three", "merged"].map(|file| name(&folder, file));
    play(&order(&one, 150, 1));
    play(&order(&three, 150, 3));
    let bytes = fs::read(&one).unwrap();
    assert_eq!(fs::read(&three).unwrap(), bytes);
    let shards: Vec<String> = [3, 1, 2]
        .map(|n| name(&folder, &format!("shard{n}")))
        .into();
    for (file, number) in shards.iter().zip([3, 1, 2]) {
        let shard = Shard::new(number, 3).unwrap();
        let run = Run {
            shard,
            ..order(file, 150, 2)
        };
        assert_eq!(play(&run).progress.total, 50);
    }
    let report = dataset::merge(&shards, &merged, || ()).unwrap();
    assert_eq!(
        (report.games, report.missing, report.damages.len()),
        (150, 0, 0)
    );
    assert_eq!(fs::read(&merged).unwrap(), bytes);
    // Again: it is there already. Another merge does not replace it.
    assert_eq!(dataset::merge(&shards, &merged, || ()).unwrap(), report);
    let error = dataset::merge(&shards[..2], &merged, || ()).unwrap_err();
    assert!(matches!(error, DatasetError::Exists { .. }), "{error}");
    assert_eq!(fs::read(&merged).unwrap(), bytes);
    let part = dataset::merge(&shards[..2], name(&folder, "part"), || ()).unwrap();
    assert_eq!((part.games, part.missing), (100, 50));
    let error = dataset::merge(&[&shards[0], &one], name(&folder, "x"), || ()).unwrap_err();
    assert!(
        matches!(error, DatasetError::Twice { game: 2, .. }),
        "{error}"
    );
    let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 7, "something half written is left: {left:?}");
}

#[test]
fn a_merge_empties_no_file_of_others() {
    let folder = folder("beside");
    let [out, input, other] = ["out", "out.partial", "other"].map(|file| name(&folder, file));
    for (file, number) in [(&input, 1), (&other, 2)] {
        let shard = Shard::new(number, 2).unwrap();
        play(&Run {
            shard,
            ..order(file, 10, 1)
        });
    }
    let bytes = fs::read(&input).unwrap();
    let error = dataset::merge(&[&input, &other], &out, || ()).unwrap_err();
    assert!(matches!(error, DatasetError::Exists { .. }), "{error}");
    assert_eq!(fs::read(&input).unwrap(), bytes);
    // Nor one that no merge has begun.
    let first = name(&folder, "first");
    fs::rename(&input, &first).unwrap();
    fs::write(&input, "a file of the user's").unwrap();
    let error = dataset::merge(&[&first, &other], &out, || ()).unwrap_err();
    assert!(matches!(error, DatasetError::Exists { .. }), "{error}");
    assert_eq!(fs::read(&input).unwrap(), b"a file of the user's");
    // What a kill has left is nobody's.
    fs::write(&input, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(
        dataset::merge(&[&first, &other], &out, || ())
            .unwrap()
            .games,
        10
    );
    assert!(!Path::new(&input).exists());
}

#[test]
fn a_file_is_made_longer_gone_on_with_or_left_alone() {
    let folder = folder("resume");
    let (file, whole) = (name(&folder, "games"), name(&folder, "whole"));
    play(&order(&whole, 200, 2));
    // Beyond a block, up to its end, in the middle of the next, to the end.
    for games in [70, 70, 128, 129, 200] {
        let found = fs::read(&file).map_or(0, |_| games_in(&file));
        let summary = play(&order(&file, games, 2));
        assert_eq!(
            (summary.progress.found, summary.progress.done),
            (found, games)
        );
    }
    assert_eq!(fs::read(&file).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(play(&order(&file, 10, 2)).progress.done, 200);
    let mut other = order(&file, 300, 1);
    other.settings.seed = 2;
    one_line(refusal(&other), &["games", "seed", "1", "2"]);
    let mut other = order(&file, 300, 1);
    other.shard = Shard::new(1, 2).unwrap();
    one_line(refusal(&other), &["games", "1/2"]);
    fs::write(name(&folder, "text"), "a file of the user's").unwrap();
    one_line(refusal(&order(&name(&folder, "text"), 10, 1)), &["text"]);
    assert_eq!(fs::read(&file).unwrap(), fs::read(&whole).unwrap());
    // A merge with gaps is no beginning of a run.
    let shard = Run {
        shard: Shard::new(2, 2).unwrap(),
        ..order(&name(&folder, "shard"), 200, 2)
    };
    play(&shard);
    let gaps = name(&folder, "gaps");
    dataset::merge(&[&shard.out], &gaps, || ()).unwrap();
    let error = refusal(&order(&gaps, 300, 1));
    assert!(matches!(error, SelfplayError::OtherRun { .. }), "{error}");
}

#[test]
fn a_kill_costs_seconds_not_a_block() {
    let folder = folder("seconds");
    let file = name(&folder, "games");
    let mut run = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args([
            "selfplay",
            "--games",
            "63",
            "--nodes",
            "20000",
            "--bb-size",
            "0",
            "--out",
            &file,
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    // Fewer games than a block has are on the disk while the run goes on.
    let kept = loop {
        let readable = fs::metadata(&file).is_ok_and(|data| data.len() > 1_000);
        let games = if readable { games_in(&file) } else { 0 };
        // A busy machine with a slow build may take minutes for a game.
        if games > 0 || began.elapsed() > Duration::from_secs(600) {
            break games;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    run.kill().unwrap();
    run.wait().unwrap();
    assert!((1..63).contains(&kept), "{kept} games were kept");
    assert!(games_in(&file) >= kept);
}

fn games_in(file: &str) -> u64 {
    games(file).len() as u64
}

#[test]
fn a_stopped_run_goes_on() {
    let folder = folder("stop");
    let (file, whole) = (name(&folder, "games"), name(&folder, "whole"));
    play(&order(&whole, 200, 1));
    let mut stops = 0;
    for step in 1.. {
        let control = Control::new();
        let goal = 37 * step;
        let summary = std::thread::scope(|scope| {
            scope.spawn(|| {
                while fs::metadata(&file).map_or(0, |m| m.len()) < goal * 170
                    && !control.is_stopped()
                {
                    std::thread::sleep(Duration::from_micros(500));
                }
                control.stop();
            });
            let summary = play_under(&order(&file, 200, 2), &control);
            control.stop();
            summary
        });
        assert_eq!(games_in(&file), summary.progress.done);
        if !summary.stopped {
            break;
        }
        stops += 1;
    }
    assert!(stops > 0, "never stopped in time");
    assert_eq!(fs::read(&file).unwrap(), fs::read(&whole).unwrap());
}

/// Runs a command again and again, killing it after so long, until it ends by itself. Gives the number of kills.
fn run_with_kills(args: &[String], moments: impl IntoIterator<Item = Duration>) -> u32 {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut kills = 0;
    for moment in moments {
        let mut child = damier(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(moment);
        // SIGKILL.
        child.kill().unwrap();
        if child.wait().unwrap().code() == Some(0) {
            continue;
        }
        kills += 1;
    }
    let (code, _, err) = output(&mut damier(&args));
    assert_eq!(code, Some(0), "{err}");
    kills
}

/// Random moments up to `most` milliseconds.
fn moments(seed: u64, count: usize, most: u64) -> Vec<Duration> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis((state >> 33) % most)
    };
    (0..count).map(|_| next()).collect()
}

/// Plays a run with kills and merges its parts with kills; compares with runs left in peace.
fn killed_at_random(folder: &Path, seed: u64, kills: usize) {
    let games = 100 * kills;
    let arguments = |file: &str| {
        let mut args = arguments(file);
        args[2] = games.to_string();
        args
    };
    let [whole, killed] = ["whole", "killed"].map(|file| name(folder, file));
    assert_eq!(run_with_kills(&arguments(&whole), []), 0);
    let bytes = fs::read(&whole).unwrap();
    let killed_times = run_with_kills(&arguments(&killed), moments(seed, kills, 150));
    assert!(
        killed_times as usize * 2 > kills,
        "killed too late: {killed_times}"
    );
    assert_eq!(fs::read(&killed).unwrap(), bytes);
    let mut merge: Vec<String> = vec!["dataset".into(), "merge".into()];
    for number in 1..=2 {
        let shard = name(folder, &format!("shard{number}"));
        let mut args = arguments(&shard);
        args.extend(["--shard".to_owned(), format!("{number}/2")]);
        run_with_kills(&args, moments(seed + number, kills / 2, 150));
        merge.push(shard);
    }
    let merged = name(folder, "merged");
    merge.extend(["--out".to_owned(), merged.clone()]);
    run_with_kills(&merge, moments(seed + 9, kills, 8));
    assert_eq!(fs::read(&merged).unwrap(), bytes);
    assert!(!fs::exists(format!("{merged}.partial")).unwrap());
    assert_eq!(
        dataset::verify(&[&merged], |_| ()).unwrap().games,
        games as u64
    );
}

#[test]
fn kills_lose_nothing() {
    killed_at_random(&folder("kill"), 1, 4);
}

#[test]
#[ignore = "slow: .ci/full slow_tests"]
fn twenty_kills_lose_nothing() {
    for seed in 0..3 {
        killed_at_random(&folder("kill-often"), seed, 20);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_in_order() {
    let folder = folder("interrupt");
    let (file, whole) = (name(&folder, "games"), name(&folder, "whole"));
    let args = |file: &str| arguments(file).join(" ");
    let script = |file: &str, signal: &str| {
        let damier = env!("CARGO_BIN_EXE_damier");
        let run = format!(
            "'{damier}' {} & pid=$!; sleep 0.3; kill -{signal} $pid; wait $pid",
            args(file)
        );
        output(Command::new("bash").args(["-c", &run]))
    };
    for signal in ["INT", "TERM"] {
        let (code, out, err) = script(&file, signal);
        assert!(
            code == Some(0) || code == Some(1) && err.lines().count() == 1,
            "{code:?} {out} {err}"
        );
        assert_eq!(dataset::verify(&[&file], |_| ()).unwrap().damages, []);
    }
    run_with_kills(&arguments(&file), []);
    run_with_kills(&arguments(&whole), []);
    assert_eq!(fs::read(&file).unwrap(), fs::read(&whole).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_a_folder_and_a_busy_file_are_told_in_one_line() {
    let folder = folder("full");
    let (file, whole) = (name(&folder, "games"), name(&folder, "whole"));
    let damier_path = env!("CARGO_BIN_EXE_damier");
    let run = format!(
        "trap '' XFSZ; ulimit -f 24; '{damier_path}' {}",
        arguments(&file).join(" ")
    );
    let (code, _, err) = output(Command::new("bash").args(["-c", &run]));
    assert_eq!(code, Some(1));
    assert!(
        err.starts_with("damier: ") && err.contains("games: ") && err.lines().count() == 1,
        "{err}"
    );
    run_with_kills(&arguments(&file), []);
    run_with_kills(&arguments(&whole), []);
    assert_eq!(fs::read(&file).unwrap(), fs::read(&whole).unwrap());
    let missing = name(&folder, "no/such/folder/games");
    let directory = folder.to_str().unwrap().to_owned();
    for bad in [missing.as_str(), &directory, "/dev/full", "/proc/version"] {
        let args = arguments(bad);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (code, out, err) = output(&mut damier(&args));
        assert_eq!((code, out.as_str()), (Some(1), ""), "{bad}");
        assert!(
            err.starts_with(&format!("damier: {bad}: ")) && err.lines().count() == 1,
            "{err}"
        );
        let (code, _, err) = output(&mut damier(&["dataset", "merge", &whole, "--out", bad]));
        assert_eq!((code, err.lines().count()), (Some(1), 1), "{err}");
    }
    let mut long = arguments(&name(&folder, "busy"));
    long[2] = "100000".to_owned();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let mut child = damier(&long)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while fs::metadata(name(&folder, "busy")).map_or(0, |m| m.len()) < 5_000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let (code, _, err) = output(&mut damier(&long));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(code, Some(1));
    one_line(err, &["busy"]);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let out = name(&folder("arguments"), "games");
    for bad in [
        "--games 0",
        "--games 10 --nodes 0",
        "--games 10 --nodes 10 --depth 4",
        "--games 10 --shard 3/2",
        "--games 10 --random-plies 9-3",
        "--games 10 --random-plies x",
        "--games 10 --window -1",
        "--games 10 --adjudicate nan",
        "--games 10 --endings 101",
        "--games 10 --threads 0",
        "--games 10 --tt-size 99",
        "--games 10 --config hub.ini",
        "",
    ] {
        let args = format!("selfplay --out {out} {bad}");
        let args: Vec<&str> = args.split_whitespace().collect();
        let (code, stdout, err) = output(&mut damier(&args));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{bad}: {err}");
        assert!(!fs::exists(&out).unwrap(), "{bad}");
    }
    let (code, _, err) = output(&mut damier(&["dataset", "stat", "no/such/file"]));
    assert_eq!(code, Some(1));
    assert!(err.starts_with("damier: no/such/file: "), "{err}");
    assert_eq!(
        output(&mut damier(&["dataset", "merge", "--out", &out])).0,
        Some(2)
    );
}

/// As docs/selfplay-and-training.md shows it.
#[test]
fn gnu_parallel_plays_the_shards() {
    let found = Command::new("parallel").arg("--version").output();
    if !found.is_ok_and(|found| String::from_utf8_lossy(&found.stdout).contains("GNU parallel")) {
        use std::io::Write;
        // Past the capture of the test runner: a skipped test should be seen.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: GNU parallel is not installed (apt-get install parallel)"
        );
        return;
    }
    let folder = folder("parallel");
    let damier_path = env!("CARGO_BIN_EXE_damier");
    let script = format!(
        "set -e; cd '{}'; PATH=\"$(dirname '{damier_path}'):$PATH\"
        parallel --will-cite damier selfplay --games 100 --nodes 200 --seed 7 --threads 1 --shard {{}}/8 --out \
        part{{}}.dgr ::: $(seq 8)
        damier dataset merge part*.dgr --out games.dgr
        damier selfplay --games 100 --nodes 200 --seed 7 --out whole.dgr
        cmp games.dgr whole.dgr",
        folder.display()
    );
    let (code, out, err) = output(Command::new("bash").args(["-c", &script]));
    assert_eq!(code, Some(0), "{out}\n{err}");
}
