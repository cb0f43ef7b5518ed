//! `damier book` as a user calls it.

use damier::arena::schedule::openings::{self, OpeningSource};
use damier::rules::Position;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("damier-book-cli-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn damier(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command
        .current_dir(folder)
        .arg("book")
        .args(words.split(' '));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(folder: &Path, words: &str) -> Output {
    damier(folder, words).output().expect("runs")
}

fn json(folder: &Path, words: &str) -> serde_json::Value {
    let output = run(folder, words);
    assert!(
        output.status.success(),
        "{words}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const BUILD: &str = "--positions 150 --nodes 3000 --lines 3 --round 8 --tt-size 10";

#[cfg(unix)]
#[test]
fn killed_it_writes_the_same_bytes() {
    survives_kills("kill", 3);
}

#[cfg(unix)]
#[test]
#[ignore = "slow: .ci/full slow_tests"]
fn killed_twenty_times_it_writes_the_same_bytes() {
    survives_kills("kills", 20);
}

#[cfg(unix)]
fn survives_kills(name: &str, kills: u64) {
    let folder = folder(name);
    let report = json(
        &folder,
        &format!("build whole.dbj {BUILD} --threads 1 --json"),
    );
    assert_eq!(
        (report["positions"].as_u64(), report["complete"].as_bool()),
        (Some(150), Some(true))
    );
    let bytes = fs::read(folder.join("whole.dbj")).expect("a journal");
    for kill in 0..kills {
        let threads = 1 + kill % 3;
        let mut child = damier(
            &folder,
            &format!("build killed.dbj {BUILD} --threads {threads}"),
        )
        .spawn()
        .expect("runs");
        std::thread::sleep(Duration::from_millis(10 + 7 * kill));
        child.kill().expect("SIGKILL");
        child.wait().expect("ended");
        let there = fs::read(folder.join("killed.dbj")).unwrap_or_default();
        let whole = there
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        assert!(bytes.starts_with(&there[..whole]), "after kill {kill}");
    }
    json(
        &folder,
        &format!("build killed.dbj {BUILD} --threads 2 --json"),
    );
    assert_eq!(
        fs::read(folder.join("killed.dbj")).expect("a journal"),
        bytes
    );
}

#[test]
fn a_book_is_built_shown_checked_and_changed() {
    let folder = folder("all");
    json(
        &folder,
        &format!("build my.dbj {BUILD} --threads 2 --json --out my.dbk"),
    );
    // Settings are those of the journal.
    let longer = json(&folder, "build my.dbj --positions 160 --threads 1 --json");
    assert_eq!(
        (longer["positions"].as_u64(), longer["made"].as_u64()),
        (Some(160), Some(10))
    );
    let other = run(&folder, "build my.dbj --positions 170 --nodes 4000");
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("3000"));
    let stat = json(&folder, "stat my.dbk --json");
    assert_eq!(stat["positions"].as_u64(), Some(150));
    let per_position = stat["bytes_per_position"].as_f64().expect("a number");
    assert!(per_position < 25.0, "{per_position} bytes a position");
    assert_eq!(
        json(&folder, "stat my.dbj --json")["positions"].as_u64(),
        Some(160)
    );
    let shown = json(&folder, "show --file my.dbk --json");
    let best = shown["moves"][0]["move"]
        .as_str()
        .expect("a move")
        .to_owned();
    let after = json(
        &folder,
        &format!("show --file my.dbk --json --moves {best}"),
    );
    assert_eq!(
        after["moves"][0]["score"].as_f64().map(|score| -score),
        shown["moves"][0]["score"].as_f64()
    );
    assert!(run(&folder, "verify my.dbk my.dbj").status.success());
    // As text and back.
    for file in ["my.json", "my.pdn"] {
        assert!(
            run(&folder, &format!("export my.dbk --out {file}"))
                .status
                .success(),
            "{file}"
        );
    }
    assert!(
        run(&folder, "import my.json --out again.dbk")
            .status
            .success()
    );
    let bytes = |name: &str| fs::read(folder.join(name)).expect("a file");
    assert_eq!(bytes("again.dbk"), bytes("my.dbk"));
    assert_eq!(
        run(&folder, "export my.dbk --out my.xyz").status.code(),
        Some(2)
    );
    assert!(
        run(&folder, "export my.dbj --out small.dbk --max-bytes 1500")
            .status
            .success()
    );
    assert!(bytes("small.dbk").len() <= 1500);
    // Learning.
    fs::write(
        folder.join("games.pdn"),
        format!("[Result \"2-0\"]\n\n1. {best} *\n"),
    )
    .expect("written");
    let lessons = json(
        &folder,
        "learn games.pdn --file my.dbk --out wiser.dbk --json",
    );
    assert_eq!(lessons["games"].as_u64(), Some(1));
    let wiser = json(&folder, "show --file wiser.dbk --json");
    assert_eq!(wiser["moves"][0]["games"].as_u64(), Some(1));
    assert!(wiser["moves"][0]["score"].as_f64() > shown["moves"][0]["score"].as_f64());
    // Openings.
    let output = run(
        &folder,
        "openings --file my.dbk --plies 2 --window 0,1 --count 10",
    );
    let positions: Vec<&str> = std::str::from_utf8(&output.stdout)
        .expect("text")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(positions.len(), 10);
}

#[test]
fn unbalanced_openings_have_their_scores_beside_them() {
    let folder = folder("imbalance");
    let draw = |more: &str| {
        let words = format!("openings --imbalance 0.2,0.9 --count 4 --nodes 500 --out x.fen{more}");
        let output = run(&folder, &words);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), err)
    };
    let read = || fs::read_to_string(folder.join("x.fen")).expect("a file");
    assert_eq!(draw(""), (Some(0), String::new()));
    let text = read();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "# Openings by imbalance: 4 openings, 0.2,0.9 men by 500 nodes of Damier."
    );
    assert_eq!(lines.len(), 2 + 2 * 4, "{text}");
    for two in lines[2..].chunks(2) {
        let words: Vec<&str> = two[0].split(' ').collect();
        let score: f64 = words[1].parse().expect(two[0]);
        assert!((0.195..=0.905).contains(&score.abs()), "{}", two[0]);
        // A ballot and four random plies lead to the position.
        assert_eq!(words.len(), 2 + 3 + 4, "{}", two[0]);
        let moves = damier::notation::moves::parse_line(&Position::start(), &words[2..].join(" "));
        let reached = moves
            .expect(two[0])
            .iter()
            .fold(Position::start(), |position, &mv| position.play(mv));
        assert_eq!(damier::notation::fen::parse(two[1]), Ok(reached));
    }
    // The same again; they are openings of a match; an engine over Hub says what this one does.
    assert_eq!(draw(" --seed 1"), (Some(0), String::new()));
    assert_eq!(read(), text);
    let source = OpeningSource::File(folder.join("x.fen"));
    assert_eq!(openings::load(&source).expect("openings").len(), 4);
    let program = env!("CARGO_BIN_EXE_damier");
    let mut command = damier(
        &folder,
        "openings --imbalance 0.2,0.9 --count 4 --out hub.fen --engine",
    );
    command.arg(format!(
        "name=Other cmd=\"'{program}' hub\" book=false line-gap=0 tt-size=18 threads=1 nodes=500"
    ));
    let output = command.output().expect("runs");
    assert!(output.status.success(), "{output:?}");
    let other = fs::read_to_string(folder.join("hub.fen")).expect("a file");
    assert!(
        other
            .starts_with("# Openings by imbalance: 4 openings, 0.2,0.9 men by nodes=500 of Other.")
    );
    for (more, expected) in [
        (" --imbalance 1,0", "--imbalance"),
        (" --plies 3", "--plies"),
        (" --engine x", "--engine"),
        (" --engine name=x", "cmd"),
        (" --engine name=nobody,cmd=no-such-program", "--engine"),
    ] {
        let (code, err) = draw(more);
        assert!(code == Some(2) && err.contains(expected), "{more}: {err}");
    }
    let none = run(
        &folder,
        "openings --imbalance 30,40 --random-plies 0 --nodes 10",
    );
    assert!(String::from_utf8_lossy(&none.stderr).contains("widen --imbalance"));
}

#[test]
fn what_is_no_book_is_named_and_refused() {
    let folder = folder("foreign");
    fs::write(folder.join("foreign"), "no book at all").expect("written");
    for words in [
        "stat foreign",
        "show --file foreign",
        "verify foreign",
        "export foreign --out x.dbk",
        "stat missing",
    ] {
        let output = run(&folder, words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            error.contains("foreign") || error.contains("missing"),
            "{words}: {error}"
        );
    }
    let build = run(&folder, "build foreign --positions 1");
    assert_eq!(build.status.code(), Some(1));
    assert_eq!(
        fs::read(folder.join("foreign")).expect("a file"),
        b"no book at all"
    );
}

/// Journals, books, devices and files of other kinds are not lost to `--out`.
#[cfg(unix)]
#[test]
fn outputs_replace_nothing_of_another_kind() {
    let folder = folder("replace");
    json(&folder, &format!("build my.dbj {BUILD} --threads 1 --json"));
    let journal = fs::read(folder.join("my.dbj")).expect("a journal");
    fs::write(folder.join("thesis.txt"), "years of work").expect("written");
    let refused = |words: &str| {
        let output = run(&folder, words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), said.lines().count()),
            (Some(1), 1),
            "{words}: {said}"
        );
    };
    refused("build my.dbj --positions 150 --out my.dbj");
    refused("openings --count 3 --out my.dbj");
    refused("openings --count 3 --out /dev/null");
    refused("openings --count 3 --out thesis.txt");
    fs::write(folder.join("notes.md"), "# Notes\n").expect("written");
    refused("openings --count 3 --out notes.md");
    fs::write(folder.join("club.pdn"), "[Event \"Club\"]\n\n1. 32-28 *\n").expect("written");
    refused("export my.dbj --out club.pdn");
    for _ in 0..2 {
        for words in [
            "openings --file my.dbj --plies 2 --window 0,1 --count 3 --out own.fen",
            "export my.dbj --out own.pdn",
            "export my.dbj --out own.json",
        ] {
            let output = run(&folder, words);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{words}: {said}");
        }
    }
    refused("openings --count 3 --window 70,79 --out none.fen");
    assert!(!folder.join("none.fen").exists());
    fs::rename(folder.join("thesis.txt"), folder.join("thesis.dbk")).expect("renamed");
    refused("export my.dbj --out thesis.dbk");
    assert!(run(&folder, "export my.dbj --out my.dbk").status.success());
    assert!(
        run(&folder, "export my.dbj --out my.dbk").status.success(),
        "a book replaces a book"
    );
    refused("openings --count 3 --out my.dbk");
    fs::write(folder.join("none.pdn"), "no game at all").expect("written");
    refused("learn none.pdn --out new.dbk");
    assert!(!folder.join("new.dbk").exists());
    assert_eq!(fs::read(folder.join("my.dbj")).expect("a journal"), journal);
    assert_eq!(
        fs::read(folder.join("thesis.dbk")).expect("a text"),
        b"years of work"
    );
}
