//! Plans a build: which slices, in which order, and which of them fit the memory.

use super::{BuildError, values};
use crate::index::Layout;
use crate::pack::Kind;
use crate::{MAX_PIECES, Slice, store};
use std::path::PathBuf;

/// Bytes that packing takes at most beside the symbols: tables of pairs, and a sample.
pub(crate) const PACKING: u64 = 120 << 20;
/// Bytes of it for each slot, where the sample is the whole slice.
pub(crate) const SAMPLED: u64 = 16;

/// Settings of a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildOptions {
    /// Maximum number of pieces.
    pub pieces: u8,
    /// Folder of the files: those already built and the new ones.
    pub dir: PathBuf,
    /// Slices built in parallel, each with its opposite, and the most threads that work on one.
    pub threads: usize,
    /// MiB of memory that they may use together.
    pub memory: u64,
    /// Build only this slice and its opposite.
    pub only: Option<Slice>,
    /// Build tables with distances of five and more pieces too, instead of those with values.
    pub distances: bool,
}

impl BuildOptions {
    /// What is stored of a slice.
    pub(crate) fn kind(&self, slice: Slice) -> Kind {
        match self.distances || slice.pieces() <= store::DISTANCES {
            true => Kind::Distances,
            false => Kind::Values,
        }
    }

    /// MiB needed to build a slice and its opposite by as many threads as the memory beside `kept` has room for,
    /// including the tables with as many pieces that it leads to.
    pub(crate) fn memory_of(&self, slice: Slice, kept: u64) -> u64 {
        self.memory_with(slice, self.threads_for(slice, kept))
    }

    /// The threads that solve a slice: all, or as many as the memory beside `kept` has room for.
    pub(crate) fn threads_for(&self, slice: Slice, kept: u64) -> usize {
        let fits = |threads: &usize| self.memory_with(slice, *threads) + kept <= self.memory;
        (1..=self.threads).rev().find(fits).unwrap_or(1)
    }

    fn memory_with(&self, slice: Slice, threads: usize) -> u64 {
        let slots = |slice: Slice| Layout::new(slice).slots;
        let both: u64 = pair(slice).map(slots).sum();
        let near = promoted(slice).into_iter();
        let near: u64 = near.map(|slice| self.table_bytes(slice)).sum();
        let own = match self.kind(slice) {
            Kind::Distances => both * 2,
            Kind::Values => values::memory(slice, threads as u64),
        };
        // One half is packed, of which the symbols are in memory.
        let packing = slots(slice) / 8 + (SAMPLED * slots(slice)).min(PACKING);
        (own + near + packing) >> 20
    }

    /// MiB of the tables with fewer pieces that these slices lead to. They stay in memory until the build ends.
    pub(crate) fn kept<'a>(&self, slices: impl Iterator<Item = &'a Slice>) -> u64 {
        let mut all: Vec<Slice> = slices.flat_map(|&slice| descendants(slice)).collect();
        all.sort();
        all.dedup();
        let bytes = all.into_iter().map(|slice| self.table_bytes(slice));
        bytes.sum::<u64>() >> 20
    }

    /// Bytes of a table in memory.
    pub(crate) fn table_bytes(&self, slice: Slice) -> u64 {
        let slots = Layout::new(slice).slots;
        match self.kind(slice) {
            Kind::Distances => slots,
            Kind::Values => slots.div_ceil(4),
        }
    }
}

/// Progress of a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildProgress {
    /// Finished slices.
    pub slices: usize,
    /// All requested slices.
    pub all_slices: usize,
    /// Positions of the finished slices plus those done of the slices being built.
    pub positions: u64,
    /// Positions of all requested slices.
    pub all_positions: u64,
    /// Slices being built; each includes its opposite.
    pub working: Vec<Slice>,
    /// Positions computed in this run, not found on disk.
    pub built: u64,
    /// Slices (each includes its opposite) that need more memory than allowed, with the MiB needed.
    pub too_large: Vec<(Slice, u64)>,
    /// Slices that depend on one of those, directly or not.
    pub blocked: Vec<Slice>,
}

/// The remaining work of a build.
#[derive(Default)]
pub(crate) struct BuildPlan {
    /// Existing slices and those too large.
    pub progress: BuildProgress,
    /// Slices to build, each with those that it depends on and that are still missing.
    pub waiting: Vec<(Slice, Vec<Slice>)>,
}

/// All slices up to this many pieces in building order, each with the slices reached from it. A slice includes its
/// opposite.
pub fn order(pieces: u8) -> Vec<(Slice, Vec<Slice>)> {
    let slices = (2..=pieces.min(MAX_PIECES))
        .flat_map(Slice::of_pieces)
        .filter(|slice| *slice == slice.representative());
    slices.map(|slice| (slice, children(slice))).collect()
}

fn children(slice: Slice) -> Vec<Slice> {
    let children = slice.children().into_iter();
    let mut children: Vec<Slice> = children.map(Slice::representative).collect();
    children.sort();
    children.dedup();
    children
}

/// The slices with as many pieces that a slice and its opposite lead to, by a promotion.
pub(crate) fn promoted(slice: Slice) -> Vec<Slice> {
    let with_men = pair(slice).filter(|side| side.men > 0);
    let promoted = with_men.map(|side| Slice {
        men: side.men - 1,
        kings: side.kings + 1,
        ..side
    });
    promoted.map(Slice::opposite).collect()
}

/// Finds the existing slices, those to build, and those too large.
pub(crate) fn plan(options: &BuildOptions) -> Result<BuildPlan, BuildError> {
    let mut jobs = order(options.only.map_or(options.pieces, Slice::pieces));
    if let Some(only) = options.only {
        jobs.retain(|(slice, _)| *slice == only.representative());
    }
    let mut plan = BuildPlan::default();
    let mut missing = Vec::new();
    for (slice, children) in jobs {
        let positions: u64 = pair(slice).map(Slice::positions).sum();
        plan.progress.all_slices += pair(slice).count();
        plan.progress.all_positions += positions;
        let mut exists = true;
        for slice in pair(slice) {
            exists &= store::is_stored(&options.dir, slice, options.kind(slice))?;
        }
        if exists {
            plan.progress.slices += pair(slice).count();
            plan.progress.positions += positions;
        } else {
            missing.push((slice, children));
        }
    }
    plan.distribute(missing, options);
    Ok(plan)
}

impl BuildPlan {
    /// Sorts missing slices into those that can be built with the allowed memory, those that are too large, and those
    /// that depend on a too large one.
    fn distribute(&mut self, missing: Vec<(Slice, Vec<Slice>)>, options: &BuildOptions) {
        let progress = &mut self.progress;
        // What the slices to build lead to stays in memory, also while the largest of them is built.
        let mut largest = 0;
        for (slice, children) in missing {
            let waiting = self.waiting.iter().map(|(slice, _)| slice);
            let kept = options.kept(waiting.chain([&slice]));
            let own = options.memory_with(slice, 1);
            let needed = own.max(largest) + kept;
            let is_omitted = |child: &Slice| {
                let too_large = &progress.too_large;
                progress.blocked.contains(child) || too_large.iter().any(|(s, _)| s == child)
            };
            if needed > options.memory {
                progress.too_large.push((slice, needed));
            } else if children.iter().any(is_omitted) {
                progress.blocked.push(slice);
            } else {
                largest = largest.max(own);
                self.waiting.push((slice, children));
            }
        }
    }
}

/// A slice, and its opposite if that is a different one.
pub(crate) fn pair(slice: Slice) -> impl Iterator<Item = Slice> {
    let opposite = slice.opposite();
    [slice]
        .into_iter()
        .chain((opposite != slice).then_some(opposite))
}

/// The slices with fewer pieces that a slice leads to, by any number of captures and promotions.
pub(crate) fn descendants(slice: Slice) -> Vec<Slice> {
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
