//! Results of unfinished games by the tables.

use super::{Tables, is_certain};
use crate::Value;
use damier_rules::Game;
use damier_rules::board::Color;
use std::sync::Arc;

/// Decides games with few pieces by the endgame tables, under the draw rules and their counters.
pub struct TableAdjudicator {
    tables: Arc<Tables>,
    /// Maximum number of pieces on the board.
    pieces: u8,
}

impl TableAdjudicator {
    /// Maximum pieces of the tables with distances, which tell whether a win is in time for the draw counters.
    const PIECES: u8 = 4;

    /// Decides by these tables.
    pub fn new(tables: Arc<Tables>) -> TableAdjudicator {
        TableAdjudicator::up_to(tables, TableAdjudicator::PIECES)
    }

    /// Decides by tables of up to this many pieces. Wins without a distance are left undecided.
    pub fn up_to(tables: Arc<Tables>, pieces: u8) -> TableAdjudicator {
        TableAdjudicator { tables, pieces }
    }

    /// The result of a game that is not over, if the tables know it: the winner, or None for a draw.
    pub fn result(&self, game: &Game) -> Option<Option<Color>> {
        let position = game.position();
        if position.occupied().len() > u32::from(self.pieces) {
            return None;
        }
        let verdict = self.tables.probe(position, self.pieces)?;
        // A win that takes too long may still be possible by a sacrifice, so the game goes on.
        let unknown = verdict.value != Value::Draw && verdict.distance.is_none();
        if unknown || !is_certain(verdict, position, &game.clock()) {
            return None;
        }
        Some(match verdict.value {
            Value::Win => Some(position.turn()),
            Value::Draw => None,
            Value::Loss => Some(!position.turn()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::Status;
    use damier_rules::internal::mix;
    use damier_rules::notation::fen;

    fn game(text: &str) -> Game {
        Game::new(fen::parse(text).expect("a position"))
    }

    fn exact() -> TableAdjudicator {
        TableAdjudicator::new(Tables::open(None).expect("the tables in the program"))
    }

    const WHITE: Option<Option<Color>> = Some(Some(Color::White));
    const BLACK: Option<Option<Color>> = Some(Some(Color::Black));
    const DRAWN: Option<Option<Color>> = Some(None);

    #[test]
    fn tables_give_the_game_to_the_side_that_wins_whoever_moves() {
        let judge = exact();
        for (text, expected) in [
            // Two kings win against a man, whichever side is to move.
            ("W:WK28,K50:B20", WHITE),
            ("B:WK28,K50:B20", WHITE),
            ("B:BK23,K1:W31", BLACK),
            ("W:BK23,K1:W31", BLACK),
            // On one diagonal: whichever side is to move is captured.
            ("W:WK46:BK5", BLACK),
            ("B:WK46:BK5", WHITE),
            ("W:WK46,K28:BK4", DRAWN),
            ("B:WK46,K28:BK4", DRAWN),
        ] {
            assert_eq!(judge.result(&game(text)), expected, "{text}");
        }
        // Five pieces: without distances, the counters cannot be checked.
        assert_eq!(judge.result(&game("W:WK46,K28,K50,K37:BK4")), None);
    }

    /// Plays random moves in an ending with a counter; returns the first position that is won or lost, but not within
    /// the limit of the counter.
    fn too_late(start: &str, seed: u64) -> Option<Game> {
        let exact = exact();
        let mut random = seed;
        let mut game = game(start);
        while game.status() == Status::Playing {
            let position = game.position();
            let verdict = exact.tables.probe(position, 4)?;
            if verdict.value != Value::Draw && !is_certain(verdict, position, &game.clock()) {
                return Some(game);
            }
            let legal = position.legal_moves();
            random = mix(random);
            let mv = legal[(random % legal.len() as u64) as usize];
            game.play(mv);
        }
        None
    }

    #[test]
    fn a_win_that_comes_too_late_is_not_given() {
        let starts = [
            "W:WK1,K2,K24:BK50",
            "B:WK6,31,36:BK50",
            "W:WK6,41:BK50",
            "B:W10:BK6,K46,20",
        ];
        let play = |start| (0..3000).filter_map(move |seed| too_late(start, seed));
        let found: Vec<Game> = starts.into_iter().flat_map(play).collect();
        assert!(!found.is_empty());
        for game in found {
            let position = *game.position();
            let text = fen::format(&position);
            assert_eq!(exact().result(&game), None, "{text}");
            // Without the earlier moves it would be a win.
            let fresh = exact().result(&Game::new(position));
            let won_by_mover =
                exact().tables.probe(&position, 4).expect("known").value == Value::Win;
            let winner = if won_by_mover {
                position.turn()
            } else {
                !position.turn()
            };
            assert_eq!(fresh, Some(Some(winner)), "{text}");
        }
    }
}
