//! The bytes of a file of games. All numbers are little-endian.
//!
//! ```text
//! header  magic "DamierGR", version u16, length of the text u32, text, CRC-32 of all this
//!         the text: lines "name value", how the games were made; the last is "shard I/N"
//! block   magic "DGB1", length of the games in bytes u32, index of the first game u64, of the last u64, games u32,
//!         CRC-32 of the games, CRC-32 of this head
//!         games: see `record`
//! block   ...
//! ```
//!
//! A block holds [`GAMES_IN_BLOCK`](super::GAMES_IN_BLOCK) games in the order of their indices, the last one of a file
//! the rest. Nothing in a file depends on when, where, or by how many threads it was written.

use super::{DatasetError, Recipe};
use damier_os::shard::Shard;
use std::io::Read;
use std::path::Path;

/// First bytes of a file.
pub const MAGIC: &[u8; 8] = b"DamierGR";
/// The version written and read.
pub const VERSION: u16 = 1;
/// First bytes of a block.
pub const BLOCK_MAGIC: &[u8; 4] = b"DGB1";
/// Bytes of a block before its games.
pub const BLOCK_HEAD: usize = 36;
/// A block is never larger, so that a damaged length asks for no more memory.
pub const LARGEST_BLOCK: u32 = 1 << 24;
/// Longest text of a header.
const LARGEST_TEXT: u32 = 1 << 16;

/// What all games of a file have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// How the games were made.
    pub recipe: Recipe,
    /// Which share of the run it holds.
    pub shard: Shard,
}

impl Header {
    /// The bytes of the header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let lines = self.recipe.iter();
        let mut text: String = lines
            .map(|(name, value)| format!("{name} {value}\n"))
            .collect();
        text.push_str(&format!("shard {}\n", self.shard));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header from the start of `source`; `file` is its name for errors. Also its length in bytes.
    ///
    /// # Errors
    /// The source cannot be read, is no file of games or of another version, or its header is damaged.
    pub fn read(file: &Path, source: &mut impl Read) -> Result<(Header, u64), DatasetError> {
        let damaged = || DatasetError::Header {
            file: file.display().to_string(),
        };
        let mut fixed = [0; 14];
        let foreign = || DatasetError::Foreign {
            file: file.display().to_string(),
        };
        let read = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => None,
            _ => Some(DatasetError::io(file, error)),
        };
        source
            .read_exact(&mut fixed)
            .map_err(|error| read(error).unwrap_or_else(foreign))?;
        if &fixed[..8] != MAGIC {
            return Err(foreign());
        }
        let version = u16_at(&fixed, 8);
        if version != VERSION {
            return Err(DatasetError::Version {
                file: file.display().to_string(),
                version,
                known: VERSION,
            });
        }
        let length = u32_at(&fixed, 10);
        if length > LARGEST_TEXT {
            return Err(damaged());
        }
        let mut rest = vec![0; length as usize + 4];
        source
            .read_exact(&mut rest)
            .map_err(|error| read(error).unwrap_or_else(damaged))?;
        let (text, crc) = rest.split_at(length as usize);
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&fixed);
        hasher.update(text);
        if hasher.finalize() != u32_at(crc, 0) {
            return Err(damaged());
        }
        let header = std::str::from_utf8(text).ok().and_then(Header::parse);
        Ok((
            header.ok_or_else(damaged)?,
            (fixed.len() + rest.len()) as u64,
        ))
    }

    fn parse(text: &str) -> Option<Header> {
        let split = |line: &str| {
            let (name, value) = line.split_once(' ')?;
            Some((name.to_owned(), value.to_owned()))
        };
        let mut lines: Vec<_> = text.lines().map(split).collect::<Option<_>>()?;
        let (name, shard) = lines.pop()?;
        (name == "shard").then_some(())?;
        Some(Header {
            recipe: lines.into_iter().collect(),
            shard: shard.parse().ok()?,
        })
    }
}

/// The head of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockHead {
    /// Bytes of the games.
    pub length: u32,
    /// Index of the first game.
    pub first: u64,
    /// Index of the last game.
    pub last: u64,
    /// Number of games.
    pub games: u32,
    /// Checksum of the games' bytes.
    pub crc: u32,
}

impl BlockHead {
    /// The bytes of the head.
    pub fn to_bytes(&self) -> [u8; BLOCK_HEAD] {
        let mut bytes = [0; BLOCK_HEAD];
        bytes[..4].copy_from_slice(BLOCK_MAGIC);
        bytes[4..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.first.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.last.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.games.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..32]);
        bytes[32..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Reads a head. None where the bytes are no sound head.
    pub fn from_bytes(bytes: &[u8; BLOCK_HEAD]) -> Option<BlockHead> {
        let sound =
            &bytes[..4] == BLOCK_MAGIC && crc32fast::hash(&bytes[..32]) == u32_at(bytes, 32);
        let head = BlockHead {
            length: u32_at(bytes, 4),
            first: u64_at(bytes, 8),
            last: u64_at(bytes, 16),
            games: u32_at(bytes, 24),
            crc: u32_at(bytes, 28),
        };
        let sensible = head.length <= LARGEST_BLOCK && head.first <= head.last && head.games > 0;
        (sound && sensible).then_some(head)
    }

    /// Bytes of the block, head included.
    pub fn size(&self) -> u64 {
        BLOCK_HEAD as u64 + u64::from(self.length)
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..]
        .first_chunk()
        .copied()
        .unwrap_or_else(|| unreachable!("checked by the caller"))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(bytes, at))
}

/// Appends a number in groups of 7 bits, the lowest first, the top bit of a byte set where another follows.
pub(in crate::dataset) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes such a number off the front. None where it is cut off or has more than 63 bits.
#[inline(always)]
pub(in crate::dataset) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let mut number = u64::from(first & 0x7F);
    for shift in (7..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Signed to unsigned (zigzag): numbers near 0 become small.
pub(in crate::dataset) fn fold(number: i32) -> u64 {
    u64::from(((number << 1) ^ (number >> 31)) as u32)
}

/// The inverse of [`fold`].
#[inline(always)]
pub(in crate::dataset) fn unfold(number: u64) -> i32 {
    let number = number as u32;
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), 1 << 62];
        numbers.iter().for_each(|&n| put_number(&mut bytes, n));
        let mut rest = bytes.as_slice();
        for number in numbers {
            assert_eq!(take_number(&mut rest), Some(number));
        }
        assert_eq!(take_number(&mut rest), None);
        assert_eq!(take_number(&mut &[0xFF; 12][..]), None);
        for number in -70_000..70_000 {
            assert_eq!(unfold(fold(number)), number);
        }
    }

    #[test]
    fn headers_round_trip_and_damage_is_seen() {
        let header = Header {
            recipe: [("seed", "7".to_owned()), ("level", "a b".to_owned())]
                .into_iter()
                .collect(),
            shard: Shard::new(2, 3).unwrap(),
        };
        let bytes = header.to_bytes();
        let (read, length) = Header::read(Path::new("f"), &mut bytes.as_slice()).unwrap();
        assert_eq!((&read, length), (&header, bytes.len() as u64));
        for at in 0..bytes.len() {
            assert!(Header::read(Path::new("f"), &mut &bytes[..at]).is_err());
            let mut wrong = bytes.clone();
            wrong[at] ^= 4;
            assert!(
                Header::read(Path::new("f"), &mut wrong.as_slice()).is_err(),
                "{at}"
            );
        }
    }
}
