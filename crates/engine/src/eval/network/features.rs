//! The network's inputs: 190 for each side's view of the board, and the bucket of the output weights.
//!
//! A view has the board turned so that its own men move up. Inputs are, in this order: own men on the 45 squares where
//! a man can stand, enemy men on theirs, own kings on 50 squares, enemy kings on 50.

use damier_cpu::bits;
use damier_rules::Position;
use damier_rules::board::{Bitboard, Color, Square};

/// Inputs of a view.
pub const INPUTS: usize = 190;
/// Sets of output weights: eight by the number of men where there are no kings, four by the number of pieces where
/// there are.
pub const BUCKETS: usize = 12;

/// The pieces of a position by kind: white men, black men, white kings, black kings.
pub(super) type Boards = [u64; 4];

/// The kinds of pieces of a position.
#[inline(always)]
pub(super) fn boards(position: &Position) -> Boards {
    let [white, black] = Color::BOTH;
    // A position is usually evaluated as soon as it is made.
    [
        bits::opaque(position.men(white).bits()),
        bits::opaque(position.men(black).bits()),
        bits::opaque(position.kings(white).bits()),
        bits::opaque(position.kings(black).bits()),
    ]
}

/// The input of a piece in one side's view. A man never stands on the row where it promotes.
pub fn input(view: Color, color: Color, king: bool, square: Square) -> usize {
    let number = usize::from(match view {
        Color::White => square.number(),
        Color::Black => square.rotated().number(),
    });
    match (color == view, king) {
        (true, false) => number.saturating_sub(6),
        (false, false) => 45 + (number - 1).min(44),
        (true, true) => 90 + number - 1,
        (false, true) => 140 + number - 1,
    }
}

/// [`input`] by kind as in [`Boards`], bit, and view.
pub(super) static INPUT: [[[u8; 2]; 64]; 4] = table();

const fn table() -> [[[u8; 2]; 64]; 4] {
    let mut table = [[[0; 2]; 64]; 4];
    let mut number = 1u8;
    while number <= 50 {
        if let Some(square) = Square::new(number) {
            let (bit, turned) = (square.bit(), 51 - number);
            let own_man = [number.saturating_sub(6), turned.saturating_sub(6)];
            let enemy_man = [number - 1, turned - 1];
            let mut view = 0;
            while view < 2 {
                table[view][bit][view] = own_man[view];
                let enemy = if enemy_man[view] > 44 {
                    44
                } else {
                    enemy_man[view]
                };
                table[1 - view][bit][view] = 45 + enemy;
                table[2 + view][bit][view] = 90 + enemy_man[view];
                table[3 - view][bit][view] = 140 + enemy_man[view];
                view += 1;
            }
        }
        number += 1;
    }
    table
}

/// The active inputs of a view.
pub fn inputs(position: &Position, view: Color) -> impl Iterator<Item = usize> {
    boards(position)
        .into_iter()
        .zip(&INPUT)
        .flat_map(move |(board, table)| {
            Bitboard::from_bits(board)
                .map(move |square| usize::from(table[square.bit()][view.index()]))
        })
}

/// The inputs of some pieces in the views of white and black. One loop serves all kinds: no two pieces share a square.
#[derive(Clone)]
pub(super) struct Inputs {
    pieces: Boards,
    squares: Bitboard,
}

impl Inputs {
    /// The pieces that stand on the first boards and not on the second.
    #[inline(always)]
    pub fn difference(boards: &Boards, others: &Boards) -> Inputs {
        let pieces: Boards = std::array::from_fn(|kind| boards[kind] & !others[kind]);
        let squares = Bitboard::from_bits(pieces[0] | pieces[1] | pieces[2] | pieces[3]);
        Inputs { pieces, squares }
    }
}

impl Iterator for Inputs {
    type Item = [u8; 2];

    #[inline(always)]
    fn next(&mut self) -> Option<[u8; 2]> {
        let bit = self.squares.next()?.bit() & 63;
        let [_, black_men, white_kings, black_kings] = self.pieces;
        let kings = (white_kings | black_kings) >> bit & 1;
        let black = (black_men | black_kings) >> bit & 1;
        Some(INPUT[(2 * kings + black) as usize][bit])
    }
}

/// The set of output weights for a position.
#[inline(always)]
pub fn bucket(position: &Position) -> usize {
    let pieces = position.occupied().len() as usize;
    if position.all_kings().is_empty() {
        (pieces.saturating_sub(1) / 5).min(7)
    } else {
        8 + match pieces {
            0..=5 => 0,
            6..=8 => 1,
            9..=14 => 2,
            _ => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_an_input_of_its_own_in_both_views() {
        for view in Color::BOTH {
            let mut seen = [0; INPUTS];
            for (kind, (color, king)) in [
                (Color::White, false),
                (Color::Black, false),
                (Color::White, true),
                (Color::Black, true),
            ]
            .into_iter()
            .enumerate()
            {
                for square in Square::all() {
                    let last = if color == Color::White { 0 } else { 9 };
                    if !king && square.row() == last {
                        continue;
                    }
                    let number = input(view, color, king, square);
                    assert_eq!(number, usize::from(INPUT[kind][square.bit()][view.index()]));
                    assert_eq!(number, input(!view, !color, king, square.rotated()));
                    seen[number] += 1;
                }
            }
            assert_eq!(seen, [1; INPUTS]);
        }
    }
}
