//! A slice read where it lies.

use super::convert;
use super::file::{self, StoreError, TableHeader};
use crate::Slice;
use crate::index::Layout;
use crate::pack::Blocks;
use crate::pack::Kind;
use crate::verdict::{Value, Verdict};
use damier_os::{files, map};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// The bytes of a slice: header, directory and data.
pub(crate) enum Bytes {
    /// In the program.
    Inside(&'static [u8]),
    /// A file mapped into memory.
    Mapped(map::Map),
    /// For tests: as on a disk that takes this long for each read.
    Slow(&'static [u8], Duration),
}

impl Bytes {
    #[inline(always)]
    fn all(&self) -> &[u8] {
        match self {
            Bytes::Inside(bytes) | Bytes::Slow(bytes, _) => bytes,
            Bytes::Mapped(map) => map.as_slice(),
        }
    }

    /// Header and the rest. Takes as long as the disk.
    fn parts(&self) -> (&[u8], &[u8]) {
        if let Bytes::Slow(_, time) = self {
            thread::sleep(*time);
        }
        let all = self.all();
        all.split_at(all.len().min(file::HEADER))
    }

    /// Whether reading may mean waiting for a disk.
    pub fn is_on_disk(&self) -> bool {
        !matches!(self, Bytes::Inside(_))
    }
}

/// What is known of a group of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum State {
    /// Not read yet.
    New,
    /// Somebody was asked to read it.
    Asked,
    /// Read, and its checksum is right.
    Sound,
    /// Read, and its checksum is wrong.
    Damaged,
}

const STATES: [State; 4] = [State::New, State::Asked, State::Sound, State::Damaged];

/// A slice whose blocks are read when a position in them is asked for.
pub(crate) struct PackedTable {
    header: TableHeader,
    layout: Layout,
    codes: Codes,
    path: Option<PathBuf>,
}

#[expect(clippy::large_enum_variant, reason = "nearly all are of the large one")]
enum Codes {
    /// Blocks, and the [`State`] of each group of them.
    Packed(Bytes, Blocks, Box<[AtomicU8]>),
    /// All cells, of a file of an earlier version, which was packed whole, and the bytes of that file.
    Cells(Box<[u32]>, usize),
}

impl PackedTable {
    /// Maps the file of a slice and checks its directory.
    pub fn open(path: &Path, slice: Slice) -> Result<PackedTable, StoreError> {
        let failed = |error| StoreError::io(path, error);
        let file = files::open_regular(path).map_err(failed)?;
        let map = map::read_only(&file).map_err(failed)?;
        let table = PackedTable::new(Bytes::Mapped(map)).map_err(|flaw| flaw.at(path))?;
        match table.header.slice == slice {
            true => Ok(PackedTable {
                path: Some(path.to_owned()),
                ..table
            }),
            false => Err(file::TableFlaw::Damaged.at(path)),
        }
    }

    /// The slice in these bytes, whose directory is checked.
    pub fn new(bytes: Bytes) -> Result<PackedTable, file::TableFlaw> {
        let (header, blocks) = file::directory({
            bytes.parts();
            bytes.all()
        })?;
        let groups = (0..blocks.groups()).map(|_| AtomicU8::new(State::New as u8));
        Ok(PackedTable {
            header,
            layout: Layout::ordered(header.slice, header.order),
            codes: Codes::Packed(bytes, blocks, groups.collect()),
            path: None,
        })
    }

    /// Unpacks a file of an earlier version.
    pub fn unpack(path: &Path, slice: Slice) -> Result<PackedTable, StoreError> {
        let bytes = files::read_at_most(path, convert::LONGEST);
        let bytes = bytes.map_err(|error| StoreError::io(path, error))?;
        let (header, codes) = convert::unpacked(path, slice, &bytes)?;
        let cells = codes.chunks(CELL[header.kind as usize]);
        Ok(PackedTable {
            header,
            layout: Layout::new(slice),
            codes: Codes::Cells(
                cells.map(|codes| cell(header.kind, codes)).collect(),
                bytes.len(),
            ),
            path: Some(path.to_owned()),
        })
    }

    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// Bytes of header, directory and data.
    pub fn bytes(&self) -> usize {
        match &self.codes {
            Codes::Packed(bytes, ..) => bytes.all().len(),
            Codes::Cells(_, bytes) => *bytes,
        }
    }

    /// Whether reading may mean waiting for a disk.
    pub fn is_on_disk(&self) -> bool {
        matches!(&self.codes, Codes::Packed(bytes, ..) if bytes.is_on_disk())
    }

    #[inline(always)]
    pub fn slot(&self, position: &damier_rules::Position) -> usize {
        self.layout.slot(position) as usize
    }

    fn states(&self) -> &[AtomicU8] {
        match &self.codes {
            Codes::Packed(_, _, states) => states,
            Codes::Cells(..) => &[],
        }
    }

    /// Number of groups of blocks; none of a table that was unpacked and checked whole.
    pub fn groups(&self) -> usize {
        self.states().len()
    }

    /// The group of a slot.
    pub fn group(slot: usize) -> usize {
        Blocks::group(slot)
    }

    pub fn state(&self, group: usize) -> State {
        let state = self.states().get(group);
        state.map_or(State::Sound, |state| {
            STATES[usize::from(state.load(Relaxed)) & 3]
        })
    }

    /// Marks a group as requested; whether this is the first request.
    pub fn ask(&self, group: usize) -> bool {
        let [new, asked] = [State::New, State::Asked].map(|state| state as u8);
        let place = self.states().get(group);
        place.is_some_and(|place| place.compare_exchange(new, asked, Relaxed, Relaxed).is_ok())
    }

    /// Reads and checks a group. Returns also whether it was not known to be so.
    pub fn check(&self, group: usize) -> (State, bool) {
        let Codes::Packed(bytes, blocks, states) = &self.codes else {
            return (State::Sound, false);
        };
        let (_, rest) = bytes.parts();
        let state = match blocks.is_sound(rest, group) {
            true => State::Sound,
            false => State::Damaged,
        };
        let before = states[group].swap(state as u8, Relaxed);
        (state, before != state as u8)
    }

    /// What is said of a damaged group.
    pub fn damage(&self, group: usize) -> StoreError {
        match &self.path {
            Some(path) => StoreError::DamagedBlocks(path.clone(), group),
            None => StoreError::Embedded(self.header.slice),
        }
    }

    /// Number of slots of the slice, including those without a position.
    pub fn slots(&self) -> usize {
        self.layout.slots as usize
    }

    /// The cell of a slot: the codes that are kept together.
    #[inline(always)]
    pub fn cell(&self, slot: usize) -> usize {
        match self.header.kind {
            Kind::Values => slot / CELL[Kind::Values as usize],
            Kind::Distances => slot / CELL[Kind::Distances as usize],
        }
    }

    /// Reads the cell of a slot.
    #[inline(never)]
    pub fn read(&self, slot: usize) -> u32 {
        let number = self.cell(slot);
        let (bytes, blocks) = match &self.codes {
            Codes::Packed(bytes, blocks, _) => (bytes, blocks),
            Codes::Cells(cells, _) => return cells[number],
        };
        let rest = bytes.all().get(file::HEADER..).unwrap_or_default();
        let (kind, mut codes) = (self.header.kind, [0; CELL[0]]);
        let length = CELL[kind as usize];
        blocks.read(rest, number * length, &mut codes[..length]);
        cell(kind, &codes[..length])
    }

    /// The verdict on a slot, from its cell.
    #[inline(always)]
    pub fn verdict(&self, slot: usize, cell: u32) -> Verdict {
        match self.header.kind {
            Kind::Values => Verdict::of(Value::from_code((cell >> (slot % 16 * 2)) as u8 & 3)),
            Kind::Distances => Verdict::from_code((cell >> (slot % 4 * 8)) as u8),
        }
    }
}

/// Codes in a cell, by kind.
const CELL: [usize; 2] = [16, 4];

/// A cell of these codes.
#[inline(always)]
fn cell(kind: Kind, codes: &[u8]) -> u32 {
    let bits = match kind {
        Kind::Values => 2,
        Kind::Distances => 8,
    };
    let codes = codes.iter().rev();
    codes.fold(0, |all, &code| all << bits | u32::from(code))
}
