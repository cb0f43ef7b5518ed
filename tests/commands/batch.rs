//! Many games through `annotate`, `mine` and `losses`: killed at any moment, on a full disk, the result is that of
//! unbroken work.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Instant;

const DAMIER: &str = env!("CARGO_BIN_EXE_damier");

/// Games of self-play in a new folder.
fn games() -> tempfile::TempDir {
    static GAMES: OnceLock<Vec<u8>> = OnceLock::new();
    let folder = tempfile::tempdir().expect("a folder");
    let games = GAMES.get_or_init(|| {
        let words =
            "selfplay --games 12 --nodes 100 --seed 3 --bb-size 0 --tt-size 12 --out in.dgr";
        let mut command = Command::new(DAMIER);
        command.args(words.split(' ')).current_dir(folder.path());
        assert!(command.output().expect("damier").status.success());
        fs::read(folder.path().join("in.dgr")).expect("games")
    });
    fs::write(folder.path().join("in.dgr"), games).expect("written");
    folder
}

/// One of the commands on some of the games, and the files that it writes, named so.
fn work(command: &str, name: &str) -> (Vec<String>, Vec<String>) {
    let (words, endings) = match command {
        "annotate" => (
            "--shard 1/2 --nodes 800 --out NAME.pdn --html NAME.html --json",
            &["pdn", "html"][..],
        ),
        _ => ("--nodes 2000 --out NAME.pdn", &["pdn"][..]),
    };
    let all = format!("{command} in.dgr --bb-size 0 --tt-size 12 --threads 2 {words}");
    let words = all.split(' ').map(|word| word.replace("NAME", name));
    let files = endings.iter().map(|ending| format!("{name}.{ending}"));
    (words.collect(), files.collect())
}

fn run(folder: &Path, words: &[String]) -> Output {
    let mut command = Command::new(DAMIER);
    command.args(words).current_dir(folder);
    command.output().expect("damier")
}

fn contents(folder: &Path, files: &[String]) -> Vec<Vec<u8>> {
    let contents = files.iter().map(|file| fs::read(folder.join(file)));
    contents.map(|bytes| bytes.expect("a file")).collect()
}

/// Kills the work again and again, each time a little later, and lets it end.
fn kills_leave_the_result_as_it_is(command: &str) {
    let folder = games();
    let path = folder.path();
    let (words, whole_files) = work(command, "whole");
    let began = Instant::now();
    let whole = run(path, &words);
    assert!(whole.status.success(), "{whole:?}");
    let unbroken = began.elapsed();
    let (words, files) = work(command, "broken");
    let mut kills = 0;
    let last = loop {
        let mut child = Command::new(DAMIER)
            .args(&words)
            .current_dir(path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("damier");
        sleep(unbroken.mul_f64(0.4 + 0.1 * f64::from(kills)));
        if kills < 4 && child.try_wait().expect("a child").is_none() {
            child.kill().expect("killed");
            child.wait().expect("an end");
            kills += 1;
            continue;
        }
        break child.wait_with_output().expect("an end");
    };
    assert!(kills > 0 && last.status.success(), "{last:?}");
    assert_eq!(last.stdout, whole.stdout);
    let (broken, whole) = (contents(path, &files), contents(path, &whole_files));
    assert!(broken == whole && whole.iter().all(|file| !file.is_empty()));
    assert!(!path.join("broken.pdn.journal").exists());
}

#[test]
fn kills_leave_annotated_games_as_they_are() {
    kills_leave_the_result_as_it_is("annotate");
}

#[test]
fn kills_leave_puzzles_as_they_are() {
    kills_leave_the_result_as_it_is("mine");
}

#[test]
fn kills_leave_losing_moves_as_they_are() {
    kills_leave_the_result_as_it_is("losses");
}

#[test]
fn a_full_disk_costs_the_games_in_work_only() {
    let folder = games();
    let path = folder.path();
    for command in ["annotate", "mine", "losses"] {
        let (words, whole_files) = work(command, &format!("whole-{command}"));
        assert!(run(path, &words).status.success());
        let (words, files) = work(command, &format!("full-{command}"));
        // A limit on the size of files, of 512 bytes each, stands for the disk; it grows until all fits.
        let (mut blocks, mut failures, mut done) = (1, 0, 0);
        loop {
            let mut limited = Command::new("sh");
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            limited.args(["-c", &script, DAMIER]).args(&words);
            let output = limited.current_dir(path).output().expect("a shell");
            if output.status.success() {
                break;
            }
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(why.contains("full-") && !why.contains("panicked"), "{why}");
            // The journal has whole lines only, and what was done stays done. The page may not fit where the games do.
            let journal =
                fs::read(path.join(format!("full-{command}.pdn.journal"))).expect("a journal");
            assert!(journal.is_empty() || journal.ends_with(b"\n"));
            let now = journal.iter().filter(|&&byte| byte == b'\n').count();
            assert!(now >= done, "{command}: {done} lines, then {now}");
            assert!(!path.join(files.last().expect("a file")).exists());
            (blocks, failures, done) = (blocks * 4, failures + 1, now);
            assert!(failures < 20, "{why}");
        }
        assert!(failures > 0 && done > 0, "{command}: {failures} failures");
        let (full, whole) = (contents(path, &files), contents(path, &whole_files));
        assert!(full == whole, "{command}");
        assert!(!path.join(format!("full-{command}.pdn.journal")).exists());
    }
}

/// So many games of this player.
fn games_of(player: char, count: usize) -> String {
    let game = |number| {
        format!(
            "[White \"{player}{number}\"]\n\n1. 32-28 18-23 2. 34-30 23x32 3. 37x28 20-25 4. 40-34 14-20 *\n\n"
        )
    };
    (0..count).map(game).collect()
}

/// Runs a command with this text on stdin; none of its files may have more blocks of 512 bytes.
fn run_limited(folder: &Path, words: &[String], input: &str, blocks: u64) -> Output {
    let mut limited = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    limited.args(["-c", &script, DAMIER]).args(words);
    limited.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = limited
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that has refused does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("an end")
}

#[test]
fn a_journal_of_other_games_is_refused_and_kept() {
    const ALL: u64 = 1 << 20;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let (right, other) = (games_of('p', 60), games_of('q', 60));
    for (command, input, shard, blocks) in [
        ("annotate", "-", "1/1", 8),
        ("annotate", "in.pdn", "2/2", 8),
        ("mine", "-", "2/2", 3),
        ("mine", "in.pdn", "1/1", 3),
        ("losses", "in.pdn", "1/2", 3),
    ] {
        let words = |name: &str| {
            let rest = format!("--nodes 200 --bb-size 0 --tt-size 12 --shard {shard} --out {name}");
            let words = [command, input].into_iter().chain(rest.split(' '));
            words.map(str::to_owned).collect::<Vec<String>>()
        };
        let run = |name: &str, text: &str, blocks: u64| {
            fs::write(path.join("in.pdn"), text).expect("written");
            run_limited(path, &words(name), text, blocks)
        };
        let whole = run("whole", &right, ALL);
        assert!(whole.status.success(), "{whole:?}");
        // The disk is full in the middle.
        assert!(!run("out", &right, blocks).status.success());
        let journal = || fs::read(path.join("out.journal")).expect("a journal");
        let begun = journal();
        let lines = begun.iter().filter(|&&byte| byte == b'\n').count();
        assert!((4..60).contains(&lines), "{command} {input}: {lines} lines");
        // Other games, others from the third on, fewer; a file that has another length is refused for that.
        let third = games_of('p', 2) + &other[games_of('q', 2).len()..];
        let mut wrong = vec![(other.clone(), "game"), (third, "game")];
        let is_file = input != "-";
        wrong.push((games_of('p', 2), if is_file { "bytes" } else { "game" }));
        wrong.push((String::new(), if is_file { "bytes" } else { "game" }));
        for (text, word) in wrong {
            let refused = run("out", &text, ALL);
            let why = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert_eq!(refused.status.code(), Some(1), "{command} {input}: {why}");
            assert!(why.contains("out.journal: ") && why.contains(word), "{why}");
            assert!(text.is_empty() || why.lines().count() == 1, "{why}");
            assert!(!path.join("out").exists() && journal() == begun, "{why}");
        }
        // It still fits the right ones, and a game whose line has changed is done again.
        let mut damaged = begun.clone();
        let first = begun
            .iter()
            .position(|&byte| byte == b'\n')
            .expect("a line");
        damaged[first + 15] ^= 1;
        fs::write(path.join("out.journal"), damaged).expect("written");
        let rest = run("out", &right, ALL);
        let told = String::from_utf8_lossy(&rest.stderr).into_owned();
        assert!(rest.status.success(), "{rest:?}");
        assert!(told.contains("out.journal: damaged; "), "{told}");
        let read = |name: &str| fs::read(path.join(name)).expect("a file");
        assert!(read("out") == read("whole") && rest.stdout == whole.stdout);
        assert!(!path.join("out.journal").exists());
        for name in ["out", "whole"] {
            fs::remove_file(path.join(name)).expect("removed");
        }
    }
}
