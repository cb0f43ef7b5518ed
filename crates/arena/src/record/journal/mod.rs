//! The journal: the games played so far, from which a match continues after any interruption.
//!
//! A [`damier_os::journal`]. The first line holds the settings of the match, each other line a game, in the order in
//! which games ended. If a line was cut off, that game is played again.

use super::game_line::{GameLine, GameNumber};
use super::{GameId, GameRecord, RecordError};
use crate::schedule::{GamePair, Schedule};
use damier_os::journal::{self, Form, Header, HeaderError, LineSpan, OpenError};
use damier_rules::Position;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
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

fn header(settings: &Value) -> Header<'_> {
    Header {
        kind: "damier-match",
        version: VERSION,
        settings,
        first: &[],
        later: &[],
    }
}

/// An open journal. The file is locked against other matches.
#[derive(Debug)]
pub struct MatchJournal {
    path: PathBuf,
    log: journal::Journal,
    games: BTreeMap<GameId, LineSpan>,
    /// Whether the file was empty or absent before it was opened.
    is_new: bool,
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
        let io = RecordError::io(path);
        let fail = |error| not_opened(path, error);
        let mut log = journal::Journal::open(path, Form::SumFirst).map_err(fail)?;
        let is_new = log.is_empty();
        if existing == ExistingFiles::Refuse && !is_without_games(&mut log).map_err(&io)? {
            return Err(RecordError::Exists(path.to_owned()));
        }
        if existing != ExistingFiles::Resume {
            log.clear().map_err(&io)?;
        }
        let mut games = BTreeMap::new();
        log.resume(&header(settings), fail, |line| {
            if line.is_sound() {
                let head: Option<GameNumber> = line.parse();
                let head = head.ok_or_else(|| RecordError::NoGame {
                    path: path.to_owned(),
                    line: line.number,
                })?;
                games.insert(head.game, line.span);
            }
            Ok(())
        })?;
        Ok(MatchJournal {
            path: path.to_owned(),
            is_new,
            log,
            games,
        })
    }

    /// The numbers of its games that have not been taken.
    pub fn games(&self) -> impl Iterator<Item = GameId> + '_ {
        self.games.keys().copied()
    }

    /// Whether lines before the last sound one could not be read; their games are played again.
    pub fn is_damaged(&self) -> bool {
        self.log.is_damaged()
    }

    /// Removes the file if this match created it; for a match that cannot begin.
    pub fn discard_if_new(self) {
        if self.is_new {
            // If this fails, what remains is a journal without games, which no later match objects to.
            let _ = self.log.remove();
        }
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

/// The games of the match with these settings in the order of the schedule, without the lock: the match may be going
/// on.
///
/// # Errors
/// The file cannot be read, belongs to another match, or holds a game that the schedule has not.
pub fn games(
    path: &Path,
    settings: &Value,
    schedule: &Schedule,
) -> Result<Vec<(GamePair, GameRecord)>, RecordError> {
    let fail = RecordError::io(path);
    let file = File::open(path).map_err(&fail)?;
    let mut games = BTreeMap::new();
    journal::read(&file, Form::SumFirst, &fail, |line| {
        if line.number == 1 {
            let checked = header(settings).check(&line);
            return checked.map_err(|error| not_opened(path, OpenError::Header(error)));
        }
        if !line.is_sound() {
            return Ok(());
        }
        let other = || RecordError::NoGame {
            path: path.to_owned(),
            line: line.number,
        };
        let head: GameNumber = line.parse().ok_or_else(other)?;
        let pair = schedule.pair(head.game.pair()).ok_or_else(other)?;
        let game: Option<GameLine> = line.parse();
        let game = game.and_then(|game| game.game(&pair.opening.position()));
        games.insert(head.game, (pair, game.ok_or_else(other)?));
        Ok(())
    })?;
    Ok(games.into_values().collect())
}

fn not_opened(path: &Path, error: OpenError) -> RecordError {
    let path = path.to_owned();
    match error {
        OpenError::Io(error) => RecordError::Io { path, error },
        OpenError::Busy => RecordError::Busy(path),
        OpenError::Header(HeaderError::Foreign) => RecordError::NotAJournal(path),
        OpenError::Header(HeaderError::OtherVersion(there)) => RecordError::OtherVersion {
            path,
            there,
            here: VERSION,
        },
        OpenError::Header(HeaderError::OtherSetting { name, there, here }) => {
            RecordError::OtherMatch {
                path,
                setting: name,
                there: setting_text(&there),
                here: setting_text(&here),
            }
        }
    }
}

/// A setting, formatted for a message.
fn setting_text(value: &Value) -> String {
    match value {
        Value::Null => "not given".to_owned(),
        value => value.to_string(),
    }
}

/// Whether a file is empty, or a journal without games (left by a match whose engines could not be started).
fn is_without_games(log: &mut journal::Journal) -> io::Result<bool> {
    // No error: a line that is no header.
    let read = log.read(Some, |line| {
        let is_header = line.number == 1 && header(&Value::Null).version_of(&line).is_some();
        is_header.then_some(()).ok_or(None)
    });
    match read {
        Ok(()) => Ok(true),
        Err(None) => Ok(false),
        Err(Some(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests;
