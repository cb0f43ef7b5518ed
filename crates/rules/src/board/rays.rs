//! Rays: all squares from a square to the edge, in each diagonal direction.

use super::{Bitboard, Square};
use damier_cpu::bits;

/// Number of directions.
pub const DIRECTIONS: usize = 4;

/// Bit steps of the directions: down-left, down-right, up-right, up-left. The first two lead to higher bits.
pub const STEPS: [i32; DIRECTIONS] = [6, 7, -6, -7];

const RAYS: [[u64; 64]; DIRECTIONS] = {
    let mut rays = [[0; 64]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let mut bit = 0;
        while bit < 63 {
            if Bitboard::ALL.0 >> bit & 1 != 0 {
                let mut at = bit + STEPS[direction];
                while at >= 0 && at < 63 && Bitboard::ALL.0 >> at & 1 != 0 {
                    rays[direction][bit as usize] |= 1 << at;
                    at += STEPS[direction];
                }
            }
            bit += 1;
        }
        direction += 1;
    }
    rays
};

/// The squares from `from` (excluded) to the edge.
#[inline(always)]
pub fn ray(direction: usize, from: Square) -> Bitboard {
    Bitboard(RAYS[direction][from.bit()])
}

/// The squares of the ray before the first occupied one, and the bit of that square, which is empty if the ray has
/// none.
#[inline(always)]
pub fn open_and_blocker(
    direction: usize,
    from: Square,
    occupied: Bitboard,
) -> (Bitboard, Bitboard) {
    let ray = RAYS[direction][from.bit()];
    let blockers = ray & occupied.0;
    if blockers == 0 {
        return (Bitboard(ray), Bitboard::EMPTY);
    }
    let blocker = if direction < 2 {
        bits::lowest(blockers)
    } else {
        bits::highest(blockers)
    };
    let beyond = RAYS[direction][blocker as usize];
    let blocker = 1u64 << blocker;
    (Bitboard(ray & !beyond & !blocker), Bitboard(blocker))
}

/// All squares that a flying king on `from` can reach without a capture.
#[inline(always)]
pub fn king_reach(from: Square, occupied: Bitboard) -> Bitboard {
    (0..DIRECTIONS).fold(Bitboard::EMPTY, |reach, direction| {
        reach | open_and_blocker(direction, from, occupied).0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(set: Bitboard) -> Vec<u8> {
        set.map(|s| s.number()).collect()
    }

    #[test]
    fn rays_reach_the_edge_and_stop_at_pieces() {
        let sq = |n| Square::new(n).unwrap();
        assert_eq!(numbers(ray(2, sq(46))), [5, 10, 14, 19, 23, 28, 32, 37, 41]);
        assert_eq!(numbers(ray(0, sq(5))), [10, 14, 19, 23, 28, 32, 37, 41, 46]);
        assert_eq!(numbers(ray(1, sq(1))), [7, 12, 18, 23, 29, 34, 40, 45]);
        let occupied = Bitboard::of(sq(19)) | Bitboard::of(sq(37));
        let (open, blocker) = open_and_blocker(2, sq(28), occupied);
        assert_eq!((numbers(open), numbers(blocker)), (vec![23], vec![19]));
        let (open, blocker) = open_and_blocker(0, sq(28), occupied);
        assert_eq!((numbers(open), numbers(blocker)), (vec![32], vec![37]));
        assert_eq!(numbers(king_reach(sq(46), Bitboard::EMPTY)).len(), 9);
    }
}
