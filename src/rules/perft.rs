//! Perft: the number of move sequences of a length, which tells whether a generator is right and how fast it is.

use super::{MoveList, Position};

/// Number of sequences of `depth` legal moves. Moves of the last ply are counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    let mut list = MoveList::new();
    position.legal_moves_into(&mut list);
    match depth {
        0 => 1,
        1 => list.len() as u64,
        _ => list
            .iter()
            .map(|&mv| perft(&position.play(mv), depth - 1))
            .sum(),
    }
}
