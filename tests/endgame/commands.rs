//! The commands of the endgame tables: files, folders, kills, what is said of bad ones.

use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("endgame-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn damier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.arg("endgame").args(args).stdin(Stdio::null());
    command
}

/// Exit code, stdout and stderr.
fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = damier(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn build(dir: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let dir = dir.to_str().unwrap();
    run(&[&["build", "--pieces", "3", "--dir", dir], more].concat())
}

fn files_of(dir: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(dir).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap())
}

fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_build_cut_off_anywhere_goes_on_and_is_what_the_program_holds() {
    let whole = folder("whole");
    let (code, out, err) = build(&whole, &["--threads", "2"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let expected = files(&whole);
    assert_eq!(expected.len(), 16);

    let embedded = whole.with_extension("dgt");
    let (dir, out) = (whole.to_str().unwrap(), embedded.to_str().unwrap());
    assert_eq!(
        run(&["embed", "--dir", dir, "--pieces", "3", "--out", out]).0,
        Some(0)
    );
    let held = include_bytes!("../../crates/endgame/tables/four.dgt");
    assert!(held.starts_with(&fs::read(&embedded).unwrap()));

    let cut = folder("cut");
    let mut unfinished = 0;
    for files in [1, 5, 9] {
        let mut child = damier(&["build", "--pieces", "3", "--dir", cut.to_str().unwrap()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let count = || fs::read_dir(&cut).map_or(0, Iterator::count);
        let began = Instant::now();
        while count() < files && began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let tables = |name: &str| name.ends_with(".dgt");
        let there = files_of(&cut).filter(|name| tables(name)).count();
        unfinished += u32::from(there < expected.len());
    }
    assert!(unfinished > 0, "every build was faster than its kill");
    let (code, _, err) = build(&cut, &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(files(&cut), expected);
    let (code, out, _) = build(&cut, &[]);
    assert!(
        code == Some(0) && out.contains(" 0 of them built "),
        "{out}"
    );
    let (code, out, _) = run(&["verify", "--dir", cut.to_str().unwrap(), "--step", "97"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "41 slices are sound, 0 are not\n")
    );
}

#[test]
fn bad_files_and_folders_give_one_line_and_what_is_good_stays() {
    let dir = folder("bad");
    assert_eq!(build(&dir, &[]).0, Some(0));
    let good = files(&dir);
    let place = dir.join("2k-1k.dgt");
    let bytes = fs::read(&place).unwrap();
    let mut damaged = bytes.clone();
    damaged[100] ^= 1;
    let mut header = bytes.clone();
    header[20] ^= 1;
    let other = fs::read(dir.join("1k-1k.dgt")).unwrap();
    let long = [&bytes[..], b"and more"].concat();
    for (content, word) in [
        (&damaged[..], "damaged"),
        (&header, "damaged"),
        (&bytes[..80], "damaged"),
        (&other, "holds distances of 1k-1k"),
        (&long, "damaged"),
        (
            b"a letter to a friend, in a file with a name like that",
            "endgame table",
        ),
        (b"", "endgame table"),
    ] {
        fs::write(&place, content).unwrap();
        for args in [
            &["build", "--pieces", "3"][..],
            &["stat"],
            &["verify", "--only", "2k-1k"],
            &["probe", "W:WK26,K33,K31:BK4"],
        ] {
            let (code, _, err) = run(&[args, &["--dir", dir.to_str().unwrap()]].concat());
            assert_eq!(code, Some(1), "{args:?}");
            assert!(
                err.starts_with("damier: ") && err.contains("2k-1k.dgt") && err.contains(word),
                "{err}"
            );
            assert_eq!(err.lines().count(), 1, "{err}");
        }
    }
    // Who plays with them says it, and plays without.
    let mut hub = Command::new(env!("CARGO_BIN_EXE_damier"));
    let mut hub = hub
        .args(["hub", "--set", "book=false"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = hub.stdin.take().unwrap();
    let place_of = format!("set-param name=endgame-dir value=\"{}\"", dir.display());
    writeln!(
        input,
        "hub\n{place_of}\ninit\nlevel depth=1\ngo think\nquit"
    )
    .unwrap();
    drop(input);
    let said = String::from_utf8(hub.wait_with_output().unwrap().stdout).unwrap();
    let error = said.lines().find(|line| line.starts_with("error "));
    assert!(
        error.is_some_and(|error| error.contains("2k-1k.dgt")) && said.contains("done move"),
        "{said}"
    );
    fs::write(&place, &bytes).unwrap();
    assert_eq!(files(&dir), good);
    // A slice without those it leads to, and a folder that cannot be.
    let alone = folder("alone");
    let (code, _, err) = build(&alone, &["--only", "2k-1k"]);
    assert!(
        code == Some(1) && err.contains("2k-1k") && err.contains("1k-1k"),
        "{err}"
    );
    let (code, _, err) = build(&place.join("below"), &[]);
    assert!(code == Some(1) && err.lines().count() == 1, "{err}");
    if cfg!(target_os = "linux") {
        // No file can be made there, which is said before anything is built.
        let (code, _, err) = build(Path::new("/proc/self"), &[]);
        assert!(
            code == Some(1) && err.starts_with("damier: /proc/self: ") && err.lines().count() == 1,
            "{err}"
        );
    }
    let (code, _, err) = run(&["build"]);
    assert!(code == Some(2) && err.contains("--dir"), "{err}");
}

#[test]
fn what_has_no_room_is_named_and_all_else_is_built() {
    let dir = folder("small");
    let place = dir.to_str().unwrap();
    let args = ["build", "--pieces", "4", "--memory", "30", "--dir", place];
    let (code, out, err) = run(&args);
    assert_eq!((code, err.lines().count()), (Some(1), 1), "{out}{err}");
    assert!(
        err.starts_with("damier: ") && err.contains("--memory") && err.contains("1m1k-1m1k ("),
        "{err}"
    );
    let built = files(&dir);
    assert!(
        out.contains(&format!(": {} slices with", built.len())),
        "{out}"
    );
    assert!(built.len() > 16 && built.len() < 41, "{}", built.len());
    let (code, _, again) = run(&args);
    assert_eq!((code, again, files(&dir)), (Some(1), err, built));
}

#[test]
fn probe_answers_several_positions() {
    let start = "W:WK26,K33,K31:BK4";
    let mut child = damier(&["probe", "--json", start, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    write!(
        input,
        "# endings\nW:WK28:BK23\n\nnonsense\nW:W31-50:B1-20\n"
    )
    .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout).unwrap();
    let objects: Vec<Json> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |at: usize, name: &str| objects[at][name].clone();
    assert_eq!(objects.len(), 4, "{out}");
    assert_eq!(
        (of(0, "input"), of(0, "value")),
        (start.into(), "draw".into())
    );
    assert_eq!(
        (of(1, "line"), of(1, "input"), of(1, "distance")),
        (2.into(), "W:WK28:BK23".into(), 1.into())
    );
    for (at, line, input) in [(2, 4, "nonsense"), (3, 5, "W:W31-50:B1-20")] {
        assert!(of(at, "error").is_string(), "{out}");
        assert_eq!(
            (of(at, "line"), of(at, "input")),
            (line.into(), input.into())
        );
    }
    let (code, out, err) = run(&["probe", "W:WK28:BK23", "W:WK28:BK6"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(
        out.contains("value win in 1 ply\n") && out.contains("value draw\n"),
        "{out}"
    );
}

#[test]
fn probe_and_stat_speak_json() {
    let (code, out, err) = run(&["probe", "W:WK26,K33,K31:BK4", "--json"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let object: Json = serde_json::from_str(&out).unwrap();
    for name in ["value", "fmjd"] {
        assert!(["win", "draw", "loss"].contains(&object[name].as_str().unwrap()));
    }
    let moves = object["moves"].as_array().unwrap();
    assert!(moves.len() > 20 && moves.iter().all(|mv| mv["move"].is_string()));
    // A game that is over by a count, or by a third occurrence, is drawn, whatever could be captured next.
    for (start, moves) in [
        (
            "W:WK35,K36:BK10",
            "36-9 10-5 35-49 5-46 9-3 46-10 49-16 10-15 16-11 15-33",
        ),
        (
            "W:WK6,K7,K8:BK50",
            "6-1 50-44 1-6 44-50 6-1 50-44 1-6 44-50",
        ),
    ] {
        let (code, out, err) = run(&["probe", start, "--moves", moves, "--json"]);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let object: Json = serde_json::from_str(&out).unwrap();
        assert_eq!(object["value"], "win", "{out}");
        assert_eq!(
            (&object["fmjd"], &object["certain"]),
            (&Json::from("draw"), &Json::from(true)),
            "{out}"
        );
    }
    let (code, _, err) = run(&["probe", "W:W31-50:B1-20"]);
    assert!(code == Some(1) && err.lines().count() == 1, "{err}");
    let (code, out, _) = run(&["stat", "--json"]);
    assert_eq!((code, out.lines().count()), (Some(0), 41));
    let sum: u64 = out
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap())
        .map(|one| one["positions"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 8_845 + 806_300 + 41_971_200);
    let (code, out, _) = run(&["build", "--pieces", "5", "--order"]);
    assert_eq!(code, Some(0));
    assert!(out.lines().any(|line| line == "2k-1k: 1k-1k"), "{out}");
}

#[test]
fn tables_of_an_earlier_version_are_used_and_converted() {
    let old: &[u8] = include_bytes!("../../crates/endgame/tables/old.dgt");
    let (dir, new) = (folder("old"), folder("new"));
    fs::create_dir_all(&dir).unwrap();
    let (mut rest, names) = (old, ["1k-1k", "2k-1k", "1k-2k"]);
    for name in names {
        let length = u64::from_le_bytes(rest[52..60].try_into().unwrap()) as usize;
        let (file, after) = rest.split_at(68 + length);
        fs::write(dir.join(format!("{name}.dgt")), file).unwrap();
        rest = after;
    }
    let position = "W:WK26,K33:BK4";
    let place = dir.to_str().unwrap();
    let (_, known, _) = run(&["probe", position]);
    let probed = run(&["probe", position, "--dir", place]);
    assert_eq!((probed.0, probed.1), (Some(0), known.clone()));
    let (code, out, err) = run(&["verify", "--dir", place, "--step", "97"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert_eq!(out, "41 slices are sound, 0 are not\n");
    // A build writes beside tables of its own version only.
    let (code, _, err) = run(&["build", "--pieces", "3", "--dir", place]);
    let one = err.lines().count() == 1 && err.contains("damier endgame convert");
    assert!(code == Some(1) && one, "{err}");
    let converted = run(&["convert", place, new.to_str().unwrap()]);
    assert_eq!(converted.0, Some(0), "{}", converted.2);
    assert!(converted.1.ends_with(": 3 slices\n"), "{}", converted.1);
    let probed = run(&["probe", position, "--dir", new.to_str().unwrap()]);
    assert_eq!((probed.0, probed.1), (Some(0), known));
    // In place, and then there is nothing left to do.
    for _ in 0..2 {
        assert_eq!(run(&["convert", place, place]).0, Some(0));
        assert_eq!(files(&dir), files(&new));
    }
    let unused = folder("unused");
    for (from, word) in [("nowhere", "nowhere"), ("Cargo.toml", "endgame table")] {
        let (code, _, err) = run(&["convert", from, unused.to_str().unwrap()]);
        assert!(!unused.exists(), "a folder for nothing");
        assert!(code == Some(1) && err.contains(word), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}
