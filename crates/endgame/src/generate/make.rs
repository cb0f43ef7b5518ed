//! Computing, checking and packing a slice and its opposite.

use super::BuildError;
use super::distances::Distances;
use super::values::Values;
use super::workers::Workers;
use crate::Slice;
use crate::index::Layout;
use crate::pack::Kind;
use crate::pack::{Blocks, pack};
use crate::store::{StoreError, TableHeader};
use crate::verdict::{Source, Value};

/// Builds and checks a slice and its opposite; calls `write` with each, ready to be stored.
pub(crate) fn make(
    slice: Slice,
    kind: Kind,
    source: &impl Source,
    workers: &Workers,
    mut write: impl FnMut(&TableHeader, &[u8]) -> Result<(), StoreError>,
) -> Result<(), BuildError> {
    let header = |slice, counts, longest| TableHeader {
        slice,
        kind,
        counts,
        longest,
    };
    match kind {
        Kind::Distances => {
            let pair = Distances::build(slice, source, workers)?;
            pair.verify(source, workers)?;
            for (half, slice) in pair.slices().enumerate() {
                let (counts, longest) = pair.statistics(half);
                let header = header(slice, counts, longest);
                write(
                    &header,
                    &packed(&header, workers, |slot| pair.stored(half, slot))?,
                )?;
            }
        }
        Kind::Values => {
            let pair = Values::build(slice, source, workers)?;
            pair.verify(source, workers)?;
            for (half, slice) in pair.slices().enumerate() {
                let header = header(slice, pair.counts(half, workers), (0, 0));
                let code = |slot| pair.stored(half, slot).map(Value::code);
                write(&header, &packed(&header, workers, code)?)?;
            }
        }
    }
    Ok(())
}

/// Packs a slice, and checks that unpacking gives the same codes.
fn packed(
    header: &TableHeader,
    workers: &Workers,
    code: impl Fn(usize) -> Option<u8> + Sync,
) -> Result<Vec<u8>, BuildError> {
    let slots = Layout::new(header.slice).slots as usize;
    let packed = workers.pool.install(|| pack(slots, &code));
    let back = Blocks::new(&packed, slots).map_or_else(Vec::new, |blocks| blocks.all(&packed));
    let differs = |&slot: &usize| code(slot).is_some_and(|code| back.get(slot) != Some(&code));
    match (0..slots).find(differs) {
        Some(slot) => Err(BuildError::Inconsistent(header.slice, slot as u64)),
        None => Ok(packed),
    }
}
