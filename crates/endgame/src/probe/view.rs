//! A view of the tables: with a maximum number of pieces, and waiting for disks or not.

use super::tables::Tables;
use crate::Slice;
use crate::verdict::{Source, Verdict, resolve};
use damier_rules::Position;

/// Maximum number of pieces that [`View::resolve`] plays out in captures to reach a stored position.
const CAPTURED: u32 = 6;

/// Tables with a maximum number of pieces.
#[derive(Clone, Copy)]
pub struct View<'a> {
    tables: &'a Tables,
    limit: u8,
    /// The same, and no more than the largest table has.
    stored: u8,
    timed: bool,
    exact: bool,
}

impl<'a> View<'a> {
    /// A view of the tables of up to this many pieces.
    pub fn new(tables: &'a Tables, limit: u8) -> View<'a> {
        View {
            tables,
            limit,
            stored: limit.min(tables.largest),
            timed: false,
            exact: false,
        }
    }

    /// The same for a caller who has no time to wait for a disk: what was not read yet is unknown, and is read in the
    /// background from then on.
    pub fn timed(tables: &'a Tables, limit: u8) -> View<'a> {
        View {
            timed: true,
            ..View::new(tables, limit)
        }
    }

    /// The same with distances where the folder has tables of them, which take more time.
    pub fn exact(self) -> View<'a> {
        View {
            exact: true,
            ..self
        }
    }

    /// Maximum number of pieces of the tables used.
    #[inline(always)]
    pub fn limit(&self) -> u32 {
        u32::from(self.limit)
    }

    /// Maximum number of pieces of a position that may stand in a table itself, without captures to play out.
    #[inline(always)]
    pub fn stored(&self) -> u32 {
        u32::from(self.stored)
    }

    /// The verdict on a quiet position (no capture); meaningless for any other.
    #[inline(always)]
    pub fn quiet(&self, position: &Position) -> Option<Verdict> {
        let slice = Slice::of(position);
        if slice.pieces() > self.stored {
            return None;
        }
        self.verdict(slice, position)
    }

    #[inline(always)]
    fn verdict(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        if self.exact
            && let Some(distances) = self.tables.distances()
            && let Some(verdict) = distances.verdict(slice, position, self.timed)
        {
            return Some(verdict);
        }
        self.tables.verdict(slice, position, self.timed)
    }

    /// The verdict on any position; captures are played out.
    pub fn resolve(&self, position: &Position) -> Option<Verdict> {
        if position.occupied().len() > self.limit() + CAPTURED {
            return None;
        }
        resolve(self, position)
    }
}

impl Tables {
    /// The verdict on a position, captures played out, from tables of up to this many pieces.
    pub fn probe(&self, position: &Position, limit: u8) -> Option<Verdict> {
        View::new(self, limit).resolve(position)
    }
}

impl Source for View<'_> {
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        if slice.pieces() > self.limit || !slice.is_playable() {
            return None;
        }
        self.verdict(slice, position)
    }
}
