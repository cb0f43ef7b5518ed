//! Computing, checking, packing and writing a slice and its opposite.

use super::BuildError;
use super::distances::Distances;
use super::plan::pair;
use super::workers::{PAUSE, Workers};
use crate::Slice;
use crate::index::{Layout, Order};
use crate::pack::{BLOCK, Blocks, Codes, Kind, UNREAD, ordered, pack_slice};
use crate::store::{self, TableHeader};
use crate::verdict::Source;
use rayon::prelude::*;
use std::path::Path;
use std::thread;

/// Builds and checks a slice with distances and its opposite, and writes them into a folder. Of several processes one
/// does; all return when both are there.
pub(crate) fn build_distances(
    dir: &Path,
    slice: Slice,
    source: &impl Source,
    workers: &Workers,
) -> Result<(), BuildError> {
    let is_missing = |slice: &Slice| !store::path_of(dir, *slice, Kind::Distances).is_file();
    // The first of the pair is written last. So as long as it is missing, one process builds both, and all others wait.
    while let Some(missing) = pair(slice).find(is_missing) {
        let mut claim = store::claim(dir, missing, Kind::Distances)?;
        if claim.is_none() {
            thread::sleep(PAUSE);
            continue;
        }
        make_distances(slice, source, workers, |header, packed| {
            match claim.take_if(|_| header.slice == missing) {
                Some(claim) => store::complete(claim, dir, header, packed)?,
                None if is_missing(&header.slice) => store::write(dir, header, packed)?,
                None => {}
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Builds and checks a slice with distances and its opposite; calls `write` with each, ready to be stored, the opposite
/// first.
pub(crate) fn make_distances(
    slice: Slice,
    source: &impl Source,
    workers: &Workers,
    mut write: impl FnMut(&TableHeader, &[u8]) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    let distances = Distances::build(slice, source, workers)?;
    distances.verify(source, workers)?;
    let halves: Vec<_> = pair(slice).enumerate().collect();
    for (half, slice) in halves.into_iter().rev() {
        let (counts, longest) = distances.statistics(half);
        let code = |slot| distances.stored(half, slot);
        let codes = |order| ordered(slice, order, &code);
        let (order, packed) = packed(slice, Kind::Distances, workers, codes)?;
        let header = TableHeader {
            slice,
            kind: Kind::Distances,
            order,
            counts,
            longest,
        };
        write(&header, &packed)?;
    }
    Ok(())
}

/// Packs a slice, and checks that unpacking gives the same codes.
pub(crate) fn packed<C: Codes>(
    slice: Slice,
    kind: Kind,
    workers: &Workers,
    codes: impl Fn(Order) -> C + Sync,
) -> Result<(Order, Vec<u8>), BuildError> {
    let slots = Layout::new(slice).slots as usize;
    let both = || {
        let (order, packed) = pack_slice(kind, slice, &codes);
        let codes = codes(order);
        let blocks = Blocks::new(&packed, slots);
        let fault = (0..slots.div_ceil(BLOCK))
            .into_par_iter()
            .find_map_first(|block| {
                let first = block * BLOCK;
                let length = BLOCK.min(slots - first);
                let (mut known, mut back) = (vec![UNREAD; length], vec![UNREAD; length]);
                codes(first, &mut known);
                if let Some(blocks) = &blocks {
                    blocks.read(&packed, first, &mut back);
                }
                let differs = |at: &usize| known[*at] != UNREAD && known[*at] != back[*at];
                (0..length).find(differs).map(|at| first + at)
            });
        ((order, packed), fault)
    };
    match workers.pool.install(both) {
        (packed, None) => Ok(packed),
        (_, Some(slot)) => Err(BuildError::Inconsistent(slice, slot as u64)),
    }
}
