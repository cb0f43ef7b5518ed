use super::index::Frame;
use super::tables::{Tables, WaitPolicy};
use super::verdict::Verdict;
use super::view::View;
use super::{Slice, StoreError};
use crate::rules::Position;
use rayon::prelude::*;

/// Positions that one thread takes at once.
const CHUNK: u64 = 1 << 14;

/// A position whose verdict does not follow from those on its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position.
    pub position: Position,
    /// What the table says.
    pub stored: Option<Verdict>,
    /// What the successors say.
    pub expected: Option<Verdict>,
}

/// Checks a table by the rules alone: the verdict on every quiet position, or on one in `step`, is that of its best move.
/// Nothing is shared with the building of tables but where a position stands in them.
///
/// # Errors
/// A file is damaged or cannot be read, or a table is not there that this one leads to.
pub fn verify(tables: &Tables, slice: Slice, step: u64) -> Result<Option<Fault>, StoreError> {
    let Some(table) = tables.load(slice)? else {
        return Ok(None);
    };
    for child in slice.children().into_iter().chain([slice.turned()]) {
        if tables.load(child)?.is_none() {
            return Err(StoreError::Missing {
                missing: child,
                checked: slice,
            });
        }
    }
    let view = View::new(tables, slice.pieces(), WaitPolicy::AllTables);
    let step = step.max(1);
    let frame = Frame::new(slice);
    let chunk = CHUNK.saturating_mul(step);
    let chunks = table.slots().div_ceil(chunk);
    Ok((0..chunks).into_par_iter().find_map_first(|number| {
        let slots = number * chunk..table.slots().min((number + 1) * chunk);
        let mut spots = slots.step_by(step as usize).map(|slot| frame.spot(slot));
        spots.find_map(|spot| check(&view, spot.position(slice.pieces())?))
    }))
}

fn check(view: &View, position: Position) -> Option<Fault> {
    if position.must_capture() {
        return None;
    }
    let stored = view.quiet(&position);
    let mut best = Some(Verdict::LOST);
    let mut known = true;
    for (index, mv) in position.legal_moves().into_iter().enumerate() {
        let Some(verdict) = view.resolve(&position.play(mv)).map(Verdict::before) else {
            known = false;
            break;
        };
        if index == 0 || best.is_none_or(|best| verdict.merit() > best.merit()) {
            best = Some(verdict);
        }
    }
    let expected = best.filter(|_| known);
    let agree = match (stored, expected) {
        (Some(stored), Some(expected)) if stored.distance.is_none() => {
            stored.value == expected.value
        }
        (stored, expected) => stored == expected,
    };
    (!agree).then_some(Fault {
        position,
        stored,
        expected,
    })
}
