//! The blocks of a file: where they are, and how reading goes on behind damaged ones.

use super::format::{BLOCK_HEAD, BLOCK_MAGIC, BlockHead, Header};
use super::{Damage, DatasetError};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes searched at once for the next block.
const CHUNK: usize = 1 << 16;

/// A block of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockRef {
    /// Where it begins.
    pub offset: u64,
    /// Head of the block.
    pub head: BlockHead,
}

impl BlockRef {
    /// Reads the games of the block into `games`, replacing what was there. False where their checksum differs.
    pub fn read(&self, file: &mut File, games: &mut Vec<u8>) -> io::Result<bool> {
        games.resize(self.head.length as usize, 0);
        file.seek(SeekFrom::Start(self.offset + BLOCK_HEAD as u64))?;
        file.read_exact(games)?;
        Ok(crc32fast::hash(games) == self.head.crc)
    }

    /// The damage to report where [`BlockRef::read`] gives false.
    pub fn damage(&self, file: &Path, what: &'static str) -> Damage {
        Damage {
            file: file.display().to_string(),
            offset: self.offset,
            bytes: self.head.size(),
            games: Some(u64::from(self.head.games)),
            at_end: false,
            what,
        }
    }
}

/// What [`scan`] finds.
#[derive(Debug)]
pub(crate) struct Scan {
    pub header: Header,
    /// Where the first block begins.
    pub begin: u64,
    pub blocks: Vec<BlockRef>,
    pub damages: Vec<Damage>,
}

impl Scan {
    /// The number of games, if they are the first ones of this shard of the run without a gap.
    pub fn first_games(&self) -> Option<u64> {
        let shard = self.header.shard;
        self.blocks.iter().try_fold(0, |found, block| {
            let next = found + u64::from(block.head.games);
            let ends = [shard.item(found), shard.item(next.checked_sub(1)?)];
            (ends == [block.head.first, block.head.last]).then_some(next)
        })
    }
}

/// Opens a file of games. A pipe is refused: opening it might never return.
///
/// # Errors
/// It cannot be opened, or is no regular file.
pub(in crate::dataset) fn open(name: &Path) -> Result<File, DatasetError> {
    let io = |error| DatasetError::io(name, error);
    if !fs::metadata(name).map_err(io)?.is_file() {
        return Err(io(io::Error::other("not a regular file")));
    }
    File::open(name).map_err(io)
}

/// Finds the blocks of a file by their heads. `thorough`: also reads their games, so that every block returned is
/// intact.
///
/// # Errors
/// The file cannot be read, or its header is damaged.
pub(crate) fn scan(name: &Path, thorough: bool) -> Result<Scan, DatasetError> {
    let io = |error| DatasetError::io(name, error);
    let mut file = open(name)?;
    let (header, begin) = Header::read(name, &mut BufReader::new(&mut file))?;
    let size = file.metadata().map_err(io)?.len();
    let mut scanner = Scanner {
        name,
        file,
        size,
        thorough,
        games: Vec::new(),
        blocks: Vec::new(),
        damages: Vec::new(),
    };
    scanner.run(begin, header.shard.count()).map_err(io)?;
    Ok(Scan {
        header,
        begin,
        blocks: scanner.blocks,
        damages: scanner.damages,
    })
}

struct Scanner<'a> {
    name: &'a Path,
    file: File,
    size: u64,
    thorough: bool,
    games: Vec<u8>,
    blocks: Vec<BlockRef>,
    damages: Vec<Damage>,
}

impl Scanner<'_> {
    fn run(&mut self, begin: u64, stride: u64) -> io::Result<()> {
        let mut at = begin;
        while at < self.size {
            if let Some(block) = self.block_at(at)? {
                at += block.head.size();
                if self.thorough && !block.read(&mut self.file, &mut self.games)? {
                    // The head's length leads to the next block, unless bytes are missing: then it is searched for.
                    let sound = at == self.size || self.block_at(at)?.is_some();
                    let damage = block.damage(self.name, "the checksum of the games differs");
                    if sound {
                        self.damages.push(damage);
                    } else {
                        at = self.resume_after(block.offset, stride)?;
                    }
                } else {
                    self.blocks.push(block);
                }
                continue;
            }
            // The head before may have led here wrongly: bytes of its games may be missing.
            let mut from = at;
            if let Some(&last) = self.blocks.last()
                && last.offset + last.head.size() == at
                && !last.read(&mut self.file, &mut self.games)?
            {
                self.blocks.pop();
                from = last.offset;
            }
            at = self.resume_after(from, stride)?;
        }
        Ok(())
    }

    /// The block at this offset, if its head is intact and it ends inside the file.
    fn block_at(&mut self, at: u64) -> io::Result<Option<BlockRef>> {
        if at + BLOCK_HEAD as u64 > self.size {
            return Ok(None);
        }
        let mut bytes = [0; BLOCK_HEAD];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        let block = BlockHead::from_bytes(&bytes).map(|head| BlockRef { offset: at, head });
        Ok(block.filter(|block| at + block.head.size() <= self.size))
    }

    /// Searches for the next block behind a damaged one at `from`, and notes the damage. Returns where to go on.
    fn resume_after(&mut self, from: u64, stride: u64) -> io::Result<u64> {
        let next = self.next_magic(from + 1)?;
        let games = match (next, self.blocks.last()) {
            // Games between the last one before and the first one after; too many where a merge had gaps.
            (Some(next), Some(last)) => {
                let missing = next.head.first.saturating_sub(last.head.last) / stride;
                Some(missing.saturating_sub(1))
            }
            (Some(next), None) => Some(next.head.first / stride),
            (None, _) => None,
        };
        let end = next.map_or(self.size, |next| next.offset);
        let what = match next {
            Some(_) => "no intact block",
            None => "no complete block up to the end, as after an interrupted write",
        };
        self.damages.push(Damage {
            file: self.name.display().to_string(),
            offset: from,
            bytes: end - from,
            games,
            at_end: next.is_none(),
            what,
        });
        Ok(end)
    }

    /// The first intact block that begins at `from` or later.
    fn next_magic(&mut self, mut from: u64) -> io::Result<Option<BlockRef>> {
        let mut chunk = vec![0; CHUNK];
        while from + BLOCK_HEAD as u64 <= self.size {
            let length = CHUNK.min((self.size - from) as usize);
            self.file.seek(SeekFrom::Start(from))?;
            self.file.read_exact(&mut chunk[..length])?;
            let magics = chunk[..length].windows(BLOCK_MAGIC.len()).enumerate();
            let found: Vec<u64> = magics
                .filter(|(_, bytes)| bytes == BLOCK_MAGIC)
                .map(|(at, _)| from + at as u64)
                .collect();
            for at in found {
                if let Some(block) = self.block_at(at)? {
                    return Ok(Some(block));
                }
            }
            // Chunks overlap, so that no magic is split.
            from += (length - (BLOCK_MAGIC.len() - 1)) as u64;
        }
        Ok(None)
    }
}
