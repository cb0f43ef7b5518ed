//! Helpers of the tests of matches: the test double, the command line, and what comes out.
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// The test double, which is declared as an example, so that `cargo test` builds it and nobody installs it. Under
/// `--test arena` cargo builds no examples: then it is built here.
pub fn double() -> String {
    static DOUBLE: LazyLock<PathBuf> = LazyLock::new(|| {
        let profile = Path::new(env!("CARGO_BIN_EXE_damier"))
            .parent()
            .expect("a folder");
        let double = profile.join(format!("examples/double{}", std::env::consts::EXE_SUFFIX));
        if !double.exists() {
            let mut build = Command::new(env!("CARGO"));
            build.args([
                "build",
                "--quiet",
                "--package",
                "damier",
                "--example",
                "double",
            ]);
            if profile.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.status().expect("cargo runs").success());
        }
        double
    });
    DOUBLE.display().to_string()
}

/// A description of a double with this name and fault.
pub fn engine(name: &str, fault: &str) -> String {
    format!(
        "name={name} cmd=\"'{}' {fault}\" seed={}",
        double(),
        name.len()
    )
}

pub fn damier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.arg("match").args(args).stdin(Stdio::null());
    command
}

/// Exit code, stdout and stderr.
pub fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = damier(args).output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

/// The report of a match that went well.
pub fn report(args: &[&str]) -> Value {
    let (code, out, err) = run(&[args, &["--json"]].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    serde_json::from_str(&out).expect("one object")
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Games of a PDN file without what may differ from run to run: the dates and times.
pub fn games(pdn: &Path) -> Vec<String> {
    let text = fs::read_to_string(pdn).expect("a file");
    let lines = text.lines().filter(|line| !line.starts_with("[Date "));
    let text = lines.collect::<Vec<_>>().join("\n");
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

pub fn rounds(games: &[String]) -> Vec<u64> {
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
