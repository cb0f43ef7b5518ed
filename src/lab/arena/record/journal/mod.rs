//! The journal: the games played so far, from which a match continues after any interruption.
//!
//! A [`JsonLog`]. The first line holds the settings of the match, each other line a game, in the order in which games
//! ended. If a line was cut off, that game is played again.

use super::game_line::{GameLine, GameNumber};
use super::{GameId, GameRecord, RecordError};
use crate::os::json_log::{JsonLog, Line, LineSpan};
use crate::rules::Position;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// The version of the file.
const VERSION: u64 = 1;

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

/// An open journal. The file is locked against other matches.
#[derive(Debug)]
pub struct MatchJournal {
    path: PathBuf,
    log: JsonLog,
    games: BTreeMap<GameId, LineSpan>,
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
        let log = JsonLog::open(path).map_err(&fail)?;
        let mut log = log.ok_or_else(|| RecordError::Busy(path.to_owned()))?;
        if existing == ExistingFiles::Refuse && !is_without_games(&mut log).map_err(&fail)? {
            return Err(RecordError::Exists(path.to_owned()));
        }
        let mut journal = MatchJournal {
            path: path.to_owned(),
            is_new: log.file_length().map_err(&fail)? == 0,
            log,
            games: BTreeMap::new(),
            damaged: false,
        };
        if existing == ExistingFiles::Resume {
            journal.read(settings)?;
            journal.log.truncate().map_err(&fail)?;
        } else {
            journal.log.clear().map_err(&fail)?;
        }
        if journal.log.is_empty() {
            let header = JournalHeader {
                version: VERSION,
                settings: settings.clone(),
            };
            journal.log.append(&header).map_err(&fail)?;
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
            let _ = self.log.remove();
        }
    }

    /// Reads all complete lines.
    fn read(&mut self, settings: &Value) -> Result<(), RecordError> {
        let (mut number, mut bad) = (0, false);
        let MatchJournal {
            path,
            log,
            games,
            damaged,
            ..
        } = self;
        let read = log.read(|line| {
            match number {
                // Killed while writing the first line, before any game.
                0 if line.is_torn(&header_start()) => return Ok(()),
                0 => check_header(path, line, settings)?,
                _ if !line.is_sound() => bad = true,
                game => {
                    let number: Option<GameNumber> = line.parse();
                    let number = number.ok_or_else(|| RecordError::BadGame {
                        path: path.clone(),
                        game,
                    })?;
                    games.insert(number.game, line.span);
                    *damaged |= bad;
                }
            }
            number += 1;
            Ok(())
        });
        read.map_err(RecordError::io(path))?
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
        let line: Option<GameLine> = self.log.get(*span).map_err(RecordError::io(&self.path))?;
        let game = line.and_then(|line| line.game(start));
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
        let span = self
            .log
            .append(&GameLine::from(game))
            .map_err(RecordError::io(&self.path))?;
        self.games.insert(game.id, span);
        Ok(())
    }

    /// Syncs the file to disk.
    ///
    /// # Errors
    /// The system refuses.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.log.sync().map_err(RecordError::io(&self.path))
    }
}

fn check_header(path: &Path, line: Line<'_>, settings: &Value) -> Result<(), RecordError> {
    let header: Option<JournalHeader> = line.parse();
    let header = header
        .filter(|header| header.version == VERSION)
        .ok_or_else(|| RecordError::NotAJournal(path.to_owned()))?;
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
        let is_off =
            |value: Option<&Value>| matches!(value, None | Some(Value::Null | Value::Bool(false)));
        if old != new && !(is_off(old) && is_off(new)) {
            return Err(RecordError::OtherMatch {
                path: path.to_owned(),
                setting: name.clone(),
                there: setting_text(old),
                here: setting_text(new),
            });
        }
    }
    Ok(())
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
fn is_without_games(log: &mut JsonLog) -> io::Result<bool> {
    let read = log.read(|line| {
        let is_header = line.is_first() && line.parse::<JournalHeader>().is_some();
        is_header.then_some(()).ok_or(())
    });
    Ok(read?.is_ok())
}

/// How the JSON of the first line begins.
fn header_start() -> String {
    format!("{{\"damier-match\":{VERSION},")
}

#[cfg(test)]
mod tests;
