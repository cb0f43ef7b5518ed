//! The tables in the program and in a folder, each unpacked when it is first needed.

use super::queue::Queue;
use crate::endgame::store::{self, Header, Statistics, StoreError, Table};
use crate::endgame::{MAX_PIECES, Slice};
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

/// The tables in the program, shared by all users.
static SMALL: Lazy<Arc<Tables>> = Lazy::new(|| Tables::new(embedded(), None));

/// Most pieces of a small table: at most a third of a second to unpack, where five pieces take up to 7 seconds.
const SMALL_PIECES: u8 = 4;

/// Which tables a caller waits for while they are unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    /// None: a table that is not in memory yet is unpacked in the background and not used until then.
    Never,
    /// Those of up to four pieces, at most a third of a second each.
    SmallTables,
    /// All, so that the result depends on nothing but the tables.
    AllTables,
}

enum Location {
    Nowhere,
    /// In the program, packed.
    Embedded(&'static [u8]),
    File(PathBuf),
}

struct Slot {
    location: Location,
    /// Of header and codes; 0 where there is no table.
    checksum: u32,
    /// None inside where there is no table, or none that can be used.
    table: OnceLock<Option<Arc<Table>>>,
    /// Somebody has asked for it to be unpacked in the background.
    requested: AtomicBool,
}

/// The endgame tables in the program, and those in a folder.
pub struct Tables {
    /// By [`Slice::id`].
    slots: Vec<Slot>,
    dir: Option<PathBuf>,
    /// What the thread that unpacks has to do.
    queue: Mutex<Queue>,
    problems: Mutex<Vec<StoreError>>,
    this: Weak<Tables>,
}

impl Tables {
    /// The tables in the program, and those in a folder if one is named. Of the files only the headers are read. A
    /// folder without tables is among the [`Tables::problems`].
    ///
    /// # Errors
    /// The folder or a file cannot be read; a file is foreign or not as long as it should be.
    pub fn open(dir: Option<&Path>) -> Result<Arc<Tables>, StoreError> {
        let Some(dir) = dir else {
            return Ok(Arc::clone(&SMALL));
        };
        fs::read_dir(dir).map_err(|error| StoreError::io(dir, error))?;
        let mut slots = embedded();
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
        if is_empty {
            tables.add_problem(StoreError::Empty(dir.to_owned()));
        }
        Ok(tables)
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

    /// The slices with a table, in the order in which they are built.
    pub fn slices(&self) -> Vec<Slice> {
        let exists = |slice: &Slice| !matches!(self.slots[slice.id()].location, Location::Nowhere);
        (2..=MAX_PIECES)
            .flat_map(Slice::of_pieces)
            .filter(exists)
            .collect()
    }

    /// A checksum of the content of all tables up to so many pieces.
    pub fn checksum(&self, pieces: u8) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for slice in self.slices() {
            if slice.pieces() <= pieces {
                hasher.update(&self.slots[slice.id()].checksum.to_le_bytes());
            }
        }
        hasher.finalize()
    }

    /// What was found wrong so far, in the order in which it was found: tables that cannot be read or are damaged,
    /// which are then not used, and a folder without tables. Damage is found when a table is first needed, possibly in
    /// the background, so that more may come until the end of the last search.
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

    /// Reads all files of tables up to so many pieces, without unpacking them: for those whose results must not depend
    /// on a table that fails later.
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

    /// The table of a slice, if it is in memory or may be waited for.
    #[inline(always)]
    pub(crate) fn table(&self, slice: Slice, wait_policy: WaitPolicy) -> Option<&Table> {
        match self.slots[slice.id()].table.get() {
            Some(table) => table.as_deref(),
            None => self.wait_or_request(slice, wait_policy),
        }
    }

    #[cold]
    fn wait_or_request(&self, slice: Slice, wait_policy: WaitPolicy) -> Option<&Table> {
        let waits = match wait_policy {
            WaitPolicy::Never => false,
            WaitPolicy::SmallTables => slice.pieces() <= SMALL_PIECES,
            WaitPolicy::AllTables => true,
        };
        if waits {
            return self.unpacked(slice);
        }
        // A search asks at every node.
        if !self.slots[slice.id()].requested.swap(true, Relaxed) {
            self.enqueue([slice], false);
        }
        None
    }

    /// Unpacks all tables up to so many pieces in the background, 2.5 seconds of a core for four: for a game that nears
    /// an ending.
    pub fn prepare(&self, pieces: u8) {
        let slices = (2..=pieces.min(MAX_PIECES)).flat_map(Slice::of_pieces);
        self.enqueue(slices, false);
    }

    /// Unpacks tables in the background, those of a root before all others.
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
        // It ends when nothing is left to do, or nobody else holds the tables. The end of the program does not wait for
        // it.
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

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table of a slice, unpacked now if need be. A file that cannot be used is a problem; then the table in the
    /// program is used, if there is one.
    fn unpacked(&self, slice: Slice) -> Option<&Table> {
        let unpack = || match &self.slots[slice.id()].location {
            Location::Nowhere => None,
            // Unpacked once for all users, where it is not the shared one itself.
            Location::Embedded(_) if self.dir.is_some() => SMALL.shared(slice),
            location => match self.packed(slice, Table::new) {
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

    fn shared(&self, slice: Slice) -> Option<Arc<Table>> {
        self.unpacked(slice)?;
        self.slots[slice.id()].table.get()?.clone()
    }

    /// Calls `with` with the header and the packed codes of a slice that has a table, after checking them.
    fn packed<T>(
        &self,
        slice: Slice,
        with: impl FnOnce(Header, &[u8]) -> T,
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

    /// The table of a slice, unpacked now if need be. None where there is none.
    ///
    /// # Errors
    /// There is a file, but it is damaged or cannot be read.
    pub fn load(&self, slice: Slice) -> Result<Option<&Table>, StoreError> {
        let slot = &self.slots[slice.id()];
        if let (Location::File(_), None) = (&slot.location, slot.table.get()) {
            let table = Arc::new(self.packed(slice, Table::new)?);
            let _ = slot.table.set(Some(table));
        }
        Ok(self.unpacked(slice))
    }

    /// Unpacks all tables up to so many pieces, on all cores.
    pub fn warm(&self, pieces: u8) {
        let slices = self.slices();
        let few = slices.par_iter().filter(|slice| slice.pieces() <= pieces);
        few.for_each(|&slice| _ = self.unpacked(slice));
    }

    /// The statistics of each slice, in the order in which they are built. Checks the tables, but unpacks none.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub fn statistics(&self) -> Result<Vec<Statistics>, StoreError> {
        let of = |header: Header, packed: &[u8]| Statistics::of(&header, packed.len());
        let slices = self.slices().into_iter();
        slices.map(|slice| self.packed(slice, of)).collect()
    }
}

/// Reads the [`Tables::problems`] of an engine, each once.
#[derive(Debug, Default)]
pub struct ProblemReader {
    tables: Weak<Tables>,
    seen: usize,
}

impl ProblemReader {
    /// The problems of the tables now in use that were not returned before.
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

/// The tables in the program.
fn embedded() -> Vec<Slot> {
    let mut slots = no_slots();
    let mut rest = EMBEDDED;
    while let Ok((header, _, after)) = store::split(rest) {
        let bytes = &rest[..rest.len() - after.len()];
        slots[header.slice.id()] = Slot::new(Location::Embedded(bytes), store::checksum(bytes));
        rest = after;
    }
    slots
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

#[cfg(test)]
impl Tables {
    /// The tables in the program, none of them unpacked yet.
    pub(crate) fn fresh() -> Arc<Tables> {
        Tables::new(embedded(), Some(Path::new("none")))
    }

    /// The slices that are unpacked, or will be.
    pub(crate) fn requested(&self) -> Vec<Slice> {
        let mut slices = self.slices();
        slices.retain(|slice| self.slots[slice.id()].requested.load(Relaxed));
        slices
    }

    /// Tables of these slices only, without distances, unpacked.
    pub(crate) fn values_of(slices: &[Slice]) -> Arc<Tables> {
        use crate::endgame::compress::{Kind, pack};
        use crate::endgame::index::Layout;
        let mut slots = no_slots();
        for &slice in slices {
            let table = SMALL.unpacked(slice).unwrap();
            let code = |slot| Some(table.at(slot).value.code());
            let header = Header {
                kind: Kind::Values,
                ..*table.header()
            };
            let packed = pack(&Layout::new(slice), header.kind, code).0;
            let table = OnceLock::from(Some(Arc::new(Table::new(header, &packed))));
            slots[slice.id()].table = table;
        }
        Tables::new(slots, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::{Advice, View};
    use crate::notation::fen;

    #[test]
    fn all_tables_of_a_root_are_requested_and_unpacked() {
        let tables = Tables::fresh();
        // A man that promotes, and a king on the long road that can only be given.
        let root = fen::parse("W:WK46,8:BK5").unwrap();
        let view = View::new(&tables, 4, WaitPolicy::Never);
        assert!(view.resolve(&root).is_none());
        view.request(&root);
        let names: Vec<String> = tables.requested().iter().map(Slice::to_string).collect();
        assert_eq!(names, ["1m-1k", "1k-2k", "1m1k-1k"]);
        let advised = || Advice::on(&view, &root, &Default::default());
        let began = std::time::Instant::now();
        while advised().is_none() && began.elapsed().as_secs() < 60 {
            thread::yield_now();
        }
        assert!(advised().is_some());
    }

    #[test]
    fn statistics_unpack_nothing() {
        let tables = Tables::fresh();
        let all = tables.statistics().unwrap();
        assert_eq!(all.len(), 41);
        let slots = tables
            .slices()
            .into_iter()
            .map(|slice| &tables.slots[slice.id()]);
        assert!(slots.into_iter().all(|slot| slot.table.get().is_none()));
        let mut held = all
            .iter()
            .filter_map(|one| Some((one, SMALL.unpacked(one.slice)?)));
        assert!(held.all(|(one, table)| one.memory == table.slots()));
    }

    #[test]
    fn problems_are_read_once_and_checked() {
        let dir = tempfile::tempdir().unwrap();
        let slice: Slice = "2k-1k".parse().unwrap();
        let Location::Embedded(bytes) = SMALL.slots[slice.id()].location else {
            panic!("no table of {slice}")
        };
        let path = store::path(dir.path(), slice);
        fs::write(&path, bytes).unwrap();
        let sound = Tables::open(Some(dir.path())).unwrap();
        assert_eq!(sound.checksum(4), SMALL.checksum(4));
        assert_ne!(sound.checksum(4), SMALL.checksum(3));
        sound.check(4).unwrap();

        let mut damaged = bytes.to_vec();
        damaged[100] ^= 1;
        fs::write(&path, damaged).unwrap();
        let tables = Tables::open(Some(dir.path())).unwrap();
        let mut reader = ProblemReader::default();
        assert!(reader.unseen(&tables).is_empty());
        assert!(tables.check(2).is_ok() && tables.check(3).is_err());
        // The table in the program stands in.
        assert!(tables.table(slice, WaitPolicy::AllTables).is_some());
        let problems = reader.unseen(&tables);
        assert!(matches!(&problems[..], [StoreError::Damaged(place)] if *place == path));
        assert!(reader.unseen(&tables).is_empty());
        assert_eq!(reader.unseen(&sound).len(), 0);
        assert_eq!(reader.unseen(&tables).len(), 1);
    }

    #[test]
    fn small_tables_are_prepared() {
        let tables = Tables::fresh();
        tables.prepare(3);
        assert_eq!(tables.requested().len(), 16);
        let root = fen::parse("W:WK46,K8:BK5").unwrap();
        let view = View::new(&tables, 4, WaitPolicy::Never);
        let began = std::time::Instant::now();
        while tables.slots[Slice::of(&root).id()].table.get().is_none()
            && began.elapsed().as_secs() < 60
        {
            thread::yield_now();
        }
        assert!(view.quiet(&root).is_some());
        // The thread does not keep the tables alive.
        let weak = Arc::downgrade(&tables);
        tables.prepare(4);
        drop(tables);
        while weak.upgrade().is_some() && began.elapsed().as_secs() < 60 {
            thread::yield_now();
        }
        assert!(weak.upgrade().is_none());
    }
}
