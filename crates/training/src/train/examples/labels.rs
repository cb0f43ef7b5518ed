//! Labels: the target of the evaluation of a position, from 0 (lost) to 1 (won) for the side to move.

use crate::dataset::{GameRecord, Sample};
use damier_engine::eval::Score;
use damier_rules::GameResult;
use damier_rules::board::Color;
use serde::Serialize;

/// How labels are made from a game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Labels {
    /// Weight of the game's result in the label, from 0 to 1; the rest is the expectation of the search.
    pub blend: f64,
    /// Hundredths of a man for a logit of 1.
    pub scale: f64,
    /// Searches of the game whose scores are averaged: that of the position itself and the next ones.
    pub horizon: u32,
    /// Weight of each of these scores relative to the one before it.
    pub decay: f64,
    /// Whether a position has a result even where a random move was played after it.
    pub all_results: bool,
}

impl Default for Labels {
    fn default() -> Labels {
        Labels {
            blend: 0.3,
            scale: 150.0,
            horizon: 8,
            decay: 0.85,
            all_results: false,
        }
    }
}

/// A searched position of a game with its label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labelled {
    /// The position as it was played.
    pub sample: Sample,
    /// What the searches from here on expect, from 0 to 1.
    pub score: f32,
    /// The result of the game. None where a random move decided it as well.
    pub result: Option<GameResult>,
}

/// How a move was chosen.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Choice {
    Searched(Score),
    /// The only legal move.
    Forced,
    Random,
}

struct Ply {
    sample: Sample,
    choice: Choice,
    /// Whether no later move was random.
    clean: bool,
}

impl Labels {
    /// The searched positions of a game with their labels.
    pub fn of_game(&self, game: &GameRecord) -> Vec<Labelled> {
        let plies = plies(game);
        let searched = plies.iter().enumerate();
        let searched = searched.filter(|(_, ply)| matches!(ply.choice, Choice::Searched(_)));
        searched
            .map(|(at, ply)| Labelled {
                sample: ply.sample,
                score: self.expectation(&plies[at..]),
                result: (ply.clean || self.all_results).then_some(ply.sample.result),
            })
            .collect()
    }

    /// The discounted mean of what the next searches expect, for the side to move on the first of these plies, a
    /// searched one.
    ///
    /// A random move ends it: what is searched behind it says nothing of the position before. Forced moves have no
    /// search and are passed over. A proven score stands for all searches up to the horizon, for nothing that follows
    /// can change it.
    fn expectation(&self, plies: &[Ply]) -> f32 {
        let Some(side) = plies.first().map(Ply::turn) else {
            return 0.5;
        };
        let (mut sum, mut total, mut weight) = (0.0, 0.0, 1.0);
        let mut left = self.horizon.max(1);
        for ply in plies {
            let score = match ply.choice {
                Choice::Searched(score) => score,
                Choice::Forced => continue,
                Choice::Random => break,
            };
            let expected = self.expected(if ply.turn() == side { score } else { -score });
            let times = if score.is_eval() { 1 } else { left };
            for _ in 0..times {
                sum += weight * expected;
                total += weight;
                weight *= self.decay;
            }
            left -= times;
            if left == 0 {
                break;
            }
        }
        (sum / total) as f32
    }

    /// The result that a score makes one expect.
    pub(in crate::train) fn expected(&self, score: Score) -> f64 {
        1.0 / (1.0 + (-f64::from(score.centimen()) / self.scale).exp())
    }

    /// The label: result and score blended, or the score alone where there is no result.
    #[inline]
    pub(in crate::train) fn label(&self, score: f32, result: Option<f32>) -> f32 {
        let blend = self.blend as f32;
        result.map_or(score, |result| blend * result + (1.0 - blend) * score)
    }
}

impl Ply {
    fn turn(&self) -> Color {
        self.sample.position.turn()
    }
}

/// The plies of a game.
fn plies(game: &GameRecord) -> Vec<Ply> {
    let mut position = game.start;
    let mut plies = Vec::with_capacity(game.moves.len());
    for (ply, played) in game.moves.iter().enumerate() {
        let choice = match played.score {
            Some(score) => Choice::Searched(score),
            None if position.legal_moves().len() == 1 => Choice::Forced,
            None => Choice::Random,
        };
        let sample = Sample {
            position,
            score: played.score.unwrap_or_default(),
            result: GameResult::of(position.turn(), game.winner),
            mv: played.mv,
            ply: ply as u32,
            left: (game.moves.len() - ply) as u32,
            game: game.index,
            file: 0,
        };
        plies.push(Ply {
            sample,
            choice,
            clean: true,
        });
        position = position.play(played.mv);
    }
    let mut clean = true;
    for ply in plies.iter_mut().rev() {
        ply.clean = clean;
        clean &= ply.choice != Choice::Random;
    }
    plies
}

/// The expected result of a logit.
#[inline]
pub(in crate::train) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// `ln(1 + exp(logit))`: the cross entropy is this less the label times the logit.
#[inline]
pub(in crate::train) fn softplus(logit: f32) -> f32 {
    logit.max(0.0) + (-logit.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{End, Played};
    use damier_rules::notation::fen;
    use damier_rules::{Move, Position};

    /// A game from `start` of moves that leave the opponent a choice, if there are any: searched with a score, in
    /// hundredths of a man for the side to move, or not. White has won.
    fn game(start: &str, scores: &[Option<i32>]) -> GameRecord {
        let start = fen::parse(start).unwrap();
        let mut position = start;
        let played = scores.iter().map(|score| {
            let moves = position.legal_moves();
            let leaves_choice = |mv: &&Move| {
                let next = position.play(**mv);
                next.legal_moves().len() > 1 && !next.must_capture()
            };
            let mv = *moves.iter().find(leaves_choice).unwrap_or(&moves[0]);
            position = position.play(mv);
            Played {
                mv,
                score: score.map(Score::new),
            }
        });
        GameRecord {
            index: 7,
            start,
            moves: played.collect(),
            end: End::Score,
            winner: Some(Color::White),
        }
    }

    const START: &str = "W:W31-50:B1-20";

    fn p(score: i32) -> f64 {
        1.0 / (1.0 + (-f64::from(score) / 150.0).exp())
    }

    fn labels(horizon: u32) -> Labels {
        Labels {
            horizon,
            decay: 0.5,
            ..Labels::default()
        }
    }

    fn near(found: f32, expected: f64) {
        assert!(
            (f64::from(found) - expected).abs() < 1e-6,
            "{found} {expected}"
        );
    }

    #[test]
    fn no_result_reaches_back_over_a_random_move() {
        let game = game(START, &[Some(10), Some(20), None, Some(30), Some(40)]);
        let found = labels(8).of_game(&game);
        let results: Vec<_> = found
            .iter()
            .map(|one| (one.sample.ply, one.result))
            .collect();
        let [win, loss] = [Some(GameResult::Win), Some(GameResult::Loss)];
        assert_eq!(results, [(0, None), (1, None), (3, loss), (4, win)]);
        let all = Labels {
            all_results: true,
            ..labels(8)
        };
        let results: Vec<_> = all.of_game(&game).iter().map(|one| one.result).collect();
        assert_eq!(results, [win, loss, loss, win]);
    }

    #[test]
    fn scores_are_averaged_from_the_side_to_move_up_to_the_horizon() {
        let game = game(START, &[Some(90), Some(-60), Some(30), Some(0)]);
        let found: Vec<f32> = labels(3)
            .of_game(&game)
            .iter()
            .map(|one| one.score)
            .collect();
        near(found[0], (p(90) + 0.5 * p(60) + 0.25 * p(30)) / 1.75);
        near(found[1], (p(-60) + 0.5 * p(-30) + 0.25 * p(0)) / 1.75);
        near(found[2], (p(30) + 0.5 * p(0)) / 1.5);
        near(found[3], p(0));
        // With a horizon of one it is the score itself.
        for (one, score) in labels(1).of_game(&game).iter().zip([90, -60, 30, 0]) {
            near(one.score, p(score));
        }
    }

    #[test]
    fn a_random_move_ends_the_mean_and_a_forced_one_does_not() {
        let random = game(START, &[Some(90), None, Some(30)]);
        near(labels(8).of_game(&random)[0].score, p(90));
        // Black has one man with one move.
        let start = "W:W46,50:B15";
        let forced = game(start, &[Some(100), None, Some(60)]);
        let position: Position = forced.start.play(forced.moves[0].mv);
        assert_eq!(
            position.legal_moves().len(),
            1,
            "the test needs a forced reply"
        );
        let found = labels(8).of_game(&forced);
        assert_eq!(found.len(), 2);
        near(found[0].score, (p(100) + 0.5 * p(60)) / 1.5);
        assert_eq!(found[0].result, Some(GameResult::Win));
    }

    #[test]
    fn a_proven_score_stands_for_the_rest_of_the_horizon() {
        let win = Score::win_in(5);
        let game = game(START, &[Some(0), Some(-win.centimen()), None, Some(-500)]);
        let found = labels(3).of_game(&game);
        near(found[0].score, (0.5 + 0.75) / 1.75);
        near(found[1].score, 0.0);
    }
}
