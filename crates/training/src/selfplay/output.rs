//! The file of games: a new one, or one to continue.

use super::SelfplayError;
use crate::dataset::{
    BlockRef, Damage, DatasetError, GAMES_IN_BLOCK, GameRecord, Header, Order, Reader, Writer, scan,
};
use damier_os::files;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file of games open for writing, locked against other writers.
#[derive(Debug)]
pub(super) struct GameFile {
    name: PathBuf,
    writer: Writer<File>,
    /// When games of an incomplete block were last written.
    saved: Instant,
    /// Number of games that were already in the file.
    pub found: u64,
}

/// A kill loses at most the games of this period.
const SAVED_EVERY: Duration = Duration::from_secs(2);

impl GameFile {
    /// Opens or creates `name`. The games of an existing file must be the first ones of this run, whether fewer or more
    /// than `games`; an incomplete last block is truncated. The file is not changed if it does not fit or has enough
    /// games.
    ///
    /// # Errors
    /// The file cannot be written, has other settings, is damaged before its end, or another process is writing to it.
    pub fn open(name: &Path, header: &Header, games: u64) -> Result<GameFile, SelfplayError> {
        let io = |error| DatasetError::io(name, error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let opened = files::open_locked(name, &mut options).map_err(io)?;
        let mut file = opened.ok_or_else(|| SelfplayError::Busy {
            file: name.display().to_string(),
        })?;
        let bytes = header.to_bytes();
        if is_beginning(&mut file, &bytes).map_err(io)? {
            file.set_len(0).map_err(io)?;
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            file.write_all(&bytes).map_err(io)?;
            return Ok(GameFile::new(name, file, 0));
        }
        resume(name, file, header, games)
    }

    fn new(name: &Path, file: File, found: u64) -> GameFile {
        GameFile {
            name: name.to_owned(),
            writer: Writer::new(file),
            saved: Instant::now(),
            found,
        }
    }

    /// Adds the next game.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), SelfplayError> {
        let written = self.writer.add(game);
        written.map_err(|error| self.error(error))?;
        if self.saved.elapsed() >= SAVED_EVERY {
            self.save()?;
        }
        Ok(())
    }

    /// Writes the games of the incomplete block.
    fn save(&mut self) -> Result<(), SelfplayError> {
        self.saved = Instant::now();
        self.writer.save().map_err(|error| self.error(error))
    }

    /// Writes the rest and syncs the file to disk.
    pub fn finish(&mut self) -> Result<(), SelfplayError> {
        let finished = self
            .writer
            .flush()
            .and_then(|()| self.writer.get_mut().sync_all());
        finished.map_err(|error| self.error(error))
    }

    fn error(&self, error: io::Error) -> SelfplayError {
        DatasetError::io(&self.name, error).into()
    }
}

/// Whether the file holds at most a part of a header: it is new, or its first write was interrupted.
fn is_beginning(file: &mut File, header: &[u8]) -> io::Result<bool> {
    if file.metadata()?.len() >= header.len() as u64 {
        return Ok(false);
    }
    let mut there = Vec::new();
    file.read_to_end(&mut there)?;
    Ok(header.starts_with(&there))
}

fn resume(
    name: &Path,
    mut file: File,
    header: &Header,
    games: u64,
) -> Result<GameFile, SelfplayError> {
    let io = |error| DatasetError::io(name, error);
    let size = file.metadata().map_err(io)?.len();
    let scan = scan(name, true)?;
    fits(name, &scan.header, header)?;
    let inside = |damage: &&Damage| damage.offset + damage.bytes != size;
    if let Some(damage) = scan.damages.iter().find(inside) {
        return Err(DatasetError::Damaged(damage.clone()).into());
    }
    // Only the last block may be incomplete.
    let complete = |block: &BlockRef| block.head.games == GAMES_IN_BLOCK;
    let (last, before) = match scan.blocks.split_last() {
        Some((last, before)) => (Some(last), before),
        None => (None, &[][..]),
    };
    let in_order = scan.first_games().filter(|_| before.iter().all(complete));
    let found = in_order.ok_or_else(|| SelfplayError::OtherRun {
        file: name.display().to_string(),
    })?;
    let mut end = last.map_or(scan.begin, |block| block.offset + block.head.size());
    if found >= games {
        return Ok(GameFile::new(name, file, found));
    }
    // An incomplete last block is filled up.
    let open = match last {
        Some(last) if !complete(last) => {
            let reader = Reader::open(&[name], Order::Stored)?;
            end = last.offset;
            let keep = found - u64::from(last.head.games);
            reader.games().skip(keep as usize).collect()
        }
        _ => Vec::new(),
    };
    file.set_len(end).map_err(io)?;
    file.seek(SeekFrom::Start(end)).map_err(io)?;
    let mut output = GameFile::new(name, file, found);
    open.iter().try_for_each(|game| output.add(game))?;
    output.save()?;
    Ok(output)
}

/// Whether the games of a file were made with the same settings.
fn fits(name: &Path, there: &Header, wanted: &Header) -> Result<(), SelfplayError> {
    let shards = || {
        let differ = there.shard != wanted.shard;
        differ.then(|| {
            let [here, wanted] = [there.shard, wanted.shard].map(|shard| shard.to_string());
            ("shard".to_owned(), wanted, here)
        })
    };
    match wanted.recipe.difference(&there.recipe).or_else(shards) {
        None => Ok(()),
        Some((name_of, wanted, here)) => Err(DatasetError::Mixed {
            file: name.display().to_string(),
            other: "what is asked for".to_owned(),
            name: name_of,
            there: wanted,
            here,
        }
        .into()),
    }
}
