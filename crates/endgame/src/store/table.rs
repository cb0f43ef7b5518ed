use super::file::{self, StoreError, TableHeader};
use crate::Slice;
use crate::index::{Frame, Layout};
use crate::pack::Kind;
use crate::pack::{BLOCK, Blocks};
use crate::verdict::{Value, Verdict};
use damier_rules::Position;
use rayon::prelude::*;
use std::path::Path;

/// A slice in memory, unpacked: for the building of others, which reads it all over.
pub(crate) struct EndgameTable {
    header: TableHeader,
    layout: Layout,
    /// One byte per slot with distances, four slots per byte with values.
    codes: Vec<u8>,
    /// Whether the codes of positions with a capture are there too.
    is_whole: bool,
}

impl EndgameTable {
    /// Unpacks a table.
    pub(crate) fn new(header: TableHeader, packed: &[u8]) -> EndgameTable {
        let layout = Layout::ordered(header.slice, header.order);
        let slots = layout.slots as usize;
        let mut codes = Vec::new();
        if let Some(blocks) = Blocks::new(packed, slots) {
            let mut block = [0; BLOCK];
            for first in (0..slots).step_by(BLOCK) {
                let block = &mut block[..BLOCK.min(slots - first)];
                blocks.read(packed, first, block);
                match header.kind {
                    Kind::Distances => codes.extend_from_slice(block),
                    Kind::Values => codes.extend(block.chunks(4).map(four)),
                }
            }
        }
        EndgameTable {
            header,
            layout,
            codes,
            is_whole: false,
        }
    }

    /// Values or distances.
    pub(crate) fn kind(&self) -> Kind {
        self.header.kind
    }

    /// Sets the codes of all positions with a capture: `of` gives them, and None for all others.
    pub(crate) fn complete<E: Send>(
        &mut self,
        of: impl Fn(&Position) -> Result<Option<u8>, E> + Sync,
    ) -> Result<(), E> {
        let (frame, layout) = (Frame::new(self.header.slice), self.layout);
        let values = match self.header.kind {
            Kind::Distances => 1,
            Kind::Values => 4,
        };
        let fill = |(chunk, bytes): (usize, &mut [u8])| {
            let first = chunk * BLOCK * values;
            for slot in first..(first + bytes.len() * values).min(layout.slots as usize) {
                let placement = frame.placement(layout.in_memory(slot as u64));
                let Some(position) = placement.position(frame.slice.pieces()) else {
                    continue;
                };
                let Some(code) = of(&position)? else {
                    continue;
                };
                let byte = &mut bytes[(slot - first) / values];
                let shift = slot % values * 2;
                *byte = match self.header.kind {
                    Kind::Distances => code,
                    Kind::Values => *byte & !(3 << shift) | code << shift,
                };
            }
            Ok(())
        };
        let chunks = self.codes.par_chunks_mut(BLOCK).enumerate();
        chunks.try_for_each(fill)?;
        self.is_whole = true;
        Ok(())
    }

    /// The verdict on any position of this slice, if it has those with a capture.
    #[inline(always)]
    pub(crate) fn any(&self, position: &Position) -> Option<Verdict> {
        self.is_whole.then(|| self.verdict(position))
    }

    /// Reads and unpacks the table of a slice in a folder. None if there is no such file.
    pub(crate) fn read(
        dir: &Path,
        slice: Slice,
        kind: Kind,
    ) -> Result<Option<EndgameTable>, StoreError> {
        let path = file::path_of(dir, slice, kind);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = file::read(&path, slice, kind)?;
        let (header, packed) = file::checked(&path, slice, &bytes)?;
        Ok(Some(EndgameTable::new(header, packed)))
    }

    /// The verdict on a quiet position of this slice.
    #[inline(always)]
    pub(crate) fn verdict(&self, position: &Position) -> Verdict {
        self.at(self.layout.slot(position) as usize)
    }

    /// The verdict stored in a slot; meaningless if the slot holds no quiet position.
    #[inline(always)]
    pub(crate) fn at(&self, slot: usize) -> Verdict {
        match self.header.kind {
            Kind::Distances => Verdict::from_code(self.codes[slot]),
            Kind::Values => {
                Verdict::of(Value::from_code(self.codes[slot / 4] >> (slot % 4 * 2) & 3))
            }
        }
    }

    /// Number of slots of the slice, including those without a position.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> u64 {
        self.layout.slots
    }
}

/// Four codes in a byte, the first one lowest.
fn four(codes: &[u8]) -> u8 {
    let codes = codes.iter().rev();
    codes.fold(0, |byte, code| byte << 2 | code)
}
