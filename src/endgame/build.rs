//! Building tables into a folder: slice by slice in an order in which every slice finds those it leads to, as many at once
//! as there are threads and memory for. A slice that is there is not built again.

use super::Slice;
use super::compress::{Kind, pack, unpack};
use super::distances::Distances;
use super::index::Layout;
use super::plan::{self, Plan, descendants, kept, memory, pair};
use super::store::{self, Header, StoreError};
use super::table::Table;
use super::values::Values;
use super::verdict::{Source, Value, Verdict};
use super::work::{PASSES, Work};
use crate::rules::Position;
use rayon::ThreadPool;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Distances are kept up to so many pieces.
pub(super) const DISTANCES: u8 = 4;
/// How often it is told how far a build is.
const TELL: Duration = Duration::from_millis(500);

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
    /// There are no threads to be had.
    Threads(rayon::ThreadPoolBuildError),
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
            BuildError::Threads(error) => error.fmt(f),
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
    /// Positions of the slices that are there, and of those in work as far as they are.
    pub positions: u64,
    /// Positions that there will be.
    pub all_positions: u64,
    /// Slices in work, with their turned ones.
    pub working: Vec<Slice>,
    /// Positions built now, not found.
    pub built: u64,
    /// Slices, each with its turned one, that take more memory than allowed, with the MiB that they take.
    pub too_large: Vec<(Slice, u64)>,
    /// Slices that lead to one of those, by however many moves.
    pub blocked: Vec<Slice>,
}

/// Builds what is not there yet and has room in the memory allowed; `each` is told how far it is whenever a slice begins or
/// ends, and twice a second.
///
/// # Errors
/// A file is foreign, damaged, or cannot be written; a slice that is led to is missing. What is there stays.
pub fn build(
    options: &BuildOptions,
    each: impl Fn(&BuildProgress) + Sync,
) -> Result<BuildProgress, BuildError> {
    fs::create_dir_all(&options.dir).map_err(|e| StoreError::Io(options.dir.clone(), e))?;
    let Plan { progress, waiting } = plan::plan(options)?;
    if !waiting.is_empty() {
        // Not only after hours of work.
        store::check_writable(&options.dir)?;
    }
    each(&progress);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1));
    let shared = Shared {
        options,
        kept: kept(waiting.iter().map(|(slice, _)| slice)),
        tables: (0..Slice::IDS).map(|_| Mutex::default()).collect(),
        pool: pool.build().map_err(BuildError::Threads)?,
        state: Mutex::new(State {
            progress,
            waiting,
            ..State::default()
        }),
        changed: Condvar::new(),
        each: &each,
    };
    thread::scope(|scope| {
        scope.spawn(|| shared.tell());
        let more = 1..options.threads.max(1);
        let others: Vec<_> = more.map(|_| scope.spawn(|| shared.work())).collect();
        shared.work();
        for other in others {
            let _ = other.join();
        }
        shared.state().over = true;
        shared.changed.notify_all();
    });
    let state = shared
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    state.failed.map_or(Ok(state.progress), Err)
}

#[derive(Default)]
struct State {
    progress: BuildProgress,
    waiting: Vec<(Slice, Vec<Slice>)>,
    /// MiB in use.
    memory: u64,
    failed: Option<BuildError>,
    /// How far the slices in work are, in slots that passes have been over.
    inside: Vec<(Slice, Arc<AtomicU64>)>,
    /// Nothing is left to do.
    over: bool,
}

impl State {
    /// How far it is, the slices in work included.
    fn progress(&self) -> BuildProgress {
        let part = |(slice, done): &(Slice, Arc<AtomicU64>)| {
            let slots: u64 = pair(*slice).map(|slice| Layout::new(slice).slots).sum();
            let positions: u64 = pair(*slice).map(Slice::positions).sum();
            let share = done.load(Relaxed) as f64 / (PASSES * slots) as f64;
            (positions as f64 * share) as u64
        };
        let inside: u64 = self.inside.iter().map(part).sum();
        BuildProgress {
            positions: self.progress.positions + inside,
            built: self.progress.built + inside,
            ..self.progress.clone()
        }
    }
}

struct Shared<'a, F> {
    options: &'a BuildOptions,
    /// MiB of the tables below.
    kept: u64,
    /// Tables of fewer pieces than the slices in work, by their numbers.
    tables: Vec<Mutex<Option<Arc<Table>>>>,
    /// The cores that share a slice.
    pool: ThreadPool,
    state: Mutex<State>,
    changed: Condvar,
    each: &'a F,
}

impl<F: Fn(&BuildProgress) + Sync> Shared<'_, F> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells how far it is until all is done.
    fn tell(&self) {
        let mut state = self.state();
        while !state.over {
            let waited = self.changed.wait_timeout(state, TELL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            (self.each)(&state.progress());
        }
    }

    /// Builds one slice after the other until none is left.
    fn work(&self) {
        while let Some((slice, done)) = self.claim() {
            let built = self.one(slice, &done);
            let mut state = self.state();
            state.progress.working.retain(|&other| other != slice);
            state.inside.retain(|(other, _)| *other != slice);
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
            (self.each)(&state.progress());
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The next slice whose children are all built and that there is memory for. None when no slice waits.
    fn claim(&self) -> Option<(Slice, Arc<AtomicU64>)> {
        let mut state = self.state();
        loop {
            if state.waiting.is_empty() {
                return None;
            }
            let open: Vec<Slice> = state.waiting.iter().map(|(slice, _)| *slice).collect();
            let busy = &state.progress.working;
            let ready = state.waiting.iter().position(|(slice, children)| {
                let free = |child: &Slice| !open.contains(child) && !busy.contains(child);
                let fits = self.kept + state.memory + memory(*slice) <= self.options.memory;
                fits && children.iter().all(free)
            });
            if let Some(at) = ready {
                let (slice, _) = state.waiting.remove(at);
                state.memory += memory(slice);
                state.progress.working.push(slice);
                let done = Arc::default();
                state.inside.push((slice, Arc::clone(&done)));
                (self.each)(&state.progress());
                return Some((slice, done));
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn one(&self, slice: Slice, done: &AtomicU64) -> Result<(), BuildError> {
        let nearby = self.nearby(slice)?;
        let work = Work {
            pool: &self.pool,
            done,
        };
        let kind = match slice.pieces() <= DISTANCES {
            true => Kind::Distances,
            false => Kind::Values,
        };
        let write =
            |header: &Header, packed: &[u8]| store::write(&self.options.dir, header, packed);
        make(slice, kind, &nearby, &work, write)
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
        for child in descendants(slice) {
            // Who wants the same table waits for it, and nobody else does.
            let place = self.tables[child.id()].lock();
            let mut place = place.unwrap_or_else(PoisonError::into_inner);
            if place.is_none() {
                *place = Some(load(child)?);
            }
            nearby.0[child.id()].clone_from(&place);
        }
        Ok(nearby)
    }
}

/// Builds a slice and its turned one, checks them, and hands over each as it is stored.
fn make(
    slice: Slice,
    kind: Kind,
    source: &impl Source,
    work: &Work,
    mut each: impl FnMut(&Header, &[u8]) -> Result<(), StoreError>,
) -> Result<(), BuildError> {
    let header = |slice, counts, longest| Header {
        slice,
        kind,
        counts,
        longest,
    };
    match kind {
        Kind::Distances => {
            let pair = Distances::build(slice, source, work)?;
            pair.verify(source, work)?;
            for (half, slice) in pair.slices().enumerate() {
                let (counts, longest) = pair.statistics(half);
                let header = header(slice, counts, longest);
                each(&header, &packed(&header, |slot| pair.symbol(half, slot))?)?;
            }
        }
        Kind::Values => {
            let pair = Values::build(slice, source, work)?;
            pair.verify(source, work)?;
            for (half, slice) in pair.slices().enumerate() {
                let header = header(slice, pair.counts(half, work), (0, 0));
                let symbol = |slot| pair.symbol(half, slot).map(code);
                each(&header, &packed(&header, symbol)?)?;
            }
        }
    }
    Ok(())
}

/// A value as a table without distances stores it.
pub(super) fn code(value: Value) -> u8 {
    match value {
        Value::Draw => 0,
        Value::Win => 1,
        Value::Loss => 2,
    }
}

/// Packs a slice, and checks that it comes back as it was.
fn packed(header: &Header, symbol: impl Fn(usize) -> Option<u8>) -> Result<Vec<u8>, BuildError> {
    let layout = Layout::new(header.slice);
    // Its codes are not kept while it is unpacked.
    let packed = pack(&layout, header.kind, &symbol).0;
    let back = unpack(&layout, header.kind, &packed);
    let differs = |(slot, code): (usize, &u8)| symbol(slot).is_some_and(|known| known != *code);
    match back.iter().enumerate().position(differs) {
        Some(slot) => Err(BuildError::Inconsistent(header.slice, slot as u64)),
        None => Ok(packed),
    }
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

#[cfg(test)]
#[path = "build_tests.rs"]
mod tests;
