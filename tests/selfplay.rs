//! Self-play and its files: the same bytes whatever happens on the way, and what becomes of damaged ones.

use damier::lab::dataset::{
    self, DatasetError, Filter, GameRecord, Order, Reader, Sample, Shard, Shuffle,
};
use damier::lab::selfplay::{self, Level, Run, SelfplayError, Settings, Summary};
use damier::search::Control;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("selfplay-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn name(folder: &Path, file: &str) -> String {
    folder.join(file).to_str().unwrap().to_owned()
}

fn settings() -> Settings {
    Settings {
        level: Level::Nodes(100),
        endings: 25,
        ..Settings::default()
    }
}

fn order(out: &str, games: u64, threads: usize) -> Run {
    Run {
        settings: settings(),
        games,
        shard: Shard::WHOLE,
        threads,
        out: out.to_owned(),
    }
}

fn play(run: &Run) -> Summary {
    let summary = selfplay::run(run, &Control::new(), |_| ()).unwrap_or_else(|e| panic!("{e}"));
    assert!(!summary.stopped);
    summary
}

fn refusal(run: &Run) -> SelfplayError {
    selfplay::run(run, &Control::new(), |_| ()).expect_err("this must be refused")
}

fn games(file: &str) -> Vec<GameRecord> {
    let reader = Reader::open(&[file], Order::Stored).unwrap();
    let games = reader.games().collect();
    assert_eq!(reader.damages(), []);
    games
}

fn damier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Exit code, stdout and stderr.
fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

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
    let part = dataset::merge(&shards[..2], &name(&folder, "part"), || ()).unwrap();
    assert_eq!((part.games, part.missing), (100, 50));
    let error = dataset::merge(&[&shards[0], &one], &name(&folder, "x"), || ()).unwrap_err();
    assert!(
        matches!(error, DatasetError::Twice { game: 2, .. }),
        "{error}"
    );
    let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 7, "something half written is left: {left:?}");
}

#[test]
fn games_are_different_and_agree_with_the_rules() {
    let folder = folder("rules");
    let file = name(&folder, "games");
    let mut run = order(&file, 300, 2);
    run.settings.random_moves = 5;
    play(&run);
    let verified = dataset::verify(&[&file], |_| ()).unwrap();
    assert_eq!((verified.games, verified.damages.len()), (300, 0));
    let found = dataset::statistics(&[&file], true, || ()).unwrap();
    assert_eq!((found.games, found.duplicates), (300, 0));
    assert_eq!(found.plies, verified.plies);
    assert_eq!(found.results.iter().sum::<u64>(), 300);
    assert_eq!(found.ends.iter().sum::<u64>(), 300);
    assert!(found.openings >= 298, "{}", found.openings);
    assert!(
        (40..110).contains(&found.own_starts),
        "{}",
        found.own_starts
    );
    assert!(found.bytes_per_ply() < 3.0, "{}", found.bytes_per_ply());
    assert!(found.results.iter().all(|&n| n > 20), "{:?}", found.results);
    let samples: Vec<Sample> = samples(&file, Order::Stored);
    assert_eq!(samples.len() as u64, found.positions);
    let games: HashMap<u64, GameRecord> = games(&file).into_iter().map(|g| (g.index, g)).collect();
    for sample in samples {
        let game = &games[&sample.game];
        let played = game.moves[sample.ply as usize];
        assert_eq!((played.mv, played.score), (sample.mv, Some(sample.score)));
        let before = &game.moves[..sample.ply as usize];
        let position = before.iter().fold(game.start, |p, m| p.play(m.mv));
        assert_eq!(position, sample.position);
        let points = match game.winner {
            None => 0.5,
            Some(winner) => f32::from(u8::from(winner == position.turn())),
        };
        assert_eq!(sample.result.points(), points);
        assert_eq!((sample.ply + sample.left) as usize, game.moves.len());
        assert_eq!(sample.is_calm(), !position.must_capture());
    }
    let twice = dataset::statistics(&[&file, &file], false, || ()).unwrap();
    assert_eq!((twice.games, twice.duplicates), (600, 300));
}

fn samples(file: &str, order: Order) -> Vec<Sample> {
    Reader::open(&[file], order).unwrap().samples().collect()
}

fn sorted(mut samples: Vec<Sample>) -> Vec<(u64, u32)> {
    samples.sort_by_key(|sample| (sample.game, sample.ply));
    samples.iter().map(|s| (s.game, s.ply)).collect()
}

#[test]
fn orders_shuffles_and_parts_give_the_same_positions_and_filters_choose() {
    let folder = folder("mixed");
    let file = name(&folder, "games");
    play(&order(&file, 400, 2));
    let stored = samples(&file, Order::Stored);
    let mixed = samples(&file, Order::Shuffled { seed: 3 });
    assert_ne!(stored, mixed);
    assert_eq!(mixed, samples(&file, Order::Shuffled { seed: 3 }));
    assert_ne!(mixed, samples(&file, Order::Shuffled { seed: 4 }));
    let shuffled: Vec<Sample> = Shuffle::new(mixed.clone().into_iter(), 5_000, 1).collect();
    let all = sorted(stored.clone());
    assert_eq!(sorted(mixed), all);
    let neighbours = shuffled.windows(2).filter(|w| w[0].game == w[1].game);
    assert!(neighbours.count() * 20 < shuffled.len(), "hardly mixed");
    assert_eq!(sorted(shuffled), all);
    let reader = Reader::open(&[&file], Order::Shuffled { seed: 3 }).unwrap();
    let parts = reader.parts(3);
    let parts: Vec<Sample> = parts.iter().flat_map(Reader::samples).collect();
    assert_eq!(sorted(parts), all);

    let filter = Filter {
        quiet: true,
        largest_score: Some(300),
        first_ply: 20,
        fewest_pieces: 6,
        one_of_kings: 3,
    };
    let count = |filter: Filter| stored.iter().filter(|s| filter.takes(s)).count();
    assert_eq!(count(Filter::default()), stored.len());
    for sample in stored.iter().filter(|sample| filter.takes(sample)) {
        assert!(sample.is_quiet() && sample.score.centimen().abs() <= 300);
        assert!(sample.ply >= 20 && sample.position.occupied().len() >= 6);
    }
    let few = count(filter);
    assert!(
        few > 1_000 && few * 2 < stored.len(),
        "{few} of {}",
        stored.len()
    );
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
    let error = refusal(&other).to_string();
    assert!(error.contains("seed is 2 there and 1 here"), "{error}");
    let mut other = order(&file, 300, 1);
    other.shard = Shard::new(1, 2).unwrap();
    assert!(refusal(&other).to_string().contains("shard is 1/2 there"));
    fs::write(name(&folder, "text"), "a file of the user's").unwrap();
    let error = refusal(&order(&name(&folder, "text"), 10, 1)).to_string();
    assert!(
        error.ends_with("not a file of games of damier selfplay"),
        "{error}"
    );
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
                let began = Instant::now();
                let slow = Duration::from_secs(20);
                while fs::metadata(&file).map_or(0, |m| m.len()) < goal * 170
                    && began.elapsed() < slow
                    && !control.is_stopped()
                {
                    std::thread::sleep(Duration::from_micros(500));
                }
                control.stop();
            });
            selfplay::run(&order(&file, 200, 2), &control, |_| ()).unwrap()
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

/// Where the blocks of a file begin, and its length.
fn blocks(bytes: &[u8]) -> Vec<usize> {
    let magics = bytes.windows(4).enumerate();
    let starts = magics.filter(|(_, w)| w == dataset::format::BLOCK_MAGIC);
    starts.map(|(at, _)| at).chain([bytes.len()]).collect()
}

#[test]
fn damage_is_named_and_costs_its_block_only() {
    let folder = folder("damage");
    let (file, wrong) = (name(&folder, "games"), name(&folder, "wrong"));
    play(&order(&file, 300, 2));
    let bytes = fs::read(&file).unwrap();
    let starts = blocks(&bytes);
    assert_eq!(starts.len(), 6, "magic by chance?");
    // What is done to the second block, and whether the number of games lost is known.
    let begin = starts[1];
    type Harm<'a> = Box<dyn Fn(&mut Vec<u8>) + 'a>;
    let damages: [(&str, Harm<'_>); 6] = [
        ("a byte of the games", Box::new(|b| b[begin + 500] ^= 1)),
        ("the length", Box::new(|b| b[begin + 6] ^= 0x40)),
        ("the magic", Box::new(|b| b[begin] = b'x')),
        ("the count", Box::new(|b| b[begin + 24] ^= 3)),
        (
            "bytes missing",
            Box::new(|b| _ = b.drain(begin + 400..begin + 500)),
        ),
        (
            "bytes too many",
            Box::new(|b| _ = b.splice(begin + 400..begin + 400, [7; 90])),
        ),
    ];
    for (what, damage) in damages {
        let mut bytes = bytes.clone();
        damage(&mut bytes);
        fs::write(&wrong, &bytes).unwrap();
        let reader = Reader::open(&[&wrong], Order::Stored).unwrap();
        let indices: Vec<u64> = reader.games().map(|game| game.index).collect();
        let expected: Vec<u64> = (0..64).chain(128..300).collect();
        assert_eq!(indices, expected, "{what}");
        for damages in [
            reader.damages(),
            dataset::verify(&[&wrong], |_| ()).unwrap().damages,
        ] {
            let [damage] = damages.as_slice() else {
                panic!("{what}: {damages:?}")
            };
            assert_eq!(
                (damage.offset, damage.games),
                (begin as u64, Some(64)),
                "{what}"
            );
        }
        let positions = reader.samples().map(|sample| sample.game).max();
        assert_eq!(positions, Some(299));
        // Self-play does not go on with such a file, and says how to save what there is.
        let error = refusal(&order(&wrong, 400, 1)).to_string();
        assert!(
            error.contains("64 games lost; `damier dataset merge "),
            "{error}"
        );
        let saved = name(&folder, "saved");
        let merged = dataset::merge(&[&wrong], &saved, || ()).unwrap();
        assert_eq!(
            (merged.games, merged.missing, merged.damages.len()),
            (236, 64, 1)
        );
        assert_eq!(dataset::verify(&[&saved], |_| ()).unwrap().games, 236);
        fs::remove_file(&saved).unwrap();
        assert_eq!(
            fs::read(&wrong).unwrap(),
            bytes,
            "the damaged file was changed"
        );
        let (code, out, err) = output(&mut damier(&["dataset", "verify", &wrong]));
        assert_eq!(code, Some(1));
        assert!(out.starts_with("236 games with "), "{out}");
        assert!(
            err.contains(&format!("wrong: damaged at byte {begin} (")),
            "{err}"
        );
    }
}

#[test]
fn a_file_cut_anywhere_is_read_up_to_there_and_gone_on_with() {
    let folder = folder("cut");
    let (file, cut) = (name(&folder, "games"), name(&folder, "cut"));
    let mut run = order(&file, 80, 2);
    run.settings.level = Level::Depth(1);
    run.settings.random_plies = (30, 40);
    run.settings.adjudicate = 100;
    play(&run);
    let bytes = fs::read(&file).unwrap();
    let starts = blocks(&bytes);
    let whole = games(&file);
    for length in 0..bytes.len() {
        fs::write(&cut, &bytes[..length]).unwrap();
        match Reader::open(&[&cut], Order::Stored) {
            Err(_) => assert!(length < starts[0], "{length}"),
            Ok(reader) => {
                let blocks = starts.iter().filter(|&&start| start <= length).count() - 1;
                let read: Vec<GameRecord> = reader.games().collect();
                assert_eq!(read, whole[..(64 * blocks).min(80)], "{length}");
                assert_eq!(
                    reader.damages().len(),
                    usize::from(!starts.contains(&length))
                );
            }
        }
        let verified = dataset::verify(&[&cut], |_| ());
        assert_eq!(verified.is_err(), length < starts[0]);
    }
    let resumed = Run {
        out: cut.clone(),
        ..run
    };
    for length in [
        0,
        1,
        starts[0] - 1,
        starts[0],
        starts[0] + 20,
        starts[1] - 1,
        starts[1],
        starts[1] + 40,
        bytes.len() - 1,
    ] {
        fs::write(&cut, &bytes[..length]).unwrap();
        play(&resumed);
        assert_eq!(fs::read(&cut).unwrap(), bytes, "{length}");
    }
}

/// Arguments of a run through the binary that takes some tenths of a second.
fn arguments(out: &str) -> Vec<String> {
    let text = format!("selfplay --games 400 --nodes 200 --threads 2 --seed 5 --out {out}");
    text.split(' ').map(str::to_owned).collect()
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
#[ignore = "twenty kills: cargo test --release --test selfplay -- --ignored"]
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
        let message = "games; the same command goes on with them";
        assert!(
            code == Some(0) || code == Some(1) && err.contains(message),
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
    assert!(err.contains("another process writes to it"), "{err}");
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

#[test]
fn the_commands_show_what_is_there() {
    let folder = folder("show");
    let file = name(&folder, "games");
    let mut args = arguments(&file);
    args[2] = "100".to_owned();
    args.push("--json".to_owned());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (code, out, err) = output(&mut damier(&args));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&summary["games"], &summary["complete"]),
        (&100.into(), &true.into())
    );
    let (code, out, _) = output(&mut damier(&[
        "dataset",
        "stat",
        &file,
        "--json",
        "--distinct",
    ]));
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!(
        (&found["games"], &found["duplicates"]),
        (&100.into(), &0.into())
    );
    assert_eq!(found["positions"], summary["positions"]);
    assert_eq!(found["recipes"][0]["seed"], "5");
    let (code, out, _) = output(&mut damier(&["dataset", "stat", &file]));
    assert!(
        code == Some(0) && out.contains("games        100 in 1 files"),
        "{out}"
    );
    let (code, out, _) = output(&mut damier(&[
        "dataset", "show", &file, "--game", "7", "--count", "2",
    ]));
    assert_eq!(code, Some(0));
    assert!(
        out.starts_with("[Game \"7\"]\n") && out.contains("[Game \"8\"]\n"),
        "{out}"
    );
    let (code, out, _) = output(&mut damier(&["dataset", "show", &file, "--position", "50"]));
    assert!(code == Some(0) && out.contains(" to move: "), "{out}");
    let (code, out, _) = output(&mut damier(&["dataset", "show", &file, "--random", "3"]));
    assert!(
        code == Some(0) && out.matches(" to move: ").count() == 3,
        "{out}"
    );
    for missing in [["--game", "100"], ["--position", "99999999"]] {
        let (code, out, err) = output(damier(&["dataset", "show", &file]).args(missing));
        assert_eq!((code, out.as_str(), err.lines().count()), (Some(1), "", 1));
    }
}

/// As README.md shows it.
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
        parallel --will-cite damier selfplay --games 100 --nodes 200 --seed 7 --threads 1 --shard {{}}/8 --out part{{}}.dgr ::: $(seq 8)
        damier dataset merge part*.dgr --out games.dgr
        damier selfplay --games 100 --nodes 200 --seed 7 --out whole.dgr
        cmp games.dgr whole.dgr",
        folder.display()
    );
    let (code, out, err) = output(Command::new("bash").args(["-c", &script]));
    assert_eq!(code, Some(0), "{out}\n{err}");
}
