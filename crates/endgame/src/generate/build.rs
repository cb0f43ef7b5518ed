//! Builds tables into a folder: slice by slice, each after those it depends on, as many in parallel as threads and
//! memory allow. A slice whose file exists is not rebuilt.

use super::children::Children;
use super::make::build_distances;
use super::plan::{self, BuildOptions, BuildPlan, BuildProgress, descendants, pair, promoted};
use super::workers::{PASSES, Workers};
use super::{BuildError, values};
use crate::Slice;
use crate::index::Layout;
use crate::pack::Kind;
use crate::store::{self, EndgameTable, StoreError};
use rayon::ThreadPool;
use std::fs;
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The name of a thread that builds slices beside the caller's.
pub(super) const WORKER: &str = "table build";
/// Interval between progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// Builds the missing slices that fit the allowed memory. `report` gets the progress whenever a slice begins or ends,
/// and twice a second.
///
/// # Errors
/// A file is foreign, damaged, or cannot be written, or a slice that another one leads to is missing. Finished files
/// are kept.
pub fn build(
    options: &BuildOptions,
    report: impl Fn(&BuildProgress) + Sync,
) -> Result<BuildProgress, BuildError> {
    build_reported(options, &report)
}

/// The same, compiled in this crate and not once for each caller.
fn build_reported(
    options: &BuildOptions,
    report: &(dyn Fn(&BuildProgress) + Sync),
) -> Result<BuildProgress, BuildError> {
    fs::create_dir_all(&options.dir).map_err(|error| StoreError::io(&options.dir, error))?;
    let BuildPlan { progress, waiting } = plan::plan(options)?;
    if !waiting.is_empty() {
        // Fail now rather than after hours of work.
        store::check_writable(&options.dir)?;
    }
    report(&progress);
    let scheduler = Scheduler {
        options,
        kept: options.kept(waiting.iter().map(|(slice, _)| slice)),
        tables: (0..Slice::IDS).map(|_| Mutex::default()).collect(),
        pool: pool_of(options.threads)?,
        state: Mutex::new(SliceState {
            progress,
            waiting,
            ..SliceState::default()
        }),
        changed: Condvar::new(),
        report,
    };
    thread::scope(|scope| {
        scope.spawn(|| scheduler.report_until_over());
        let more = 1..options.threads.max(1);
        let others = more.map(|_| {
            let thread = thread::Builder::new().name(WORKER.to_owned());
            thread.spawn_scoped(scope, || scheduler.work())
        });
        // With fewer threads than asked for it takes longer.
        let others: Vec<_> = others.flatten().collect();
        scheduler.work();
        let ends: Vec<_> = others.into_iter().map(|other| other.join()).collect();
        scheduler.end();
        if let Some(panic) = ends.into_iter().find_map(Result::err) {
            panic::resume_unwind(panic);
        }
    });
    let state = scheduler.state.into_inner();
    let state = state.unwrap_or_else(PoisonError::into_inner);
    state.failed.map_or(Ok(state.progress), Err)
}

fn pool_of(threads: usize) -> Result<ThreadPool, BuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
    Ok(pool.build()?)
}

#[derive(Default)]
struct SliceState {
    progress: BuildProgress,
    waiting: Vec<(Slice, Vec<Slice>)>,
    /// MiB used by the slices being built.
    memory: u64,
    failed: Option<BuildError>,
    /// The slices being built, each with the slots finished in counted passes.
    inside: Vec<(Slice, Arc<AtomicU64>)>,
    /// No work is left.
    over: bool,
}

impl SliceState {
    /// The progress, including the slices being built.
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

/// State shared by the threads of a build.
struct Scheduler<'a> {
    options: &'a BuildOptions,
    /// MiB used by `tables`.
    kept: u64,
    /// Tables with fewer pieces than the slices being built, by [`Slice::id`].
    tables: Vec<Mutex<Option<Arc<EndgameTable>>>>,
    /// The threads that work on a slice for which the memory has room for all.
    pool: ThreadPool,
    state: Mutex<SliceState>,
    changed: Condvar,
    report: &'a (dyn Fn(&BuildProgress) + Sync),
}

impl Scheduler<'_> {
    fn state(&self) -> MutexGuard<'_, SliceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report_until_over(&self) {
        let mut state = self.state();
        while !state.over {
            let waited = self.changed.wait_timeout(state, REPORT_EVERY);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            (self.report)(&state.progress());
        }
    }

    /// No work is left.
    fn end(&self) {
        self.state().over = true;
        self.changed.notify_all();
    }

    /// Builds slices until none is left.
    fn work(&self) {
        let _end = EndInPanic(self);
        while let Some((slice, done)) = self.claim() {
            let built = self.build_pair(slice, &done);
            let mut state = self.state();
            state.progress.working.retain(|&other| other != slice);
            state.inside.retain(|(other, _)| *other != slice);
            state.memory -= self.options.memory_of(slice, self.kept);
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
            (self.report)(&state.progress());
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Waits for a slice whose children are all built and for which there is memory. None when no slice is left.
    fn claim(&self) -> Option<(Slice, Arc<AtomicU64>)> {
        let mut state = self.state();
        loop {
            if state.waiting.is_empty() {
                return None;
            }
            let open: Vec<Slice> = state.waiting.iter().map(|(slice, _)| *slice).collect();
            let busy = &state.progress.working;
            let ready = state.waiting.iter().position(|(slice, children)| {
                let is_built = |child: &Slice| !open.contains(child) && !busy.contains(child);
                let needed = self.options.memory_of(*slice, self.kept);
                let fits = self.kept + state.memory + needed <= self.options.memory;
                fits && children.iter().all(is_built)
            });
            if let Some(at) = ready {
                let (slice, _) = state.waiting.remove(at);
                state.memory += self.options.memory_of(slice, self.kept);
                state.progress.working.push(slice);
                let done = Arc::default();
                state.inside.push((slice, Arc::clone(&done)));
                (self.report)(&state.progress());
                return Some((slice, done));
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn build_pair(&self, slice: Slice, done: &AtomicU64) -> Result<(), BuildError> {
        let children = self.children(slice)?;
        let threads = self.options.threads_for(slice, self.kept);
        let fewer = match threads < self.pool.current_num_threads() {
            true => Some(pool_of(threads)?),
            false => None,
        };
        let pool = fewer.as_ref().unwrap_or(&self.pool);
        let workers = Workers { pool, done };
        let dir = &self.options.dir;
        match self.options.kind(slice) {
            Kind::Values => values::build(dir, slice, &children, &workers),
            Kind::Distances => build_distances(dir, slice, &children, &workers),
        }
    }

    /// All tables that a slice leads to. Those with fewer pieces are kept for later slices.
    fn children(&self, slice: Slice) -> Result<Children, BuildError> {
        let mut children = Children::none();
        let load = |child: Slice| {
            let table = EndgameTable::read(&self.options.dir, child, self.options.kind(child))?;
            table.ok_or(BuildError::Missing(slice, child))
        };
        for child in promoted(slice) {
            children.add(child, Arc::new(load(child)?));
        }
        for child in descendants(slice) {
            // Only threads that need this table wait for it.
            let table = self.tables[child.id()].lock();
            let mut table = table.unwrap_or_else(PoisonError::into_inner);
            let known = match table.take() {
                Some(known) => known,
                // Its captures lead to tables with fewer pieces, which are there already.
                None => Arc::new(self.pool.install(|| children.complete(load(child)?))?),
            };
            children.add(child, Arc::clone(&known));
            *table = Some(known);
        }
        Ok(children)
    }
}

/// Ends the build when a thread panics: its slice will never be built, and the others would wait for it.
struct EndInPanic<'s, 'a>(&'s Scheduler<'a>);

impl Drop for EndInPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.state().waiting.clear();
            self.0.end();
        }
    }
}

/// Concatenates the tables of a folder with up to this many pieces into one file, in the format embedded in the
/// program. Returns its length in bytes.
///
/// # Errors
/// A table is missing or damaged, or the file cannot be written.
pub fn embed(dir: &Path, pieces: u8, out: &Path) -> Result<u64, BuildError> {
    let mut all = Vec::new();
    for slice in (2..=pieces).flat_map(Slice::of_pieces) {
        all.extend(store::read(
            &store::path(dir, slice),
            slice,
            store::kinds(slice)[0],
        )?);
    }
    store::write_whole(out, &all)?;
    Ok(all.len() as u64)
}
