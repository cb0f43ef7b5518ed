//! A book entry, and the choice of a move from it.

use super::LEARNING_WEIGHT;
use damier_rules::Move;

/// Results of games that went through a move, for the side that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Learned {
    /// Games.
    pub games: u32,
    /// Points of these games: 2 for a win, 1 for a draw.
    pub points: u32,
}

impl Learned {
    /// The correction to a score from results, in hundredths of a man: below `bound`, and growing with the number of
    /// games.
    pub fn shift(self, bound: u32) -> i32 {
        let surplus = i64::from(self.points) - i64::from(self.games);
        let shift = i64::from(bound) * surplus / (i64::from(self.games) + LEARNING_WEIGHT);
        shift as i32
    }
}

/// A move of a position in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The backed-up search score, in hundredths of a man for the side to move.
    pub searched: i32,
    /// Results of games.
    pub learned: Learned,
    /// The effective score: `searched`, corrected by `learned`.
    pub score: i32,
}

/// A position in a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Depth of its search, in plies.
    pub depth: u32,
    /// Moves, the best one first.
    pub moves: Vec<BookMove>,
}

impl Entry {
    /// The moves at most `margin` hundredths of a man worse than the best one.
    pub fn within(&self, margin: u32) -> &[BookMove] {
        let Some(best) = self.moves.first() else {
            return &[];
        };
        let least = best.score - margin as i32;
        let count = self.moves.iter().take_while(|mv| mv.score >= least).count();
        &self.moves[..count]
    }

    /// Picks one of the moves within the margin that `accept` accepts, by a random number. The weight of a move is
    /// `margin - loss + 1`, where `loss` is how much worse than the best it is.
    pub fn choose(
        &self,
        margin: u32,
        random: u64,
        accept: impl Fn(&BookMove) -> bool,
    ) -> Option<&BookMove> {
        let best = self.moves.first()?.score;
        let moves = self.within(margin).iter().filter(|mv| accept(mv));
        let moves: Vec<&BookMove> = moves.collect();
        let weight = |mv: &BookMove| u64::from(margin) + 1 - (best - mv.score) as u64;
        let total: u64 = moves.iter().map(|mv| weight(mv)).sum();
        let mut at = ((u128::from(random) * u128::from(total)) >> 64) as u64;
        moves.into_iter().find(|mv| {
            let weight = weight(mv);
            let found = at < weight;
            at = at.saturating_sub(weight);
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::Position;

    fn entry(scores: &[i32]) -> Entry {
        let legal = Position::start().legal_moves();
        let moves = scores.iter().zip(legal).map(|(&score, mv)| BookMove {
            mv,
            searched: score,
            learned: Learned::default(),
            score,
        });
        Entry {
            depth: 9,
            moves: moves.collect(),
        }
    }

    #[test]
    fn moves_within_the_margin_are_drawn_by_weight() {
        let entry = entry(&[10, 10, 7, 5, -30]);
        let count = |margin| {
            let mut counts = [0u32; 5];
            for i in 0..6_000u64 {
                let random = i.wrapping_mul(u64::MAX / 6_000);
                let chosen = entry.choose(margin, random, |_| true).expect("a move").mv;
                let index = entry
                    .moves
                    .iter()
                    .position(|mv| mv.mv == chosen)
                    .expect("one of them");
                counts[index] += 1;
            }
            counts
        };
        // Without a margin the equally good ones, evenly.
        let none = count(0);
        assert!(
            none[0].abs_diff(3_000) < 5 && none[1].abs_diff(3_000) < 5,
            "{none:?}"
        );
        assert_eq!(none[2..], [0, 0, 0]);
        // Weights 5, 5, 2.
        let four = count(4);
        assert!(
            four[0].abs_diff(2_500) < 5 && four[2].abs_diff(1_000) < 5,
            "{four:?}"
        );
        assert_eq!(four[3..], [0, 0]);
        // What is not accepted is not drawn; the margin still counts from the best move.
        let other = entry.choose(4, 0, |mv| mv.score < 10).expect("a move");
        assert_eq!(other.score, 7);
        assert_eq!(entry.choose(2, 0, |mv| mv.score < 10), None);
        assert_eq!(entry.within(5).len(), 4);
        assert_eq!(entry.within(100).len(), 5);
    }

    #[test]
    fn learning_is_bounded() {
        for games in 0..1_000 {
            let shift = |points| Learned { games, points }.shift(20);
            assert!(shift(2 * games) < 20 && shift(0) > -20);
            assert_eq!(shift(games), 0);
            assert_eq!(shift(2 * games), -shift(0));
        }
        let won = |games| {
            Learned {
                games,
                points: 2 * games,
            }
            .shift(20)
        };
        assert!(won(1) > 0 && won(10) > won(1) && won(1_000) == 19);
    }
}
