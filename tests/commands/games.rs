//! `damier games`: a base of games at the shell.

use super::messages::one_line;
use damier::notation::moves;
use damier::rules::Position;
use damier::text::Encoding;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::{TempDir, tempdir};

const GAMES: &str = "[White \"Sijbrands\"]\n[Black \"Wiersma\"]\n[Date \"1973.05.01\"]\n[Result \"2-0\"]\n\
    1. 32-28 19-23 2. 28x19 14x23 {usual} 3. 37-32 2-0\n\n\
    [White \"Wiersma\"]\n[Black \"Andreiko\"]\n[Date \"1969\"]\n[Result \"1-1\"]\n1. 32-28 18-22 1-1\n\n";

struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        let scratch = Scratch(tempdir().expect("a folder"));
        scratch.write("in.pdn", GAMES);
        scratch
    }

    /// The same with a base of both games.
    fn with_base() -> Scratch {
        let scratch = Scratch::new();
        scratch.succeeds("games import in.pdn --base my.games");
        scratch
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), bytes).expect("written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).expect("there")
    }

    /// Words; `+` in one stands for a blank.
    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        command
            .args(words.split(' ').map(|word| word.replace('+', " ")))
            .current_dir(self.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, words: &str) -> (Output, String) {
        let output = self
            .command(words)
            .stdin(Stdio::null())
            .output()
            .expect("damier");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, errors)
    }

    #[track_caller]
    fn succeeds(&self, words: &str) -> String {
        let (output, errors) = self.run(words);
        assert!(output.status.success(), "{words}: {errors}");
        assert_eq!(errors, "", "{words}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    #[track_caller]
    fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.succeeds(&format!("{words} --json"))).expect("JSON")
    }

    /// Fails with one line that names these.
    #[track_caller]
    fn fails(&self, words: &str, names: &[&str]) {
        let (output, errors) = self.run(words);
        assert_eq!(output.status.code(), Some(1), "{words}: {errors}");
        one_line(errors, names);
    }
}

#[test]
fn games_go_in_are_found_and_come_out() {
    let scratch = Scratch::with_base();
    let again = scratch.json("games import in.pdn --base my.games");
    assert_eq!(
        (again["games"].as_u64(), again["duplicates"].as_u64()),
        (Some(0), Some(2))
    );
    for (filter, expected) in [
        ("--player wiersma", &[1, 2][..]),
        ("--player wiersma --player andreiko", &[2]),
        ("--white wiersma", &[2]),
        ("--player sijbrands --result win", &[1]),
        ("--player wiersma --result loss", &[1]),
        ("--result draw", &[2]),
        ("--result 0-2", &[]),
        ("--from 1970 --to 1973.05", &[1]),
        ("--opening 1.+32-28+18-22", &[2]),
        ("--material 19x19", &[1]),
        ("--moves 32-28", &[1, 2]),
        (
            "--position W:W31-50:B1-20 --moves 32-28+18-22 --player wiersma",
            &[2],
        ),
        ("--newest", &[1, 2]),
        ("--collection in.pdn --player andreiko", &[2]),
    ] {
        let found = scratch.json(&format!("games search --base my.games {filter}"));
        let games: Vec<_> = found["games"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|game| game["game"].as_i64())
            .collect();
        assert_eq!(
            games,
            expected.iter().map(|&game| Some(game)).collect::<Vec<_>>(),
            "{filter}"
        );
        assert_eq!(found["found"].as_u64(), Some(expected.len() as u64));
    }
    let found = scratch.json("games search --base my.games --moves 32-28 --limit 1");
    assert_eq!(
        (found["found"].as_u64(), &found["games"][0]["next"]),
        (Some(2), &"19-23".into())
    );
    let explored = scratch.json("games explore --base my.games --moves 32-28");
    assert_eq!(
        (
            explored["games"].as_u64(),
            explored["moves"][0]["score"].as_f64()
        ),
        (Some(2), Some(0.0))
    );
    assert_eq!(
        scratch.json("games stat --base my.games")["players"].as_u64(),
        Some(3)
    );
    assert_eq!(
        scratch.json("games stat --base my.games --player andreiko")["draws"].as_u64(),
        Some(1)
    );
    scratch.succeeds("games import in.pdn --base my.games --collection study");
    let collections = &scratch.json("games stat --base my.games")["collections"];
    assert_eq!(
        (
            &collections[0]["name"],
            &collections[0]["games"],
            &collections[1]["name"]
        ),
        (&"in.pdn".into(), &2.into(), &"study".into())
    );
    let (output, errors) = scratch.run("games search --base my.games --collection other");
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("other in it; there are in.pdn, study"),
        "{errors}"
    );
    assert_eq!(
        scratch.json("games verify --base my.games")["games"].as_u64(),
        Some(2)
    );
    assert!(
        scratch
            .succeeds("games show 1 --base my.games")
            .contains("14x23 {usual} 3. 37-32")
    );
    scratch.succeeds("games export --base my.games --out all.pdn");
    scratch.succeeds("games import all.pdn --base new.games");
    assert_eq!(
        scratch.succeeds("games export --base new.games"),
        scratch.succeeds("games export --base my.games")
    );
    // What people read.
    let text = scratch.succeeds("games search --base my.games --moves 32-28");
    assert!(
        text.contains("Sijbrands - Wiersma")
            && text.contains("move 1 19-23")
            && text.contains("2 games"),
        "{text}"
    );
    assert!(
        scratch
            .succeeds("games explore --base my.games")
            .contains("32-28")
    );
    assert!(
        scratch
            .succeeds("games stat --base my.games")
            .contains("Wiersma: +0 =1 -1")
    );
}

#[test]
fn names_in_any_encoding_are_found() {
    let scratch = Scratch::new();
    let text = GAMES.replace("Sijbrands", "Чижов А.");
    scratch.write("koi.pdn", Encoding::Koi8R.bytes_of(&text));
    let (output, errors) = scratch.run("games import koi.pdn --base my.games");
    assert!(output.status.success(), "{errors}");
    one_line(errors, &["koi.pdn", "KOI8-R", "--encoding"]);
    assert_eq!(
        scratch.json("games search --base my.games --player чижов")["found"].as_u64(),
        Some(1)
    );
}

#[test]
fn games_that_cannot_be_read_are_named_and_left_out() {
    let scratch = Scratch::new();
    let bad = "[White \"x\"]\n1. 32-28 19-99 *\n\n";
    scratch.write("bad.pdn", format!("{bad}{GAMES}{}", bad.repeat(30)));
    let (output, errors) = scratch.run("games import bad.pdn --base my.games --json");
    assert_eq!(output.status.code(), Some(1));
    let imported: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (imported["games"].as_u64(), imported["left_out"].as_u64()),
        (Some(2), Some(31))
    );
    let lines: Vec<&str> = errors.lines().collect();
    assert!(
        lines[0].contains("bad.pdn: game 1, line 2") && lines[1].contains("game 4, line"),
        "{errors}"
    );
    assert_eq!(lines.len(), 21, "{errors}");
    assert!(lines[20].contains("11 more"), "{errors}");
}

#[test]
fn what_is_no_pdn_is_refused_before_a_base_is_made() {
    let scratch = Scratch::with_base();
    scratch.write("empty.pdn", "");
    scratch.write("games.dgr", b"Damier games\n\0\0\0\0");
    scratch.fails(
        "games import empty.pdn --base my.games",
        &["empty.pdn", "no game"],
    );
    scratch.fails(
        "games import in.pdn none.pdn --base new.games",
        &["none.pdn"],
    );
    scratch.fails(
        "games import my.games --base new.games",
        &["my.games", "games export"],
    );
    scratch.fails("games import . --base new.games", &["."]);
    assert!(!scratch.0.path().join("new.games").exists());
}

#[test]
fn a_base_that_cannot_be_used_is_named_and_stays() {
    let scratch = Scratch::with_base();
    let sound = scratch.read("my.games");
    fs::create_dir(scratch.0.path().join("folder")).expect("made");
    let mut newer = sound.clone();
    // The version of the form, as SQLite has it in the first page.
    newer[60..64].copy_from_slice(&7_u32.to_be_bytes());
    scratch.write("newer", &newer);
    let mut damaged = sound.clone();
    damaged[4096..]
        .iter_mut()
        .step_by(7)
        .for_each(|byte| *byte ^= 0x55);
    scratch.write("damaged", &damaged);
    scratch.write("short", &sound[..sound.len() / 2]);
    scratch.write("text", GAMES);
    for (base, word) in [
        ("folder", "regular file"),
        ("newer", "newer version"),
        ("damaged", "damaged"),
        ("short", "damaged"),
        ("text", "not a base"),
    ] {
        let before = fs::read(scratch.0.path().join(base)).ok();
        for command in [
            "games search --moves 32-28",
            "games explore",
            "games stat",
            "games show 1",
            "games export",
            "games verify",
            "games import in.pdn",
        ] {
            scratch.fails(&format!("{command} --base {base}"), &[base, word]);
        }
        assert!(
            fs::read(scratch.0.path().join(base)).ok() == before,
            "{base} was changed"
        );
    }
    scratch.fails("games search --base missing", &["missing", "games import"]);
    scratch.fails(
        "games import in.pdn --base none/my.games",
        &["none/my.games"],
    );
    assert!(!scratch.0.path().join("missing").exists());
    scratch.fails("games show 3 --base my.games", &["my.games", "3"]);
    scratch.fails("games export --base my.games --out my.games", &["my.games"]);
    assert!(scratch.read("my.games") == sound);
}

#[test]
fn a_base_that_is_read_only_is_read_only() {
    let scratch = Scratch::with_base();
    let path = scratch.0.path().join("my.games");
    let mut permissions = fs::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("set");
    scratch.fails(
        "games import in.pdn --base my.games",
        &["my.games", "read-only"],
    );
    assert_eq!(
        scratch.json("games search --base my.games")["found"].as_u64(),
        Some(2)
    );
}

#[test]
fn a_search_that_makes_no_sense_is_refused() {
    let scratch = Scratch::with_base();
    for words in [
        "--player ,",
        "--result win",
        "--result 3-0-1",
        "--from 2001 --to 2000",
        "--from soon",
        "--material 4",
    ] {
        let (output, errors) = scratch.run(&format!("games search --base my.games {words}"));
        assert_eq!(output.status.code(), Some(2), "{words}: {errors}");
    }
    scratch.fails("games search --base my.games --opening 32-26", &["32-26"]);
    scratch.fails("games search --base my.games --position W:W51", &["51"]);
}

/// An import that waits for its input holds the base.
#[test]
fn a_base_that_another_program_has_open_is_named() {
    let scratch = Scratch::with_base();
    let mut other = scratch
        .command("games import - --base my.games")
        .stdin(Stdio::piped())
        .spawn()
        .expect("damier");
    let mut input = other.stdin.take().expect("a pipe");
    input
        .write_all(GAMES.replace("1973", "1974").as_bytes())
        .expect("written");
    let is_locked = |_: &i32| {
        let (output, errors) = scratch.run("games search --base my.games");
        !output.status.success() && errors.contains("another process")
    };
    assert!((0..100).any(|try_| is_locked(&try_)));
    for command in ["games search", "games import in.pdn"] {
        scratch.fails(
            &format!("{command} --base my.games"),
            &["my.games", "another process"],
        );
    }
    drop(input);
    assert!(other.wait().expect("ended").success());
    assert_eq!(
        scratch.json("games search --base my.games")["found"].as_u64(),
        Some(3)
    );
}

/// Many games of four moves, all different.
fn many() -> (String, u64) {
    fn add(position: Position, line: &str, plies: usize, out: &mut (String, u64)) {
        if plies == 0 {
            out.0
                .push_str(&format!("[White \"{}\"]\n\n{line} *\n\n", out.1));
            out.1 += 1;
            return;
        }
        for mv in position.legal_moves() {
            let line = format!("{line} {}", moves::short(&position, mv));
            add(position.play(mv), &line, plies - 1, out);
        }
    }
    let mut out = (String::new(), 0);
    add(Position::start(), "", 4, &mut out);
    out
}

#[test]
fn a_killed_import_goes_on() {
    let scratch = Scratch::new();
    let (text, count) = many();
    scratch.write("many.pdn", text);
    let words = "games import many.pdn --base my.games --batch 40";
    let path = scratch.0.path().join("my.games");
    for wanted in [200_000, 500_000] {
        let mut import = scratch.command(words).spawn().expect("damier");
        kill_at(&mut import, &path, wanted);
        // Whatever was begun is undone by the next who reads.
        let there = scratch.json("games verify --base my.games")["games"]
            .as_u64()
            .expect("a number");
        assert!(
            there > 0 && there < count && there.is_multiple_of(40),
            "{there} of {count}"
        );
    }
    let imported = scratch.json(words);
    let number = |name: &str| imported[name].as_u64().expect(name);
    assert_eq!(
        (number("games"), number("duplicates"), number("left_out")),
        (count, 0, 0)
    );
    assert!(number("resumed") > 0 && number("resumed") < count);
    assert_eq!(
        scratch.json("games verify --base my.games")["games"].as_u64(),
        Some(count)
    );
}

/// Kills an import once its base has so many bytes.
fn kill_at(import: &mut Child, base: &Path, bytes: u64) {
    while fs::metadata(base).map_or(0, |data| data.len()) < bytes {
        assert!(
            import.try_wait().expect("a child").is_none(),
            "done before it was killed"
        );
        sleep(Duration::from_millis(1));
    }
    import.kill().expect("killed");
    import.wait().expect("ended");
}
