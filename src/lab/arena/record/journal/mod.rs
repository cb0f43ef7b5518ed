//! The journal: the games played so far, from which a match continues after any interruption.
//!
//! A text file. Each line is the CRC-32 of its rest as eight hexadecimal digits, a space, and a JSON object. The first
//! line holds the settings of the match, each other line a game, in the order in which games ended. A line is written
//! in one piece when a game is over. If a line was cut off, its checksum fails and that game is played again.

use super::game_line::{GameLine, GameNumber};
use super::{GameId, GameRecord, RecordError};
use crate::os::files;
use crate::rules::Position;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The version of the file.
const VERSION: u64 = 1;
/// At most this much play is lost if the power fails.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Upper limit on the length of a line, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// What to do with existing files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExistingFiles {
    /// Refuse to start.
    Refuse,
    /// Continue that match.
    Resume,
    /// Overwrite them.
    Replace,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct JournalHeader {
    #[serde(rename = "damier-match")]
    version: u64,
    #[serde(default)]
    settings: Value,
}

/// Position of a line in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LineSpan {
    offset: u64,
    length: u64,
}

/// An open journal. The file is locked against other matches.
#[derive(Debug)]
pub struct MatchJournal {
    path: PathBuf,
    file: File,
    games: BTreeMap<GameId, LineSpan>,
    end: u64,
    synced: Instant,
    /// Whether the file was empty or absent before it was opened.
    is_new: bool,
    /// Whether any line but the last could not be read.
    damaged: bool,
}

impl MatchJournal {
    /// Opens or creates the journal of a match with these settings (a JSON object).
    ///
    /// # Errors
    /// The file cannot be opened, or belongs to another match.
    pub fn open(
        path: &Path,
        settings: &Value,
        existing: ExistingFiles,
    ) -> Result<MatchJournal, RecordError> {
        let fail = RecordError::io(path);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = files::open_locked(path, &mut options).map_err(&fail)?;
        let file = file.ok_or_else(|| RecordError::Busy(path.to_owned()))?;
        if existing == ExistingFiles::Refuse && !is_without_games(&file).map_err(&fail)? {
            return Err(RecordError::Exists(path.to_owned()));
        }
        let mut journal = MatchJournal {
            path: path.to_owned(),
            is_new: file.metadata().map_err(&fail)?.len() == 0,
            file,
            games: BTreeMap::new(),
            end: 0,
            synced: Instant::now(),
            damaged: false,
        };
        if existing == ExistingFiles::Resume {
            journal.read(settings)?;
        }
        journal.file.set_len(journal.end).map_err(&fail)?;
        if journal.end == 0 {
            let header = JournalHeader {
                version: VERSION,
                settings: settings.clone(),
            };
            journal.append_line(&header)?;
            journal.sync()?;
        }
        Ok(journal)
    }

    /// The numbers of its games that have not been taken.
    pub fn games(&self) -> impl Iterator<Item = GameId> + '_ {
        self.games.keys().copied()
    }

    /// Whether any line but the last could not be read; their games are played again.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Removes the file if this match created it; for a match that cannot begin.
    pub fn discard_if_new(self) {
        if self.is_new {
            // If this fails, what remains is a journal without games, which no later match objects to.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Reads all complete lines and finds the position of the next.
    fn read(&mut self, settings: &Value) -> Result<(), RecordError> {
        let path = self.path.clone();
        let fail = RecordError::io(&path);
        let mut reader = BufReader::new(self.file.try_clone().map_err(&fail)?);
        let mut line = Vec::new();
        let (mut offset, mut number, mut bad) = (0, 0, false);
        loop {
            line.clear();
            let mut limited = (&mut reader).take(MAX_LINE);
            let length = limited.read_until(b'\n', &mut line).map_err(&fail)? as u64;
            if length == 0 {
                return Ok(());
            }
            let json = checked(&line);
            match (number, json) {
                // Killed while writing the first line, before any game.
                (0, None) if is_torn_header(&line) => return Ok(()),
                (0, json) => self.check_header(json, settings)?,
                (_, None) => bad = true,
                (game, Some(json)) => {
                    let bad_game = |_| RecordError::BadGame {
                        path: path.clone(),
                        game,
                    };
                    let line: GameNumber = serde_json::from_slice(json).map_err(bad_game)?;
                    self.games.insert(line.game, LineSpan { offset, length });
                    self.damaged |= bad;
                }
            }
            offset += length;
            number += 1;
            if json.is_some() {
                self.end = offset;
            }
        }
    }

    fn check_header(&self, json: Option<&[u8]>, settings: &Value) -> Result<(), RecordError> {
        let header = json
            .and_then(|json| serde_json::from_slice::<JournalHeader>(json).ok())
            .filter(|header| header.version == VERSION)
            .ok_or_else(|| RecordError::NotAJournal(self.path.clone()))?;
        let there = header.settings.as_object();
        let here = settings.as_object();
        // A setting missing on one side counts as off there.
        let names: BTreeSet<&String> = there
            .iter()
            .chain(&here)
            .flat_map(|all| all.keys())
            .collect();
        for name in names {
            let [old, new] = [there, here].map(|settings| settings.and_then(|all| all.get(name)));
            let is_off = |value: Option<&Value>| {
                matches!(value, None | Some(Value::Null | Value::Bool(false)))
            };
            if old != new && !(is_off(old) && is_off(new)) {
                return Err(RecordError::OtherMatch {
                    path: self.path.clone(),
                    setting: name.clone(),
                    there: setting_text(old),
                    here: setting_text(new),
                });
            }
        }
        Ok(())
    }

    /// Reads a game that began at `start` and forgets its position in the file: an index of all games would grow with
    /// the match. None if the game is not in the journal.
    ///
    /// # Errors
    /// The file cannot be read, or the game does not begin at `start`.
    pub fn take(
        &mut self,
        id: GameId,
        start: &Position,
    ) -> Result<Option<GameRecord>, RecordError> {
        let game = self.peek(id, start)?;
        self.games.remove(&id);
        Ok(game)
    }

    /// Like [`MatchJournal::take`], but the game can be read again.
    ///
    /// # Errors
    /// As [`MatchJournal::take`].
    pub fn peek(
        &mut self,
        id: GameId,
        start: &Position,
    ) -> Result<Option<GameRecord>, RecordError> {
        let Some(span) = self.games.get(&id) else {
            return Ok(None);
        };
        let mut line = vec![0; span.length as usize];
        self.file
            .seek(SeekFrom::Start(span.offset))
            .and_then(|_| self.file.read_exact(&mut line))
            .map_err(RecordError::io(&self.path))?;
        let game = parsed::<GameLine>(&line).and_then(|line| line.game(start));
        game.map(Some).ok_or_else(|| RecordError::BadGame {
            path: self.path.clone(),
            game: id.number(),
        })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The file cannot be written, for example because the disk is full.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        let offset = self.end;
        self.append_line(&GameLine::from(game))?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        let length = self.end - offset;
        self.games.insert(game.id, LineSpan { offset, length });
        Ok(())
    }

    /// Syncs the file to disk.
    ///
    /// # Errors
    /// The system refuses.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(RecordError::io(&self.path))
    }

    fn append_line(&mut self, object: &impl Serialize) -> Result<(), RecordError> {
        let fail = RecordError::io(&self.path);
        let text = serde_json::to_string(object).map_err(|error| fail(error.into()))?;
        let sum = crc32fast::hash(text.as_bytes());
        let line = format!("{sum:08x} {text}\n");
        self.file.seek(SeekFrom::Start(self.end)).map_err(&fail)?;
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // An incomplete line is useless; removing it frees space on a full disk.
            let _ = self.file.set_len(self.end);
            return Err(fail(error));
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// A setting, formatted for a message.
fn setting_text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => "not given".to_owned(),
        Some(Value::String(text)) => format!("{text:?}"),
        Some(value) => value.to_string(),
    }
}

/// Whether a file is empty, or a journal without games (left by a match whose engines could not be started).
fn is_without_games(file: &File) -> io::Result<bool> {
    let mut line = Vec::new();
    let mut limited = BufReader::new(file.try_clone()?).take(MAX_LINE);
    let length = limited.read_until(b'\n', &mut line)? as u64;
    Ok(length == 0 || parsed::<JournalHeader>(&line).is_some() && file.metadata()?.len() == length)
}

/// Whether this is the start of a valid first line.
fn is_torn_header(line: &[u8]) -> bool {
    let (sum, text) = line.split_at(line.len().min(9));
    let expected = format!("{{\"damier-match\":{VERSION},");
    let common = text.len().min(expected.len());
    let is_sum = |(at, byte): (usize, &u8)| match at {
        8 => *byte == b' ',
        _ => byte.is_ascii_hexdigit(),
    };
    !line.ends_with(b"\n")
        && sum.iter().enumerate().all(is_sum)
        && text[..common] == expected.as_bytes()[..common]
}

/// The JSON of a line with a valid checksum.
fn checked(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\n")?;
    let (sum, json) = line.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum.strip_suffix(b" ")?).ok()?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (crc32fast::hash(json) == sum).then_some(json)
}

fn parsed<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_slice(checked(line)?).ok()
}

#[cfg(test)]
mod tests;
