//! Checks tables against the rules.

use super::tables::Tables;
use super::view::View;
use crate::index::Frame;
use crate::pack::Kind;
use crate::store::{self, Contents, StoreError};
use crate::{Slice, Verdict};
use damier_rules::Position;
use rayon::prelude::*;

/// Positions in one unit of work.
const CHUNK: u64 = 1 << 14;

/// A position whose verdict does not follow from those of its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsoundEntry {
    /// The position.
    pub position: Position,
    /// The stored verdict.
    pub stored: Option<Verdict>,
    /// The verdict that follows from the successors.
    pub expected: Option<Verdict>,
}

/// Checks a table by the rules alone: the verdict on every quiet position, or on one in `step`, must be that of its
/// best move. Only the numbering of positions is shared with the generator.
///
/// # Errors
/// A file is damaged or cannot be read, or a table that this one depends on is missing.
pub fn verify(
    tables: &Tables,
    slice: Slice,
    step: u64,
) -> Result<Option<UnsoundEntry>, StoreError> {
    if !tables.load(slice)? {
        return Ok(None);
    }
    let near = slice.children().into_iter().chain([slice.opposite()]);
    let near: Vec<Slice> = near.collect();
    let need = |tables: &Tables, child: Slice, kind: Kind| match tables.load(child)? {
        true => Ok(()),
        false => Err(StoreError::Missing {
            missing: Contents::new(child, kind),
            checked: slice,
        }),
    };
    for &child in &near {
        need(tables, child, store::kinds(child)[0])?;
    }
    let view = View::new(tables, slice.pieces());
    let fault = check_all(&view, slice, step);
    let Some(distances) = tables.distances() else {
        return Ok(fault);
    };
    if fault.is_some() || !distances.load(slice)? {
        return Ok(fault);
    }
    let second = |child: &&Slice| store::kinds(**child).len() > 1;
    for &child in near.iter().filter(second) {
        need(distances, child, Kind::Distances)?;
    }
    Ok(check_all(&view.exact(), slice, step))
}

fn check_all(view: &View, slice: Slice, step: u64) -> Option<UnsoundEntry> {
    let step = step.max(1);
    let frame = Frame::new(slice);
    let chunk = CHUNK.saturating_mul(step);
    let all = frame.layout.slots;
    let chunks = all.div_ceil(chunk);
    (0..chunks).into_par_iter().find_map_first(|number| {
        let slots = number * chunk..all.min((number + 1) * chunk);
        let mut placements = slots
            .step_by(step as usize)
            .map(|slot| frame.placement(slot));
        placements.find_map(|placement| check(view, placement.position(slice.pieces())?))
    })
}

fn check(view: &View, position: Position) -> Option<UnsoundEntry> {
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
    (!agree).then_some(UnsoundEntry {
        position,
        stored,
        expected,
    })
}
