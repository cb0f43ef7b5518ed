//! Building tables into a folder: slice by slice in an order in which every slice finds those it leads to, as many at once
//! as there are threads and memory for. A slice that is there is not built again.

use super::compress::{Kind, pack, unpack};
use super::distances::Distances;
use super::index::Layout;
use super::store::{self, Header, StoreError};
use super::table::Table;
use super::values::Values;
use super::verdict::{Source, Value, Verdict};
use super::{MAX_PIECES, Slice};
use crate::rules::Position;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// Distances are kept up to so many pieces.
const DISTANCES: u8 = 4;

/// What to build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    /// Most pieces.
    pub pieces: u8,
    /// Where the files are and go to.
    pub dir: PathBuf,
    /// Slices (each with its turned one) built at once.
    pub threads: usize,
    /// MiB of memory that they may take together.
    pub memory: u64,
    /// Only this slice and its turned one.
    pub only: Option<Slice>,
}

/// Why no tables were built.
#[derive(Debug)]
pub enum BuildError {
    /// A file cannot be read or written.
    Store(StoreError),
    /// The slice has a win of more than 253 plies, for which there is no room in a byte.
    TooLong(Slice),
    /// A slice that this one leads to is not there.
    Missing(Slice, Slice),
    /// As above; which one is known to nobody.
    MissingChild,
    /// A position, by its slot, is not worth what its successors make it: a fault of program or machine.
    Inconsistent(Slice, u64),
    /// The slice takes more memory than allowed, in MiB.
    Memory(Slice, u64),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Store(error) => error.fmt(f),
            BuildError::TooLong(slice) => write!(f, "{slice}: a win takes more than 253 plies"),
            BuildError::Missing(slice, child) => write!(
                f,
                "{slice} leads to {child}, which is not there: build that first"
            ),
            BuildError::MissingChild => f.write_str("a slice that is led to is not there"),
            BuildError::Inconsistent(slice, slot) => write!(
                f,
                "{slice}: position {slot} contradicts its successors (faulty memory?); nothing was written"
            ),
            BuildError::Memory(slice, needed) => {
                write!(f, "{slice} takes {needed} MiB: allow more with --memory")
            }
        }
    }
}

impl std::error::Error for BuildError {}

impl From<StoreError> for BuildError {
    fn from(error: StoreError) -> BuildError {
        BuildError::Store(error)
    }
}

/// How far a build is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildProgress {
    /// Slices that are there.
    pub slices: usize,
    /// Slices that there will be.
    pub all_slices: usize,
    /// Positions of the slices that are there.
    pub positions: u64,
    /// Positions that there will be.
    pub all_positions: u64,
    /// Slices in work, with their turned ones.
    pub working: Vec<Slice>,
    /// Positions built now, not found.
    pub built: u64,
}

/// A slice that stands for itself and its turned one, after the slices, each for two as well, that it leads to.
pub fn order(pieces: u8) -> Vec<(Slice, Vec<Slice>)> {
    let firsts = (2..=pieces.min(MAX_PIECES))
        .flat_map(Slice::of_pieces)
        .filter(|slice| *slice == slice.first());
    firsts.map(|slice| (slice, children(slice))).collect()
}

fn children(slice: Slice) -> Vec<Slice> {
    let mut children: Vec<Slice> = slice.children().into_iter().map(Slice::first).collect();
    children.sort();
    children.dedup();
    children
}

/// MiB that building a slice and its turned one takes beside the tables it leads to.
fn memory(slice: Slice) -> u64 {
    let slots = |slice: Slice| Layout::new(slice).slots;
    let both = if slice == slice.turned() {
        slots(slice)
    } else {
        slots(slice) + slots(slice.turned())
    };
    let bytes = if slice.pieces() <= DISTANCES { 2 } else { 1 };
    // While one half is packed: its codes twice, to compare them.
    (both * bytes + 2 * slots(slice).max(slots(slice.turned()))) >> 20
}

/// Builds what is not there yet; `each` is told how far it is whenever a slice begins or ends.
///
/// # Errors
/// A file is foreign, damaged, or cannot be written; a slice that is led to is missing. What is there stays.
pub fn build(
    options: &BuildOptions,
    each: impl Fn(&BuildProgress) + Sync,
) -> Result<BuildProgress, BuildError> {
    fs::create_dir_all(&options.dir).map_err(|e| StoreError::Io(options.dir.clone(), e))?;
    let mut jobs = order(options.only.map_or(options.pieces, Slice::pieces));
    if let Some(only) = options.only {
        jobs.retain(|(slice, _)| *slice == only.first());
    }
    let mut state = State::default();
    for (slice, children) in jobs {
        let both = Vec::from_iter(pair(slice));
        let positions: u64 = both.iter().map(|slice| slice.positions()).sum();
        state.progress.all_slices += both.len();
        state.progress.all_positions += positions;
        let mut there = true;
        for &slice in &both {
            there &= store::header(&options.dir, slice)?.is_some();
        }
        if there {
            state.progress.slices += both.len();
            state.progress.positions += positions;
            continue;
        }
        let needed = memory(slice);
        if needed > options.memory {
            return Err(BuildError::Memory(slice, needed));
        }
        state.waiting.push((slice, children));
    }
    each(&state.progress);
    let shared = Shared {
        options,
        state: Mutex::new(state),
        changed: Condvar::new(),
        each: &each,
    };
    thread::scope(|scope| {
        for _ in 1..options.threads.max(1) {
            scope.spawn(|| shared.work());
        }
        shared.work();
    });
    let state = shared
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    state.failed.map_or(Ok(state.progress), Err)
}

fn pair(slice: Slice) -> impl Iterator<Item = Slice> {
    let turned = slice.turned();
    [slice]
        .into_iter()
        .chain((turned != slice).then_some(turned))
}

#[derive(Default)]
struct State {
    progress: BuildProgress,
    waiting: Vec<(Slice, Vec<Slice>)>,
    /// MiB in use.
    memory: u64,
    failed: Option<BuildError>,
    /// Tables of fewer pieces than those in work.
    tables: Vec<Arc<Table>>,
}

struct Shared<'a, F> {
    options: &'a BuildOptions,
    state: Mutex<State>,
    changed: Condvar,
    each: &'a F,
}

impl<F: Fn(&BuildProgress) + Sync> Shared<'_, F> {
    /// Builds one slice after the other until none is left.
    fn work(&self) {
        while let Some(slice) = self.claim() {
            let built = self.one(slice);
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.progress.working.retain(|&other| other != slice);
            state.memory -= memory(slice);
            match built {
                Ok(()) => {
                    state.progress.slices += pair(slice).count();
                    let positions: u64 = pair(slice).map(Slice::positions).sum();
                    state.progress.positions += positions;
                    state.progress.built += positions;
                }
                Err(error) => {
                    state.waiting.clear();
                    state.failed.get_or_insert(error);
                }
            }
            (self.each)(&state.progress);
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The next slice whose children are all built and that there is memory for. None when no slice waits.
    fn claim(&self) -> Option<Slice> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.waiting.is_empty() {
                return None;
            }
            let open: Vec<Slice> = state.waiting.iter().map(|(slice, _)| *slice).collect();
            let busy = &state.progress.working;
            let ready = state.waiting.iter().position(|(slice, children)| {
                let free = |child: &Slice| !open.contains(child) && !busy.contains(child);
                let fits = state.memory + memory(*slice) <= self.options.memory;
                fits && children.iter().all(free)
            });
            if let Some(at) = ready {
                let (slice, _) = state.waiting.remove(at);
                state.memory += memory(slice);
                state.progress.working.push(slice);
                (self.each)(&state.progress);
                return Some(slice);
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn one(&self, slice: Slice) -> Result<(), BuildError> {
        let nearby = self.nearby(slice)?;
        let dir = &self.options.dir;
        if slice.pieces() <= DISTANCES {
            let pair = Distances::build(slice, &nearby)?;
            pair.verify(&nearby)?;
            for (half, slice) in pair.slices().enumerate() {
                let (counts, longest) = pair.statistics(half);
                let header = Header {
                    slice,
                    kind: Kind::Distances,
                    counts,
                    longest,
                };
                finish(dir, &header, |slot| pair.symbol(half, slot))?;
            }
        } else {
            let pair = Values::build(slice, &nearby)?;
            pair.verify(&nearby)?;
            for (half, slice) in pair.slices().enumerate() {
                let header = Header {
                    slice,
                    kind: Kind::Values,
                    counts: pair.counts(half),
                    longest: (0, 0),
                };
                let code = |value: Value| match value {
                    Value::Draw => 0,
                    Value::Win => 1,
                    Value::Loss => 2,
                };
                finish(dir, &header, |slot| pair.symbol(half, slot).map(code))?;
            }
        }
        Ok(())
    }

    /// All tables that a slice leads to. Those of fewer pieces are kept for the slices after it.
    fn nearby(&self, slice: Slice) -> Result<Nearby, BuildError> {
        let mut nearby = Nearby((0..Slice::IDS).map(|_| None).collect());
        let dir = &self.options.dir;
        let load = |child: Slice| -> Result<Arc<Table>, BuildError> {
            let path = store::path(dir, child);
            if !path.exists() {
                return Err(BuildError::Missing(slice, child));
            }
            let bytes = fs::read(&path).map_err(|error| StoreError::Io(path.clone(), error))?;
            let (header, packed) = store::sound(&path, child, &bytes)?;
            Ok(Arc::new(Table::new(header, packed)))
        };
        for child in slice.children() {
            if child.pieces() == slice.pieces() {
                nearby.0[child.id()] = Some(load(child)?);
            }
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for child in descendants(slice) {
            let mut kept = state.tables.iter();
            let mut found = kept.find(|table| table.slice() == child).cloned();
            if found.is_none() {
                let table = load(child)?;
                state.tables.push(Arc::clone(&table));
                found = Some(table);
            }
            nearby.0[child.id()] = found;
        }
        Ok(nearby)
    }
}

/// The slices of fewer pieces that a slice leads to, by however many captures and promotions.
fn descendants(slice: Slice) -> Vec<Slice> {
    let mut found: Vec<Slice> = Vec::new();
    let mut next = vec![slice];
    while let Some(slice) = next.pop() {
        for child in slice.children() {
            if !found.contains(&child) {
                found.push(child);
                next.push(child);
            }
        }
    }
    found.retain(|child| child.pieces() < slice.pieces());
    found.sort_by_key(|child| (child.pieces(), child.all_men()));
    found
}

/// Packs a slice, checks that it comes back as it was, writes it.
fn finish(
    dir: &Path,
    header: &Header,
    symbol: impl Fn(usize) -> Option<u8>,
) -> Result<(), BuildError> {
    let layout = Layout::new(header.slice);
    let (packed, codes) = pack(&layout, header.kind, &symbol);
    let back = unpack(&layout, header.kind, &packed);
    let differs = |(slot, code): (usize, &u8)| symbol(slot).is_some_and(|known| known != *code);
    if let Some(slot) = back.iter().enumerate().position(differs) {
        return Err(BuildError::Inconsistent(header.slice, slot as u64));
    }
    drop(codes);
    Ok(store::write(dir, header, &packed)?)
}

/// The tables that a slice leads to.
struct Nearby(Vec<Option<Arc<Table>>>);

impl Source for Nearby {
    #[inline(always)]
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        let table = self.0[slice.id()].as_ref()?;
        Some(table.verdict(position))
    }
}

/// Puts the tables of a folder up to so many pieces into one file, as they stand in the program. Returns its bytes.
///
/// # Errors
/// A table is missing or damaged, or the file cannot be written.
pub fn embed(dir: &Path, pieces: u8, out: &Path) -> Result<u64, BuildError> {
    let mut all = Vec::new();
    for slice in (2..=pieces).flat_map(Slice::of_pieces) {
        let path = store::path(dir, slice);
        let bytes = fs::read(&path).map_err(|error| StoreError::Io(path.clone(), error))?;
        store::sound(&path, slice, &bytes)?;
        all.extend(bytes);
    }
    store::write_whole(out, &all)?;
    Ok(all.len() as u64)
}
