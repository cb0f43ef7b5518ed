use super::{Aim, Inconsistency, Iteration, Root, RootMoves, Window};
use crate::eval::Score;
use crate::search::Stopped;

/// MTD(f) with move selection made explicit: van Horssen, "Handling Search Inconsistencies in MTD(f)" (2018), algorithm
/// 1, and with the fix algorithm 2, MTDfix.
pub(super) fn search(
    root: &mut impl Root,
    moves: &mut RootMoves,
    aim: Aim,
    inconsistency: Inconsistency,
) -> Result<Iteration, Stopped> {
    let Aim {
        depth,
        guess,
        steps,
    } = aim;
    let (mut low, mut high) = (-Score::INFINITE, Score::INFINITE);
    let mut value = guess;
    let mut passes = 0;
    loop {
        let (first, known) = (moves.first(), value);
        let gamma = if value == low {
            steps.above(value)
        } else {
            value
        };
        value = root.pass(moves, Window::zero(gamma), depth)?;
        passes += 1;
        let failed_low = value < gamma;
        moves.sort();
        if failed_low {
            high = value;
        } else {
            low = value;
            if let Some(mv) = moves.first() {
                moves.settle(mv, low);
            }
        }
        if low < high {
            continue;
        }
        let inconsistent = failed_low && moves.first() != first;
        if inconsistent
            && inconsistency == Inconsistency::Mended
            && let Some(mv) = first
        {
            moves.put_first(mv);
            value = known;
        }
        return Ok(Iteration {
            score: value,
            passes,
            inconsistent,
        });
    }
}
