//! What an installation is made of: the program with what it holds, completions and manual.

use damier::book::Book;
use damier::eval::WeightsFile;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

fn damier(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .output()
        .unwrap()
}

/// The names of the commands, as the help of `path` lists them.
fn commands(path: &[&str]) -> Vec<String> {
    let help = damier(&[path, &["--help"]].concat());
    let text = String::from_utf8(help.stdout).unwrap();
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn each_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = damier(&["completions", shell]);
        assert!(script.status.success());
        let script = String::from_utf8(script.stdout).unwrap();
        for name in commands(&[]) {
            assert!(script.contains(&name), "{shell} lacks {name}");
        }
    }
    assert_eq!(damier(&["completions", "dos"]).status.code(), Some(2));
}

#[test]
fn the_manual_has_a_page_of_every_command() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let _ = fs::remove_dir_all(&folder);
    let path = folder.to_str().unwrap();
    // Twice: pages of an older version are replaced.
    for _ in 0..2 {
        assert!(damier(&["manual", path]).status.success());
    }
    let mut wanted = BTreeSet::from(["damier.1".to_owned()]);
    for name in commands(&[]) {
        wanted.insert(format!("damier-{name}.1"));
        let below = commands(&[&name]);
        wanted.extend(below.iter().map(|below| format!("damier-{name}-{below}.1")));
    }
    let entries = fs::read_dir(&folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.collect::<BTreeSet<_>>(), wanted);
    let page = fs::read_to_string(folder.join("damier-book-build.1")).unwrap();
    assert!(page.contains(".TH damier-book-build 1") && page.contains("positions"));
    // Tables and examples keep their columns.
    let page = fs::read_to_string(folder.join("damier-match.1")).unwrap();
    assert!(page.contains("\n.SH NOTES\n") && page.contains("\n.nf\n  name=A    "));
    // Another file of that name is not replaced.
    fs::write(folder.join("damier-eval.1"), "my notes").unwrap();
    let refused = damier(&["manual", path]);
    assert_eq!(refused.status.code(), Some(1));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        message.contains("damier-eval.1") && message.lines().count() == 1,
        "{message}"
    );
    assert_eq!(
        fs::read_to_string(folder.join("damier-eval.1")).unwrap(),
        "my notes"
    );
}

/// Runs a program that was just written. While another test starts a process, the system may think that the file is
/// still being written.
fn run_new(program: &Path, args: &[&str]) -> Output {
    loop {
        match Command::new(program).args(args).output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(10));
            }
            output => return output.unwrap(),
        }
    }
}

#[test]
fn what_the_program_holds_is_there_once_and_damage_is_one_clear_line() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_damier"));
    let sound = fs::read(&program).unwrap();
    let mut name = program.file_stem().unwrap().to_owned();
    name.push("-damaged");
    let damaged = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    let tables = include_bytes!("../../crates/endgame/tables/four.dgt");
    let font = include_bytes!("../../crates/analysis/src/diagram/assets/roboto.ttf");
    let puzzles = include_bytes!("../../crates/analysis/src/puzzle/puzzles.pdn");
    let ballots = include_bytes!("../../crates/arena/src/schedule/openings/ballots.txt");
    let held: [(&[u8], &[&str], &str); 6] = [
        (
            WeightsFile::EMBEDDED,
            &["bench", "--depth", "2"],
            "damier: the weights in the program are damaged: install it again",
        ),
        (
            Book::EMBEDDED,
            &["book", "show"],
            "damier: the book in the program is damaged: install it again",
        ),
        (
            tables,
            &["endgame", "probe", "W:WK1:BK5"],
            "damier: the endgame tables in the program are damaged: install it again",
        ),
        (
            font,
            &["picture", "start"],
            "damier: the font in the program is damaged: install it again",
        ),
        (
            puzzles,
            &["puzzles", "--json"],
            "damier: the puzzles in the program are damaged: install it again",
        ),
        (
            ballots,
            &[
                "match",
                "--engine",
                "name=A cmd=none",
                "--engine",
                "name=B cmd=none",
                "--nodes",
                "50",
                "--openings",
                "two-move",
            ],
            "damier: the ballots in the program are damaged: install it again",
        ),
    ];
    let places = |bytes: &[u8]| -> Vec<usize> {
        let windows = sound.windows(bytes.len()).enumerate();
        windows
            .filter(|(_, window)| window[..16] == bytes[..16] && *window == bytes)
            .map(|(at, _)| at)
            .collect()
    };
    for (bytes, args, message) in held {
        let places = places(bytes);
        assert_eq!(places.len(), 1, "{message}: {places:?}");
        // Copied, as the copy is executable too.
        fs::copy(&program, &damaged).unwrap();
        let mut changed = sound.clone();
        changed[places[0]] ^= 1;
        fs::write(&damaged, changed).unwrap();
        let output = run_new(&damaged, args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.trim_end()), (Some(1), message));
        assert!(output.stdout.is_empty());
    }
}

/// Asserts that it fails with one line, and gives the line.
fn one_line(output: &Output, of: &str) -> String {
    let error = String::from_utf8_lossy(&output.stderr)
        .trim_end()
        .to_owned();
    assert_eq!(output.status.code(), Some(1), "{of}: {error}");
    assert!(
        error.starts_with("damier: ") && error.lines().count() == 1,
        "{of}: {error}"
    );
    error
}

#[test]
fn without_a_home_only_the_progress_of_puzzles_has_no_place() {
    let bare = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        let homes = ["HOME", "XDG_DATA_HOME", "APPDATA"];
        homes.iter().for_each(|home| {
            command.env_remove(home);
        });
        command.args(args).output().unwrap()
    };
    for args in [&["bench", "--depth", "2"][..], &["cpu"], &["book", "show"]] {
        assert!(bare(args).status.success(), "{args:?}");
    }
    let error = one_line(&bare(&["puzzles"]), "puzzles");
    assert!(error.contains("--progress"), "{error}");
}

/// Not even root can write to /proc.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_one_clear_line() {
    let games = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unwritable.pdn");
    fs::write(&games, "1. 32-28 19-23 2. 28x19 14x23 *\n").unwrap();
    let games = games.to_str().unwrap();
    let engine = format!("name=A cmd=\"{} hub\"", env!("CARGO_BIN_EXE_damier"));
    let other = engine.replace("name=A", "name=B");
    for (args, file) in [
        (
            &["selfplay", "--games", "2", "--nodes", "50", "--out"][..],
            "/proc/a.dgr",
        ),
        (
            &[
                "match", "--engine", &engine, "--engine", &other, "--nodes", "50", "--games", "2",
                "--pdn",
            ],
            "/proc/a.pdn",
        ),
        (
            &["annotate", games, "--nodes", "50", "--out"],
            "/proc/b.pdn",
        ),
        (&["mine", games, "--nodes", "50", "--out"], "/proc/c.pdn"),
        (&["manual"], "/proc/man"),
        (
            &["analyze", "--depth", "2", "--log-file"],
            "/proc/damier.log",
        ),
        (
            &["endgame", "build", "--pieces", "2", "--dir"],
            "/proc/tables",
        ),
        (&["puzzles", "--progress"], "/proc/puzzles.json"),
    ] {
        let error = one_line(&damier(&[args, &[file]].concat()), file);
        assert!(error.contains(file), "{error}");
    }
}
