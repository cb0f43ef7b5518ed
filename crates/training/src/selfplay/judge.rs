//! Adjudication: by the endgame tables, or by consistent scores.

use crate::dataset::End;
use damier_endgame::TableAdjudicator;
use damier_endgame::Tables;
use damier_engine::eval::Score;
use damier_rules::Game;
use damier_rules::board::Color;
use std::sync::Arc;

/// Number of consecutive searched plies that must agree: three searches by each side.
const AGREEING: u32 = 6;

/// Tracks the scores of a game.
pub struct Judge {
    bound: Option<Score>,
    leader: Option<Color>,
    agreeing: u32,
    exact: Option<TableAdjudicator>,
}

impl Judge {
    /// A judge of scores of `adjudicate` hundredths of a man, 0 for none, and of tables of up to `pieces` pieces.
    pub fn new(adjudicate: u32, pieces: u8, tables: &Arc<Tables>) -> Judge {
        let bound = (adjudicate > 0).then(|| Score::new(adjudicate as i32));
        Judge {
            bound,
            leader: None,
            agreeing: 0,
            exact: (adjudicate > 0 && pieces > 0)
                .then(|| TableAdjudicator::up_to(Arc::clone(tables), pieces)),
        }
    }

    /// The result, if the endgame tables know it.
    pub fn exact(&self, game: &Game) -> Option<(End, Option<Color>)> {
        let winner = self.exact.as_ref()?.result(game)?;
        Some((End::Tables, winner))
    }

    /// Records the score of a search by `color`. Returns the result if it decides the game.
    pub fn verdict(&mut self, color: Color, score: Score) -> Option<(End, Option<Color>)> {
        let bound = self.bound?;
        let leader = if score >= bound {
            Some(color)
        } else if -score >= bound {
            Some(!color)
        } else {
            None
        };
        self.agreeing = if leader.is_some() && leader == self.leader {
            self.agreeing + 1
        } else {
            u32::from(leader.is_some())
        };
        self.leader = leader;
        (self.agreeing >= AGREEING).then_some((End::Score, leader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_plies_in_a_row_decide_and_doubt_begins_anew() {
        let tables = Tables::open(None).expect("the tables in the program");
        let (mut judge, mut color) = (Judge::new(500, 5, &tables), Color::Black);
        let mut note = |for_white: i32| {
            color = !color;
            let score = Score::new(for_white);
            judge.verdict(color, if color == Color::White { score } else { -score })
        };
        for score in [600, 500, 700, 600, 600, 499] {
            assert_eq!(note(score), None);
        }
        for score in [-500, -600, 600, -600, -600, -600, -9_990, -600] {
            assert_eq!(note(score), None);
        }
        assert_eq!(note(-600), Some((End::Score, Some(Color::Black))));
        let mut never = Judge::new(0, 5, &tables);
        assert!((0..20).all(|_| never.verdict(Color::White, Score::win_in(1)).is_none()));
    }
}
