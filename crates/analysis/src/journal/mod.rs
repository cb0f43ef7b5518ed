//! What was done of a long piece of work, so that it goes on after any interruption.
//!
//! A [`damier_os::journal`]. The first line holds the settings, every other one a game. If a line was cut off, that
//! game is done again.

mod error;

pub use error::JournalError;

use damier_os::journal::{self, Form, Header, HeaderError, LineSpan};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The version of the file.
const VERSION: u64 = 1;
/// Settings that say the most where they differ: these are compared first.
const FIRST: [&str; 4] = ["command", "program", "inputs", "bytes"];
/// Settings that journals of earlier versions lack.
const LATER: [&str; 2] = ["command", "files"];

/// A game of a journal.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Number in the input.
    pub game: u64,
    /// CRC-32 of its text in the input; missing in journals of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<u32>,
    /// As PDN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pdn: Option<String>,
    /// As JSON, one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<String>,
    /// As a part of a page, with its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<(String, String)>,
    /// What the players' moves came to: name, moves judged, points lost, sum of accuracies, dubious moves, mistakes,
    /// blunders.
    #[serde(default)]
    pub players: Vec<(String, [f64; 6])>,
    /// How many moves of each player count for the accuracy; missing in journals of earlier versions, where all did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<u32>,
}

/// The part of a [`Record`] that the index of games needs.
#[derive(Deserialize)]
struct GameHead {
    game: u64,
    #[serde(default)]
    checksum: Option<u32>,
}

/// Where the line of a game is.
#[derive(Clone, Copy, Debug)]
struct GameEntry {
    span: LineSpan,
    /// Checksum of the game's text.
    checksum: Option<u32>,
}

/// An open journal, locked against other processes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    log: journal::Journal,
    games: BTreeMap<u64, GameEntry>,
}

impl Journal {
    /// Opens the journal of a piece of work with these settings, an object, or begins it.
    ///
    /// # Errors
    /// It cannot be read or written, or belongs to other work.
    pub fn open(path: &Path, settings: &Value) -> Result<Journal, JournalError> {
        let fail = |error| JournalError::Io {
            path: path.to_owned(),
            error,
        };
        let log = journal::Journal::open(path, Form::SumFirst).map_err(fail)?;
        let mut journal = Journal {
            path: path.to_owned(),
            log: log.ok_or_else(|| JournalError::Busy(path.to_owned()))?,
            games: BTreeMap::new(),
        };
        let header = Header {
            kind: "damier-annotate",
            version: VERSION,
            settings,
            first: &FIRST,
            later: &LATER,
        };
        journal.read_all(&header)?;
        journal.log.truncate().map_err(fail)?;
        if journal.log.is_empty() {
            journal.log.append_text(&header.text()).map_err(fail)?;
        }
        Ok(journal)
    }

    /// Whether lines before the last sound one could not be read; their games are done again.
    pub fn is_damaged(&self) -> bool {
        self.log.is_damaged()
    }

    /// Whether a game is in it.
    pub fn has(&self, game: u64) -> bool {
        self.games.contains_key(&game)
    }

    /// The numbers of its games, in order.
    pub fn games(&self) -> Vec<u64> {
        self.games.keys().copied().collect()
    }

    /// Whether a game of the input is in it.
    ///
    /// # Errors
    /// One with this number is, and its text had another checksum.
    pub fn has_same(&self, game: u64, checksum: u32) -> Result<bool, JournalError> {
        match self.games.get(&game) {
            None => Ok(false),
            Some(entry) if entry.checksum.is_none_or(|there| there == checksum) => Ok(true),
            Some(_) => Err(JournalError::OtherGame {
                path: self.path.clone(),
                game,
            }),
        }
    }

    /// What is said where the input ends before this game.
    pub fn lacks(&self, game: u64) -> JournalError {
        let path = self.path.clone();
        JournalError::NoSuchGame { path, game }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The disk is full, or gone.
    pub fn append(&mut self, record: &Record) -> Result<(), JournalError> {
        let span = self.log.append(record).map_err(|error| self.fail(error))?;
        let checksum = record.checksum;
        self.games.insert(record.game, GameEntry { span, checksum });
        Ok(())
    }

    /// Reads a game back.
    ///
    /// # Errors
    /// The file cannot be read, or has changed.
    pub fn get(&mut self, game: u64) -> Result<Option<Record>, JournalError> {
        let Some(&GameEntry { span, .. }) = self.games.get(&game) else {
            return Ok(None);
        };
        let record = self.log.get(span).map_err(|error| self.fail(error))?;
        record.map(Some).ok_or_else(|| JournalError::Changed {
            path: self.path.clone(),
            game,
        })
    }

    /// Removes the file: the work is done.
    ///
    /// # Errors
    /// The system refuses.
    pub fn remove(self) -> Result<(), JournalError> {
        let path = self.path;
        let removed = self.log.remove();
        removed.map_err(|error| JournalError::Io { path, error })
    }

    fn fail(&self, error: io::Error) -> JournalError {
        JournalError::Io {
            path: self.path.clone(),
            error,
        }
    }

    fn read_all(&mut self, header: &Header<'_>) -> Result<(), JournalError> {
        let Journal { path, log, games } = self;
        let fail = |error| JournalError::Io {
            path: path.clone(),
            error,
        };
        log.read(fail, |line| {
            if line.number == 1 {
                let checked = header.check(&line);
                return checked.map_err(|error| JournalError::of_header(path, error));
            }
            if let Some(GameHead { game, checksum }) = line.parse() {
                let span = line.span;
                games.insert(game, GameEntry { span, checksum });
            }
            Ok(())
        })
    }
}

impl JournalError {
    fn of_header(path: &Path, error: HeaderError) -> JournalError {
        let path = path.to_owned();
        match error {
            HeaderError::Foreign => JournalError::Foreign(path),
            HeaderError::OtherVersion(there) => JournalError::OtherVersion {
                path,
                there,
                here: VERSION,
            },
            HeaderError::OtherSetting { name, there, here } => JournalError::Other {
                path,
                setting: name,
                there,
                here,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    fn record(game: u64) -> Record {
        Record {
            game,
            pdn: Some(format!("game {game}\n")),
            ..Record::default()
        }
    }

    #[test]
    fn whatever_a_kill_leaves_is_gone_on_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        let settings = json!({"nodes": 5});
        let mut journal = Journal::open(&path, &settings).expect("new");
        for game in [2, 1, 3] {
            journal.append(&record(game)).expect("written");
        }
        drop(journal);
        let whole = fs::read(&path).expect("bytes");
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).expect("written");
            let mut journal = Journal::open(&path, &settings)
                .unwrap_or_else(|error| panic!("cut at {length}: {error}"));
            let games = journal.games();
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n');
            let mut expected = [2, 1, 3][..lines.count().saturating_sub(1)].to_vec();
            expected.sort_unstable();
            assert_eq!(games, expected, "cut at {length}");
            for game in games {
                assert_eq!(journal.get(game).expect("read"), Some(record(game)));
            }
            journal.append(&record(9)).expect("written");
            drop(journal);
            assert!(Journal::open(&path, &settings).expect("sound").has(9));
        }
    }

    #[test]
    fn a_damaged_line_costs_its_own_game_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        let mut journal = Journal::open(&path, &json!({})).expect("new");
        (1..=3).for_each(|game| journal.append(&record(game)).expect("written"));
        drop(journal);
        let mut bytes = fs::read(&path).expect("bytes");
        let first = bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .expect("a line");
        bytes[first + 15] ^= 1;
        fs::write(&path, &bytes).expect("written");
        let mut journal = Journal::open(&path, &json!({})).expect("sound");
        assert_eq!(journal.games(), [2, 3]);
        assert!(journal.is_damaged());
        // Changed by another program while it is open.
        let last = bytes.len() - 3;
        bytes[last] ^= 1;
        fs::write(&path, &bytes).expect("written");
        assert_eq!(journal.get(2).expect("read"), Some(record(2)));
        let error = journal.get(3).expect_err("changed");
        assert!(
            matches!(error, JournalError::Changed { game: 3, .. }),
            "{error}"
        );
    }

    #[test]
    fn a_journal_of_another_version_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        let json = r#"{"damier-annotate":2,"settings":{}}"#;
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        fs::write(&path, &line).expect("written");
        let error = Journal::open(&path, &json!({})).expect_err("another version");
        assert!(error.to_string().contains("version 2"), "{error}");
        assert_eq!(fs::read(&path).expect("bytes"), line.as_bytes());
    }

    #[test]
    fn a_game_is_the_same_only_with_the_same_text() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        let mut journal = Journal::open(&path, &json!({})).expect("new");
        // As an earlier version wrote it.
        journal.append(&record(1)).expect("written");
        let checksum = Some(5);
        let with_checksum = Record {
            checksum,
            ..record(2)
        };
        journal.append(&with_checksum).expect("written");
        drop(journal);
        let journal = Journal::open(&path, &json!({"files": {"weights": 7}})).expect("old");
        assert!(journal.has_same(1, 6).expect("not known"));
        assert!(journal.has_same(2, 5).expect("the same"));
        assert!(matches!(
            journal.has_same(2, 6),
            Err(JournalError::OtherGame { game: 2, .. })
        ));
        assert!(!journal.has_same(3, 5).expect("not done"));
    }

    #[test]
    fn what_says_the_most_is_named_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        let settings = |input: &str, bytes: u64, weights: u64| {
            let files = json!({ "weights": weights });
            json!({"bytes": [bytes], "files": files, "inputs": [input], "nodes": null})
        };
        drop(Journal::open(&path, &settings("a.pdn", 96334, 1)).expect("new"));
        for (other, setting) in [
            (settings("b.pdn", 323, 1), "inputs"),
            (settings("a.pdn", 323, 1), "bytes"),
            (settings("a.pdn", 96334, 2), "files"),
        ] {
            let error = Journal::open(&path, &other).expect_err("other");
            assert!(error.to_string().contains(setting), "{error}");
            assert!(
                matches!(&error, JournalError::Other { setting: found, .. } if found == setting)
            );
        }
    }

    #[test]
    fn a_setting_that_only_one_side_has_is_another_setting() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        let (with, without) = (json!({"nodes": 5, "param": "a=1"}), json!({"nodes": 5}));
        for (first, second) in [(&with, &without), (&without, &with)] {
            drop(Journal::open(&path, first).expect("new"));
            let error = Journal::open(&path, second).expect_err("other");
            assert!(
                matches!(&error, JournalError::Other { setting, .. } if setting == "param"),
                "{error}"
            );
            fs::remove_file(&path).expect("removed");
        }
    }

    #[test]
    fn other_files_and_other_settings_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.journal");
        for foreign in [
            "notes\nmore\n",
            "notes",
            "42",
            "12345678 {\"a\"",
            "00000000 {}\n",
        ] {
            fs::write(&path, foreign).expect("written");
            let error = Journal::open(&path, &json!({})).expect_err("foreign");
            assert!(matches!(error, JournalError::Foreign(_)), "{error}");
            assert_eq!(fs::read(&path).expect("bytes"), foreign.as_bytes());
        }
        fs::remove_file(&path).expect("removed");
        let journal = Journal::open(&path, &json!({"nodes": 5})).expect("new");
        assert!(matches!(
            Journal::open(&path, &json!({"nodes": 5})),
            Err(JournalError::Busy(_))
        ));
        drop(journal);
        let error = Journal::open(&path, &json!({"nodes": 6})).expect_err("other");
        assert!(
            matches!(&error, JournalError::Other { setting, .. } if setting == "nodes"),
            "{error}"
        );
    }
}
