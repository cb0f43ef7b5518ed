//! Writing of blocks.

use super::GameRecord;
use super::format::BlockHead;
use std::io::{self, Seek, Write};

/// Games in a block; the last block of a file may have fewer.
pub const GAMES_IN_BLOCK: u32 = 64;

/// Gathers games and writes them block by block. The caller has written the header.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    bytes: Vec<u8>,
    first: u64,
    last: u64,
    games: u32,
}

impl<W: Write> Writer<W> {
    /// A writer whose next game begins a block.
    pub fn new(out: W) -> Writer<W> {
        Writer {
            out,
            bytes: Vec::new(),
            first: 0,
            last: 0,
            games: 0,
        }
    }

    /// Adds a game, whose index must be above those before. Writes a block when it is full; true then.
    ///
    /// # Errors
    /// `out` fails.
    pub fn add(&mut self, game: &GameRecord) -> io::Result<bool> {
        if self.games == 0 {
            self.first = game.index;
            self.last = game.index;
        }
        debug_assert!(game.index >= self.last);
        game.put(&mut self.bytes, self.last);
        self.last = game.index;
        self.games += 1;
        if self.games == GAMES_IN_BLOCK {
            self.flush()?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Writes the games gathered as a block, if there are any: the last one of the file.
    ///
    /// # Errors
    /// `out` fails.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        // In one call, so that a kill leaves a whole block or the start of one.
        let block = self.block();
        self.bytes.clear();
        self.games = 0;
        self.out.write_all(&block)?;
        self.out.flush()
    }

    /// The games gathered, as a block.
    fn block(&self) -> Vec<u8> {
        let head = BlockHead {
            length: self.bytes.len() as u32,
            first: self.first,
            last: self.last,
            games: self.games,
            crc: crc32fast::hash(&self.bytes),
        };
        [&head.to_bytes()[..], &self.bytes].concat()
    }

    /// Writes the games gathered so far, so that a kill does not lose them. The block is overwritten when it has grown.
    ///
    /// # Errors
    /// `out` fails.
    pub fn save(&mut self) -> io::Result<()>
    where
        W: Seek,
    {
        if self.games == 0 {
            return Ok(());
        }
        let block = self.block();
        self.out.write_all(&block)?;
        self.out.seek_relative(-(block.len() as i64))
    }

    /// The destination of the games.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }
}
