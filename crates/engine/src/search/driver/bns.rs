use super::{Iteration, Root, RootMoves, Steps, Window};
use crate::eval::Score;
use crate::search::{Depth, Stopped};

/// Best Node Search (Rutko 2011): which move is the best, without its exact value. A zero window is moved until exactly
/// one move reaches it.
///
/// The score of the iteration is a lower bound of that move's value; all other moves are worth less. Where several
/// moves are worth the same, it is their value. The next window is the bound of the second best move, instead of a
/// share of an interval that has no ends at first.
pub(super) fn search(
    root: &mut impl Root,
    moves: &mut RootMoves,
    guess: Score,
    depth: Depth,
    steps: Steps,
) -> Result<Iteration, Stopped> {
    let (mut low, mut high) = (-Score::INFINITE, Score::INFINITE);
    let mut test = guess;
    let mut passes = 0;
    loop {
        let before = moves.clone();
        let better = count_better(root, moves, test, depth, &mut passes)?;
        let second = moves.as_slice().get(1).map(|second| second.bound);
        let score = match (better, second) {
            (0, _) => {
                high = moves.as_slice().first().map_or(low, |best| best.bound);
                if high <= low {
                    // Of the moves that reached the last window, none reaches the next one: they are worth the same.
                    *moves = before;
                }
                test = high;
                low
            }
            (1, _) | (_, None) => {
                let score = moves.as_slice().first().map_or(test, |best| best.bound);
                settle(moves, score);
                low = high;
                score
            }
            (_, Some(bound)) => {
                low = bound;
                settle(moves, low);
                test = steps.above(low);
                low
            }
        };
        if low >= high {
            return Ok(Iteration {
                score,
                passes,
                inconsistent: false,
            });
        }
    }
}

/// Tests whether each move reaches `test`, and sorts them by their bounds. Returns how many do.
fn count_better(
    root: &mut impl Root,
    moves: &mut RootMoves,
    test: Score,
    depth: Depth,
    passes: &mut u32,
) -> Result<usize, Stopped> {
    let (mut better, mut asked) = (0, 0);
    while asked < moves.len() {
        // A pass ends at the first move that reaches the window; the rest is asked in another one.
        let mut rest = moves.split_off(asked);
        let result = root.pass(&mut rest, Window::zero(test), depth);
        let reached = rest.as_slice().iter().position(|m| m.bound >= test);
        moves.append(rest);
        result?;
        *passes += 1;
        let Some(at) = reached else { break };
        better += 1;
        asked += at + 1;
    }
    moves.sort();
    Ok(better)
}

fn settle(moves: &mut RootMoves, bound: Score) {
    if let Some(mv) = moves.first() {
        moves.settle(mv, bound);
    }
}
