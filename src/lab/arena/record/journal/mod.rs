//! What has been played, so that a match goes on after any end.
//!
//! A text file of lines: the CRC-32 of what follows in eight hexadecimal digits, a space, and an object of JSON. The first
//! line holds the settings of the match, every other a game, in the order in which they ended. A line is written in one
//! piece when a game is over. What a sudden end leaves of a line has no fitting sum, and that game is played again.

use crate::lab::arena::record::game_json;
use crate::lab::arena::record::{GameId, GameRecord};
use crate::os::files;
use crate::rules::Position;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The version of the file.
const VERSION: u64 = 1;
/// What the machine may lose when the power fails.
const SYNC: Duration = Duration::from_secs(1);
/// Longer than the line of any game, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// Why there is no journal.
#[derive(Debug)]
pub enum RecordError {
    /// The system says so.
    Io(PathBuf, io::Error),
    /// There is one already, and the match is not to go on with it.
    Exists(PathBuf),
    /// A file of games that the journal knows nothing of.
    Unknown(PathBuf),
    /// A file of games that are not those of the journal.
    OtherGames(PathBuf),
    /// Another match is writing it.
    Busy(PathBuf),
    /// It is no journal.
    Foreign(PathBuf),
    /// It is of a match with other settings: which, there, and here.
    OtherMatch(PathBuf, String, String, String),
    /// A game in it is none of this match.
    Game(PathBuf, u64),
    /// It has games beyond the last one of this match: so many each pairing has to have at least.
    Longer(PathBuf, u64),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            RecordError::Exists(path) => write!(
                f,
                "{} exists: --resume goes on with that match, --force begins anew",
                path.display()
            ),
            RecordError::Unknown(path) => write!(
                f,
                "{} holds games, and the journal none to go on with; --force writes over it",
                path.display()
            ),
            RecordError::OtherGames(path) => write!(
                f,
                "{} holds other games than the journal: move it away, and --resume writes those of the journal there",
                path.display()
            ),
            RecordError::Busy(path) => {
                write!(
                    f,
                    "{}: another match is being played with it",
                    path.display()
                )
            }
            RecordError::Foreign(path) => {
                write!(f, "{} is no journal of a match", path.display())
            }
            RecordError::OtherMatch(path, key, there, here) => write!(
                f,
                "{} is of another match: {key} is {there} there and {here} here",
                path.display()
            ),
            RecordError::Game(path, number) => write!(
                f,
                "{}: game {number} does not fit the match; begin anew with --force",
                path.display()
            ),
            RecordError::Longer(path, games) => write!(
                f,
                "{} is of a longer match: with --resume --games is {games} or more",
                path.display()
            ),
        }
    }
}

impl std::error::Error for RecordError {}

/// A place in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LineSpan {
    offset: u64,
    length: u64,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    games: BTreeMap<GameId, LineSpan>,
    end: u64,
    synced: Instant,
    /// Whether games were found in it that could not be read.
    damaged: bool,
}

/// What a journal is to do with one that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExistingFiles {
    /// Leave it alone.
    Refuse,
    /// Go on with it.
    Resume,
    /// Write over it.
    Replace,
}

impl Journal {
    /// Opens or makes a journal for a match with these settings, an object.
    ///
    /// # Errors
    /// It cannot be, or must not be used for this match.
    pub fn open(
        path: &Path,
        settings: &Value,
        existing: ExistingFiles,
    ) -> Result<Journal, RecordError> {
        let fail = |error| RecordError::Io(path.to_owned(), error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let opened = files::open_locked(path, &mut options).map_err(fail)?;
        let file = opened.ok_or_else(|| RecordError::Busy(path.to_owned()))?;
        if existing == ExistingFiles::Refuse && !is_without_games(&file).map_err(fail)? {
            return Err(RecordError::Exists(path.to_owned()));
        }
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            games: BTreeMap::new(),
            end: 0,
            synced: Instant::now(),
            damaged: false,
        };
        if existing == ExistingFiles::Resume {
            journal.read(settings)?;
        }
        journal.file.set_len(journal.end).map_err(fail)?;
        if journal.end == 0 {
            let header = json!({"damier-match": VERSION, "settings": settings});
            journal.append_line(&header).map_err(fail)?;
            journal.sync().map_err(fail)?;
        }
        Ok(journal)
    }

    /// The games in it that were not taken.
    pub fn games(&self) -> impl Iterator<Item = GameId> + '_ {
        self.games.keys().copied()
    }

    /// Whether lines in the middle could not be read; their games are played again.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Reads all lines that are whole, and finds where the next is to be written.
    fn read(&mut self, settings: &Value) -> Result<(), RecordError> {
        let path = self.path.clone();
        let fail = |error| RecordError::Io(path.clone(), error);
        let mut reader = BufReader::new(self.file.try_clone().map_err(fail)?);
        let mut line = Vec::new();
        let (mut offset, mut number, mut bad) = (0, 0u64, false);
        loop {
            line.clear();
            let mut limited = (&mut reader).take(MAX_LINE);
            let length = limited.read_until(b'\n', &mut line).map_err(fail)? as u64;
            if length == 0 {
                break;
            }
            let object = checked(&line);
            let is_good = object.is_some();
            match (number, object) {
                // Killed while it wrote the first line: nothing was played.
                (0, None) if is_torn_header(&line) => return Ok(()),
                (0, object) => self.check_header(object.as_ref(), settings)?,
                (_, None) => bad = true,
                (_, Some(object)) => {
                    let id = game_json::id(&object);
                    let id = id.ok_or_else(|| RecordError::Game(path.clone(), number))?;
                    self.games.insert(id, LineSpan { offset, length });
                    self.damaged |= bad;
                }
            }
            offset += length;
            number += 1;
            if is_good {
                self.end = offset;
            }
        }
        Ok(())
    }

    fn check_header(&self, object: Option<&Value>, settings: &Value) -> Result<(), RecordError> {
        let header = object
            .filter(|header| header["damier-match"].as_u64() == Some(VERSION))
            .ok_or_else(|| RecordError::Foreign(self.path.clone()))?;
        let there = header["settings"].as_object();
        let here = settings.as_object();
        // What one of them does not name is off there.
        let keys: BTreeSet<&String> = there
            .iter()
            .chain(&here)
            .flat_map(|all| all.keys())
            .collect();
        for key in keys {
            let [old, new] = [there, here].map(|settings| settings.and_then(|all| all.get(key)));
            let is_off = |value: Option<&Value>| {
                matches!(value, None | Some(Value::Null | Value::Bool(false)))
            };
            if old != new && !(is_off(old) && is_off(new)) {
                let [old, new] = [old, new].map(setting_text);
                let path = self.path.clone();
                return Err(RecordError::OtherMatch(path, key.clone(), old, new));
            }
        }
        Ok(())
    }

    /// Reads a game that began with `start`, and forgets where it is: an index of all games would grow with the match. None
    /// when it is not there.
    ///
    /// # Errors
    /// The file cannot be read, or the game is not one from this start.
    pub fn take(
        &mut self,
        id: GameId,
        start: &Position,
    ) -> Result<Option<GameRecord>, RecordError> {
        let game = self.look_at(id, start)?;
        self.games.remove(&id);
        Ok(game)
    }

    /// As [`Journal::take`], and the game can be had again.
    ///
    /// # Errors
    /// As [`Journal::take`].
    pub fn look_at(
        &mut self,
        id: GameId,
        start: &Position,
    ) -> Result<Option<GameRecord>, RecordError> {
        let Some(place) = self.games.get(&id) else {
            return Ok(None);
        };
        let fail = |error| RecordError::Io(self.path.clone(), error);
        let mut line = vec![0; place.length as usize];
        self.file
            .seek(SeekFrom::Start(place.offset))
            .and_then(|_| self.file.read_exact(&mut line))
            .map_err(fail)?;
        let game = checked(&line).and_then(|object| game_json::from_json(&object, start));
        game.map(Some)
            .ok_or_else(|| RecordError::Game(self.path.clone(), id.number()))
    }

    /// Writes a game down.
    ///
    /// # Errors
    /// The disk is full, or gone.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        let offset = self.end;
        let result = self.append_line(&game_json::to_json(game)).and_then(|()| {
            if self.synced.elapsed() < SYNC {
                return Ok(());
            }
            self.sync()
        });
        result.map_err(|error| RecordError::Io(self.path.clone(), error))?;
        let length = self.end - offset;
        self.games.insert(game.id, LineSpan { offset, length });
        Ok(())
    }

    /// Has the system bring everything to the disk.
    ///
    /// # Errors
    /// It cannot.
    pub fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }

    fn append_line(&mut self, object: &Value) -> io::Result<()> {
        let text = object.to_string();
        let sum = crc32fast::hash(text.as_bytes());
        let line = format!("{sum:08x} {text}\n");
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // What is there of the line is no use; a full disk gives it back.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// A setting for people.
fn setting_text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => "not given".to_owned(),
        Some(Value::String(text)) => format!("{text:?}"),
        Some(value) => value.to_string(),
    }
}

/// Whether a file is empty, or a journal in which no game stands: that of a match whose engines could not be started.
fn is_without_games(file: &File) -> io::Result<bool> {
    let mut line = Vec::new();
    let mut limited = BufReader::new(file.try_clone()?).take(MAX_LINE);
    let length = limited.read_until(b'\n', &mut line)? as u64;
    let is_header = checked(&line).is_some_and(|object| !object["damier-match"].is_null());
    Ok(length == 0 || is_header && file.metadata()?.len() == length)
}

/// Whether this is the beginning of a first line.
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

/// The object of a line whose sum fits.
fn checked(line: &[u8]) -> Option<Value> {
    let line = line.strip_suffix(b"\n")?;
    let (sum, text) = line.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum.strip_suffix(b" ")?).ok()?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    if crc32fast::hash(text) != sum {
        return None;
    }
    serde_json::from_slice(text).ok()
}

#[cfg(test)]
mod tests;
