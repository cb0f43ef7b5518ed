//! Positions for the tests of what learns.

use crate::train::Example;
use damier_engine::rng::Rng;
use damier_rules::Position;

/// Positions of random games, men and kings, both colours, with random scores and results; one in four has no result.
pub(in crate::train) fn samples(count: usize) -> Vec<(Position, Example)> {
    let mut rng = Rng::new(5);
    let mut samples = Vec::new();
    let mut position = Position::start();
    while samples.len() < count {
        let moves = position.legal_moves();
        let Some(&mv) = rng.pick(&moves) else {
            position = Position::start();
            continue;
        };
        let result = *rng.pick(&[Some(0.0), Some(0.5), Some(1.0), None]).unwrap();
        let example = Example::new(&position, rng.unit() as f32, result);
        samples.push((position, example));
        position = position.play(mv);
    }
    samples
}
