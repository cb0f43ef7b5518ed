//! Generated start positions with material that games seldom reach but an evaluation must understand: kings, uneven
//! material and far advanced men.

use damier_engine::rng::Rng;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{EndgameClass, Position, Setup};

/// Number of arrangements tried for the same pieces.
const TRIES: u32 = 300;

/// The pieces of one side.
#[derive(Clone, Copy, Debug)]
struct EndingSide {
    men: u32,
    kings: u32,
    /// Percentage of the men that have crossed the middle of the board.
    advanced: u32,
}

/// A legal position without captures that is not over.
pub(super) fn position(random: &mut Rng) -> Position {
    loop {
        let sides = material(random);
        // With more pieces, more arrangements have a capture; without many tries such positions would be rare.
        let arranged = (0..TRIES).find_map(|_| arrange(sides, random));
        if let Some(position) = arranged {
            return position;
        }
    }
}

/// White and black pieces for one of four kinds of position.
fn material(random: &mut Rng) -> [EndingSide; 2] {
    let kind = random.below(5);
    let mut sides = match kind {
        // Few pieces, kings on both sides.
        0 | 1 => {
            let pieces = random.within(1, 5);
            let other = random.within(pieces.saturating_sub(2).max(1), (pieces + 2).min(6));
            [pieces, other].map(|pieces| {
                let kings = random.within(1, pieces);
                EndingSide {
                    men: pieces - kings,
                    kings,
                    advanced: 50,
                }
            })
        }
        // Kings against men.
        2 => {
            let king = EndingSide {
                men: random.within(0, 3),
                kings: random.within(1, 2),
                advanced: 30,
            };
            let men = EndingSide {
                men: random.within(3, 7),
                kings: 0,
                advanced: 60,
            };
            [king, men]
        }
        // Men about to break through.
        3 => {
            let men = random.within(3, 9);
            let more = random.within(0, 1);
            [men, men + more].map(|men| EndingSide {
                men,
                kings: 0,
                advanced: 75,
            })
        }
        // Many pieces including kings, anywhere.
        _ => {
            let men = random.within(6, 14);
            let more = random.within(0, 2);
            [men, men + more].map(|men| EndingSide {
                men,
                kings: random.within(0, 5).saturating_sub(3),
                advanced: 30,
            })
        }
    };
    if random.percent(50) {
        sides.reverse();
    }
    sides
}

/// Puts the pieces on random squares. None if the position cannot be played.
fn arrange(sides: [EndingSide; 2], random: &mut Rng) -> Option<Position> {
    let turn = Color::BOTH[usize::from(random.percent(50))];
    let mut setup = Setup::empty(turn);
    let mut taken = Bitboard::EMPTY;
    for (color, side) in Color::BOTH.into_iter().zip(sides) {
        for _ in 0..side.men {
            let advanced = random.percent(side.advanced);
            let square = free(taken, random, |row| rank(color, row, advanced))?;
            setup.men[color.index()] |= Bitboard::of(square);
            taken |= Bitboard::of(square);
        }
        for _ in 0..side.kings {
            let square = free(taken, random, |_| true)?;
            setup.kings[color.index()] |= Bitboard::of(square);
            taken |= Bitboard::of(square);
        }
    }
    let position = Position::try_from(setup).ok()?;
    let decided = Color::BOTH.into_iter().any(|c| position.can_capture(c))
        || position.is_terminal()
        || EndgameClass::of(&position) == Some(EndgameClass::TwoVsKing);
    (!decided).then_some(position)
}

/// Whether a man may stand on this row (0 at the top): in its own half, or in the other half except its promotion row.
fn rank(color: Color, row: u8, advanced: bool) -> bool {
    let steps = match color {
        Color::White => 9 - row,
        Color::Black => row,
    };
    if advanced {
        (5..9).contains(&steps)
    } else {
        steps < 5
    }
}

/// A random free square in an allowed row.
fn free(taken: Bitboard, random: &mut Rng, fits: impl Fn(u8) -> bool) -> Option<Square> {
    let free = (!taken).filter(|square| fits(square.row()));
    let squares: Vec<Square> = free.collect();
    random.pick(&squares).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_calm_and_of_many_kinds() {
        let mut seen = std::collections::HashSet::new();
        let (mut kings, mut uneven, mut few, mut many) = (0, 0, 0, 0);
        for game in 0..2_000 {
            let position = position(&mut Rng::stream(5, game));
            assert!(!position.is_terminal() && !position.must_capture());
            seen.insert(position.key().0);
            let [white, black] = Color::BOTH.map(|c| position.pieces(c).len());
            let with_king = |c: Color| !position.kings(c).is_empty();
            kings += usize::from(Color::BOTH.into_iter().all(with_king));
            uneven += usize::from(white != black);
            few += usize::from(white + black <= 8);
            many += usize::from(white + black >= 20);
        }
        assert!(seen.len() > 1_950, "{}", seen.len());
        assert!(
            kings > 600 && uneven > 600 && few > 500 && many > 40,
            "{kings} {uneven} {few} {many}"
        );
    }
}
