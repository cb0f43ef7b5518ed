//! Training: it learns, the same bytes whatever happens on the way, and nothing of the user's is written over.

use crate::games::*;
use crate::messages::one_line;
use crate::train_runs::{command_line, files_in, finish, refusal_of, run, start};
use damier::engine::{Engine, Options};
use damier::eval::WeightsFile;
use damier::eval::network::Size;
use damier::notation::fen;
use damier::rules::Position;
use damier::training::train::{self, Data, Run, TrainError, TrainingEvent, TrainingSettings};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn it_learns_and_says_how() {
    let folder = folder("train-learns");
    play(&order(&name(&folder, "games"), 400, 2));
    let one = run(&folder, &["games"], "one");
    let summary = finish(&one);
    let held_out: Vec<f64> = summary
        .epochs
        .iter()
        .map(|report| report.held_out.unwrap().loss)
        .collect();
    // Expecting a draw everywhere has a loss of ln 2; the order of men alone brings it well below.
    let last = *held_out.last().unwrap();
    assert!(last < 0.67 && last < held_out[0], "{held_out:?}");
    let rounded = summary.rounded.unwrap().loss;
    assert!((rounded - last).abs() < 0.002, "{rounded} {last}");
    let bytes = fs::read(&one.out).unwrap();
    let file = WeightsFile::from_bytes(&bytes).unwrap();
    assert_eq!(file.weights.size, Size::Small);
    let record: Value = serde_json::from_str(&file.record).unwrap();
    let games = &record["data"]["files"][0];
    assert_eq!(games["name"], "games");
    // Some have no quiet position.
    let count = games["games"].as_u64().unwrap();
    assert!((390..=400).contains(&count), "{count}");
    assert_eq!(games["recipe"]["seed"], "1");
    assert_eq!(record["settings"]["blend"], 0.3);
    assert_eq!(record["settings"]["scale"], 150.0);
    assert_eq!(record["settings"]["horizon"], 8);
    assert_eq!(record["settings"]["decay"], 0.85);
    assert_eq!(record["settings"]["ema"], 0.999);
    assert_eq!(record["settings"]["merge_duplicates"], true);
    assert_eq!(record["last"]["held_out"]["loss"], last);
    assert_eq!(record["last"]["epoch"], 5);
    // With any number of threads.
    for threads in [1, 3] {
        let other = Run {
            threads,
            ..run(&folder, &["games"], &format!("threads{threads}"))
        };
        finish(&other);
        assert_eq!(fs::read(&other.out).unwrap(), bytes, "{threads} threads");
    }
    // Again: the same file. Another seed: another one.
    finish(&one);
    assert_eq!(fs::read(&one.out).unwrap(), bytes);
    let mut other = run(&folder, &["games"], "other");
    other.settings.seed = 2;
    finish(&other);
    assert_ne!(fs::read(&other.out).unwrap(), bytes);
    assert!(
        files_in(&folder)
            .iter()
            .all(|name| !name.ends_with(".partial"))
    );
    // From these weights on.
    let mut next = Run {
        from: Some(one.out.clone()),
        ..run(&folder, &["games"], "next")
    };
    let first = finish(&next).epochs[0].held_out.unwrap().loss;
    assert!(first < held_out[0], "{first} {held_out:?}");
    next.settings.size = Size::Medium;
    next.checkpoint = name(&folder, "fresh").into();
    next.out = name(&folder, "fresh.out").into();
    let error = refusal_of(&next).to_string();
    assert!(
        error.ends_with("one: cannot initialise network-128 from weights of network-64"),
        "{error}"
    );
}

#[test]
fn whole_games_are_held_out_and_the_newest_positions_taken() {
    let folder = folder("train-data");
    play(&order(&name(&folder, "old"), 300, 2));
    let mut newer = order(&name(&folder, "new"), 1_100, 2);
    newer.settings.seed = 2;
    play(&newer);
    let files = ["old", "new"].map(|file| name(&folder, file).into());
    let load = |settings: &TrainingSettings| {
        Data::load(&files, settings, &mut |_, _| true)
            .unwrap()
            .unwrap()
    };
    let mut settings = run(&folder, &[], "").settings;
    settings.merge_duplicates = false;
    let all = load(&settings);
    let share = all.held_out.len() as f64 / (all.train.len() + all.held_out.len()) as f64;
    assert!((0.15..0.25).contains(&share), "{share}");
    let games = all.files[0].games + all.files[1].games;
    assert!((1_350..=1_400).contains(&games), "{games}");
    // A game is on one side only: with none held out, each side's positions stand in their order among the others.
    settings.hold_out = 0;
    let none = load(&settings);
    assert_eq!(none.held_out.len(), 0);
    let (mut train, mut held_out, mut changes) = (all.train.iter(), all.held_out.iter(), 0);
    let (mut next, mut next_held_out) = (train.next(), held_out.next());
    let mut before = false;
    for example in &none.train {
        let here = next_held_out == Some(example) && (before || next != Some(example));
        if here {
            next_held_out = held_out.next();
        } else {
            assert_eq!(next, Some(example));
            next = train.next();
        }
        changes += u32::from(here != before);
        before = here;
    }
    assert!(next.is_none() && next_held_out.is_none());
    assert!(changes < 2 * 1_400 / 5 + 150, "{changes}");
    let most = all.files[1].positions as usize + 100;
    settings.positions = Some(most);
    let some = load(&settings);
    assert_eq!(some.train.len(), most);
    assert_eq!(
        (some.files[0].positions, some.files[1].positions),
        (100, all.files[1].positions)
    );
    assert_eq!(some.train[..], none.train[..most]);
    settings.positions = Some(50);
    assert_eq!(load(&settings).files[0].positions, 0);
    // A few games of a part are those held out and those trained on as they come.
    settings.hold_out = 20;
    settings.positions = Some(4_000);
    let few = load(&settings);
    assert_eq!(few.train.len() + few.held_out.len(), 4_000);
    assert!(
        (400..1_600).contains(&few.held_out.len()),
        "{}",
        few.held_out.len()
    );
    assert!(few.files[1].games < all.files[1].games);
}

#[test]
fn a_stopped_run_goes_on_to_the_same_bytes() {
    let folder = folder("train-stop");
    play(&order(&name(&folder, "games"), 200, 2));
    // With the architecture that is taught unless told otherwise.
    let run = |out| {
        let mut run = run(&folder, &["games"], out);
        run.settings.size = Size::default();
        run
    };
    let whole = run("whole");
    let expected = finish(&whole);
    let part = run("part");
    // Before anything was read, before the first epoch, in the middle of the second, at the end of the third.
    let stops: [fn(&TrainingEvent) -> bool; 4] = [
        |event| matches!(event, TrainingEvent::Read { .. }),
        |event| matches!(event, TrainingEvent::Ready { .. }),
        |event| matches!(event, TrainingEvent::Step { epoch: 2, done, total } if 2 * done > *total),
        |event| matches!(event, TrainingEvent::Epoch { report, .. } if report.epoch == 3),
    ];
    for (stop, epochs) in stops.into_iter().zip([0, 0, 1, 3]) {
        let summary = train::run(&part, &mut |event| !stop(&event)).unwrap();
        assert!(summary.stopped);
        assert_eq!(summary.epochs.len(), epochs);
        let there = [&part.out, &part.checkpoint].map(|file| fs::exists(file).unwrap());
        assert_eq!(there, [false, epochs > 0]);
    }
    // In the middle of the fourth, which then goes on with the next step.
    let mut stopped_at = 0;
    train::run(&part, &mut |event| match event {
        TrainingEvent::Step { done, .. } => {
            stopped_at = done;
            stopped_at < 3 * part.settings.batch
        }
        _ => true,
    })
    .unwrap();
    let mut first = None;
    let summary = train::run(&part, &mut |event| {
        if let TrainingEvent::Step { epoch, done, .. } = event {
            first.get_or_insert((epoch, done));
        }
        true
    })
    .unwrap();
    assert_eq!(first, Some((4, stopped_at + part.settings.batch)));
    assert_eq!(summary.epochs, expected.epochs);
    assert_eq!(fs::read(&part.out).unwrap(), fs::read(&whole.out).unwrap());
    let names = ["games", "part", "part.ckpt", "whole", "whole.ckpt"];
    assert_eq!(files_in(&folder), names);
    // They are played with, and begun with.
    let options = Options {
        weights: part.out.clone(),
        ..Options::default()
    };
    let engine = Engine::new(options).expect("weights to play with");
    let ahead = fen::parse("W:W31,32,33,37,38:B13,14,18,19").unwrap();
    assert!(engine.evaluate(&ahead) > engine.evaluate(&Position::start()));
    let mut next = run("next");
    next.from = Some(part.out);
    next.settings.epochs = 1;
    let further = finish(&next).epochs[0].held_out.unwrap().loss;
    let first = expected.epochs[0].held_out.unwrap().loss;
    assert!(further < first, "{further} {first}");
}

#[test]
fn kills_lose_nothing() {
    survives_kills("train-kill", 10, &[60, 20, 40]);
}

#[test]
#[ignore = "slow: .ci/full slow_tests"]
fn many_kills_lose_nothing() {
    survives_kills("train-kills", 30, &[5, 40, 90, 140, 60, 200, 110, 30]);
}

/// Trains for so many epochs, killed after each of these times.
fn survives_kills(name_of_folder: &str, epochs: u32, moments: &[u64]) {
    let folder = folder(name_of_folder);
    play(&order(&name(&folder, "games"), 300, 2));
    let (code, _, err) = start(&command_line(&folder, "whole", epochs));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let args = command_line(&folder, "killed", epochs);
    let mut kills = 0;
    for &milliseconds in moments {
        let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
            .args(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        kills += u32::from(child.wait().unwrap().code() != Some(0));
    }
    assert!(kills > 0, "killed too late");
    let (code, out, err) = start(&args);
    assert_eq!(code, Some(0), "{out}{err}");
    let [killed, whole] = ["killed", "whole"].map(|file| fs::read(name(&folder, file)).unwrap());
    assert!(killed == whole, "other weights");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_in_order() {
    let folder = folder("train-interrupt");
    play(&order(&name(&folder, "games"), 300, 2));
    let script = format!(
        "'{}' {} & pid=$!; while [ ! -e '{}' ]; do sleep 0.01; done; kill -INT $pid; wait $pid",
        env!("CARGO_BIN_EXE_damier"),
        command_line(&folder, "weights", 9_999).join(" "),
        name(&folder, "weights.ckpt")
    );
    let (code, out, err) = output(Command::new("bash").args(["-c", &script]));
    assert_eq!(code, Some(1), "{out}{err}");
    one_line(err, &["damier: ", "9999 epochs"]);
    assert_eq!(files_in(&folder), ["games", "weights.ckpt"]);
    assert!(out.contains("epoch     train  held out"), "{out}");
}

#[test]
fn weights_written_anew_under_their_name_are_read_anew() {
    let folder = folder("train-anew");
    play(&order(&name(&folder, "games"), 60, 2));
    let [one, other] = ["one", "other"].map(|out| run(&folder, &["games"], out));
    let mut other = other;
    other.settings.seed = 2;
    finish(&one);
    finish(&other);
    let options = Options {
        weights: one.out.clone(),
        ..Options::default()
    };
    let mut engine = Engine::new(options.clone()).unwrap();
    let before = engine.evaluate(&Position::start());
    fs::copy(&other.out, &one.out).unwrap();
    engine.set_options(options.clone()).unwrap();
    let after = engine.evaluate(&Position::start());
    assert_ne!(before, after);
    // What is no more there, or no more weights, changes nothing.
    fs::write(&one.out, b"DAMIER").unwrap();
    assert!(engine.set_options(options.clone()).is_err());
    fs::remove_file(&one.out).unwrap();
    engine.set_options(options).unwrap();
    assert_eq!(engine.evaluate(&Position::start()), after);
}

#[test]
fn positions_of_the_endgame_tables_are_learned_from_beside_those_of_games() {
    let folder = folder("train-tables");
    play(&order(&name(&folder, "games"), 100, 2));
    let mut learned = run(&folder, &["games"], "weights");
    learned.settings.table_positions = 40_000;
    let summary = finish(&learned);
    let alone = finish(&run(&folder, &["games"], "alone"));
    assert_eq!(summary.train, alone.train + 40_000);
    assert_eq!(summary.held_out, alone.held_out);
    let [learned, alone] = ["weights", "alone"].map(|out| fs::read(name(&folder, out)).unwrap());
    assert_ne!(learned, alone);
    let record = |bytes: &[u8]| -> Value {
        serde_json::from_str(&WeightsFile::from_bytes(bytes).unwrap().record).unwrap()
    };
    assert_eq!(record(&learned)["settings"]["table_positions"], 40_000);
    assert_eq!(record(&learned)["data"]["train"], summary.train);
}

#[test]
fn json_has_an_object_a_line() {
    let folder = folder("train-json");
    play(&order(&name(&folder, "games"), 200, 2));
    let mut args = command_line(&folder, "weights", 3);
    args.push("--json".to_owned());
    let (code, out, err) = start(&args);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let lines: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[0]["games"].as_u64().unwrap() >= 190);
    assert_eq!(lines[0]["epochs_done"], 0);
    assert_eq!(lines[3]["epoch"], 3);
    for name in ["loss", "result", "score"] {
        assert!(lines[3]["held_out"][name].as_f64().unwrap() < 0.8);
    }
    assert!(lines[4]["rounded"].is_f64());
    // There already: nothing to do but to say so.
    let (_, out, _) = start(&args);
    assert_eq!(out.lines().count(), 2);
}

#[test]
fn every_rule_of_the_labels_changes_what_is_learned_and_the_run() {
    let folder = folder("train-rules");
    let mut games = order(&name(&folder, "games"), 300, 2);
    games.settings.random_moves = 10;
    play(&games);
    let one = run(&folder, &["games"], "one");
    let load = |settings: &TrainingSettings| {
        let data = Data::load(&one.files, settings, &mut |_, _| true);
        data.unwrap().unwrap()
    };
    let usual = load(&one.settings);
    let with_result = |data: &Data| {
        let results = data.train.iter().filter(|one| one.result().is_some());
        results.count()
    };
    let with = |change: &dyn Fn(&mut TrainingSettings)| {
        let mut settings = one.settings.clone();
        change(&mut settings);
        load(&settings)
    };
    let all_results = with(&|s| s.labels.all_results = true);
    assert_eq!(with_result(&all_results), all_results.train.len());
    assert!((100..usual.train.len() / 2).contains(&with_result(&usual)));
    let exchanges = with(&|s| s.filter.exchanges = true);
    assert!(exchanges.train.len() > usual.train.len());
    let duplicates = with(&|s| s.merge_duplicates = false);
    let merged = usual.train.len() + usual.held_out.len() + usual.duplicates as usize;
    assert_eq!(duplicates.train.len() + duplicates.held_out.len(), merged);
    assert!(usual.duplicates > 0 && duplicates.duplicates == 0);
    for other in [
        with(&|s| s.labels.horizon = 1),
        with(&|s| s.labels.decay = 0.5),
    ] {
        assert_eq!(other.train.len(), usual.train.len());
        assert_ne!(other.train, usual.train);
    }
    // A checkpoint of other rules is not gone on with.
    finish(&one);
    let changes: [fn(&mut TrainingSettings); 6] = [
        |s| s.labels.horizon = 1,
        |s| s.labels.decay = 0.5,
        |s| s.labels.all_results = true,
        |s| s.filter.exchanges = true,
        |s| s.merge_duplicates = false,
        |s| s.ema = 0.0,
    ];
    for change in changes {
        let mut other = run(&folder, &["games"], "other");
        other.checkpoint.clone_from(&one.checkpoint);
        change(&mut other.settings);
        let error = refusal_of(&other);
        assert!(matches!(error, TrainError::OtherRun { .. }), "{error}");
    }
    // Nor is one of version 1, which kept the best epoch's weights.
    let mut bytes = fs::read(&one.checkpoint).unwrap();
    bytes[8] = 1;
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    fs::write(folder.join("old"), &bytes).unwrap();
    let mut old = run(&folder, &["games"], "other");
    old.checkpoint = name(&folder, "old").into();
    let error = refusal_of(&old);
    assert!(matches!(error, TrainError::Checkpoint { .. }), "{error}");
    assert!(error.to_string().contains("version"), "{error}");
}

#[test]
fn weights_are_scored_on_games_they_did_not_learn_from() {
    let folder = folder("train-score");
    play(&order(&name(&folder, "games"), 300, 2));
    let mut others = order(&name(&folder, "test"), 60, 2);
    others.settings.seed = 9;
    play(&others);
    finish(&run(&folder, &["games"], "one"));
    let mut more = run(&folder, &["games"], "more");
    more.settings.epochs = 15;
    finish(&more);
    let score = |extra: &[&str]| -> Value {
        let files = ["test", "one", "more"].map(|file| name(&folder, file));
        let mut args = vec!["dataset", "score", "--json", "--one-of-kings", "1"];
        args.extend(files.iter().map(String::as_str));
        args.extend(extra);
        let (code, out, err) = output(&mut damier(&args));
        assert_eq!((code, err.as_str()), (Some(0), ""));
        serde_json::from_str(&out).unwrap()
    };
    let found = score(&["embedded"]);
    assert!(found["positions"].as_u64() > Some(500), "{found}");
    assert_eq!(found["weights"][2]["file"], "embedded");
    let loss = |weights: usize, of: &str| found["weights"][weights][of].as_f64().unwrap();
    for of in ["loss", "result", "score"] {
        assert!(loss(1, of) < loss(0, of), "{of}: {found}");
    }
    assert!(loss(0, "loss") < 0.7, "{found}");
    // Other labels, other losses; the result is what it was.
    let plain = score(&["--horizon", "1"]);
    assert_ne!(plain["weights"][0]["score"], found["weights"][0]["score"]);
    assert_eq!(plain["weights"][0]["result"], found["weights"][0]["result"]);
    let (code, out, err) = output(&mut damier(&[
        "dataset",
        "score",
        &name(&folder, "test"),
        &name(&folder, "no-weights"),
    ]));
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(
        err.contains("no-weights: ") && err.lines().count() == 1,
        "{err}"
    );
}
