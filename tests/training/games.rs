//! Helpers of the tests of self-play and its files.
use damier::os::shard::Shard;
use damier::search::Control;
use damier::training::dataset::{self, GameRecord, Order, Reader};
use damier::training::selfplay::{
    self, FixedLevel, Run, SelfplayError, SelfplaySettings, SelfplaySummary,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("selfplay-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The path of a file in a folder.
pub fn name(folder: &Path, file: &str) -> String {
    folder.join(file).to_str().unwrap().to_owned()
}

/// Quick games, more of them from generated positions than usual.
pub fn settings() -> SelfplaySettings {
    SelfplaySettings {
        level: FixedLevel::Nodes(100),
        endings: 25,
        ..SelfplaySettings::default()
    }
}

/// A whole run with these settings.
pub fn order(out: &str, games: u64, threads: usize) -> Run {
    Run {
        settings: settings(),
        games,
        shard: Shard::WHOLE,
        threads,
        out: out.into(),
    }
}

/// Plays a run until its end or a stop. Other tests start processes, which hold all that is open here until they run:
/// the file may be busy for a moment.
pub fn play_under(run: &Run, control: &Control) -> SelfplaySummary {
    loop {
        match selfplay::run(run, control, |_| ()) {
            Err(SelfplayError::Busy { .. }) => std::thread::sleep(Duration::from_millis(5)),
            played => return played.unwrap_or_else(|error| panic!("{error}")),
        }
    }
}

/// Plays a run to its end.
pub fn play(run: &Run) -> SelfplaySummary {
    let summary = play_under(run, &Control::new());
    assert!(!summary.stopped);
    summary
}

/// The games of a file, which is sound.
pub fn games(file: &str) -> Vec<GameRecord> {
    let reader = Reader::open(&[file], Order::Stored).unwrap();
    let games = reader.games().collect();
    assert_eq!(reader.damages(), []);
    games
}

/// The binary.
pub fn damier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Exit code, stdout and stderr.
pub fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// Arguments of a run through the binary that takes some tenths of a second.
/// With tables of three pieces, which are there at once: the program is started again and again.
pub fn arguments(out: &str) -> Vec<String> {
    let text =
        format!("selfplay --games 400 --nodes 200 --threads 2 --seed 5 --bb-size 3 --out {out}");
    text.split(' ').map(str::to_owned).collect()
}

/// Where the blocks of a file begin, and its length.
pub fn blocks(bytes: &[u8]) -> Vec<usize> {
    let magics = bytes.windows(4).enumerate();
    let starts = magics.filter(|(_, w)| w == dataset::format::BLOCK_MAGIC);
    starts.map(|(at, _)| at).chain([bytes.len()]).collect()
}

/// Why a run is refused.
pub fn refusal(run: &Run) -> SelfplayError {
    selfplay::run(run, &Control::new(), |_| ()).expect_err("this must be refused")
}
