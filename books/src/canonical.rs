//! Canonical positions: a position and its colour-flipped twin share one entry, with an exact code and a hashed key.

use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::internal::mix;
use damier_rules::{Move, Position, Setup};

/// Maximum number of forced moves that [`play_forced`] plays; kings could move for ever.
const MOST_FORCED: usize = 32;

/// A position with the side to move as white: with black to move it is rotated and colours are swapped. Both have the
/// same value for the side to move, so they share one book entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical {
    position: Position,
    flipped: bool,
}

impl Canonical {
    /// The canonical form of a position.
    pub fn of(position: &Position) -> Canonical {
        match position.turn() {
            Color::White => Canonical {
                position: *position,
                flipped: false,
            },
            Color::Black => Canonical {
                position: position.flipped(),
                flipped: true,
            },
        }
    }

    /// The position with white to move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Converts a move between the original and the canonical position, in either direction.
    pub fn convert(&self, mv: Move) -> Move {
        match self.flipped {
            true => Move::new(
                mv.from().rotated(),
                mv.to().rotated(),
                mv.captured().rotated(),
            ),
            false => mv,
        }
    }

    /// The exact code of the position.
    pub fn code(&self) -> Code {
        Code::of(&self.position)
    }
}

/// A canonical position as a number: its 50 squares as digits to base 5, square 1 the highest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(u128);

/// The maximum key: 48 bits.
pub const KEY_MAX: u64 = (1 << 48) - 1;

impl Code {
    fn of(position: &Position) -> Code {
        let digit = |square: Square| {
            let sets = [
                position.men(Color::White),
                position.men(Color::Black),
                position.kings(Color::White),
                position.kings(Color::Black),
            ];
            let found = sets.iter().position(|set| set.contains(square));
            found.map_or(0, |index| index as u128 + 1)
        };
        Code(Square::all().fold(0, |code, square| code * 5 + digit(square)))
    }

    /// The position, white to move. None if the code is not that of a position.
    pub fn position(self) -> Option<Position> {
        let mut setup = Setup::empty(Color::White);
        let mut rest = self.0;
        for square in Square::all().rev() {
            let set = match rest % 5 {
                1 => &mut setup.men[0],
                2 => &mut setup.men[1],
                3 => &mut setup.kings[0],
                4 => &mut setup.kings[1],
                _ => &mut Bitboard::EMPTY.clone(),
            };
            *set |= Bitboard::of(square);
            rest /= 5;
        }
        Position::try_from(setup).ok().filter(|_| rest == 0)
    }

    /// The 48-bit key of the position in a book file: the high bits of two rounds of the splitmix64 finaliser.
    pub fn key(self) -> u64 {
        mix(self.0 as u64 ^ mix((self.0 >> 64) as u64)) >> 16
    }
}

/// A position after the forced moves that follow it.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Where the side to move has a choice, or no move at all.
    pub position: Position,
    /// The forced moves played.
    pub forced: Vec<Move>,
}

/// Plays forced moves. Books contain only positions with a choice.
pub fn play_forced(position: &Position) -> Settled {
    let mut settled = Settled {
        position: *position,
        forced: Vec::new(),
    };
    while settled.forced.len() < MOST_FORCED
        && let [mv] = settled.position.legal_moves().as_slice()
    {
        settled.position = settled.position.play(*mv);
        settled.forced.push(*mv);
    }
    settled
}

/// The legal moves in the order in which book files number them: by origin, destination, captured squares.
pub fn numbered_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|mv| (mv.from().number(), mv.to().number(), mv.captured().bits()));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::notation::fen;

    #[test]
    fn a_position_and_its_twin_share_code_and_moves() {
        let position = fen::parse("B:W28,32,K3:B14,19,K50").expect("a position");
        let (one, twin) = (Canonical::of(&position), Canonical::of(&position.flipped()));
        assert_eq!(one.code(), twin.code());
        assert_eq!(one.position(), twin.position());
        let there: Vec<Move> = position
            .legal_moves()
            .iter()
            .map(|mv| one.convert(*mv))
            .collect();
        assert!(there.iter().all(|mv| one.position().is_legal(*mv)));
        assert!(
            position
                .legal_moves()
                .iter()
                .all(|mv| one.convert(one.convert(*mv)) == *mv)
        );
    }

    #[test]
    fn a_code_is_exact() {
        for text in ["W:W31-50:B1-20", "W:WK1,28:BK50,7", "W:WK5:BK46"] {
            let position = fen::parse(text).expect("a position");
            let code = Canonical::of(&position).code();
            assert_eq!(code.position(), Some(position), "{text}");
            assert!(code.key() <= KEY_MAX);
        }
        assert_eq!(Code(u128::MAX).position(), None);
        // A white man on square 1 would be a king.
        assert_eq!(Code(5u128.pow(49)).position(), None);
    }

    #[test]
    fn forced_moves_are_played() {
        let settled = play_forced(&fen::parse("W:W28,50:B23,1,2").expect("a position"));
        assert_eq!(settled.forced.len(), 1);
        assert_eq!(settled.position.turn(), Color::Black);
        assert!(play_forced(&Position::start()).forced.is_empty());
    }
}
