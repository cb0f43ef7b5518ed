//! What was played in a position, and how it scored.

use crate::stat::Tally;
use crate::{Base, BaseError, Day, Search};
use damier_rules::board::Color;
use damier_rules::notation::{moves, pdn::Outcome};
use damier_rules::{Move, Position};
use serde::{Deserialize, Serialize};

/// A position and what games did in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Explored {
    /// The position, as FEN.
    pub fen: String,
    /// The games that had it.
    #[serde(flatten)]
    pub tally: Tally,
    /// The moves played, the most frequent first. A game that ends here has none.
    pub moves: Vec<ExploredMove>,
}

/// A move and the games with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExploredMove {
    /// Short text of the move.
    #[serde(rename = "move")]
    pub text: String,
    /// The games.
    #[serde(flatten)]
    pub tally: Tally,
    /// Points of the side to move in games that were won, drawn or lost: 1 if all were won.
    pub score: Option<f64>,
    /// The last game with it whose date is known; the first of them on that day.
    pub last_game: Option<i64>,
}

impl Base {
    /// What was played in a position, in the games of a search whose own position does not count.
    ///
    /// # Errors
    /// As [`Base::query`].
    pub fn explore(&self, search: &Search, position: &Position) -> Result<Explored, BaseError> {
        let search = Search {
            position: Some(*position),
            ..search.clone()
        };
        let mut found = Explored {
            fen: position.to_string(),
            tally: Tally::default(),
            moves: Vec::new(),
        };
        let mut played: Vec<Move> = Vec::new();
        for hit in self.query(&search)?.hits()? {
            let hit = hit?;
            found.tally.add(hit.result, hit.day);
            let Some(mv) = hit.next else { continue };
            let place = played.iter().position(|&known| known == mv);
            let place = place.unwrap_or_else(|| {
                played.push(mv);
                found.moves.push(ExploredMove::new(position, mv));
                played.len() - 1
            });
            let explored = &mut found.moves[place];
            if hit.day > explored.tally.last {
                explored.last_game = Some(hit.game);
            }
            explored.tally.add(hit.result, hit.day);
        }
        for explored in &mut found.moves {
            explored.score = explored.tally.score(position.turn());
        }
        found
            .moves
            .sort_by_key(|explored| std::cmp::Reverse(explored.tally.games));
        Ok(found)
    }
}

impl ExploredMove {
    fn new(position: &Position, mv: Move) -> ExploredMove {
        ExploredMove {
            text: moves::short(position, mv),
            tally: Tally::default(),
            score: None,
            last_game: None,
        }
    }
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, result: Outcome, day: Option<Day>) {
        self.games += 1;
        match result {
            Outcome::White => self.white += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Black => self.black += 1,
            Outcome::Nobody | Outcome::Unknown => self.other += 1,
        }
        if day.is_some() {
            self.first = self.first.or(day).min(day);
            self.last = self.last.max(day);
        }
    }

    /// Points of a side in games that were won, drawn or lost, from 0 to 1; none without such games.
    pub fn score(&self, side: Color) -> Option<f64> {
        let won = if side == Color::White {
            self.white
        } else {
            self.black
        };
        let all = self.white + self.draws + self.black;
        (all > 0).then(|| (won as f64 + self.draws as f64 / 2.0) / all as f64)
    }
}
