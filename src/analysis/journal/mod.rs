//! What was done of a long piece of work, so that it goes on after any interruption.
//!
//! A text file of lines: the CRC-32 of the rest of the line in eight hexadecimal digits, a space, and a JSON object.
//! The first line holds the settings, every other one a game. A line that was cut off does not fit its checksum: that
//! game is done again.

mod error;

pub use error::JournalError;

use crate::os::files;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How much may be lost when the power fails.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Longer than any line, in bytes.
const LONGEST: u64 = 1 << 30;

/// Settings that say the most where they differ: these are compared first.
const FIRST: [&str; 4] = ["command", "program", "inputs", "bytes"];
/// Settings that journals of earlier versions lack.
const LATER: [&str; 2] = ["command", "files"];

/// A game of a journal.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Its number in the input.
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
    /// What the players' moves came to: name, moves judged, points lost, accuracy, dubious moves, mistakes, blunders.
    #[serde(default)]
    pub players: Vec<(String, [f64; 6])>,
}

#[derive(Serialize, Deserialize)]
struct JournalHeader {
    #[serde(rename = "damier-annotate")]
    version: u64,
    settings: Value,
}

/// Where the line of a game is.
#[derive(Clone, Copy, Debug)]
struct Line {
    begin: u64,
    length: u64,
    /// That of the game.
    checksum: Option<u32>,
}

/// An open journal, locked against other processes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    games: BTreeMap<u64, Line>,
    end: u64,
    synced: Instant,
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
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = files::open_locked(path, &mut options).map_err(fail)?;
        let mut journal = Journal {
            path: path.to_owned(),
            file: file.ok_or_else(|| JournalError::Busy(path.to_owned()))?,
            games: BTreeMap::new(),
            end: 0,
            synced: Instant::now(),
        };
        journal.read_all(settings)?;
        journal.file.set_len(journal.end).map_err(fail)?;
        if journal.end == 0 {
            let settings = settings.clone();
            let header = JournalHeader {
                version: 1,
                settings,
            };
            journal.append_line(&header)?;
        }
        Ok(journal)
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
            Some(line) if line.checksum.is_none_or(|there| there == checksum) => Ok(true),
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
        let begin = self.end;
        self.append_line(record)?;
        let line = Line {
            begin,
            length: self.end - begin,
            checksum: record.checksum,
        };
        self.games.insert(record.game, line);
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.synced = Instant::now();
            self.file.sync_data().map_err(|error| self.fail(error))?;
        }
        Ok(())
    }

    /// Reads a game back.
    ///
    /// # Errors
    /// The file cannot be read, or has changed.
    pub fn get(&mut self, game: u64) -> Result<Option<Record>, JournalError> {
        let Some(&Line { begin, length, .. }) = self.games.get(&game) else {
            return Ok(None);
        };
        let mut line = vec![0; length as usize];
        let read = self
            .file
            .seek(SeekFrom::Start(begin))
            .and_then(|_| self.file.read_exact(&mut line));
        read.map_err(|error| self.fail(error))?;
        let record = checked(&line).and_then(|json| serde_json::from_slice(json).ok());
        let record = record.ok_or_else(|| JournalError::Foreign(self.path.clone()))?;
        Ok(Some(record))
    }

    /// Removes the file: the work is done.
    ///
    /// # Errors
    /// The system refuses.
    pub fn remove(self) -> Result<(), JournalError> {
        let path = self.path.clone();
        // Some systems remove no file that is open.
        drop(self.file);
        fs::remove_file(&path).map_err(|error| JournalError::Io { path, error })
    }

    fn fail(&self, error: io::Error) -> JournalError {
        JournalError::Io {
            path: self.path.clone(),
            error,
        }
    }

    fn read_all(&mut self, settings: &Value) -> Result<(), JournalError> {
        let file = self.file.try_clone().map_err(|error| self.fail(error))?;
        let mut reader = BufReader::new(file);
        let (mut line, mut offset) = (Vec::new(), 0);
        loop {
            line.clear();
            let mut limited = (&mut reader).take(LONGEST);
            let read = limited.read_until(b'\n', &mut line);
            let length = read.map_err(|error| self.fail(error))? as u64;
            if length == 0 {
                return Ok(());
            }
            let json = checked(&line);
            if offset == 0 {
                // Killed while writing the first line.
                let torn = line.len() >= 9
                    && b"{\"damier-annotate\"".starts_with(&line[9..line.len().min(27)]);
                match json {
                    None if torn && !line.ends_with(b"\n") => return Ok(()),
                    None => return Err(JournalError::Foreign(self.path.clone())),
                    Some(json) => self.check(json, settings)?,
                }
            } else if let Some(json) = json {
                #[derive(Deserialize)]
                struct Head {
                    game: u64,
                    #[serde(default)]
                    checksum: Option<u32>,
                }
                if let Ok(Head { game, checksum }) = serde_json::from_slice(json) {
                    let line = Line {
                        begin: offset,
                        length,
                        checksum,
                    };
                    self.games.insert(game, line);
                }
            }
            offset += length;
            if json.is_some() {
                self.end = offset;
            }
        }
    }

    fn check(&self, json: &[u8], settings: &Value) -> Result<(), JournalError> {
        let foreign = || JournalError::Foreign(self.path.clone());
        let header: JournalHeader = serde_json::from_slice(json).map_err(|_| foreign())?;
        let there = header.settings.as_object().ok_or_else(foreign)?;
        let here = settings.as_object().ok_or_else(foreign)?;
        let is_later = |name: &str| LATER.contains(&name);
        let names: BTreeSet<&String> = there.keys().chain(here.keys()).collect();
        let mut names: Vec<&String> = names.into_iter().collect();
        names.sort_by_key(|name| {
            let place = FIRST.iter().position(|first| first == name);
            (place.unwrap_or(FIRST.len()), is_later(name))
        });
        // A setting missing on one side has no value there.
        let value = |settings: &serde_json::Map<String, Value>, name: &str| {
            settings.get(name).cloned().unwrap_or_default()
        };
        for name in names {
            let (there, here) = (value(there, name), value(here, name));
            if there != here && !(there.is_null() && is_later(name)) {
                return Err(JournalError::Other {
                    path: self.path.clone(),
                    setting: name.clone(),
                    there,
                    here,
                });
            }
        }
        Ok(())
    }

    fn append_line(&mut self, object: &impl Serialize) -> Result<(), JournalError> {
        let text = serde_json::to_string(object).map_err(|error| self.fail(error.into()))?;
        let line = format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()));
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(line.as_bytes()));
        if let Err(error) = written {
            // A part of a line is of no use; a full disk gets the space back.
            let _ = self.file.set_len(self.end);
            return Err(self.fail(error));
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// The JSON of a line whose checksum fits.
fn checked(line: &[u8]) -> Option<&[u8]> {
    let (sum, json) = line.strip_suffix(b"\n")?.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum.strip_suffix(b" ")?).ok()?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (crc32fast::hash(json) == sum).then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        let mut most = 0;
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).expect("written");
            let Ok(mut journal) = Journal::open(&path, &settings) else {
                // Nine bytes that could be anything.
                assert!(length < 10, "{length}");
                continue;
            };
            let games = journal.games();
            assert!(games.len() >= most);
            most = games.len();
            for game in games {
                assert_eq!(journal.get(game).expect("read"), Some(record(game)));
            }
            journal.append(&record(9)).expect("written");
            drop(journal);
            assert!(Journal::open(&path, &settings).expect("sound").has(9));
        }
        assert_eq!(most, 3);
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
        fs::write(&path, "my notes\nsecond line\n").expect("written");
        let error = Journal::open(&path, &json!({})).expect_err("foreign");
        assert!(matches!(error, JournalError::Foreign(_)), "{error}");
        assert_eq!(fs::read(&path).expect("bytes"), b"my notes\nsecond line\n");
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
