//! Squares and ranges of squares, with what stands on them.

use super::FenReader;
use crate::board::{Bitboard, Color, Square};
use crate::notation::fen::{FenError, FenErrorKind};
use crate::notation::text::quoted;

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Man,
    King,
    /// A captured piece that lidraughts still shows.
    Ghost,
}

impl FenReader<'_> {
    /// A square or a range of squares, with what stands on it.
    pub(super) fn pieces(&mut self, color: Color) -> Result<(), FenError> {
        let begin = self.at;
        let piece = self.prefix();
        let first = self.square()?;
        let mut last = first;
        if self.range() {
            if self.peek().is_some_and(|c| !c.is_ascii_digit()) && self.prefix() != piece {
                return self.unexpected(FenErrorKind::Square);
            }
            last = self.square()?;
        }
        let (low, high) = (first.min(last).number(), first.max(last).number());
        for square in (low..=high).filter_map(Square::new) {
            self.put(color, piece, square, begin)?;
        }
        Ok(())
    }

    /// Steps over a dash between two squares, or two full stops.
    fn range(&mut self) -> bool {
        let begin = self.at;
        self.take_while(char::is_whitespace);
        let at = self.byte(self.at);
        let is_ellipsis = self.text[at..].starts_with(['\u{2026}', '\u{22ef}', '\u{2025}']);
        let dashes = self.take_while(|c| c == '-');
        let stops = self.take_while(|c| c == '.');
        self.take_while(char::is_whitespace);
        let is_square = self
            .peek()
            .is_some_and(|c| c.is_ascii_digit() || "KkDGgPp".contains(c));
        let is_range = dashes > 0 || (stops > 1 || is_ellipsis) && is_square;
        if !is_range {
            self.at = begin;
        }
        is_range
    }

    fn prefix(&mut self) -> Piece {
        let piece = match self.peek() {
            Some('K' | 'k' | 'D') => Piece::King,
            Some('G' | 'g' | 'P' | 'p') => Piece::Ghost,
            _ => return Piece::Man,
        };
        self.at += 1;
        self.take_while(char::is_whitespace);
        piece
    }

    fn square(&mut self) -> Result<Square, FenError> {
        let begin = self.at;
        if self.take_while(|c| c.is_ascii_digit()) == 0 {
            return self.unexpected(FenErrorKind::Square);
        }
        let digits: String = self.signs[begin..self.at]
            .iter()
            .map(|&(_, sign)| sign)
            .collect();
        digits.parse().or_else(|_| {
            let written = &self.text[self.byte(begin)..self.byte(self.at)];
            self.error(begin, FenErrorKind::NoSuchSquare(quoted(written)))
        })
    }

    fn put(
        &mut self,
        color: Color,
        piece: Piece,
        square: Square,
        at: usize,
    ) -> Result<(), FenError> {
        let setup = &mut self.setup;
        let taken = setup
            .men
            .iter()
            .chain(&setup.kings)
            .any(|set| set.contains(square));
        let set = match piece {
            Piece::Man => &mut setup.men,
            Piece::King => &mut setup.kings,
            Piece::Ghost => return Ok(()),
        };
        if taken {
            return self.error(at, FenErrorKind::SquareTwice(square));
        }
        set[color.index()] |= Bitboard::of(square);
        self.places[usize::from(square.number())] = at;
        if let Some((_, pieces)) = self.sides.last_mut() {
            *pieces += 1;
        }
        Ok(())
    }
}
