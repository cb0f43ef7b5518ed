//! What a build has to do: which slices, in which order, and for which of them there is memory.

use super::build::{BuildError, BuildOptions, BuildProgress, DISTANCES};
use super::index::Layout;
use super::{MAX_PIECES, Slice, store};

/// What a build has to do.
#[derive(Default)]
pub(super) struct Plan {
    /// What is there, and what has no room.
    pub progress: BuildProgress,
    /// Slices to build, each with those that it needs first.
    pub waiting: Vec<(Slice, Vec<Slice>)>,
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

/// MiB that building a slice and its turned one takes, with the tables of as many pieces that it leads to.
pub(super) fn memory(slice: Slice) -> u64 {
    let slots = |slice: Slice| Layout::new(slice).slots;
    let both: u64 = pair(slice).map(slots).sum();
    let bytes = if slice.pieces() <= DISTANCES { 2 } else { 1 };
    let children = slice.children().into_iter();
    let near: u64 = children
        .filter(|child| child.pieces() == slice.pieces())
        .map(table_bytes)
        .sum();
    // While one half is packed, and when it is unpacked to be compared: its codes.
    (both * bytes + near + slots(slice).max(slots(slice.turned()))) >> 20
}

/// MiB of the tables of fewer pieces that these slices lead to: they are kept as long as anything is built.
pub(super) fn kept<'a>(slices: impl Iterator<Item = &'a Slice>) -> u64 {
    let mut all: Vec<Slice> = slices.flat_map(|&slice| descendants(slice)).collect();
    all.sort();
    all.dedup();
    all.into_iter().map(table_bytes).sum::<u64>() >> 20
}

/// Bytes of a table in memory.
pub(super) fn table_bytes(slice: Slice) -> u64 {
    let slots = Layout::new(slice).slots;
    match slice.pieces() <= DISTANCES {
        true => slots,
        false => slots.div_ceil(4),
    }
}

/// What is there, what is to be built, and what has no room.
pub(super) fn plan(options: &BuildOptions) -> Result<Plan, BuildError> {
    let mut jobs = order(options.only.map_or(options.pieces, Slice::pieces));
    if let Some(only) = options.only {
        jobs.retain(|(slice, _)| *slice == only.first());
    }
    let mut plan = Plan::default();
    let mut missing = Vec::new();
    for (slice, children) in jobs {
        let positions: u64 = pair(slice).map(Slice::positions).sum();
        plan.progress.all_slices += pair(slice).count();
        plan.progress.all_positions += positions;
        let mut there = true;
        for slice in pair(slice) {
            there &= store::header(&options.dir, slice)?.is_some();
        }
        if there {
            plan.progress.slices += pair(slice).count();
            plan.progress.positions += positions;
        } else {
            missing.push((slice, children));
        }
    }
    let progress = &mut plan.progress;
    let kept = kept(missing.iter().map(|(slice, _)| slice));
    for (slice, children) in missing {
        let needed = memory(slice) + kept;
        let is_left = |child: &Slice| {
            progress.blocked.contains(child) || progress.too_large.iter().any(|(s, _)| s == child)
        };
        if needed > options.memory {
            progress.too_large.push((slice, needed));
        } else if children.iter().any(is_left) {
            progress.blocked.push(slice);
        } else {
            plan.waiting.push((slice, children));
        }
    }
    Ok(plan)
}

/// A slice and its turned one, if that is another.
pub(super) fn pair(slice: Slice) -> impl Iterator<Item = Slice> {
    let turned = slice.turned();
    [slice]
        .into_iter()
        .chain((turned != slice).then_some(turned))
}

/// The slices of fewer pieces that a slice leads to, by however many captures and promotions.
pub(super) fn descendants(slice: Slice) -> Vec<Slice> {
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
