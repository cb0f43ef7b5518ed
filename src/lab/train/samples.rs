//! Positions for the tests of what learns.

use crate::board::Color;
use crate::eval::Score;
use crate::lab::GameResult;
use crate::lab::dataset::Sample;
use crate::lab::rng::Rng;
use crate::rules::Position;

/// Positions of random games, men and kings, both colours, with what might have been found of them.
pub(super) fn samples(count: usize) -> Vec<Sample> {
    let mut rng = Rng::new(5);
    let mut samples = Vec::new();
    let mut position = Position::start();
    while samples.len() < count {
        let moves = position.legal_moves();
        let Some(&mv) = rng.pick(&moves) else {
            position = Position::start();
            continue;
        };
        let winner = *rng
            .pick(&[None, Some(Color::White), Some(Color::Black)])
            .unwrap();
        samples.push(Sample {
            position,
            score: Score::new(rng.below(600) as i32 - 300),
            result: GameResult::of(position.turn(), winner),
            mv,
            ply: 0,
            left: 1,
            game: 0,
            file: 0,
        });
        position = position.play(mv);
    }
    samples
}
