//! The tables at hand: inside the program, and in a folder. Each is unpacked when it is first asked for.

use super::loader::Queue;
use super::store::{self, Header, StoreError};
use super::table::{Statistics, Table};
use super::verdict::Verdict;
use super::view::View;
use super::{MAX_PIECES, Slice};
use crate::rules::Position;
use once_cell::sync::Lazy;
use rayon::prelude::*;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread;

/// Tables with distances up to four pieces, made by `damier endgame embed`.
static EMBEDDED: &[u8] = include_bytes!("../../tables/four.dgt");

/// The tables inside the program, shared by all who use them.
static SMALL: Lazy<Arc<Tables>> = Lazy::new(|| Tables::with(None));

/// Most pieces of a table that is unpacked in a moment (at most a third of a second; 5 pieces take up to 7 seconds).
const QUICK: u8 = 4;

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

enum Place {
    Nowhere,
    Embedded(&'static [u8]),
    File(PathBuf),
}

struct Slot {
    place: Place,
    table: OnceLock<Option<Arc<Table>>>,
    wanted: AtomicBool,
}

/// The tables at hand.
pub struct Tables {
    slots: Vec<Slot>,
    dir: Option<PathBuf>,
    /// What the thread that unpacks has to do.
    queue: Mutex<Queue>,
    this: Weak<Tables>,
}

impl Tables {
    /// The tables inside the program, and those of a folder if one is named. Reads no more of a file than its header.
    ///
    /// # Errors
    /// The folder or a file cannot be read; a file is of another kind or has not all its bytes.
    pub fn open(dir: Option<&Path>) -> Result<Arc<Tables>, StoreError> {
        let Some(dir) = dir else {
            return Ok(Arc::clone(&SMALL));
        };
        fs::read_dir(dir).map_err(|error| StoreError::Io(dir.to_owned(), error))?;
        let tables = Tables::with(Some(dir));
        for slice in tables.slices() {
            if let Place::File(path) = &tables.slots[slice.id()].place {
                store::glance(path, slice)?;
            }
        }
        Ok(tables)
    }

    fn with(dir: Option<&Path>) -> Arc<Tables> {
        let mut slots: Vec<Slot> = (0..Slice::IDS).map(|_| Slot::new(Place::Nowhere)).collect();
        let mut rest = EMBEDDED;
        while let Ok((header, _, after)) = store::split(rest) {
            let bytes = &rest[..rest.len() - after.len()];
            slots[header.slice.id()] = Slot::new(Place::Embedded(bytes));
            rest = after;
        }
        if let Some(dir) = dir {
            for slice in (2..=MAX_PIECES).flat_map(Slice::of_pieces) {
                let (path, slot) = (store::path(dir, slice), &mut slots[slice.id()]);
                if path.is_file() {
                    *slot = Slot::new(Place::File(path));
                }
            }
        }
        Arc::new_cyclic(|this| Tables {
            slots,
            dir: dir.map(Path::to_owned),
            queue: Mutex::default(),
            this: Weak::clone(this),
        })
    }

    /// The folder.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// The slices that there are tables of, in the order in which they are built.
    pub fn slices(&self) -> Vec<Slice> {
        let here = |slice: &Slice| !matches!(self.slots[slice.id()].place, Place::Nowhere);
        (2..=MAX_PIECES)
            .flat_map(Slice::of_pieces)
            .filter(here)
            .collect()
    }

    /// The table of a slice, if it is there and unpacked, or may be waited for.
    #[inline(always)]
    pub(super) fn table(&self, slice: Slice, wait_policy: WaitPolicy) -> Option<&Table> {
        match self.slots[slice.id()].table.get() {
            Some(table) => table.as_deref(),
            None => self.missed(slice, wait_policy),
        }
    }

    #[cold]
    fn missed(&self, slice: Slice, wait_policy: WaitPolicy) -> Option<&Table> {
        let wait = match wait_policy {
            WaitPolicy::Never => false,
            WaitPolicy::SmallTables => slice.pieces() <= QUICK,
            WaitPolicy::AllTables => true,
        };
        if wait {
            return self.unpacked(slice.id());
        }
        self.request(slice);
        None
    }

    /// Has a table unpacked in the background, when those of the root are.
    fn request(&self, slice: Slice) {
        // Asked at every node of a search that misses it.
        if !self.slots[slice.id()].wanted.swap(true, Relaxed) {
            self.enqueue([slice], false);
        }
    }

    /// Has all tables up to so many pieces unpacked in the background, two and a half seconds for four: for one who is about to
    /// play, so that they are there when they are needed.
    pub fn prepare(&self, pieces: u8) {
        let few = (2..=pieces.min(MAX_PIECES)).flat_map(Slice::of_pieces);
        self.enqueue(few, false);
    }

    /// Has tables unpacked in the background, those of a root before all others.
    pub(super) fn enqueue(&self, slices: impl IntoIterator<Item = Slice>, root: bool) {
        let mut queue = self.queue();
        let root = if root { queue.begin_root() } else { 0 };
        for slice in slices {
            let slot = &self.slots[slice.id()];
            slot.wanted.store(true, Relaxed);
            if slot.table.get().is_none() {
                queue.add(root, slice.pieces(), slice.id());
            }
        }
        if !queue.start() {
            return;
        }
        // It ends when there is nothing left to do or nobody to do it for; the end of the program waits for it no more than for
        // any thread that nobody joins.
        let this = Weak::clone(&self.this);
        let work = move || {
            while let Some(tables) = this.upgrade() {
                let Some(id) = tables.queue().take() else {
                    return;
                };
                tables.unpacked(id);
            }
        };
        let thread = thread::Builder::new().name("endgame-tables".to_owned());
        if let Err(error) = thread.spawn(work) {
            log::warn!("endgame tables stay unused: {error}");
            queue.stopped();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unpacked(&self, id: usize) -> Option<&Table> {
        let slot = &self.slots[id];
        slot.table.get_or_init(|| self.unpack(slot, id)).as_deref()
    }

    fn unpack(&self, slot: &Slot, id: usize) -> Option<Arc<Table>> {
        match &slot.place {
            Place::Nowhere => None,
            Place::Embedded(_) if self.dir.is_some() => small(id),
            Place::Embedded(bytes) => {
                let (header, packed) = store::check(bytes)
                    .inspect_err(|_| log::error!("an endgame table in the program is damaged"))
                    .ok()?;
                Some(Arc::new(Table::new(header, packed)))
            }
            Place::File(path) => read(path)
                .inspect_err(|error| log::error!("{error}"))
                .map_or_else(|_| small(id), |table| Some(Arc::new(table))),
        }
    }

    /// The table of a slice, unpacked now if need be.
    ///
    /// # Errors
    /// There is a file, but it is damaged or cannot be read.
    pub fn load(&self, slice: Slice) -> Result<Option<&Table>, StoreError> {
        let slot = &self.slots[slice.id()];
        if let (Place::File(path), None) = (&slot.place, slot.table.get()) {
            let table = Arc::new(read(path)?);
            let _ = slot.table.set(Some(table));
        }
        Ok(self.unpacked(slice.id()))
    }

    /// Has all tables up to so many pieces unpacked, on all cores.
    pub fn warm(&self, pieces: u8) {
        let slices = self.slices();
        let few = slices.par_iter().filter(|slice| slice.pieces() <= pieces);
        few.for_each(|slice| _ = self.unpacked(slice.id()));
    }

    /// What is known of each slice, in the order in which they are built. Checks the bytes, but unpacks nothing.
    ///
    /// # Errors
    /// A file is damaged or cannot be read.
    pub fn statistics(&self) -> Result<Vec<Statistics>, StoreError> {
        let mut all = Vec::new();
        for slice in self.slices() {
            let one = |(header, packed): (Header, &[u8])| Statistics::of(&header, packed.len());
            all.extend(match &self.slots[slice.id()].place {
                Place::Nowhere => None,
                Place::Embedded(bytes) => store::check(bytes).ok().map(one),
                Place::File(path) => Some(one(store::sound(path, slice, &content(path)?)?)),
            });
        }
        Ok(all)
    }

    /// The verdict on a position by the tables up to so many pieces, whoever must capture. Waits for tables.
    pub fn probe(&self, position: &Position, limit: u8) -> Option<Verdict> {
        View::new(self, limit, WaitPolicy::AllTables).resolve(position)
    }
}

#[cfg(test)]
impl Tables {
    /// The tables inside the program, none of them unpacked yet.
    pub(crate) fn fresh() -> Arc<Tables> {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let name = format!(
            "damier-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Relaxed)
        );
        let dir = std::env::temp_dir().join(name);
        fs::create_dir_all(&dir).unwrap();
        let tables = Tables::open(Some(&dir)).unwrap();
        fs::remove_dir(&dir).unwrap();
        tables
    }

    /// Those that are unpacked, or will be.
    pub(crate) fn wanted(&self) -> Vec<Slice> {
        let mut slices = self.slices();
        slices.retain(|slice| self.slots[slice.id()].wanted.load(Relaxed));
        slices
    }

    /// Tables of these slices only, without distances, unpacked.
    pub(crate) fn values_of(slices: &[Slice]) -> Arc<Tables> {
        use super::compress::{Kind, pack};
        Arc::new_cyclic(|this| {
            let mut slots: Vec<Slot> = (0..Slice::IDS).map(|_| Slot::new(Place::Nowhere)).collect();
            for &slice in slices {
                let table = SMALL.unpacked(slice.id()).unwrap();
                let value = |slot| Some(super::build::code(table.at(slot).value));
                let header = Header {
                    kind: Kind::Values,
                    ..*table.header()
                };
                let packed = pack(&super::index::Layout::new(slice), header.kind, value).0;
                let known = OnceLock::from(Some(Arc::new(Table::new(header, &packed))));
                slots[slice.id()].table = known;
            }
            Tables {
                slots,
                dir: None,
                queue: Mutex::default(),
                this: Weak::clone(this),
            }
        })
    }
}

/// A table inside the program.
fn small(id: usize) -> Option<Arc<Table>> {
    let _ = SMALL.unpacked(id);
    SMALL.slots[id].table.get().cloned().flatten()
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("dir", &self.dir)
            .finish_non_exhaustive()
    }
}

fn content(path: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(path).map_err(|error| StoreError::Io(path.to_owned(), error))
}

fn read(path: &Path) -> Result<Table, StoreError> {
    let bytes = content(path)?;
    let name = path.file_stem().and_then(|name| name.to_str());
    let slice = name.and_then(|name| name.parse().ok());
    let slice = slice.ok_or_else(|| StoreError::Foreign(path.to_owned()))?;
    let (header, packed) = store::sound(path, slice, &bytes)?;
    Ok(Table::new(header, packed))
}

impl Slot {
    fn new(place: Place) -> Slot {
        let table = OnceLock::new();
        if matches!(place, Place::Nowhere) {
            let _ = table.set(None);
        }
        Slot {
            place,
            table,
            wanted: AtomicBool::new(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn all_that_a_root_leads_to_is_requested_at_once_and_unpacked() {
        let tables = Tables::fresh();
        // A man that promotes, and a king on the long road that can only be given.
        let root = fen::parse("W:WK46,8:BK5").unwrap();
        let view = View::new(&tables, 4, WaitPolicy::Never);
        assert!(view.resolve(&root).is_none());
        view.request(&root);
        let names: Vec<String> = tables.wanted().iter().map(Slice::to_string).collect();
        assert_eq!(names, ["1m-1k", "1k-2k", "1m1k-1k"]);
        let advised = || crate::endgame::Advice::on(&view, &root, &Default::default());
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
            .filter_map(|one| Some((one, SMALL.unpacked(one.slice.id())?)));
        assert!(held.all(|(one, table)| one.memory == table.slots()));
    }

    #[test]
    fn a_player_has_the_small_tables_before_it_asks() {
        let tables = Tables::fresh();
        tables.prepare(3);
        assert_eq!(tables.wanted().len(), 16);
        let root = fen::parse("W:WK46,K8:BK5").unwrap();
        let view = View::new(&tables, 4, WaitPolicy::Never);
        let began = std::time::Instant::now();
        while tables.slots[Slice::of(&root).id()].table.get().is_none()
            && began.elapsed().as_secs() < 60
        {
            thread::yield_now();
        }
        assert!(view.quiet(&root).is_some());
        // What nobody plays with is not kept for the thread's sake.
        let weak = Arc::downgrade(&tables);
        tables.prepare(4);
        drop(tables);
        while weak.upgrade().is_some() && began.elapsed().as_secs() < 60 {
            thread::yield_now();
        }
        assert!(weak.upgrade().is_none());
    }
}
