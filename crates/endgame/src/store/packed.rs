//! A slice read where it lies.

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
    bytes: Bytes,
    blocks: Blocks,
    /// The [`State`] of each group of blocks.
    groups: Box<[AtomicU8]>,
    path: Option<PathBuf>,
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
            layout: Layout::new(header.slice),
            groups: groups.collect(),
            bytes,
            blocks,
            path: None,
        })
    }

    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// Bytes of header, directory and data.
    pub fn bytes(&self) -> usize {
        self.bytes.all().len()
    }

    /// Whether reading may mean waiting for a disk.
    pub fn is_on_disk(&self) -> bool {
        self.bytes.is_on_disk()
    }

    #[inline(always)]
    pub fn slot(&self, position: &damier_rules::Position) -> usize {
        self.layout.slot(position) as usize
    }

    /// Number of groups of blocks.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The group of a slot.
    pub fn group(slot: usize) -> usize {
        Blocks::group(slot)
    }

    pub fn state(&self, group: usize) -> State {
        STATES[usize::from(self.groups[group].load(Relaxed)) & 3]
    }

    /// Whether nobody was asked for a group before.
    pub fn ask(&self, group: usize) -> bool {
        let [new, asked] = [State::New, State::Asked].map(|state| state as u8);
        let place = &self.groups[group];
        place.compare_exchange(new, asked, Relaxed, Relaxed).is_ok()
    }

    /// Reads and checks a group. Returns also whether it was not known to be so.
    pub fn check(&self, group: usize) -> (State, bool) {
        let (_, rest) = self.bytes.parts();
        let state = match self.blocks.is_sound(rest, group) {
            true => State::Sound,
            false => State::Damaged,
        };
        let before = self.groups[group].swap(state as u8, Relaxed);
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
            Kind::Values => slot / 16,
            Kind::Distances => slot / 4,
        }
    }

    /// Reads the cell of a slot.
    #[inline(never)]
    pub fn read(&self, slot: usize) -> u32 {
        let rest = self.bytes.all().get(file::HEADER..).unwrap_or_default();
        match self.header.kind {
            Kind::Values => {
                let mut codes = [0; 16];
                self.blocks.read(rest, slot / 16 * 16, &mut codes);
                let codes = codes.iter().rev();
                codes.fold(0, |all, &code| all << 2 | u32::from(code & 3))
            }
            Kind::Distances => {
                let mut codes = [0; 4];
                self.blocks.read(rest, slot / 4 * 4, &mut codes);
                u32::from_le_bytes(codes)
            }
        }
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
