//! The built-in tables and those of a folder, each unpacked when first needed.

use super::queue::UnpackQueue;
use crate::store::{self, EndgameTable, Statistics, StoreError, TableHeader};
use crate::{MAX_PIECES, Slice};
use once_cell::sync::Lazy;
use rayon::prelude::*;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread;

/// Tables with distances up to four pieces, made by `damier endgame embed`.
static EMBEDDED: &[u8] = include_bytes!("../../../tables/four.dgt");

/// The built-in tables, shared by all users.
static SMALL: Lazy<Arc<Tables>> = Lazy::new(|| Tables::inside(EMBEDDED));

/// Maximum pieces of a small table: it unpacks in a third of a second at most, one of five pieces in up to 7 seconds.
const SMALL_PIECES: u8 = 4;

/// For which tables a caller waits while they are unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    /// None: a table is unpacked in the background and not used until then.
    Never,
    /// Tables of up to four pieces: at most a third of a second each.
    SmallTables,
    /// All tables, so that the result is reproducible.
    AllTables,
}

enum Location {
    Nowhere,
    /// Built in, packed.
    Embedded(&'static [u8]),
    File(PathBuf),
}

struct Slot {
    location: Location,
    /// Checksum of header and codes; 0 if there is no table.
    checksum: u32,
    /// `None` inside without a usable table.
    table: OnceLock<Option<Arc<EndgameTable>>>,
    /// Unpacking in the background was requested.
    requested: AtomicBool,
}

/// The built-in endgame tables, and those of a folder.
pub struct Tables {
    /// By [`Slice::id`].
    slots: Vec<Slot>,
    dir: Option<PathBuf>,
    /// Work for the unpacking thread.
    queue: Mutex<UnpackQueue>,
    problems: Mutex<Vec<StoreError>>,
    this: Weak<Tables>,
}

impl Tables {
    /// The built-in tables and, if a folder is given, those in it. Only the headers of files are read. A folder without
    /// tables is one of the [`Tables::problems`].
    ///
    /// # Errors
    /// The folder or a file cannot be read, or a file is foreign or of the wrong length.
    pub fn open(dir: Option<&Path>) -> Result<Arc<Tables>, StoreError> {
        let Some(dir) = dir else {
            return Ok(Arc::clone(&SMALL));
        };
        fs::read_dir(dir).map_err(|error| StoreError::io(dir, error))?;
        let (mut slots, _) = embedded(EMBEDDED);
        let mut is_empty = true;
        for slice in (2..=MAX_PIECES).flat_map(Slice::of_pieces) {
            let path = store::path(dir, slice);
            if path.is_file() {
                let checksum = store::read_header(&path, slice)?;
                slots[slice.id()] = Slot::new(Location::File(path), checksum);
                is_empty = false;
            }
        }
        let tables = Tables::new(slots, Some(dir));
        SMALL
            .problems()
            .into_iter()
            .for_each(|problem| tables.add_problem(problem));
        if is_empty {
            tables.add_problem(StoreError::Empty(dir.to_owned()));
        }
        Ok(tables)
    }

    /// Tables as [`EMBEDDED`] has them.
    fn inside(bytes: &'static [u8]) -> Arc<Tables> {
        let (slots, problem) = embedded(bytes);
        let tables = Tables::new(slots, None);
        problem
            .into_iter()
            .for_each(|problem| tables.add_problem(problem));
        tables
    }

    fn new(slots: Vec<Slot>, dir: Option<&Path>) -> Arc<Tables> {
        Arc::new_cyclic(|this| Tables {
            slots,
            dir: dir.map(Path::to_owned),
            queue: Mutex::default(),
            problems: Mutex::default(),
            this: Weak::clone(this),
        })
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
        hasher.finalize()
    }

    /// The problems found so far, in order: tables that are unreadable or damaged, which are then not used, and a
    /// folder without tables. Damage is found when a table is first needed, possibly in the background, so more
    /// problems may appear until the end of the last search.
    pub fn problems(&self) -> Vec<StoreError> {
        self.lock_problems().clone()
    }

    fn lock_problems(&self) -> MutexGuard<'_, Vec<StoreError>> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add_problem(&self, problem: StoreError) {
        log::info!("{problem}");
        self.lock_problems().push(problem);
    }

    /// Reads the files of all tables of up to this many pieces without unpacking them, for callers whose results must
    /// not depend on a table that fails later.
    ///
    /// # Errors
    /// The first problem found, now or earlier.
    pub fn check(&self, pieces: u8) -> Result<(), StoreError> {
        if let Some(problem) = self.problems().into_iter().next() {
            return Err(problem);
        }
        for slice in self.slices() {
            if slice.pieces() <= pieces {
                self.packed(slice, |_, _| ())?;
            }
        }
        Ok(())
    }

    /// The table of a slice, if it is in memory or the wait policy allows waiting for it.
    #[inline(always)]
    pub(crate) fn table(&self, slice: Slice, wait_policy: WaitPolicy) -> Option<&EndgameTable> {
        match self.slots[slice.id()].table.get() {
            Some(table) => table.as_deref(),
            None => self.wait_or_request(slice, wait_policy),
        }
    }

    #[cold]
    fn wait_or_request(&self, slice: Slice, wait_policy: WaitPolicy) -> Option<&EndgameTable> {
        let waits = match wait_policy {
            WaitPolicy::Never => false,
            WaitPolicy::SmallTables => slice.pieces() <= SMALL_PIECES,
            WaitPolicy::AllTables => true,
        };
        if waits {
            return self.unpacked(slice);
        }
        // A cheap check first: a search asks at every node.
        if !self.slots[slice.id()].requested.swap(true, Relaxed) {
            self.enqueue([slice], false);
        }
        None
    }

    /// Unpacks all tables of up to this many pieces in the background (2.5 seconds of one core for four pieces), for a
    /// game that approaches an ending.
    pub fn prepare(&self, pieces: u8) {
        let slices = (2..=pieces.min(MAX_PIECES)).flat_map(Slice::of_pieces);
        self.enqueue(slices, false);
    }

    /// Unpacks tables in the background; those of a root before all others.
    pub(crate) fn enqueue(&self, slices: impl IntoIterator<Item = Slice>, is_root: bool) {
        let mut queue = self.queue();
        let root = if is_root { queue.begin_root() } else { 0 };
        for slice in slices {
            let slot = &self.slots[slice.id()];
            slot.requested.store(true, Relaxed);
            if slot.table.get().is_none() {
                queue.add(root, slice);
            }
        }
        if !queue.start() {
            return;
        }
        // Ends when the queue is empty or the tables are dropped elsewhere. The program exits without waiting for it.
        let this = Weak::clone(&self.this);
        let work = move || {
            while let Some(tables) = this.upgrade() {
                let Some(slice) = tables.queue().take() else {
                    return;
                };
                tables.unpacked(slice);
            }
        };
        let thread = thread::Builder::new().name("endgame-tables".to_owned());
        if let Err(error) = thread.spawn(work) {
            log::warn!("endgame tables are not unpacked: {error}");
            queue.stopped();
        }
    }

    fn queue(&self) -> MutexGuard<'_, UnpackQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table of a slice, unpacked now if necessary. If its file cannot be used, a problem is recorded and the
    /// built-in table is used, if any.
    fn unpacked(&self, slice: Slice) -> Option<&EndgameTable> {
        let unpack = || match &self.slots[slice.id()].location {
            Location::Nowhere => None,
            // Unpack a built-in table once for all users, in the shared set, unless this is that set.
            Location::Embedded(_) if self.dir.is_some() => SMALL.shared(slice),
            location => match self.packed(slice, EndgameTable::new) {
                Ok(table) => Some(Arc::new(table)),
                Err(problem) => {
                    self.add_problem(problem);
                    let is_file = matches!(location, Location::File(_));
                    is_file.then(|| SMALL.shared(slice)).flatten()
                }
            },
        };
        self.slots[slice.id()].table.get_or_init(unpack).as_deref()
    }

    fn shared(&self, slice: Slice) -> Option<Arc<EndgameTable>> {
        self.unpacked(slice)?;
        self.slots[slice.id()].table.get()?.clone()
    }

    /// Checks a slice that has a table, then calls `with` with its header and packed codes.
    fn packed<T>(
        &self,
        slice: Slice,
        with: impl FnOnce(TableHeader, &[u8]) -> T,
    ) -> Result<T, StoreError> {
        match &self.slots[slice.id()].location {
            Location::Nowhere => Err(StoreError::Absent(slice)),
            Location::Embedded(bytes) => {
                let (header, packed) =
                    store::check(bytes).map_err(|_| StoreError::Embedded(slice))?;
                Ok(with(header, packed))
            }
            Location::File(path) => {
                let bytes = store::read(path, slice)?;
                let (header, packed) = store::checked(path, slice, &bytes)?;
                Ok(with(header, packed))
            }
        }
    }

    /// The table of a slice, unpacked now if necessary. None without a table.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn load(&self, slice: Slice) -> Result<Option<&EndgameTable>, StoreError> {
        let slot = &self.slots[slice.id()];
        if let (Location::File(_), None) = (&slot.location, slot.table.get()) {
            let table = Arc::new(self.packed(slice, EndgameTable::new)?);
            let _ = slot.table.set(Some(table));
        }
        Ok(self.unpacked(slice))
    }

    /// Unpacks all tables of up to this many pieces, on all cores.
    pub fn warm(&self, pieces: u8) {
        let slices = self.slices();
        let few = slices.par_iter().filter(|slice| slice.pieces() <= pieces);
        few.for_each(|&slice| _ = self.unpacked(slice));
    }

    /// The statistics of each slice, in building order. Checks the tables but does not unpack them.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub fn statistics(&self) -> Result<Vec<Statistics>, StoreError> {
        let of = |header: TableHeader, packed: &[u8]| Statistics::of(&header, packed.len());
        let slices = self.slices().into_iter();
        slices.map(|slice| self.packed(slice, of)).collect()
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
    fn new(location: Location, checksum: u32) -> Slot {
        let table = match location {
            Location::Nowhere => OnceLock::from(None),
            _ => OnceLock::new(),
        };
        Slot {
            location,
            checksum,
            table,
            requested: AtomicBool::new(false),
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

/// For tests, of this crate and those above it.
#[doc(hidden)]
impl Tables {
    /// The built-in tables, none of them unpacked yet.
    pub fn fresh() -> Arc<Tables> {
        Tables::new(embedded(EMBEDDED).0, Some(Path::new("none")))
    }

    /// The slices that are unpacked or requested.
    pub fn requested(&self) -> Vec<Slice> {
        let mut slices = self.slices();
        slices.retain(|slice| self.slots[slice.id()].requested.load(Relaxed));
        slices
    }

    /// Unpacked tables of these slices only, without distances.
    pub fn values_of(slices: &[Slice]) -> Arc<Tables> {
        use crate::compress::{Kind, pack};
        use crate::index::Layout;
        let mut slots = no_slots();
        for &slice in slices {
            let table = SMALL.unpacked(slice).unwrap();
            let code = |slot| Some(table.at(slot).value.code());
            let header = TableHeader {
                kind: Kind::Values,
                ..*table.header()
            };
            let packed = pack(&Layout::new(slice), header.kind, code).0;
            let table = OnceLock::from(Some(Arc::new(EndgameTable::new(header, &packed))));
            slots[slice.id()].table = table;
        }
        Tables::new(slots, None)
    }
}

#[cfg(test)]
mod tests;
