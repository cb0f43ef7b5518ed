//! Endgame tables that cannot be used: every command says so, and none whose results depend on them goes on.

use damier::notation::{fen, hub_board};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Every move of this position leads to the table that is damaged.
const POSITION: &str = "W:WK26,K33:BK4";
const TABLE: &str = "1k-2k.dgt";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("damage-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Exit code, stdout and stderr of the program with this input.
fn run(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A folder with the tables up to three pieces.
fn tables(name: &str) -> PathBuf {
    let dir = folder(name);
    let (code, _, err) = run(
        &[
            "endgame",
            "build",
            "--pieces",
            "3",
            "--dir",
            dir.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(code, Some(0), "{err}");
    dir
}

/// Changes one bit of the packed codes of a table.
fn damage(dir: &Path) {
    let path = dir.join(TABLE);
    let mut bytes = fs::read(&path).unwrap();
    bytes[100] ^= 1;
    fs::write(&path, bytes).unwrap();
}

/// Lines that name the damaged table.
fn complaints(text: &str) -> usize {
    text.lines().filter(|line| line.contains(TABLE)).count()
}

#[test]
fn a_damaged_table_is_reported_once_by_every_session() {
    let dir = tables("sessions");
    damage(&dir);
    let dir = dir.to_str().unwrap();
    let (code, out, err) = run(
        &[
            "analyze",
            "--json",
            "--depth",
            "3",
            "--endgame-dir",
            dir,
            POSITION,
            POSITION,
        ],
        "",
    );
    assert_eq!(
        (code, out.lines().count(), complaints(&err)),
        (Some(0), 2, 1),
        "{err}"
    );

    let suite = folder("suite").join("one.fen");
    fs::write(&suite, format!("{POSITION}; result draw\n")).unwrap();
    let suite = suite.to_str().unwrap();
    let (_, _, err) = run(&["suite", suite, "--depth", "1", "--endgame-dir", dir], "");
    assert_eq!(complaints(&err), 1, "{err}");

    let position = hub_board::format(&fen::parse(POSITION).unwrap());
    let go = format!("pos pos={position}\nlevel depth=1\ngo think\n");
    let input = format!("hub\nset-param name=endgame-dir value=\"{dir}\"\ninit\n{go}{go}quit\n");
    let (code, out, _) = run(&["hub"], &input);
    let errors: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("error "))
        .collect();
    assert_eq!(
        (code, errors.len(), complaints(&out)),
        (Some(0), 1, 1),
        "{out}"
    );
    assert_eq!(out.matches("done move").count(), 2, "{out}");
}

/// A page asks for the positions; what it hears of a damaged block stands on stderr once.
#[test]
#[cfg(unix)]
fn a_damaged_block_is_reported_by_the_board_in_the_browser() {
    use std::io::{BufRead, BufReader};
    let dir = tables("board");
    damage(&dir);
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(["serve", "--no-open", "--port", "0", "--engines", "1"])
        .args(["--tt-size", "16", "--endgame-dir", dir.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let (_, place) = line.trim().split_once("http://").expect("an address");
    let (place, _) = place.split_once('/').expect("a path");
    let (mut page, _) = tungstenite::connect(format!("ws://{place}/ws")).unwrap();
    for id in 1..=2 {
        let ask = format!(r#"{{"type":"knowledge","id":{id},"start":"{POSITION}"}}"#);
        page.send(tungstenite::Message::text(ask)).unwrap();
        while !page
            .read()
            .unwrap()
            .to_text()
            .unwrap()
            .contains("\"knowledge\"")
        {}
    }
    // The first complaint comes while the server runs.
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    err.read_line(&mut said).unwrap();
    assert_eq!(complaints(&said), 1, "{said}");
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut err, &mut rest).unwrap();
    child.wait().unwrap();
    assert_eq!(complaints(&rest), 0, "{rest}");
}

#[test]
fn a_folder_without_tables_is_reported() {
    let dir = folder("empty");
    let dir = dir.to_str().unwrap();
    let (code, _, err) = run(&["analyze", "--depth", "1", "--endgame-dir", dir], "");
    assert_eq!((code, err.lines().count()), (Some(0), 1), "{err}");
    assert!(err.contains(dir), "{err}");
    let input = format!("hub\nset-param name=endgame-dir value=\"{dir}\"\ninit\nquit\n");
    let (_, out, _) = run(&["hub"], &input);
    assert_eq!(out.matches("error ").count(), 1, "{out}");
    for command in ["stat", "verify"] {
        let (code, _, err) = run(&["endgame", command, "--dir", dir], "");
        assert_eq!((code, err.lines().count()), (Some(1), 1), "{err}");
    }
}

fn selfplay(dir: Option<&Path>, out: &Path, games: &str) -> (Option<i32>, String, String) {
    let mut args = vec![
        "selfplay",
        "--nodes",
        "50",
        "--threads",
        "1",
        "--games",
        games,
    ];
    args.extend(["--out", out.to_str().unwrap()]);
    args.extend(
        dir.into_iter()
            .flat_map(|dir| ["--endgame-dir", dir.to_str().unwrap()]),
    );
    run(&args, "")
}

#[test]
fn self_play_refuses_damaged_tables() {
    let dir = tables("selfplay");
    let out = folder("selfplay-out").join("games");
    damage(&dir);
    let (code, _, err) = selfplay(Some(&dir), &out, "2");
    assert_eq!((code, complaints(&err)), (Some(1), 1), "{err}");
    assert!(!out.exists());
}

#[test]
fn self_play_is_not_continued_with_other_tables() {
    let dir = tables("content");
    let out = folder("content-out").join("games");
    let (code, _, err) = selfplay(Some(&dir), &out, "1");
    assert_eq!(code, Some(0), "{err}");
    // The tables in the program have the same content.
    let (code, _, err) = selfplay(None, &out, "2");
    assert_eq!(code, Some(0), "{err}");
    let games = fs::read(&out).unwrap();
    // A sound file of other content.
    let path = dir.join(TABLE);
    let mut bytes = fs::read(&path).unwrap();
    bytes[16] ^= 1;
    let crc = crc32fast::hash(&bytes[..64]);
    bytes[64..68].copy_from_slice(&crc.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let (code, _, err) = selfplay(Some(&dir), &out, "3");
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("tables"), "{err}");
    assert_eq!(fs::read(&out).unwrap(), games);
}
