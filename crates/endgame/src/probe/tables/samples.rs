//! Tables for the tests of this crate and those above it.

use super::{EMBEDDED, Location, SMALL, Slot, Tables, embedded, no_slots};
use crate::Slice;
use crate::pack::Kind;
use crate::pack::{one_by_one, pack};
use crate::store::{TableHeader, encode};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

impl Tables {
    /// The built-in tables, as on a disk that takes this long for each read.
    pub fn slow(time: Duration) -> Arc<Tables> {
        let (mut slots, _) = embedded(EMBEDDED);
        for slot in &mut slots {
            if let Location::Embedded(bytes) = slot.location {
                slot.location = Location::Slow(bytes, time);
            }
        }
        Tables::new(slots, Some(Path::new("slow")))
    }

    /// Tables of these slices only, without distances.
    pub fn values_of(slices: &[Slice]) -> Arc<Tables> {
        let mut slots = no_slots();
        for &slice in slices {
            let Some(table) = SMALL.opened(slice) else {
                continue;
            };
            let header = TableHeader {
                kind: Kind::Values,
                ..*table.header()
            };
            let value = |slot| table.verdict(slot, table.read(slot)).value;
            let packed = pack(
                Kind::Values,
                table.slots(),
                one_by_one(|slot| Some(value(slot).code())),
            );
            let bytes = encode(&header, &packed).leak();
            slots[slice.id()] = Slot::new(Location::Embedded(bytes), 1);
        }
        Tables::new(slots, None)
    }
}
