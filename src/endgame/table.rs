use super::Slice;
use super::compress::{Kind, unpack};
use super::index::{Frame, Layout};
use super::store::Header;
use super::verdict::{Value, Verdict};
use crate::rules::Position;

/// A slice in memory, ready to be asked.
pub struct Table {
    header: Header,
    layout: Layout,
    /// A byte a slot with distances, four slots a byte with values.
    codes: Vec<u8>,
}

impl Table {
    pub(super) fn new(header: Header, packed: &[u8]) -> Table {
        let layout = Layout::new(header.slice);
        let codes = unpack(&layout, header.kind, packed);
        let codes = match header.kind {
            Kind::Distances => codes,
            Kind::Values => {
                let four = |codes: &[u8]| {
                    let each = codes.iter().enumerate();
                    each.fold(0, |byte, (at, code)| byte | code << (2 * at))
                };
                codes.chunks(4).map(four).collect()
            }
        };
        Table {
            header,
            layout,
            codes,
        }
    }

    /// The verdict on a quiet position of this slice.
    #[inline(always)]
    pub(super) fn verdict(&self, position: &Position) -> Verdict {
        self.at(self.layout.slot(position) as usize)
    }

    /// The verdict on the position in a slot; on one that nobody asks for it means nothing.
    #[inline(always)]
    pub(super) fn at(&self, slot: usize) -> Verdict {
        match self.header.kind {
            Kind::Distances => Verdict::from_code(self.codes[slot]),
            Kind::Values => match self.codes[slot / 4] >> (slot % 4 * 2) & 3 {
                0 => Verdict::DRAW,
                1 => Verdict::of(Value::Win),
                _ => Verdict::of(Value::Loss),
            },
        }
    }

    #[cfg(test)]
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The slice.
    pub fn slice(&self) -> Slice {
        self.header.slice
    }

    /// Slots of the slice, those without a position included.
    pub(super) fn slots(&self) -> u64 {
        self.layout.slots
    }
}

impl Statistics {
    /// What a header says of its slice, packed to so many bytes.
    pub(super) fn of(header: &Header, bytes: usize) -> Statistics {
        let (slice, slots) = (header.slice, Layout::new(header.slice).slots);
        let (plies, slot) = header.longest;
        Statistics {
            slice,
            wins: header.counts[0],
            draws: header.counts[1],
            losses: header.counts[2],
            bytes: bytes as u64,
            memory: match header.kind {
                Kind::Distances => slots,
                Kind::Values => slots.div_ceil(4),
            },
            longest: (plies > 0 && slot < slots)
                .then(|| Frame::new(slice).spot(slot))
                .and_then(|spot| spot.position(slice.pieces()))
                .map(|position| (plies, position)),
        }
    }
}

/// Counts of a slice over all legal placements of its pieces, captures included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// The slice.
    pub slice: Slice,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that nobody wins.
    pub draws: u64,
    /// Positions that it loses.
    pub losses: u64,
    /// Bytes of the packed table.
    pub bytes: u64,
    /// Bytes of the table in memory.
    pub memory: u64,
    /// Plies of the longest win and a position of it, where distances are stored and somebody wins.
    pub longest: Option<(u32, Position)>,
}
