//! The built-in tables and those of a folder.

mod reading;
#[doc(hidden)]
mod samples;

use super::cache::Cache;
use crate::pack::Kind;
use crate::store::{self, Bytes, PackedTable, State, Statistics, StoreError};
use crate::verdict::Verdict;
use crate::{MAX_PIECES, Slice};
use damier_rules::Position;
use once_cell::sync::Lazy;
use reading::Requests;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
#[cfg(test)]
use std::thread;

/// Tables with distances up to four pieces, made by `damier endgame embed`.
static EMBEDDED: &[u8] = include_bytes!("../../../tables/four.dgt");

/// The built-in tables, shared by all users.
static SMALL: Lazy<Arc<Tables>> = Lazy::new(|| Tables::inside(EMBEDDED));

enum Location {
    Nowhere,
    /// Built in.
    Embedded(&'static [u8]),
    File(PathBuf),
    /// A file of an earlier version, unpacked as a whole.
    Old(PathBuf),
    /// For tests: the built-in table as on a disk that takes this long for each read.
    Slow(&'static [u8], std::time::Duration),
}

struct Slot {
    location: Location,
    /// Checksum of header and codes; 0 if there is no table.
    checksum: u32,
    /// `None` inside without a usable table.
    table: OnceLock<Option<Arc<PackedTable>>>,
    /// Somebody was asked to open the table.
    asked: AtomicBool,
}

/// The built-in endgame tables, and those of a folder. Blocks are read where they lie when a position in them is asked
/// for.
pub struct Tables {
    /// By [`Slice::id`].
    slots: Vec<Slot>,
    /// Number of pieces of the largest slice that has a table.
    pub(super) largest: u8,
    dir: Option<PathBuf>,
    /// The second tables of slices, those with distances.
    distances: Option<Arc<Tables>>,
    cache: Cache,
    /// What is read in the background.
    requests: Requests,
    /// Common to both; each with the number of pieces of its table.
    problems: Arc<Mutex<Vec<(u8, StoreError)>>>,
    this: Weak<Tables>,
}

impl Tables {
    /// The built-in tables and, if a folder is given, those in it. Only the headers of files are read. A file that is
    /// no table of its name, or of the wrong length, is one of the [`Tables::problems`] and not used; so is a folder
    /// without tables.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn open(dir: Option<&Path>) -> Result<Arc<Tables>, StoreError> {
        let Some(dir) = dir else {
            return Ok(Arc::clone(&SMALL));
        };
        fs::read_dir(dir).map_err(|error| StoreError::io(dir, error))?;
        let (mut slots, mut second) = (embedded(EMBEDDED).0, no_slots());
        let (mut is_empty, mut found) = (true, Vec::new());
        for slice in (2..=MAX_PIECES).flat_map(Slice::of_pieces) {
            for (number, &kind) in store::kinds(slice).iter().enumerate() {
                let path = store::path_of(dir, slice, kind);
                if !store::is_there(&path) {
                    continue;
                }
                is_empty = false;
                match Slot::of_file(path, slice, kind) {
                    Ok(slot) if number == 0 => slots[slice.id()] = slot,
                    Ok(slot) => second[slice.id()] = slot,
                    Err(problem) => found.push((slice.pieces(), problem)),
                }
            }
        }
        if is_empty {
            found.push((0, StoreError::Empty(dir.to_owned())));
        }
        let problems = Arc::new(Mutex::new(SMALL.lock_problems().clone()));
        let is_there = |slot: &Slot| !matches!(slot.location, Location::Nowhere);
        let has_distances = second.iter().any(is_there);
        let distances =
            has_distances.then(|| Tables::with(second, Some(dir), None, Arc::clone(&problems)));
        let tables = Tables::with(slots, Some(dir), distances, problems);
        found
            .into_iter()
            .for_each(|(pieces, problem)| tables.add_problem(pieces, problem));
        Ok(tables)
    }

    /// Tables as [`EMBEDDED`] has them.
    fn inside(bytes: &'static [u8]) -> Arc<Tables> {
        let (slots, problem) = embedded(bytes);
        let tables = Tables::new(slots, None);
        problem
            .into_iter()
            .for_each(|problem| tables.add_problem(0, problem));
        tables
    }

    fn new(slots: Vec<Slot>, dir: Option<&Path>) -> Arc<Tables> {
        Tables::with(slots, dir, None, Arc::default())
    }

    fn with(
        slots: Vec<Slot>,
        dir: Option<&Path>,
        distances: Option<Arc<Tables>>,
        problems: Arc<Mutex<Vec<(u8, StoreError)>>>,
    ) -> Arc<Tables> {
        let has_table = |slice: &Slice| !matches!(slots[slice.id()].location, Location::Nowhere);
        let mut slices = (2..=MAX_PIECES).rev().flat_map(Slice::of_pieces);
        let largest = slices.find(has_table).map_or(0, |slice| slice.pieces());
        Arc::new_cyclic(|this| Tables {
            slots,
            largest,
            dir: dir.map(Path::to_owned),
            distances,
            cache: Cache::new(),
            requests: Requests::default(),
            problems,
            this: Weak::clone(this),
        })
    }

    /// The tables with distances of slices that also have one with values only.
    pub(crate) fn distances(&self) -> Option<&Tables> {
        self.distances.as_deref()
    }

    /// The folder.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// The slices that have a table, in building order.
    pub fn slices(&self) -> Vec<Slice> {
        let exists = |slice: &Slice| !matches!(self.slots[slice.id()].location, Location::Nowhere);
        (2..=MAX_PIECES)
            .flat_map(Slice::of_pieces)
            .filter(exists)
            .collect()
    }

    /// A checksum over the contents of all tables of up to this many pieces.
    pub fn checksum(&self, pieces: u8) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for slice in self.slices() {
            if slice.pieces() <= pieces {
                hasher.update(&self.slots[slice.id()].checksum.to_le_bytes());
            }
        }
        if let Some(distances) = &self.distances {
            hasher.update(&distances.checksum(pieces).to_le_bytes());
        }
        hasher.finalize()
    }

    /// The problems found so far, in order: tables that are unreadable or damaged, the damaged part of which is not
    /// used, and a folder without tables. Damage is found when a block is first read, so more problems
    /// may appear until the end of the last search.
    pub fn problems(&self) -> Vec<StoreError> {
        let problems = self.lock_problems();
        problems
            .iter()
            .map(|(_, problem)| problem.clone())
            .collect()
    }

    fn lock_problems(&self) -> MutexGuard<'_, Vec<(u8, StoreError)>> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add_problem(&self, pieces: u8, problem: StoreError) {
        log::info!("{problem}");
        self.lock_problems().push((pieces, problem));
    }

    /// Reads all tables of up to this many pieces, for callers whose results must not depend on a block that fails
    /// later.
    ///
    /// # Errors
    /// The first problem of such a table, found now or earlier.
    pub fn check(&self, pieces: u8) -> Result<(), StoreError> {
        let concerned = |problem: &&(u8, StoreError)| problem.0 <= pieces;
        if let Some((_, problem)) = self.lock_problems().iter().find(concerned) {
            return Err(problem.clone());
        }
        let all = [Some(self), self.distances()];
        all.into_iter().flatten().try_for_each(|tables| {
            let slices = tables.slices().into_iter();
            slices
                .filter(|slice| slice.pieces() <= pieces)
                .try_for_each(|slice| tables.load(slice).map(|_| ()))
        })
    }

    /// Reads and checks the whole table of a slice. Whether there is one.
    ///
    /// # Errors
    /// The table is damaged or cannot be read.
    pub fn load(&self, slice: Slice) -> Result<bool, StoreError> {
        self.checked(slice).map(|table| table.is_some())
    }

    fn checked(&self, slice: Slice) -> Result<Option<&PackedTable>, StoreError> {
        let slot = &self.slots[slice.id()];
        let table = match slot.table.get() {
            Some(table) => table,
            None => {
                let opened = self.open_table(slice)?;
                slot.table.get_or_init(|| opened)
            }
        };
        if let Some(table) = table {
            let is_damaged = |&group: &usize| table.check(group).0 == State::Damaged;
            if let Some(group) = (0..table.groups()).find(is_damaged) {
                return Err(table.damage(group));
            }
        }
        Ok(table.as_deref())
    }

    /// Opens the table of a slice.
    fn open_table(&self, slice: Slice) -> Result<Option<Arc<PackedTable>>, StoreError> {
        let damaged = |_| StoreError::Embedded(slice);
        let table = match &self.slots[slice.id()].location {
            Location::Nowhere => return Ok(None),
            // Read once for all users, in the shared set, unless this is that set.
            Location::Embedded(_) if self.dir.is_some() => return Ok(SMALL.shared(slice)),
            Location::Embedded(bytes) => PackedTable::new(Bytes::Inside(bytes)).map_err(damaged)?,
            Location::Slow(bytes, time) => {
                PackedTable::new(Bytes::Slow(bytes, *time)).map_err(damaged)?
            }
            Location::File(path) => PackedTable::open(path, slice)?,
            Location::Old(path) => PackedTable::unpack(path, slice)?,
        };
        Ok(Some(Arc::new(table)))
    }

    /// The table of a slice, opened now if necessary. If its file cannot be used, a problem is recorded and the
    /// built-in table is used, if any.
    fn opened(&self, slice: Slice) -> Option<&Arc<PackedTable>> {
        let slot = &self.slots[slice.id()];
        let open = || match self.open_table(slice) {
            Ok(table) => table,
            Err(problem) => {
                self.add_problem(slice.pieces(), problem);
                self.built_in()?.shared(slice)
            }
        };
        slot.table.get_or_init(open).as_ref()
    }

    fn shared(&self, slice: Slice) -> Option<Arc<PackedTable>> {
        self.opened(slice).cloned()
    }

    /// The built-in tables, unless these are they.
    fn built_in(&self) -> Option<&'static Tables> {
        self.dir.is_some().then(|| &**SMALL)
    }

    /// The verdict on a quiet position of this slice. None without a usable table and, if the caller is `timed`, where
    /// a disk would have to be waited for; what was asked for is then read in the background.
    #[inline(always)]
    pub(crate) fn verdict(
        &self,
        slice: Slice,
        position: &Position,
        timed: bool,
    ) -> Option<Verdict> {
        let Some(table) = self.slots[slice.id()].table.get() else {
            return self.first_verdict(slice, position, timed);
        };
        let table = table.as_ref()?;
        let slot = table.slot(position);
        match self.cache.get(slice.id(), table.cell(slot)) {
            Some(cell) => Some(table.verdict(slot, cell)),
            None => self.read(slice, table, slot, timed),
        }
    }

    #[cold]
    fn first_verdict(&self, slice: Slice, position: &Position, timed: bool) -> Option<Verdict> {
        let slot = &self.slots[slice.id()];
        let is_on_disk = matches!(
            slot.location,
            Location::File(_) | Location::Old(_) | Location::Slow(..)
        );
        if timed && is_on_disk {
            if !slot.asked.swap(true, Relaxed) {
                self.requests.add(&self.this, slice, None);
            }
            return None;
        }
        self.opened(slice)?;
        self.verdict(slice, position, timed)
    }

    /// The verdict on a slot that is not in the cache.
    #[inline(never)]
    fn read(&self, slice: Slice, table: &PackedTable, slot: usize, timed: bool) -> Option<Verdict> {
        let group = PackedTable::group(slot);
        let mut state = table.state(group);
        if matches!(state, State::New | State::Asked) {
            if timed && table.is_on_disk() {
                if table.ask(group) {
                    self.requests.add(&self.this, slice, Some(group));
                }
                return None;
            }
            state = self.check_group(table, group);
        }
        if state == State::Damaged {
            return self.built_in()?.instead(slice, slot);
        }
        let cell = table.read(slot);
        self.cache.put(slice.id(), table.cell(slot), cell);
        Some(table.verdict(slot, cell))
    }

    /// The verdict on a slot whose block in a file is damaged.
    #[cold]
    fn instead(&self, slice: Slice, slot: usize) -> Option<Verdict> {
        let table = self.opened(slice)?;
        self.read(slice, table, slot, false)
    }

    fn check_group(&self, table: &PackedTable, group: usize) -> State {
        let (state, is_news) = table.check(group);
        if is_news && state == State::Damaged {
            let pieces = table.header().slice.pieces();
            self.add_problem(pieces, table.damage(group));
        }
        state
    }

    /// Reads what was asked for.
    fn answer(&self, slice: Slice, group: Option<usize>) {
        if let (Some(table), Some(group)) = (self.opened(slice), group) {
            self.check_group(table, group);
        }
    }

    /// The statistics of each slice, in building order. Reads and checks the tables.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub fn statistics(&self) -> Result<Vec<Statistics>, StoreError> {
        let slices = self.slices().into_iter();
        let of = |slice| {
            let table = self.checked(slice)?.ok_or(StoreError::Absent(slice))?;
            let second = self.distances().map(|distances| distances.checked(slice));
            let second = second.transpose()?.flatten();
            let longest = second.unwrap_or(table).header().longest;
            let checksum = self.slots[slice.id()].checksum;
            Ok(Statistics::of(
                table.header(),
                table.bytes(),
                checksum,
                longest,
            ))
        };
        slices.map(of).collect()
    }
}

/// Reads the [`Tables::problems`] of an engine, returning each once.
#[derive(Debug, Default)]
pub struct ProblemReader {
    tables: Weak<Tables>,
    seen: usize,
}

impl ProblemReader {
    /// Problems of the tables now in use that were not returned before.
    pub fn unseen(&mut self, tables: &Arc<Tables>) -> Vec<StoreError> {
        if self.tables.as_ptr() != Arc::as_ptr(tables) {
            *self = ProblemReader {
                tables: Arc::downgrade(tables),
                seen: 0,
            };
        }
        let unseen = tables.problems().split_off(self.seen);
        self.seen += unseen.len();
        unseen
    }
}

/// The built-in tables. A damaged header hides the tables after it, which is reported as a problem.
fn embedded(bytes: &'static [u8]) -> (Vec<Slot>, Option<StoreError>) {
    let mut slots = no_slots();
    let mut rest = bytes;
    while let Ok((header, _, after)) = store::split(rest) {
        let bytes = &rest[..rest.len() - after.len()];
        slots[header.slice.id()] = Slot::new(Location::Embedded(bytes), store::checksum(bytes));
        rest = after;
    }
    let problem = (!rest.is_empty()).then_some(StoreError::EmbeddedCut);
    (slots, problem)
}

fn no_slots() -> Vec<Slot> {
    (0..Slice::IDS)
        .map(|_| Slot::new(Location::Nowhere, 0))
        .collect()
}

impl Slot {
    /// The slot of a file, whose header is read.
    fn of_file(path: PathBuf, slice: Slice, kind: Kind) -> Result<Slot, StoreError> {
        let (checksum, is_old) = store::read_header(&path, slice, kind)?;
        let location = match is_old {
            true => Location::Old(path),
            false => Location::File(path),
        };
        Ok(Slot::new(location, checksum))
    }

    fn new(location: Location, checksum: u32) -> Slot {
        let table = match location {
            Location::Nowhere => OnceLock::from(None),
            _ => OnceLock::new(),
        };
        Slot {
            location,
            checksum,
            table,
            asked: AtomicBool::new(false),
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("dir", &self.dir)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
