//! The initial state of a slot, from captures and promotions, which lead to slices built earlier.

use crate::index::{Frame, GROUPS, Placement};
use crate::verdict::{Source, Value, Verdict, captures, resolve, value_of};
use damier_cpu::Cpu;
use damier_rules::Position;
use damier_rules::board::{Bitboard, Color};
use damier_rules::internal::{retro, unchecked};

/// The initial knowledge of a slot.
pub(crate) enum Initial {
    /// Two pieces on one square: not a position.
    Void,
    /// The side to move must capture, which settles the verdict.
    Capture(Verdict),
    /// Number of moves within this pair of slices, and the verdict of the best promotion.
    Quiet {
        moves: u32,
        promotion: Option<Verdict>,
    },
}

/// The table of a slice that should have been built earlier is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Missing;

/// The initial knowledge of a slot.
#[inline(always)]
pub(crate) fn initial(
    frame: &Frame,
    placement: &Placement,
    source: &impl Source,
) -> Result<Initial, Missing> {
    let Some(position) = placement.position(frame.slice.pieces()) else {
        return Ok(Initial::Void);
    };
    if position.must_capture() {
        return captures(source, &position)
            .map(Initial::Capture)
            .ok_or(Missing);
    }
    let [men, _, kings, _] = placement.sets;
    Ok(Initial::Quiet {
        moves: retro::count(men, kings, placement.occupied()),
        promotion: promotion(&placement.sets, source)?,
    })
}

/// The verdict of the best promotion in a quiet position, if there is one. The sets are the pieces by group.
pub(crate) fn promotion(
    sets: &[Bitboard; GROUPS],
    source: &impl Source,
) -> Result<Option<Verdict>, Missing> {
    let mut best: Option<Verdict> = None;
    for child in after_promotions(sets) {
        let verdict = resolve(source, &child).ok_or(Missing)?.before();
        if best.is_none_or(|best| verdict.merit() > best.merit()) {
            best = Some(verdict);
        }
    }
    Ok(best)
}

/// Its value, in less time.
#[inline(always)]
pub(crate) fn promotion_value(
    cpu: impl Cpu,
    sets: &[Bitboard; GROUPS],
    source: &impl Source,
) -> Result<Option<Value>, Missing> {
    let mut best = None;
    for child in after_promotions(sets) {
        let value = value_of(cpu, source, &child).ok_or(Missing)?.opposite();
        best = best.max(Some(value));
        if value == Value::Win {
            break;
        }
    }
    Ok(best)
}

/// The positions after each promotion.
#[inline(always)]
fn after_promotions(sets: &[Bitboard; GROUPS]) -> impl Iterator<Item = Position> {
    let &[men, enemy_men, kings, enemy_kings] = sets;
    let occupied = men | enemy_men | kings | enemy_kings;
    retro::promotions(men, occupied).map(move |(men, king)| {
        unchecked([men, enemy_men], [kings | king, enemy_kings], Color::Black)
    })
}
