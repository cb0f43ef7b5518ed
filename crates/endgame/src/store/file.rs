//! The byte format of a slice: in its own file, or one after another inside the program.
//!
//! ```text
//! 0   8  DAMIEREG
//! 8   1  version
//! 9   1  0 values, 1 distances
//! 10  4  own men, own kings, enemy men, enemy kings
//! 14  1  which kings run fastest in the slots: 0 those of the other side, 1 those of the side to move
//! 15  1  0
//! 16  24 wins, draws, losses over all legal placements
//! 40  12 plies of the longest win (4) and its slot (8); 0 and 0 without distances
//! 52  8  bytes of the packed codes
//! 60  4  CRC-32 of the packed codes before their data, which has checksums of its own
//! 64  4  CRC-32 of all before
//! 68     the packed codes, as in `pack`
//! ```
//!
//! Numbers are little-endian. A file is written under a temporary name and renamed once it is complete on disk.

use crate::Slice;
use crate::index::{Layout, Order};
use crate::pack::Blocks;
use crate::pack::Kind;
use damier_os::files::{self, AtomicFile, ReplaceError};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"DAMIEREG";
const VERSION: u8 = 3;
/// The version whose slices were packed whole.
pub(super) const OLD: u8 = 2;
pub(super) const HEADER: usize = 68;

/// The header of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableHeader {
    pub slice: Slice,
    pub kind: Kind,
    /// The order of the packed slots.
    pub order: Order,
    /// Wins, draws and losses for the side to move.
    pub counts: [u64; 3],
    /// Plies of the longest win, and its slot in memory.
    pub longest: (u32, u64),
}

/// Why a table cannot be used or written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The file or folder cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, Arc<io::Error>),
    /// The file is of another kind or version.
    #[error("{}: not an endgame table of this version of Damier", .0.display())]
    Foreign(PathBuf),
    /// The file was made by an earlier version, which packed slices whole.
    #[error(
        "{}: made by an earlier version; rewrite it: damier endgame convert {} NEW",
        .0.display(), folder(.0)
    )]
    Old(PathBuf),
    /// A checksum is wrong.
    #[error("{}: damaged; delete it and build it again", .0.display())]
    Damaged(PathBuf),
    /// The file has the name of another slice, or of another kind.
    #[error("{}: holds {there}, not {wanted}; rename it or delete it", file.display())]
    OtherTable {
        /// The file.
        file: PathBuf,
        /// What it holds.
        there: Contents,
        /// What its name says.
        wanted: Contents,
    },
    /// The checksum of this group of blocks is wrong.
    #[error(
        "{}: blocks {} to {} are damaged and not used; delete the file and build it again",
        .0.display(), .1 * 8, .1 * 8 + 7
    )]
    DamagedBlocks(PathBuf, usize),
    /// Another process is writing the file.
    #[error("{}: another process is writing it", .0.display())]
    Busy(PathBuf),
    /// The folder contains no endgame table.
    #[error("{}: no endgame table in this folder (such as 2k-1k.dgt)", .0.display())]
    Empty(PathBuf),
    /// A built-in table is damaged.
    #[error("the endgame table of {0} in the program is damaged: install it again")]
    Embedded(Slice),
    /// Not all built-in tables can be found.
    #[error("the endgame tables in the program are damaged: install it again")]
    EmbeddedCut,
    /// There is no table of the slice.
    #[error("there is no endgame table of {0}")]
    Absent(Slice),
    /// A table cannot be checked without one that it depends on.
    #[error("{checked} cannot be checked without the {missing}; build those first")]
    Missing {
        /// The table that is not there.
        missing: Contents,
        /// The slice to check.
        checked: Slice,
    },
}

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The slice.
    pub slice: Slice,
    /// Whether the table has distances.
    pub has_distances: bool,
}

impl Contents {
    pub(crate) fn new(slice: Slice, kind: Kind) -> Contents {
        let has_distances = kind == Kind::Distances;
        Contents {
            slice,
            has_distances,
        }
    }
}

/// `values of 4m-1k`.
impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.has_distances {
            "distances"
        } else {
            "values"
        };
        write!(f, "{kind} of {}", self.slice)
    }
}

/// The folder of a file, or the file itself if it stands in none.
fn folder(path: &Path) -> std::path::Display<'_> {
    path.parent().unwrap_or(path).display()
}

impl StoreError {
    pub(crate) fn io(path: &Path, error: io::Error) -> StoreError {
        StoreError::Io(path.to_owned(), Arc::new(error))
    }
}

/// Why bytes are not a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableFlaw {
    Foreign,
    Old,
    Damaged,
}

impl TableFlaw {
    pub fn at(self, path: &Path) -> StoreError {
        let path = path.to_owned();
        match self {
            TableFlaw::Foreign => StoreError::Foreign(path),
            TableFlaw::Old => StoreError::Old(path),
            TableFlaw::Damaged => StoreError::Damaged(path),
        }
    }
}

/// Slices of up to this many pieces have one file, with distances. Larger ones have one with values and, if it was
/// built, a second one with distances.
pub(crate) const DISTANCES: u8 = 4;

/// The kinds of tables that a slice may have, that of its first or only file first.
pub(crate) fn kinds(slice: Slice) -> &'static [Kind] {
    match slice.pieces() > DISTANCES {
        true => &[Kind::Values, Kind::Distances],
        false => &[Kind::Distances],
    }
}

/// The first or only file of a slice in a folder.
pub(crate) fn path(dir: &Path, slice: Slice) -> PathBuf {
    dir.join(format!("{slice}.dgt"))
}

/// Whether there is anything of this name, also what is no file.
pub(crate) fn is_there(path: &Path) -> bool {
    let there = fs::symlink_metadata(path).map_err(|error| error.kind());
    !matches!(there, Err(io::ErrorKind::NotFound))
}

/// The file of a slice of this kind.
pub(crate) fn path_of(dir: &Path, slice: Slice, kind: Kind) -> PathBuf {
    match kind == Kind::Distances && slice.pieces() > DISTANCES {
        true => dir.join(format!("{slice}.distances.dgt")),
        false => path(dir, slice),
    }
}

/// A slice as bytes.
pub(crate) fn encode(header: &TableHeader, packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + packed.len());
    bytes.extend(MAGIC);
    bytes.push(VERSION);
    bytes.push(u8::from(header.kind == Kind::Distances));
    let slice = header.slice;
    bytes.extend([slice.men, slice.kings, slice.enemy_men, slice.enemy_kings]);
    bytes.extend([u8::from(header.order == Order::OwnKings), 0]);
    for count in header.counts {
        bytes.extend(count.to_le_bytes());
    }
    bytes.extend(header.longest.0.to_le_bytes());
    bytes.extend(header.longest.1.to_le_bytes());
    bytes.extend((packed.len() as u64).to_le_bytes());
    let blocks = Blocks::new(packed, Layout::new(slice).slots as usize);
    let directory = blocks.map_or(0, |blocks| blocks.directory());
    bytes.extend(crc32fast::hash(&packed[..directory]).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(packed);
    bytes
}

/// Length of the packed codes in bytes, from the header; 0 without a header.
fn packed_bytes(bytes: &[u8]) -> u64 {
    bytes
        .get(52..60)
        .and_then(|length| length.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

/// Four bytes of a header as a number.
fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// A checksum of a slice including its codes, taken from a valid header alone.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    word(bytes, 64)
}

/// Reads the header of a file and compares the file's length with it, which is fast; the codes are checked when they
/// are read. Returns the checksum, and whether an earlier version made the file.
pub(crate) fn read_header(
    path: &Path,
    slice: Slice,
    kind: Kind,
) -> Result<(u32, bool), StoreError> {
    let wanted = Contents::new(slice, kind);
    let (is_old, opened) = match open(path, wanted, VERSION) {
        Err(StoreError::Old(_)) => (true, open(path, wanted, OLD)),
        opened => (false, opened),
    };
    Ok((checksum(&opened?.1), is_old))
}

/// Reads a file with a valid header and length; the codes are not checked.
pub(crate) fn read(path: &Path, slice: Slice, kind: Kind) -> Result<Vec<u8>, StoreError> {
    let (file, mut bytes) = open(path, Contents::new(slice, kind), VERSION)?;
    let rest = packed_bytes(&bytes);
    let read = file.take(rest).read_to_end(&mut bytes);
    read.map_err(|error| StoreError::io(path, error))?;
    Ok(bytes)
}

/// Opens a file and reads its header. The file's length must match the header and be plausible, and it must hold what
/// is wanted.
fn open(path: &Path, wanted: Contents, version: u8) -> Result<(File, Vec<u8>), StoreError> {
    let failed = |error| StoreError::io(path, error);
    let mut file = files::open_regular(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut head = Vec::with_capacity(HEADER);
    let mut start = Read::by_ref(&mut file).take(HEADER as u64);
    start.read_to_end(&mut head).map_err(failed)?;
    let header = parse(&head, version).map_err(|flaw| flaw.at(path))?;
    // Incompressible codes take little more than a byte each.
    let longest = 2 * Layout::new(header.slice).slots + 1024;
    let is_sane = packed_bytes(&head) <= longest;
    if !is_sane || !is_whole(&head, length) {
        return Err(TableFlaw::Damaged.at(path));
    }
    let there = Contents::new(header.slice, header.kind);
    match there == wanted {
        true => Ok((file, head)),
        false => Err(StoreError::OtherTable {
            file: path.to_owned(),
            there,
            wanted,
        }),
    }
}

/// Whether a file with this header has the length given there.
fn is_whole(head: &[u8], length: u64) -> bool {
    (HEADER as u64).checked_add(packed_bytes(head)) == Some(length)
}

/// The first slice in `bytes`: header, packed codes, and the bytes after it. The codes are not checked.
pub(crate) fn split(bytes: &[u8]) -> Result<(TableHeader, &[u8], &[u8]), TableFlaw> {
    split_version(bytes, VERSION)
}

/// The same of a version.
pub(super) fn split_version(
    bytes: &[u8],
    version: u8,
) -> Result<(TableHeader, &[u8], &[u8]), TableFlaw> {
    let header = parse(bytes, version)?;
    let length = usize::try_from(packed_bytes(bytes)).map_err(|_| TableFlaw::Damaged)?;
    let rest = bytes[HEADER..].split_at_checked(length);
    let (packed, rest) = rest.ok_or(TableFlaw::Damaged)?;
    Ok((header, packed, rest))
}

/// The header at the start of `bytes`.
fn parse(bytes: &[u8], version: u8) -> Result<TableHeader, TableFlaw> {
    if bytes.len() < 9 || !bytes.starts_with(MAGIC) || ![OLD, VERSION].contains(&bytes[8]) {
        return Err(TableFlaw::Foreign);
    }
    if bytes[8] != version {
        return Err(TableFlaw::Old);
    }
    let head = bytes.get(..HEADER).ok_or(TableFlaw::Damaged)?;
    let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let slice = Slice {
        men: head[10],
        kings: head[11],
        enemy_men: head[12],
        enemy_kings: head[13],
    };
    let most = slice.men.max(slice.kings);
    let most = most.max(slice.enemy_men).max(slice.enemy_kings);
    if word(head, 64) != crc32fast::hash(&head[..64]) || most > 6 || !slice.is_playable() {
        return Err(TableFlaw::Damaged);
    }
    Ok(TableHeader {
        slice,
        kind: match head[9] {
            0 => Kind::Values,
            _ => Kind::Distances,
        },
        order: match head[14] {
            0 => Order::EnemyKings,
            _ => Order::OwnKings,
        },
        counts: [long(16), long(24), long(32)],
        longest: (word(head, 40), long(44)),
    })
}

/// The checksum of the packed codes in a header.
pub(super) fn checksum_of_codes(bytes: &[u8]) -> u32 {
    word(bytes, 60)
}

/// Header and checked directory of the slice at the start of `bytes`.
pub(super) fn directory(bytes: &[u8]) -> Result<(TableHeader, Blocks), TableFlaw> {
    let (header, packed, _) = split(bytes)?;
    let blocks = Blocks::new(packed, Layout::new(header.slice).slots as usize);
    let is_sound = |blocks: &Blocks| {
        crc32fast::hash(&packed[..blocks.directory()]) == checksum_of_codes(bytes)
    };
    let blocks = blocks.filter(is_sound).ok_or(TableFlaw::Damaged)?;
    Ok((header, blocks))
}

/// Checks the packed codes of the slice at the start of `bytes`.
fn check(bytes: &[u8]) -> Result<(TableHeader, &[u8]), TableFlaw> {
    let (header, blocks) = directory(bytes)?;
    let (_, packed, _) = split(bytes)?;
    match (0..blocks.groups()).all(|group| blocks.is_sound(packed, group)) {
        true => Ok((header, packed)),
        false => Err(TableFlaw::Damaged),
    }
}

/// Header and packed codes of a file's bytes, checked.
pub(crate) fn checked<'a>(
    path: &Path,
    slice: Slice,
    bytes: &'a [u8],
) -> Result<(TableHeader, &'a [u8]), StoreError> {
    let (header, packed) = check(bytes).map_err(|flaw| flaw.at(path))?;
    match header.slice == slice && is_whole(bytes, bytes.len() as u64) {
        true => Ok((header, packed)),
        false => Err(TableFlaw::Damaged.at(path)),
    }
}

/// Whether a folder has the table of a slice of this kind.
///
/// # Errors
/// The file exists, but is not a complete table.
pub(crate) fn is_stored(dir: &Path, slice: Slice, kind: Kind) -> Result<bool, StoreError> {
    let path = path_of(dir, slice, kind);
    if !path.exists() {
        return Ok(false);
    }
    checked(&path, slice, &read(&path, slice, kind)?).map(|_| true)
}

/// Writes the file of a slice completely or not at all.
pub(crate) fn write(dir: &Path, header: &TableHeader, packed: &[u8]) -> Result<(), StoreError> {
    let place = path_of(dir, header.slice, header.kind);
    write_whole(&place, &encode(header, packed))
}

/// Claims the file of a slice for writing. None if another process writes it or has written it.
pub(crate) fn claim(
    dir: &Path,
    slice: Slice,
    kind: Kind,
) -> Result<Option<AtomicFile>, StoreError> {
    let place = path_of(dir, slice, kind);
    match AtomicFile::begin(&place, MAGIC, &[] as &[&Path]) {
        Ok(_) if place.is_file() => Ok(None),
        Ok(file) => Ok(Some(file)),
        Err(ReplaceError::Busy) => Ok(None),
        Err(error) => Err(refused(&place, error)),
    }
}

/// Writes the file of a slice that was claimed.
pub(crate) fn complete(
    claim: AtomicFile,
    dir: &Path,
    header: &TableHeader,
    packed: &[u8],
) -> Result<(), StoreError> {
    let place = path_of(dir, header.slice, header.kind);
    let written = claim.complete(&encode(header, packed));
    written.map_err(|error| StoreError::io(&place, error))
}

/// Checks that files can be created in a folder, by creating one.
pub(crate) fn check_writable(dir: &Path) -> Result<(), StoreError> {
    let created = tempfile::tempfile_in(dir);
    let file = created.map_err(|error| StoreError::io(dir, error))?;
    drop(file);
    Ok(())
}

/// Writes a file completely or not at all.
pub(crate) fn write_whole(place: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    files::replace(place, MAGIC, bytes).map_err(|error| refused(place, error))
}

fn refused(place: &Path, error: ReplaceError) -> StoreError {
    match error {
        ReplaceError::Io(error) => StoreError::io(place, error),
        ReplaceError::Busy => StoreError::Busy(place.to_owned()),
        error => StoreError::io(place, io::Error::other(error)),
    }
}
