//! The bytes of a book file. All numbers are little-endian.
//!
//! ```text
//! magic     "DamierBK"
//! version   u16, 1
//! header    length u32, JSON text ([`Header`])
//! index     number of blocks u32, length of the entries u32; for each block the key of its first entry, 6 bytes, and
//!           its offset among the entries, u32
//! entries   sorted by key, 64 in a block, the last block as many as there are left
//! checksum  CRC-32 of all before
//! ```
//!
//! An entry, as LEB128 numbers (seven bits a byte, lowest first, the high bit set on all but the last byte):
//!
//! ```text
//! key       more than the entry before; 0 for the first of a block
//! moves     2 n, or 2 n + 1 where games have been learned from
//! depth     of the search
//! score     of the first move, zigzag
//! n times:  number of the move (a byte), score less than the move before's (not for the first);
//!           where games have been learned from: games, points
//! ```
//!
//! Positions are identified by key ([`super::Code::key`]), moves by their number among the legal moves
//! ([`super::numbered_moves`]). Scores are hundredths of a man for the side to move, the best move stands first.

use super::Learned;
use serde::{Deserialize, Serialize};

/// First bytes of a file.
pub const MAGIC: &[u8; 8] = b"DamierBK";
/// The version written and read.
pub const VERSION: u16 = 1;
/// Entries in a block.
pub const IN_BLOCK: usize = 64;
/// Bytes of the index for a block.
pub const INDEX_ITEM: usize = 10;
/// Maximum number of moves in an entry.
pub const MOST_MOVES: usize = 255;

/// The header of a book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The program that made it.
    pub program: String,
    /// Positions in it.
    pub positions: u64,
    /// Nodes for the search of each.
    pub nodes: u64,
    /// Moves scored by the first search of each.
    pub lines: u32,
    /// Root positions, as Hub boards.
    pub roots: Vec<String>,
    /// Hundredths of a man that learning from games can move a score at most.
    #[serde(default)]
    pub learning_bound: u32,
}

/// A move of an entry as the file has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawMove {
    /// Number among the legal moves.
    pub number: u8,
    /// Hundredths of a man.
    pub score: i32,
    /// Results of games.
    pub learned: Learned,
}

/// An entry as the file has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawEntry {
    /// Key of the position.
    pub key: u64,
    /// Depth of its search, in plies.
    pub depth: u32,
    /// The moves, best first.
    pub moves: Vec<RawMove>,
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads numbers; None if the bytes end or are not a valid number.
pub(super) struct Numbers<'a>(pub &'a [u8]);

impl Numbers<'_> {
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// The next entry, whose key is counted from `before`.
    pub fn entry(&mut self, before: u64) -> Option<RawEntry> {
        let key = before.checked_add(self.number()?)?;
        let head = self.small()?;
        let (count, learned) = (head >> 1, head & 1 == 1);
        let depth = self.small()?;
        let zigzag = self.small()?;
        let mut score = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
        let count = usize::try_from(count)
            .ok()
            .filter(|count| *count <= MOST_MOVES)?;
        let mut moves = Vec::with_capacity(count);
        for index in 0..count {
            let number = self.byte()?;
            if index > 0 {
                score = score.checked_sub(self.small()?.try_into().ok()?)?;
            }
            let learned = match learned {
                true => Learned {
                    games: self.small()?,
                    points: self.small()?,
                },
                false => Learned::default(),
            };
            moves.push(RawMove {
                number,
                score,
                learned,
            });
        }
        Some(RawEntry { key, depth, moves })
    }
}

fn put_entry(out: &mut Vec<u8>, entry: &RawEntry, before: u64) {
    let learned = entry.moves.iter().any(|mv| mv.learned.games > 0);
    put(out, entry.key - before);
    put(out, (entry.moves.len() as u64) << 1 | u64::from(learned));
    put(out, u64::from(entry.depth));
    let mut score = entry.moves.first().map_or(0, |mv| mv.score);
    put(out, u64::from(((score << 1) ^ (score >> 31)) as u32));
    for (index, mv) in entry.moves.iter().enumerate() {
        out.push(mv.number);
        if index > 0 {
            put(out, u64::from((score - mv.score) as u32));
            score = mv.score;
        }
        if learned {
            put(out, u64::from(mv.learned.games));
            put(out, u64::from(mv.learned.points));
        }
    }
}

/// The bytes of a file with these entries, in any order. Moves are sorted, and of two entries with the same key the
/// first is kept; the header's number of positions is set.
pub fn encode(header: &Header, mut entries: Vec<RawEntry>) -> Vec<u8> {
    entries.sort_by_key(|entry| entry.key);
    entries.dedup_by_key(|entry| entry.key);
    let (mut index, mut data) = (Vec::new(), Vec::new());
    for block in entries.chunks_mut(IN_BLOCK) {
        index.extend_from_slice(&block[0].key.to_le_bytes()[..6]);
        index.extend_from_slice(&(data.len() as u32).to_le_bytes());
        let mut before = block[0].key;
        for entry in block {
            entry.moves.truncate(MOST_MOVES);
            entry.moves.sort_by_key(|mv| (-mv.score, mv.number));
            put_entry(&mut data, entry, before);
            before = entry.key;
        }
    }
    let header = Header {
        positions: entries.len() as u64,
        ..header.clone()
    };
    let text =
        serde_json::to_vec(&header).unwrap_or_else(|error| unreachable!("plain data: {error}"));
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(&text);
    out.extend_from_slice(&((index.len() / INDEX_ITEM) as u32).to_le_bytes());
    out.extend_from_slice(&(data.len() as u32).to_le_bytes());
    out.extend_from_slice(&index);
    out.extend_from_slice(&data);
    let checksum = crc32fast::hash(&out);
    out.extend_from_slice(&checksum.to_le_bytes());
    out
}
