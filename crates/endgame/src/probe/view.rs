//! A view of the tables: with a maximum number of pieces and a wait policy.

use super::tables::{Tables, WaitPolicy};
use crate::Slice;
use crate::store::StoreError;
use crate::verdict::{Source, Verdict, resolve};
use damier_rules::Position;

/// Maximum number of pieces that [`View::resolve`] plays out in captures to reach a stored position.
const CAPTURED: u32 = 6;

/// Tables with a maximum number of pieces and a wait policy.
#[derive(Clone, Copy)]
pub struct View<'a> {
    tables: &'a Tables,
    limit: u8,
    wait_policy: WaitPolicy,
}

impl<'a> View<'a> {
    /// A view of the tables of up to this many pieces.
    pub fn new(tables: &'a Tables, limit: u8, wait_policy: WaitPolicy) -> View<'a> {
        View {
            tables,
            limit,
            wait_policy,
        }
    }

    /// Maximum number of pieces of the tables used.
    #[inline(always)]
    pub fn limit(&self) -> u32 {
        u32::from(self.limit)
    }

    /// The verdict on a quiet position (no capture); meaningless for any other.
    #[inline(always)]
    pub fn quiet(&self, position: &Position) -> Option<Verdict> {
        let slice = Slice::of(position);
        if slice.pieces() > self.limit {
            return None;
        }
        let table = self.tables.table(slice, self.wait_policy)?;
        Some(table.verdict(position))
    }

    /// The verdict on any position; captures are played out.
    pub fn resolve(&self, position: &Position) -> Option<Verdict> {
        if position.occupied().len() > self.limit() + CAPTURED {
            return None;
        }
        resolve(self, position)
    }

    /// Unpacks the tables of a root and its successors in the background, before all others.
    pub fn request(&self, root: &Position) {
        self.tables.enqueue(self.around(root), true);
    }

    /// Unpacks the tables of a root and its successors.
    ///
    /// # Errors
    /// A file is damaged or cannot be read.
    pub fn load(&self, root: &Position) -> Result<(), StoreError> {
        for slice in self.around(root) {
            self.tables.load(slice)?;
        }
        Ok(())
    }

    /// The slices of a root and its successors.
    fn around(&self, root: &Position) -> Vec<Slice> {
        let mut slices = Vec::new();
        self.needed(root, &mut slices);
        for mv in root.legal_moves() {
            self.needed(&root.play(mv), &mut slices);
        }
        slices
    }

    /// Adds the slices that [`View::resolve`] reads.
    fn needed(&self, position: &Position, slices: &mut Vec<Slice>) {
        let is_large = position.occupied().len() > self.limit() + CAPTURED;
        if is_large || position.pieces(position.turn()).is_empty() {
            return;
        }
        let slice = Slice::of(position);
        if position.must_capture() {
            for mv in position.legal_moves() {
                self.needed(&position.play(mv), slices);
            }
        } else if slice.pieces() <= self.limit && slice.is_playable() && !slices.contains(&slice) {
            slices.push(slice);
        }
    }
}

impl Tables {
    /// The verdict on a position, captures played out, from tables of up to this many pieces. Waits for tables to be
    /// unpacked.
    pub fn probe(&self, position: &Position, limit: u8) -> Option<Verdict> {
        View::new(self, limit, WaitPolicy::AllTables).resolve(position)
    }
}

impl Source for View<'_> {
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        if slice.pieces() > self.limit || !slice.is_playable() {
            return None;
        }
        let table = self.tables.table(slice, self.wait_policy)?;
        Some(table.verdict(position))
    }
}
