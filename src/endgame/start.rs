//! What is known of a slot before any slot of its slice is: captures and promotions lead to slices built earlier.

use super::index::{Frame, Spot, count_next};
use super::verdict::{Source, Verdict, captures, resolve};
use crate::board::{Bitboard, Color};
use crate::rules::Position;

/// A slot as it is at first.
pub(super) enum Start {
    /// Pieces stand on one square: no position.
    Void,
    /// The side to move must capture, which decides it.
    Capture(Verdict),
    /// So many moves to the turned slice, and the best promotion.
    Quiet {
        moves: u32,
        promotion: Option<Verdict>,
    },
}

/// A table that an earlier slice should have given is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Missing;

/// Looks at a slot.
#[inline(always)]
pub(super) fn look(frame: &Frame, spot: &Spot, source: &impl Source) -> Result<Start, Missing> {
    let Some(position) = spot.position(frame.slice.pieces()) else {
        return Ok(Start::Void);
    };
    if position.must_capture() {
        return captures(source, &position)
            .map(Start::Capture)
            .ok_or(Missing);
    }
    Ok(Start::Quiet {
        moves: count_next(spot),
        promotion: promotion(spot, source)?,
    })
}

/// The best promotion of a quiet position, if there is one.
pub(super) fn promotion(spot: &Spot, source: &impl Source) -> Result<Option<Verdict>, Missing> {
    let [men, enemy_men, kings, enemy_kings] = spot.sets;
    let mut best: Option<Verdict> = None;
    for step in [6, 7] {
        for to in Bitboard(men.0 >> step) & !spot.occupied() & Bitboard::TOP_ROW {
            let to = Bitboard::of(to);
            let child = Position::assemble(
                [men ^ Bitboard(to.0 << step), enemy_men],
                [kings | to, enemy_kings],
                Color::Black,
            );
            let verdict = resolve(source, &child).ok_or(Missing)?.before();
            if best.is_none_or(|best| verdict.merit() > best.merit()) {
                best = Some(verdict);
            }
        }
    }
    Ok(best)
}
