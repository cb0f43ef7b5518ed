//! Positions by chance, the same ones every time.

use damier::board::{Bitboard, Color, Square};
use damier::rules::{Position, Setup};

/// A stream of numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below another one.
    pub fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % below
    }

    /// A position of so many pieces that can be.
    pub fn position(&mut self, pieces: u32) -> Position {
        loop {
            let turn = Color::BOTH[self.next(2) as usize];
            let mut setup = Setup::empty(turn);
            while (0..2)
                .fold(Bitboard::EMPTY, |all, c| {
                    all | setup.men[c] | setup.kings[c]
                })
                .len()
                < pieces
            {
                let square = Square::new(1 + self.next(50) as u8).unwrap();
                let color = self.next(2) as usize;
                let sets = if self.next(2) == 0 {
                    &mut setup.men
                } else {
                    &mut setup.kings
                };
                sets[color] |= Bitboard::of(square);
            }
            let Ok(position) = Position::try_from(setup) else {
                continue;
            };
            if Color::BOTH
                .into_iter()
                .all(|c| !position.pieces(c).is_empty())
            {
                return position;
            }
        }
    }
}
