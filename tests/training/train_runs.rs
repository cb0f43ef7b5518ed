//! Quick runs of the training.

use crate::games::*;
use damier::eval::network::Size;
use damier::training::train::{self, Run, TrainError, TrainingSettings, TrainingSummary};
use std::fs;
use std::path::Path;

/// A quick run.
pub fn run(folder: &Path, files: &[&str], out: &str) -> Run {
    let mut settings = TrainingSettings {
        size: Size::Small,
        epochs: 5,
        batch: 512,
        rate: 0.002,
        hold_out: 20,
        ..TrainingSettings::default()
    };
    settings.filter.one_of_kings = 1;
    let out = name(folder, out);
    Run {
        files: files.iter().map(|file| name(folder, file).into()).collect(),
        checkpoint: format!("{out}.ckpt").into(),
        out: out.into(),
        from: None,
        settings,
        threads: 2,
    }
}

pub fn finish(run: &Run) -> TrainingSummary {
    let summary = train::run(run, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    assert!(!summary.stopped);
    summary
}

pub fn refusal_of(run: &Run) -> TrainError {
    train::run(run, &mut |_| true).expect_err("this must be refused")
}

pub fn files_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Arguments of a run through the binary.
pub fn command_line(folder: &Path, out: &str, epochs: u32) -> Vec<String> {
    let text = format!(
        "train {} --out {} --arch network-64 --epochs {epochs} --batch 256 --hold-out 10 --threads 2",
        name(folder, "games"),
        name(folder, out)
    );
    text.split(' ').map(str::to_owned).collect()
}

pub fn start(args: &[String]) -> (Option<i32>, String, String) {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    output(&mut damier(&args))
}
