use super::{Iteration, Root, RootMoves, Steps, Window};
use crate::eval::Score;
use crate::search::{Depth, Stopped};

/// MTD(f) with move selection made explicit, van Horssen (2018), algorithm 1: plays what the last pass put first, sound
/// or not. Here for comparison; it counts the inconsistencies that it does not mend.
pub(super) fn search(
    root: &mut impl Root,
    moves: &mut RootMoves,
    guess: Score,
    depth: Depth,
    steps: Steps,
) -> Result<Iteration, Stopped> {
    let (mut low, mut high) = (-Score::INFINITE, Score::INFINITE);
    let mut value = guess;
    let mut passes = 0;
    loop {
        let before = moves.first();
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
        if low >= high {
            let inconsistent = failed_low && moves.first() != before;
            return Ok(Iteration {
                score: value,
                passes,
                inconsistent,
            });
        }
    }
}
