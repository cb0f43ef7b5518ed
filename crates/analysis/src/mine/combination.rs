//! What makes a line a combination.

use damier_rules::board::Color;
use damier_rules::{Move, Position};

/// A king counts as so many men.
const KING: i32 = 3;
/// Most plies of a combination.
const LONGEST: usize = 30;

/// A line of offers and captures that wins material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Combination {
    /// The moves, from the first offer until nothing more can be captured.
    pub line: Vec<Move>,
    /// The most pieces that the side was down by on the way.
    pub men_given: u32,
    /// Material won in the end, in men; a king counts three.
    pub gain: i32,
}

/// Whether a move is a quiet one after which the opponent can capture.
pub fn is_offer(position: &Position, mv: Move) -> bool {
    !mv.is_capture() && position.leaves_en_prise(mv)
}

fn balance(position: &Position, side: Color) -> i32 {
    let worth = |color| {
        let (men, kings) = (position.men(color).len(), position.kings(color).len());
        men as i32 + KING * kings as i32
    };
    worth(side) - worth(!side)
}

impl Combination {
    /// The combination at the beginning of a line. None where the first move is no offer, where the side to move plays
    /// a move that neither offers nor captures before it has won something, or where it wins nothing.
    pub fn of(start: &Position, line: &[Move]) -> Option<Combination> {
        let side = start.turn();
        let first = line.first()?;
        if !is_offer(start, *first) {
            return None;
        }
        let before = balance(start, side);
        let mut position = *start;
        let mut lowest = before;
        for (ply, &mv) in line.iter().take(LONGEST).enumerate() {
            let is_quiet = !position.can_capture(side) && !position.can_capture(!side);
            let gain = balance(&position, side) - before;
            if is_quiet && gain > 0 {
                return Some(Combination::new(&line[..ply], before - lowest, gain));
            }
            let goes_on = mv.is_capture() || is_offer(&position, mv);
            if position.turn() == side && !goes_on {
                return None;
            }
            position = position.play(mv);
            lowest = lowest.min(balance(&position, side));
        }
        let is_quiet = !position.can_capture(side) && !position.can_capture(!side);
        let gain = balance(&position, side) - before;
        let plies = line.len().min(LONGEST);
        let wins = is_quiet && gain > 0;
        wins.then(|| Combination::new(&line[..plies], before - lowest, gain))
    }

    fn new(line: &[Move], given: i32, gain: i32) -> Combination {
        Combination {
            line: line.to_vec(),
            men_given: given.max(0) as u32,
            gain,
        }
    }
}
