//! Training with arguments, files and weights that make no sense.

use crate::games::*;
use crate::messages::one_line;
use crate::train_runs::{command_line, files_in, finish, refusal_of, run, start};
use damier::eval::WeightsFile;
use damier::training::dataset::DatasetError;
use damier::training::train::{self, TrainError, TrainingEvent};
use std::fs;
use std::process::Command;

#[test]
fn what_is_not_of_this_run_is_refused_and_left_alone() {
    let folder = folder("train-refuse");
    for (file, games) in [("games", 120), ("other", 130)] {
        play(&order(&name(&folder, file), games, 2));
    }
    let good = run(&folder, &["games"], "weights");
    finish(&good);
    let kept = |file: &str| fs::read(name(&folder, file)).unwrap();
    let (weights, checkpoint) = (kept("weights"), kept("weights.ckpt"));
    let checkpoint_bytes = checkpoint.clone();
    let mut bad = good.clone();
    bad.settings.epochs = 9;
    let error = refusal_of(&bad);
    assert!(matches!(error, TrainError::Exists { .. }), "{error}");
    one_line(error, &["weights"]);
    bad.out = name(&folder, "second").into();
    let error = refusal_of(&bad);
    assert!(matches!(error, TrainError::OtherRun { .. }), "{error}");
    one_line(error, &["weights.ckpt", "epochs", "5", "9"]);
    let mut bad = run(&folder, &["other"], "second");
    bad.checkpoint.clone_from(&good.checkpoint);
    let error = refusal_of(&bad);
    assert!(matches!(error, TrainError::OtherRun { .. }), "{error}");
    // Files of other kinds, as weights or as checkpoint; games are not written over, with a checkpoint that fits
    // either.
    let games = kept("games");
    let mut bad = good.clone();
    bad.out = name(&folder, "other").into();
    assert!(matches!(refusal_of(&bad), TrainError::Exists { .. }));
    bad = run(&folder, &["games"], "second");
    bad.checkpoint = name(&folder, "other").into();
    let error = refusal_of(&bad);
    assert!(matches!(error, TrainError::Checkpoint { .. }), "{error}");
    one_line(error, &["other"]);
    // One file for two purposes, by whatever name.
    let again = |part: &str| name(&folder, &format!("./{part}"));
    for (files, out, checkpoint) in [
        ("games", again("games"), name(&folder, "second.ckpt")),
        ("games", name(&folder, "second"), again("games")),
        ("games", name(&folder, "second"), again("second")),
    ] {
        let mut bad = run(&folder, &[files], "second");
        (bad.out, bad.checkpoint) = (out.into(), checkpoint.into());
        assert!(matches!(refusal_of(&bad), TrainError::SameFile { .. }));
    }
    bad = run(&folder, &["games", "./games"], "second");
    assert!(matches!(refusal_of(&bad), TrainError::SameFile { .. }));
    assert_eq!(kept("games"), games);
    // What stands where the file is written beside: the weights to begin with, a checkpoint, another program's file.
    for (out, checkpoint, from) in [
        ("second", "second.ckpt", Some("second.partial")),
        ("second", "second.partial", None),
        ("second", "second.ckpt", None),
    ] {
        let mut bad = run(&folder, &["games"], out);
        bad.checkpoint = name(&folder, checkpoint).into();
        bad.from = from.map(|from| name(&folder, from).into());
        let beside = name(&folder, "second.partial");
        let there = match (from, checkpoint) {
            (Some(_), _) => &weights[..],
            (None, "second.partial") => &checkpoint_bytes[..],
            _ => b"the user's",
        };
        fs::write(&beside, there).unwrap();
        let error = refusal_of(&bad);
        assert!(!matches!(error, TrainError::Io { .. }), "{error}");
        assert!(fs::read(&beside).unwrap() == there, "{error}");
        fs::remove_file(beside).unwrap();
    }
    // Known before an epoch is trained.
    let mut bad = run(&folder, &["games"], "second");
    bad.checkpoint = name(&folder, "no/such/folder/ckpt").into();
    let began = |event: TrainingEvent| -> bool { panic!("{event:?}") };
    let error = train::run(&bad, &mut { began }).expect_err("no folder");
    assert!(matches!(error, TrainError::Io { .. }), "{error}");
    // A damaged checkpoint.
    let damaged = name(&folder, "damaged");
    let mut bad = run(&folder, &["games"], "second");
    bad.checkpoint = damaged.clone().into();
    for at in (0..checkpoint.len()).step_by(checkpoint.len() / 30) {
        let mut bytes = checkpoint.clone();
        bytes[at] ^= 32;
        for bytes in [&bytes[..], &checkpoint[..at]] {
            fs::write(&damaged, bytes).unwrap();
            let error = refusal_of(&bad);
            assert!(
                matches!(error, TrainError::Checkpoint { .. }),
                "{at}: {error}"
            );
        }
    }
    assert_eq!(
        (kept("weights"), kept("weights.ckpt")),
        (weights, checkpoint)
    );
    let names = ["damaged", "games", "other", "weights", "weights.ckpt"];
    assert_eq!(files_in(&folder), names);
}

#[test]
fn damaged_games_are_named_and_left_out() {
    let folder = folder("train-damage");
    let games = name(&folder, "games");
    play(&order(&games, 300, 2));
    let mut bytes = fs::read(&games).unwrap();
    let starts = blocks(&bytes);
    bytes[starts[1] + 60] ^= 1;
    fs::write(&games, &bytes).unwrap();
    let (code, out, err) = start(&command_line(&folder, "weights", 1));
    assert_eq!(code, Some(0), "{err}");
    assert!(
        err.contains("64 games") && err.lines().count() == 1,
        "{err}"
    );
    let count: u32 = out.split(' ').next().unwrap().parse().unwrap();
    assert!((225..=236).contains(&count), "{out}");
    for &at in &starts[..starts.len() - 1] {
        bytes[at + 60] ^= 2;
    }
    bytes[starts[1] + 60] ^= 2;
    fs::write(&games, &bytes).unwrap();
    let (code, out, err) = start(&command_line(&folder, "nothing", 1));
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(
        err.starts_with("damier: no position in these files; 5 damaged places"),
        "{err}"
    );
    assert!(err.lines().count() == 1 && !fs::exists(name(&folder, "nothing")).unwrap());
}

#[test]
fn games_given_twice_are_refused() {
    let folder = folder("train-twice");
    play(&order(&name(&folder, "games"), 20, 2));
    play(&order(&name(&folder, "more"), 40, 2));
    fs::copy(name(&folder, "games"), name(&folder, "copy")).unwrap();
    for files in [["games", "copy"], ["more", "games"]] {
        let error = refusal_of(&run(&folder, &files, "weights"));
        let [file, other] = files.map(|file| name(&folder, file));
        let is_told = matches!(&error, TrainError::Data(DatasetError::Twice { file: a, other: b, .. })
            if (a, b) == (&file, &other));
        assert!(is_told, "{error}");
    }
    assert!(!fs::exists(name(&folder, "weights")).unwrap());
}

#[test]
fn arguments_and_files_that_make_no_sense_are_refused_in_one_line() {
    let folder = folder("train-arguments");
    let (games, out) = (name(&folder, "games"), name(&folder, "weights"));
    play(&order(&games, 50, 2));
    let more = name(&folder, "more");
    play(&order(&more, 51, 2));
    for bad in [
        "--arch network-7",
        "--epochs 0",
        "--blend 1.5",
        "--blend nan",
        "--scale 0",
        "--rate 0",
        "--batch 0",
        "--hold-out 51",
        "--horizon 0",
        "--decay 1.1",
        "--ema 1",
        "--positions 0",
        "--one-of-kings 0",
        "--still noisy",
        "--table-positions -1",
        "--rate -1",
        "--threads 0",
        "--tt-size 20",
        "--config hub.ini",
    ] {
        let args = format!("train {games} --out {out} {bad}");
        let args: Vec<&str> = args.split_whitespace().collect();
        let (code, stdout, err) = output(&mut damier(&args));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{bad}: {err}");
    }
    let (_, _, err) = output(&mut damier(&[
        "train", &games, "--out", &out, "--rate", "-1",
    ]));
    assert!(err.contains("-1") && err.contains("--rate"), "{err}");
    assert_eq!(
        output(&mut damier(&["train", &games, "--out", ""])).0,
        Some(2)
    );
    assert_eq!(output(&mut damier(&["train", "--out", &out])).0, Some(2));
    assert_eq!(output(&mut damier(&["train", &games])).0, Some(2));
    let text = name(&folder, "text");
    fs::write(&text, "a file of the user's").unwrap();
    let nowhere = name(&folder, "no/such/folder/weights");
    for (files, out, extra, named) in [
        (["no/such/file", &games], &out, "", "no/such/file"),
        ([&text, &games], &out, "", "text"),
        ([&games, &more], &nowhere, "", "no/such/folder/weights"),
        ([&games, &more], &text, "", "text"),
        ([&games, &games], &out, "", "games"),
        (
            [&games, &more],
            &out,
            "--from no/such/weights",
            "no/such/weights",
        ),
        ([&games, &more], &out, &format!("--from {text}"), "text"),
        ([&games, &more], &out, "--first-ply 4000", "filters"),
    ] {
        let args = format!("train {} {} --out {out} {extra}", files[0], files[1]);
        let args: Vec<&str> = args.split_whitespace().collect();
        let (code, stdout, err) = output(&mut damier(&args));
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{args:?}: {err}");
        assert!(err.starts_with("damier: "), "{err}");
        one_line(err, &[named]);
    }
    assert_eq!(files_in(&folder), ["games", "more", "text"]);
}

#[cfg(unix)]
#[test]
fn weights_are_written_though_nobody_reads_on_and_pipes_are_no_games() {
    let folder = folder("train-alone");
    play(&order(&name(&folder, "games"), 200, 2));
    let script = format!(
        "'{}' {} | true; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_damier"),
        command_line(&folder, "weights", 3).join(" "),
    );
    let (code, _, err) = output(Command::new("bash").args(["-c", &script]));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let bytes = fs::read(name(&folder, "weights")).unwrap();
    assert!(WeightsFile::from_bytes(&bytes).is_ok());
    let pipe = name(&folder, "pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let out = name(&folder, "other");
    let (code, _, err) = output(&mut damier(&["train", &pipe, "--out", &out]));
    assert_eq!(code, Some(1));
    one_line(err, &["pipe"]);
}

#[test]
fn what_a_run_cannot_do_is_said() {
    let folder = folder("train-said");
    play(&order(&name(&folder, "games"), 60, 2));
    let mut one = run(&folder, &["games"], "one");
    one.out = "material".into();
    assert!(matches!(refusal_of(&one), TrainError::BuiltIn { .. }));
    // Of one game none is held out.
    let line = format!(
        "train {} --out {} --arch network-64 --epochs 1 --positions 20",
        name(&folder, "games"),
        name(&folder, "few")
    );
    let line: Vec<&str> = line.split(' ').collect();
    let (code, _, error) = output(&mut damier(&line));
    assert_eq!(code, Some(0));
    one_line(error, &["held-out"]);
    // A log is no place for games.
    let games = fs::read(folder.join("games")).unwrap();
    let (code, _, error) = output(&mut damier(&[
        "eval",
        "--log-file",
        &name(&folder, "games"),
    ]));
    assert_eq!(code, Some(1));
    one_line(error, &["games"]);
    assert_eq!(fs::read(folder.join("games")).unwrap(), games);
}

#[cfg(unix)]
#[test]
fn what_has_another_name_is_not_emptied_and_pipes_are_no_weights() {
    let folder = folder("train-names");
    play(&order(&name(&folder, "games"), 60, 2));
    let games = fs::read(folder.join("games")).unwrap();
    let mut one = run(&folder, &["games"], "one");
    fs::hard_link(folder.join("games"), folder.join("one.partial")).unwrap();
    one_line(refusal_of(&one), &["one.partial"]);
    assert_eq!(fs::read(folder.join("games")).unwrap(), games);
    fs::remove_file(folder.join("one.partial")).unwrap();
    // Written beside under a name that is another file's.
    one.checkpoint = format!("{}.partial", one.out.display()).into();
    assert!(matches!(refusal_of(&one), TrainError::SameFile { .. }));
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    let mut from = run(&folder, &["games"], "two");
    from.from = Some(name(&folder, "pipe").into());
    one_line(refusal_of(&from), &["pipe"]);
    let pipe = run(&folder, &["games"], "pipe");
    one_line(refusal_of(&pipe), &["pipe"]);
    let (code, _, error) = output(&mut damier(&["eval", "--weights", &name(&folder, "pipe")]));
    assert_eq!(code, Some(1));
    one_line(error, &["pipe"]);
    assert_eq!(files_in(&folder), ["games", "pipe"]);
}

#[test]
fn weights_of_patterns_are_refused_by_name() {
    let folder = folder("train-of-patterns");
    let mut bytes = WeightsFile::EMBEDDED.to_vec();
    // The kind that earlier versions gave to patterns, under a checksum that is right.
    bytes[10..12].copy_from_slice(&2u16.to_le_bytes());
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    fs::write(folder.join("old"), &bytes).unwrap();
    let (code, out, err) = output(&mut damier(&["eval", "--weights", &name(&folder, "old")]));
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("old: ") && err.contains("pattern"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}
