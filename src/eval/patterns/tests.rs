use super::*;
use crate::eval::{Evaluator, Score};
use crate::rules::Position;

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn pair(&mut self, limit: f32) -> [f32; 2] {
        [(); 2].map(|()| ((self.next() % 2001) as f32 / 1000.0 - 1.0) * limit)
    }
}

fn patterns() -> FloatPatterns {
    let mut numbers = Numbers(7);
    let mut float = FloatPatterns::new();
    for pair in float.windows.iter_mut().chain(&mut float.others) {
        *pair = numbers.pair(0.5);
    }
    float
}

#[test]
fn whole_numbers_floats_and_the_turned_board_agree() {
    let float = patterns();
    let whole = Patterns::new(&float.quantize(150.0)).expect("the size");
    let score = |position: &Position| -> Score { whole.evaluate(&mut (), 0, position) };
    let (mut count, mut kings, mut scores) = (0, 0, Vec::new());
    for game in 0..60 {
        let mut numbers = Numbers(game);
        let mut position = Position::start();
        for _ in 0..120 {
            let found = score(&position);
            assert_eq!(score(&position.flipped()), found);
            let exact = float.forward(&position) * 150.0;
            let near = (found.centimen() as f32 - exact).abs();
            assert!(near < 2.0, "{found} {exact}");
            scores.push(found);
            count += 1;
            kings += u32::from(!position.all_kings().is_empty());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[numbers.next() as usize % moves.len()]);
        }
    }
    assert!(count > 2000 && kings > 200, "{count} {kings}");
    scores.sort();
    scores.dedup();
    assert!(scores.len() > 300, "{}", scores.len());
}

#[test]
fn weights_of_another_size_are_refused() {
    let mut weights = FloatPatterns::new().quantize(100.0);
    assert!(Patterns::new(&weights).is_some());
    weights.others.pop();
    assert!(Patterns::new(&weights).is_none());
    weights = FloatPatterns::new().quantize(100.0);
    weights.windows.pop();
    assert!(Patterns::new(&weights).is_none());
    // Weights beyond what a whole number can hold stay at the largest.
    let mut float = FloatPatterns::new();
    float.others[0] = [1e6, -1e6];
    assert_eq!(float.quantize(100.0).others[0], [i16::MAX, i16::MIN]);
}
