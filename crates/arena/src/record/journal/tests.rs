use super::*;
use crate::record::{Ending, GameOutcome, PlyRecord};
use damier_engine::search::Detections;
use damier_rules::board::Color;
use serde_json::json;
use std::fs;
use std::time::Duration;

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("damier-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("match.journal")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn game(number: u64) -> GameRecord {
    let moves = Position::start().legal_moves();
    let ply = PlyRecord {
        mv: moves[number as usize % moves.len()],
        score: Some(number as f64),
        depth: None,
        nodes: Some(number),
        detections: Detections::default(),
        elapsed: Duration::from_micros(number),
        overshoot: None,
    };
    GameRecord {
        id: GameId(number),
        began: Some(number),
        plies: vec![ply],
        outcome: GameOutcome::Won(Color::White),
        ending: Ending::Resigned,
        fault: None,
    }
}

fn settings() -> Value {
    json!({"seed": 1, "engines": ["A", "B"]})
}

fn resume(path: &Path) -> MatchJournal {
    MatchJournal::open(path, &settings(), ExistingFiles::Resume).expect("a journal")
}

/// Writes games 0 to `count`; returns the bytes.
fn written(path: &Path, count: u64) -> Vec<u8> {
    let mut journal =
        MatchJournal::open(path, &settings(), ExistingFiles::Refuse).expect("a journal");
    (0..count).for_each(|number| journal.append(&game(number)).expect("written"));
    drop(journal);
    fs::read(path).expect("a file")
}

fn numbers(journal: &MatchJournal) -> Vec<u64> {
    journal.games().map(|id| id.0).collect()
}

#[test]
fn games_are_found_again() {
    let folder = Folder::new("journal-found");
    written(&folder.file(), 3);
    let mut journal = resume(&folder.file());
    assert_eq!(numbers(&journal), [0, 1, 2]);
    let start = Position::start();
    assert_eq!(
        journal.take(GameId(1), &start).expect("read"),
        Some(game(1))
    );
    assert_eq!(journal.take(GameId(9), &start).expect("read"), None);
    journal.append(&game(9)).expect("written");
    assert_eq!(
        journal.take(GameId(9), &start).expect("read"),
        Some(game(9))
    );
    assert!(!journal.is_damaged());
    drop(journal);
    assert_eq!(numbers(&resume(&folder.file())), [0, 1, 2, 9]);
}

#[test]
fn wherever_the_end_came_the_whole_games_are_kept() {
    let folder = Folder::new("journal-torn");
    let path = folder.file();
    let bytes = written(&path, 3);
    let ends: Vec<usize> = bytes
        .iter()
        .enumerate()
        .filter_map(|(at, &byte)| (byte == b'\n').then_some(at + 1))
        .collect();
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).expect("a file");
        let lines = ends.iter().filter(|&&end| end <= length).count() as u64;
        let mut journal = resume(&path);
        let expected: Vec<u64> = (0..lines.saturating_sub(1)).collect();
        assert_eq!(numbers(&journal), expected, "cut at {length}");
        journal.append(&game(7)).expect("written");
        drop(journal);
        let again = resume(&path);
        assert_eq!(
            numbers(&again),
            [expected, vec![7]].concat(),
            "cut at {length}"
        );
        assert!(!again.is_damaged());
    }
}

#[test]
fn a_damaged_line_costs_its_own_game_only() {
    let folder = Folder::new("journal-damaged");
    let path = folder.file();
    let mut bytes = written(&path, 4);
    let second = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a line")
        + 30;
    bytes[second] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let journal = resume(&path);
    assert_eq!(numbers(&journal), [1, 2, 3]);
    assert!(journal.is_damaged());
}

#[test]
fn a_match_that_never_began_is_in_nobodys_way() {
    let folder = Folder::new("journal-empty");
    let path = folder.file();
    written(&path, 0);
    let other = json!({"seed": 2, "engines": ["A", "B"]});
    drop(MatchJournal::open(&path, &other, ExistingFiles::Refuse).expect("no game is lost"));
    let mut bytes = fs::read(&path).expect("a file");
    assert!(String::from_utf8_lossy(&bytes).contains("\"seed\":2"));
    // Lines that cannot be read may have been games.
    bytes[12] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let error = MatchJournal::open(&path, &other, ExistingFiles::Refuse).expect_err("damaged");
    assert!(matches!(error, RecordError::Exists(_)), "{error}");
}

#[test]
fn another_match_is_refused_and_said_why() {
    let folder = Folder::new("journal-other");
    let path = folder.file();
    written(&path, 2);
    let other = json!({"seed": 2, "engines": ["A", "B"]});
    let error =
        MatchJournal::open(&path, &other, ExistingFiles::Resume).expect_err("another match");
    assert!(
        matches!(&error, RecordError::OtherMatch { setting, there, here, .. }
            if setting == "seed" && there == "1" && here == "2"),
        "{error}"
    );
    let error =
        MatchJournal::open(&path, &settings(), ExistingFiles::Refuse).expect_err("it exists");
    assert!(error.to_string().contains("--resume"), "{error}");
    let held = resume(&path);
    #[cfg(unix)]
    assert!(matches!(
        MatchJournal::open(&path, &settings(), ExistingFiles::Resume),
        Err(RecordError::Busy(_))
    ));
    drop(held);
    for foreign in [
        "notes\n",
        "notes",
        "[Event \"x\"]",
        "42",
        "12345678 {\"a\"",
        "00000000 {}\n",
    ] {
        fs::write(&path, foreign).expect("a file");
        let result = MatchJournal::open(&path, &settings(), ExistingFiles::Resume);
        assert!(
            matches!(result, Err(RecordError::NotAJournal(_))),
            "{foreign}"
        );
        assert_eq!(fs::read(&path).expect("a file"), foreign.as_bytes());
    }
    fs::write(&path, "notes\n").expect("a file");
    drop(MatchJournal::open(&path, &settings(), ExistingFiles::Replace).expect("begun anew"));
    assert!(numbers(&resume(&path)).is_empty());
}

#[test]
fn other_versions_and_lines_without_a_game_are_refused() {
    let folder = Folder::new("journal-version");
    let path = folder.file();
    let line = |json: &str| format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
    let open = |text: &str| {
        fs::write(&path, text).expect("a file");
        let result = MatchJournal::open(&path, &settings(), ExistingFiles::Resume);
        assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        result.expect_err("refused").to_string()
    };
    let error = open(&line(r#"{"damier-match":2,"settings":{}}"#));
    assert!(error.contains("version 2"), "{error}");
    let bytes = written(&folder.0.join("other.journal"), 2);
    let games = String::from_utf8(bytes).expect("text");
    let error = open(&format!("{games}{}", line(r#"{"note":1}"#)));
    assert!(error.contains("line 4 holds no game"), "{error}");
}

#[test]
fn a_setting_counts_whichever_side_names_it() {
    let folder = Folder::new("journal-settings");
    let open = |settings: Value, existing| MatchJournal::open(&folder.file(), &settings, existing);
    drop(open(json!({"seed": 1, "tables": true}), ExistingFiles::Refuse).expect("a journal"));
    for (settings, expected) in [
        (
            json!({"seed": 1}),
            "tables is true there and not given here",
        ),
        (
            json!({"seed": 1, "tables": false}),
            "tables is true there and not given here",
        ),
        (
            json!({"tables": true}),
            "seed is 1 there and not given here",
        ),
        (
            json!({"seed": 1, "tables": true, "x": 2}),
            "x is not given there and 2 here",
        ),
    ] {
        let error = open(settings, ExistingFiles::Resume).expect_err("another match");
        assert!(error.to_string().contains(expected), "{error}");
    }
    // A journal from before there was the setting.
    let new = json!({"seed": 1, "tables": true, "x": false, "y": null});
    assert!(open(new, ExistingFiles::Resume).is_ok());
}
