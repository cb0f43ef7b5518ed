//! Computing, checking and packing a slice and its opposite.

use super::BuildError;
use super::distances::Distances;
use super::values::Values;
use super::workers::Workers;
use crate::Slice;
use crate::compress::{Kind, pack, unpack};
use crate::index::Layout;
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
                write(&header, &packed(&header, |slot| pair.stored(half, slot))?)?;
            }
        }
        Kind::Values => {
            let pair = Values::build(slice, source, workers)?;
            pair.verify(source, workers)?;
            for (half, slice) in pair.slices().enumerate() {
                let header = header(slice, pair.counts(half, workers), (0, 0));
                let code = |slot| pair.stored(half, slot).map(Value::code);
                write(&header, &packed(&header, code)?)?;
            }
        }
    }
    Ok(())
}

/// Packs a slice, and checks that unpacking gives the same codes.
fn packed(header: &TableHeader, code: impl Fn(usize) -> Option<u8>) -> Result<Vec<u8>, BuildError> {
    let layout = Layout::new(header.slice);
    // Free the codes before the slice is unpacked again.
    let packed = pack(&layout, header.kind, &code).0;
    let back = unpack(&layout, header.kind, &packed);
    let differs = |(slot, found): (usize, &u8)| code(slot).is_some_and(|code| code != *found);
    match back.iter().enumerate().position(differs) {
        Some(slot) => Err(BuildError::Inconsistent(header.slice, slot as u64)),
        None => Ok(packed),
    }
}
