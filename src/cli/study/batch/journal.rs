//! What was done of a long piece of work, so that it goes on after any interruption.
//!
//! A [`damier::os::journal`]. The first line holds the settings, every other one a game. If a line was cut off, that
//! game is done again.

use super::problems::refused;
use super::sink::Target;
use crate::cli::{Failure, error};
use damier::os::files::{ReplaceError, beside};
use damier::os::journal::{self, Form, Header, LineSpan, OpenError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The version of the file.
pub(super) const VERSION: u64 = 1;
/// Settings that say the most where they differ: these are compared first.
const FIRST: [&str; 4] = ["command", "program", "inputs", "bytes"];
/// Settings that journals of earlier versions lack.
const LATER: [&str; 2] = ["command", "files"];

/// A game of a journal.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(in crate::cli::study) struct Record {
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

/// The open journal of a file, locked against other processes.
#[derive(Debug)]
pub(in crate::cli::study) struct Journal<'a> {
    /// The file that the games are written to in the end.
    target: Target<'a>,
    path: PathBuf,
    log: journal::Journal,
    games: BTreeMap<u64, GameEntry>,
}

impl<'a> Journal<'a> {
    /// Opens the journal of a piece of work with these settings, an object, or begins it. Fails where it cannot be read
    /// or written, or belongs to other work.
    pub fn open(target: Target<'a>, settings: &Value) -> Result<Journal<'a>, Failure> {
        let path = beside(Path::new(target.name), ".journal");
        // The user named the file, and not its journal.
        let fail = |problem| match problem {
            OpenError::Io(problem) => target.fail(problem),
            OpenError::Busy => target.fail(ReplaceError::Busy),
            OpenError::Header(problem) => refused(&path, problem),
        };
        let mut log = journal::Journal::open(&path, Form::SumFirst).map_err(fail)?;
        let header = Header {
            kind: "damier-annotate",
            version: VERSION,
            settings,
            first: &FIRST,
            later: &LATER,
        };
        let mut games = BTreeMap::new();
        log.resume(&header, fail, |line| {
            if let Some(GameHead { game, checksum }) = line.parse() {
                let span = line.span;
                games.insert(game, GameEntry { span, checksum });
            }
            Ok(())
        })?;
        Ok(Journal {
            target,
            path,
            log,
            games,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether lines before the last sound one could not be read; their games are done again.
    pub fn is_damaged(&self) -> bool {
        self.log.is_damaged()
    }

    /// The numbers of its games, in order.
    pub fn games(&self) -> Vec<u64> {
        self.games.keys().copied().collect()
    }

    /// Whether a game of the input is in it. Fails where one with this number is, and its text had another checksum.
    pub fn has_same(&self, game: u64, checksum: u32) -> Result<bool, Failure> {
        match self.games.get(&game) {
            None => Ok(false),
            Some(entry) if entry.checksum.is_none_or(|there| there == checksum) => Ok(true),
            Some(_) => Err(self.fail(format_args!(
                "was begun with other games: game {game} of the input is not the one that was done before; give the \
                same games, or remove the journal or write to another file to begin again"
            ))),
        }
    }

    /// The failure where the input ends before this game.
    pub fn lacks(&self, game: u64) -> Failure {
        self.fail(format_args!(
            "was begun with other games: game {game} was done before and is not in the input; give the same games, or \
            remove the journal or write to another file to begin again"
        ))
    }

    /// Adds a game.
    pub fn append(&mut self, record: &Record) -> Result<(), Failure> {
        let appended = self.log.append(record);
        let span = appended.map_err(|problem| self.target.fail(problem))?;
        let checksum = record.checksum;
        self.games.insert(record.game, GameEntry { span, checksum });
        Ok(())
    }

    /// Reads a game back. Fails where the file cannot be read, or has changed.
    pub fn get(&mut self, game: u64) -> Result<Option<Record>, Failure> {
        let Some(&GameEntry { span, .. }) = self.games.get(&game) else {
            return Ok(None);
        };
        let record = self.log.get(span).map_err(|problem| self.fail(problem))?;
        record.map(Some).ok_or_else(|| {
            self.fail(format_args!(
                "game {game} cannot be read any more: another program has changed the file"
            ))
        })
    }

    /// Removes the file: the work is done.
    pub fn remove(self) -> Result<(), Failure> {
        let path = self.path;
        let removed = self.log.remove();
        removed.map_err(|problem| error(format!("{}: {problem}", path.display())))
    }

    fn fail(&self, problem: impl fmt::Display) -> Failure {
        error(format!("{}: {problem}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    /// A folder, and the name of a file in it.
    fn file() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x").display().to_string();
        (folder, file)
    }

    fn open<'a>(file: &'a str, settings: &Value) -> Result<Journal<'a>, Failure> {
        let target = Target {
            name: file,
            magic: b"",
            mark: "",
        };
        Journal::open(target, settings)
    }

    /// Why the journal cannot be opened, in one line.
    fn refused(file: &str, settings: &Value) -> String {
        open(file, settings).expect_err("refused").to_string()
    }

    fn record(game: u64) -> Record {
        Record {
            game,
            pdn: Some(format!("game {game}\n")),
            ..Record::default()
        }
    }

    #[test]
    fn whatever_a_kill_leaves_is_gone_on_with() {
        let (_folder, file) = file();
        let path = format!("{file}.journal");
        let settings = json!({"nodes": 5});
        let mut journal = open(&file, &settings).expect("new");
        for game in [2, 1, 3] {
            journal.append(&record(game)).expect("written");
        }
        drop(journal);
        let whole = fs::read(&path).expect("bytes");
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).expect("written");
            let mut journal =
                open(&file, &settings).unwrap_or_else(|error| panic!("cut at {length}: {error}"));
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
            assert!(open(&file, &settings).expect("sound").games().contains(&9));
        }
    }

    #[test]
    fn a_damaged_line_costs_its_own_game_only() {
        let (_folder, file) = file();
        let path = format!("{file}.journal");
        let mut journal = open(&file, &json!({})).expect("new");
        (1..=3).for_each(|game| journal.append(&record(game)).expect("written"));
        drop(journal);
        let mut bytes = fs::read(&path).expect("bytes");
        let first = bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .expect("a line");
        bytes[first + 15] ^= 1;
        fs::write(&path, &bytes).expect("written");
        let mut journal = open(&file, &json!({})).expect("sound");
        assert_eq!(journal.games(), [2, 3]);
        assert!(journal.is_damaged());
        // Changed by another program while it is open.
        let last = bytes.len() - 3;
        bytes[last] ^= 1;
        fs::write(&path, &bytes).expect("written");
        assert_eq!(journal.get(2).expect("read"), Some(record(2)));
        let error = journal.get(3).expect_err("changed");
        assert!(
            error.to_string().contains("game 3 cannot be read any more"),
            "{error}"
        );
    }

    #[test]
    fn a_journal_of_another_version_is_refused() {
        let (_folder, file) = file();
        let path = format!("{file}.journal");
        let json = r#"{"damier-annotate":2,"settings":{}}"#;
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        fs::write(&path, &line).expect("written");
        let error = open(&file, &json!({})).expect_err("another version");
        assert!(error.to_string().contains("version 2"), "{error}");
        assert_eq!(fs::read(&path).expect("bytes"), line.as_bytes());
    }

    #[test]
    fn a_game_is_the_same_only_with_the_same_text() {
        let (_folder, file) = file();
        let mut journal = open(&file, &json!({})).expect("new");
        // As an earlier version wrote it.
        journal.append(&record(1)).expect("written");
        let checksum = Some(5);
        let with_checksum = Record {
            checksum,
            ..record(2)
        };
        journal.append(&with_checksum).expect("written");
        drop(journal);
        let journal = open(&file, &json!({"files": {"weights": 7}})).expect("old");
        assert!(journal.has_same(1, 6).expect("not known"));
        assert!(journal.has_same(2, 5).expect("the same"));
        let error = journal.has_same(2, 6).expect_err("another game");
        assert!(
            error
                .to_string()
                .contains("game 2 of the input is not the one"),
            "{error}"
        );
        assert!(!journal.has_same(3, 5).expect("not done"));
    }

    #[test]
    fn what_says_the_most_is_named_first() {
        let (_folder, file) = file();
        let settings = |input: &str, bytes: u64, weights: u64| {
            let files = json!({ "weights": weights });
            json!({"bytes": [bytes], "files": files, "inputs": [input], "nodes": null})
        };
        drop(open(&file, &settings("a.pdn", 96334, 1)).expect("new"));
        for (other, words) in [
            (settings("b.pdn", 323, 1), "other inputs"),
            (settings("a.pdn", 323, 1), "had 96334 bytes"),
            (settings("a.pdn", 96334, 2), "other weights"),
        ] {
            let error = refused(&file, &other);
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_setting_that_only_one_side_has_is_another_setting() {
        let (_folder, file) = file();
        let path = format!("{file}.journal");
        let (with, without) = (json!({"nodes": 5, "param": "a=1"}), json!({"nodes": 5}));
        for (first, second) in [(&with, &without), (&without, &with)] {
            drop(open(&file, first).expect("new"));
            let error = refused(&file, second);
            assert!(error.contains("another --param"), "{error}");
            fs::remove_file(&path).expect("removed");
        }
    }

    #[test]
    fn other_files_and_other_settings_are_refused() {
        let (_folder, file) = file();
        let path = format!("{file}.journal");
        for foreign in [
            "notes\nmore\n",
            "notes",
            "42",
            "12345678 {\"a\"",
            "00000000 {}\n",
        ] {
            fs::write(&path, foreign).expect("written");
            let error = refused(&file, &json!({}));
            assert!(error.contains("is no journal of this command"), "{error}");
            assert_eq!(fs::read(&path).expect("bytes"), foreign.as_bytes());
        }
        fs::remove_file(&path).expect("removed");
        let journal = open(&file, &json!({"nodes": 5})).expect("new");
        let error = refused(&file, &json!({"nodes": 5}));
        assert!(error.contains("in use by another process"), "{error}");
        drop(journal);
        let error = refused(&file, &json!({"nodes": 6}));
        assert!(error.contains("another --nodes (5, now 6)"), "{error}");
    }
}
