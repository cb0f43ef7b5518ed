use super::file::TableHeader;
use crate::Slice;
use crate::index::{Frame, Layout};
use damier_rules::Position;

/// Counts over all legal placements of the pieces of a slice, with captures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// The slice.
    pub slice: Slice,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// Bytes of the table, in the file and in memory.
    pub bytes: u64,
    /// Checksum of the table.
    pub checksum: u32,
    /// Plies of the longest win and a position that has it, if distances are stored and there is a win.
    pub longest: Option<(u32, Position)>,
}

impl Statistics {
    /// The statistics in the header of a slice of this many bytes, with plies and slot of the longest win.
    pub(crate) fn of(
        header: &TableHeader,
        bytes: usize,
        checksum: u32,
        longest: (u32, u64),
    ) -> Statistics {
        let (slice, slots) = (header.slice, Layout::new(header.slice).slots);
        let (plies, slot) = longest;
        Statistics {
            slice,
            wins: header.counts[0],
            draws: header.counts[1],
            losses: header.counts[2],
            bytes: bytes as u64,
            checksum,
            longest: (plies > 0 && slot < slots)
                .then(|| Frame::new(slice).placement(slot))
                .and_then(|placement| placement.position(slice.pieces()))
                .map(|position| (plies, position)),
        }
    }
}
