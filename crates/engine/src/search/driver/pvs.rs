use super::{Aim, Iteration, Root, RootMoves, Window};
use crate::eval::Score;
use crate::search::Stopped;

/// Principal variation search in an aspiration window around the guess; the side that fails doubles.
pub(super) fn search(
    root: &mut impl Root,
    moves: &mut RootMoves,
    aim: Aim,
) -> Result<Iteration, Stopped> {
    let Aim {
        depth,
        guess,
        steps,
    } = aim;
    let narrow = depth >= steps.aspiration_min_depth && guess.is_eval();
    let start = if narrow { steps.aspiration } else { i32::MAX };
    let (mut below, mut above) = (start, start);
    let mut passes = 0;
    loop {
        let alpha = if below > steps.aspiration_max {
            -Score::INFINITE
        } else {
            guess - below
        };
        let beta = if above > steps.aspiration_max {
            Score::INFINITE
        } else {
            guess + above
        };
        let value = root.pass(moves, Window { alpha, beta }, depth)?;
        passes += 1;
        if value > alpha {
            // Only a move that raised alpha has a value; the others have upper bounds.
            let best = moves.as_slice().iter().find(|m| m.bound == value);
            if let Some(best) = best.map(|m| m.mv) {
                moves.put_first(best);
                moves.settle(best, value);
            }
        }
        if value <= alpha && alpha > -Score::INFINITE {
            below = below.saturating_mul(2);
        } else if value >= beta && beta < Score::INFINITE {
            above = above.saturating_mul(2);
        } else {
            return Ok(Iteration {
                score: value,
                passes,
                inconsistent: false,
            });
        }
    }
}
