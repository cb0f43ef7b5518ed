//! A slice as bytes: in a file of its own, or one after another inside the program.
//!
//! ```text
//! 0   8  DAMIEREG
//! 8   1  version
//! 9   1  0 values, 1 distances
//! 10  4  own men, own kings, enemy men, enemy kings
//! 14  2  0
//! 16  24 wins, draws, losses over all legal placements
//! 40  12 plies of the longest win (4) and its slot (8); 0 and 0 without distances
//! 52  8  bytes of the packed codes
//! 60  4  CRC-32 of the packed codes
//! 64  4  CRC-32 of all before
//! 68     the packed codes
//! ```
//!
//! Numbers are little-endian. A file is written beside its place and renamed when all of it is on the disk.

use super::Slice;
use super::compress::Kind;
use crate::os::files::{self, ReplaceError};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"DAMIEREG";
const VERSION: u8 = 2;
const HEADER: usize = 68;

/// What is known of a slice beside its codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub slice: Slice,
    pub kind: Kind,
    /// Wins, draws and losses of the side to move.
    pub counts: [u64; 3],
    /// Plies of the longest win, and its slot.
    pub longest: (u32, u64),
}

/// Why a file of a slice cannot be had or written.
#[derive(Debug)]
pub enum StoreError {
    /// The system says no.
    Io(PathBuf, io::Error),
    /// The file is of another kind or version.
    Foreign(PathBuf),
    /// The file is not what was written.
    Damaged(PathBuf),
    /// Another process writes the file.
    Busy(PathBuf),
    /// There is no table of a slice, so that another cannot be checked.
    Missing {
        /// The slice that is not there.
        missing: Slice,
        /// The one to check.
        checked: Slice,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            StoreError::Foreign(path) => write!(
                f,
                "{}: not an endgame table of this version of Damier",
                path.display()
            ),
            StoreError::Damaged(path) => write!(
                f,
                "{}: damaged; delete it and build it again",
                path.display()
            ),
            StoreError::Busy(path) => {
                write!(f, "{}: another process writes it", path.display())
            }
            StoreError::Missing { missing, checked } => write!(
                f,
                "{checked} cannot be checked without the table of {missing}; build that first"
            ),
        }
    }
}

impl std::error::Error for StoreError {}

/// What is wrong with bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flaw {
    Foreign,
    Damaged,
}

impl Flaw {
    fn at(self, path: &Path) -> StoreError {
        let path = path.to_owned();
        match self {
            Flaw::Foreign => StoreError::Foreign(path),
            Flaw::Damaged => StoreError::Damaged(path),
        }
    }
}

/// The file of a slice in a folder.
pub(super) fn path(dir: &Path, slice: Slice) -> PathBuf {
    dir.join(format!("{slice}.dgt"))
}

/// A slice as bytes.
pub(super) fn encode(header: &Header, packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + packed.len());
    bytes.extend(MAGIC);
    bytes.push(VERSION);
    bytes.push(u8::from(header.kind == Kind::Distances));
    let slice = header.slice;
    bytes.extend([slice.men, slice.kings, slice.enemy_men, slice.enemy_kings]);
    bytes.extend([0, 0]);
    for count in header.counts {
        bytes.extend(count.to_le_bytes());
    }
    bytes.extend(header.longest.0.to_le_bytes());
    bytes.extend(header.longest.1.to_le_bytes());
    bytes.extend((packed.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(packed).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(packed);
    bytes
}

/// What a header says of the length of the packed codes, in bytes; 0 where there is no header.
fn packed_bytes(bytes: &[u8]) -> u64 {
    bytes
        .get(52..60)
        .and_then(|length| length.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

/// Reads the header of a file and compares its length, which takes no time: the codes are checked when they are unpacked.
pub(super) fn glance(path: &Path, slice: Slice) -> Result<(), StoreError> {
    let failed = |error| StoreError::Io(path.to_owned(), error);
    let mut file = files::open_regular(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut head = Vec::with_capacity(HEADER);
    let mut start = Read::by_ref(&mut file).take(HEADER as u64);
    start.read_to_end(&mut head).map_err(failed)?;
    let header = parse(&head).map_err(|flaw| flaw.at(path))?;
    match header.slice == slice && is_whole(&head, length) {
        true => Ok(()),
        false => Err(Flaw::Damaged.at(path)),
    }
}

/// Whether a file that begins with these bytes is as long as its header says: nothing lacks, nothing is behind the codes.
fn is_whole(head: &[u8], length: u64) -> bool {
    (HEADER as u64).checked_add(packed_bytes(head)) == Some(length)
}

/// The first slice of some bytes: header, packed codes, and the bytes after it. The codes are not checked.
pub(super) fn split(bytes: &[u8]) -> Result<(Header, &[u8], &[u8]), Flaw> {
    let header = parse(bytes)?;
    let length = usize::try_from(packed_bytes(bytes)).map_err(|_| Flaw::Damaged)?;
    let rest = bytes[HEADER..].split_at_checked(length);
    let (packed, rest) = rest.ok_or(Flaw::Damaged)?;
    Ok((header, packed, rest))
}

/// The header at the beginning of some bytes.
fn parse(bytes: &[u8]) -> Result<Header, Flaw> {
    if bytes.len() < 9 || !bytes.starts_with(MAGIC) || bytes[8] != VERSION {
        return Err(Flaw::Foreign);
    }
    let head = bytes.get(..HEADER).ok_or(Flaw::Damaged)?;
    let four = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let eight = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let slice = Slice {
        men: head[10],
        kings: head[11],
        enemy_men: head[12],
        enemy_kings: head[13],
    };
    let most = slice.men.max(slice.kings);
    let most = most.max(slice.enemy_men).max(slice.enemy_kings);
    if four(64) != crc32fast::hash(&head[..64]) || most > 6 || !slice.is_playable() {
        return Err(Flaw::Damaged);
    }
    Ok(Header {
        slice,
        kind: if head[9] == 0 {
            Kind::Values
        } else {
            Kind::Distances
        },
        counts: [eight(16), eight(24), eight(32)],
        longest: (four(40), eight(44)),
    })
}

/// Checks the packed codes of a slice at the beginning of some bytes.
pub(super) fn check(bytes: &[u8]) -> Result<(Header, &[u8]), Flaw> {
    let (header, packed, _) = split(bytes)?;
    let sum = u32::from_le_bytes(std::array::from_fn(|i| bytes[60 + i]));
    if crc32fast::hash(packed) == sum {
        Ok((header, packed))
    } else {
        Err(Flaw::Damaged)
    }
}

/// The header of a file. None where there is no file.
pub(super) fn header(dir: &Path, slice: Slice) -> Result<Option<Header>, StoreError> {
    let path = path(dir, slice);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::Io(path, error)),
    };
    sound(&path, slice, &bytes).map(|(header, _)| Some(header))
}

/// Header and packed codes of the bytes of a file.
pub(super) fn sound<'a>(
    path: &Path,
    slice: Slice,
    bytes: &'a [u8],
) -> Result<(Header, &'a [u8]), StoreError> {
    let (header, packed) = check(bytes).map_err(|flaw| flaw.at(path))?;
    match header.slice == slice && is_whole(bytes, bytes.len() as u64) {
        true => Ok((header, packed)),
        false => Err(Flaw::Damaged.at(path)),
    }
}

/// Writes the file of a slice: it is there as a whole or not at all.
pub(super) fn write(dir: &Path, header: &Header, packed: &[u8]) -> Result<(), StoreError> {
    let place = path(dir, header.slice);
    write_whole(&place, &encode(header, packed))
}

/// Whether files can be made in a folder, tried by making one.
pub(super) fn check_writable(dir: &Path) -> Result<(), StoreError> {
    let tried = tempfile::tempfile_in(dir);
    tried.map_or_else(
        |error| Err(StoreError::Io(dir.to_owned(), error)),
        |_| Ok(()),
    )
}

/// Writes a file as a whole or not at all.
pub(super) fn write_whole(place: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let owned = || place.to_owned();
    files::replace(place, MAGIC, bytes).map_err(|error| match error {
        ReplaceError::Io(error) => StoreError::Io(owned(), error),
        ReplaceError::Busy => StoreError::Busy(owned()),
        error => StoreError::Io(owned(), io::Error::other(error)),
    })
}
