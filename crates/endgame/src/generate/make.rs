//! Computing, checking, packing and writing a slice and its opposite.

use super::BuildError;
use super::distances::Distances;
use super::workers::Workers;
use crate::Slice;
use crate::index::{Layout, Order};
use crate::pack::{BLOCK, Blocks, Codes, Kind, UNREAD, ordered, pack_slice};
use crate::store::TableHeader;
use crate::verdict::Source;
use rayon::prelude::*;

/// Builds and checks a slice with distances and its opposite; calls `write` with each, ready to be stored.
pub(crate) fn make_distances(
    slice: Slice,
    source: &impl Source,
    workers: &Workers,
    mut write: impl FnMut(&TableHeader, &[u8]) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    let pair = Distances::build(slice, source, workers)?;
    pair.verify(source, workers)?;
    for (half, slice) in pair.slices().enumerate() {
        let (counts, longest) = pair.statistics(half);
        let code = |slot| pair.stored(half, slot);
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
