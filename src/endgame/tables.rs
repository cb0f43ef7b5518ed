//! The tables at hand: inside the program, and in a folder. Each is unpacked when it is first asked for.

use super::store::{self, StoreError};
use super::table::{Statistics, Table};
use super::verdict::{Source, Verdict, resolve};
use super::{MAX_PIECES, Slice};
use crate::rules::Position;
use once_cell::sync::Lazy;
use rayon::prelude::*;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread;

/// Tables with distances up to four pieces, made by `damier endgame embed`.
static EMBEDDED: &[u8] = include_bytes!("../../tables/four.dgt");

/// The tables inside the program, shared by all who use them.
static SMALL: Lazy<Arc<Tables>> = Lazy::new(|| Tables::with(None));

/// Most pieces of a table that is unpacked in a moment (at most a third of a second; 5 pieces take up to 7 seconds).
const QUICK: u8 = 4;

/// Who waits for a table to be unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// Nobody: what is not there yet is had in the background, and not used until then.
    None,
    /// For the small ones, which take a moment.
    Short,
    /// For all, so that what is found depends on nothing but the tables.
    Endless,
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
    /// Ids of slices, to the thread that unpacks.
    loader: Mutex<Option<Sender<usize>>>,
    this: Weak<Tables>,
}

impl Tables {
    /// The tables inside the program, and those of a folder if one is named. Looks for the names of files only.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn open(dir: Option<&Path>) -> Result<Arc<Tables>, StoreError> {
        let Some(dir) = dir else {
            return Ok(Arc::clone(&SMALL));
        };
        fs::read_dir(dir).map_err(|error| StoreError::Io(dir.to_owned(), error))?;
        Ok(Tables::with(Some(dir)))
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
            loader: Mutex::new(None),
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
    fn table(&self, slice: Slice, patience: Patience) -> Option<&Table> {
        match self.slots[slice.id()].table.get() {
            Some(table) => table.as_deref(),
            None => self.missed(slice, patience),
        }
    }

    #[cold]
    fn missed(&self, slice: Slice, patience: Patience) -> Option<&Table> {
        let wait = match patience {
            Patience::None => false,
            Patience::Short => slice.pieces() <= QUICK,
            Patience::Endless => true,
        };
        if wait {
            return self.unpacked(slice.id());
        }
        self.request(slice);
        None
    }

    /// Has a table unpacked in the background.
    pub fn request(&self, slice: Slice) {
        let slot = &self.slots[slice.id()];
        if slot.table.get().is_some() || slot.wanted.swap(true, Relaxed) {
            return;
        }
        let mut loader = self.loader.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = loader.get_or_insert_with(|| {
            let (sender, wanted) = channel();
            let this = Weak::clone(&self.this);
            let work = move || {
                while let (Ok(id), Some(tables)) = (wanted.recv(), this.upgrade()) {
                    tables.unpacked(id);
                }
            };
            // Without the thread the tables stay unused.
            let _ = thread::Builder::new()
                .name("endgame-tables".to_owned())
                .spawn(work);
            sender
        });
        let _ = sender.send(slice.id());
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
                .inspect_err(|error| log::warn!("{error}"))
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

    /// What is known of each slice, in the order in which they are built.
    ///
    /// # Errors
    /// A file is damaged or cannot be read.
    pub fn statistics(&self) -> Result<Vec<Statistics>, StoreError> {
        let mut all = Vec::new();
        for slice in self.slices() {
            all.extend(self.load(slice)?.map(Table::statistics));
        }
        Ok(all)
    }

    /// The verdict on a position by the tables up to so many pieces, whoever must capture. Waits for tables.
    pub fn probe(&self, position: &Position, limit: u8) -> Option<Verdict> {
        View::new(self, limit, Patience::Endless).resolve(position)
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

fn read(path: &Path) -> Result<Table, StoreError> {
    let bytes = fs::read(path).map_err(|error| StoreError::Io(path.to_owned(), error))?;
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

/// The tables as one who asks sees them.
#[derive(Clone, Copy)]
pub struct View<'a> {
    tables: &'a Tables,
    limit: u8,
    patience: Patience,
}

impl<'a> View<'a> {
    /// Tables up to so many pieces.
    pub fn new(tables: &'a Tables, limit: u8, patience: Patience) -> View<'a> {
        View {
            tables,
            limit,
            patience,
        }
    }

    /// Most pieces of the tables used.
    #[inline(always)]
    pub fn limit(&self) -> u32 {
        u32::from(self.limit)
    }

    /// The verdict on a position whose side to move need not capture; on any other it means nothing.
    #[inline(always)]
    pub fn quiet(&self, position: &Position) -> Option<Verdict> {
        let slice = Slice::of(position);
        if slice.pieces() > self.limit {
            return None;
        }
        let table = self.tables.table(slice, self.patience)?;
        Some(table.verdict(position))
    }

    /// The verdict on any position, captures played out.
    pub fn resolve(&self, position: &Position) -> Option<Verdict> {
        if position.occupied().len() > self.limit() + 6 {
            return None;
        }
        resolve(self, position)
    }

    /// Has the table of this position unpacked in the background.
    pub fn request(&self, position: &Position) {
        let few = position.occupied().len() <= self.limit();
        let both = !position.pieces(position.turn()).is_empty()
            && !position.pieces(!position.turn()).is_empty();
        if few && both {
            let slice = Slice::of(position);
            self.tables.request(slice);
            self.tables.request(slice.turned());
        }
    }
}

impl Source for View<'_> {
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        if slice.pieces() > self.limit || !slice.is_playable() {
            return None;
        }
        let table = self.tables.table(slice, self.patience)?;
        Some(table.verdict(position))
    }
}
