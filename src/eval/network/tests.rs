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

    fn weight(&mut self, limit: f32) -> f32 {
        ((self.next() % 2001) as f32 / 1000.0 - 1.0) * limit
    }
}

fn network(hidden: usize) -> FloatNetwork {
    let mut numbers = Numbers(hidden as u64);
    let mut float = FloatNetwork::new(hidden);
    float
        .input
        .iter_mut()
        .for_each(|w| *w = numbers.weight(0.3));
    float
        .bias
        .iter_mut()
        .for_each(|w| *w = 0.4 + numbers.weight(0.4));
    float
        .output
        .iter_mut()
        .for_each(|w| *w = numbers.weight(0.5));
    float
        .output_bias
        .iter_mut()
        .for_each(|w| *w = numbers.weight(1.0));
    float
}

/// Positions of random games.
fn positions(games: u64, mut each: impl FnMut(u32, &Position)) {
    for game in 0..games {
        let mut numbers = Numbers(game);
        let mut position = Position::start();
        for ply in 0..120 {
            each(ply, &position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[numbers.next() as usize % moves.len()]);
        }
    }
}

fn fresh<const H: usize>(network: &Network<H>, position: &Position) -> Score {
    network.evaluate(&mut network.scratch(), 0, &(), position)
}

fn agrees_with_itself<const H: usize>() {
    let float = network(H);
    let whole = Network::<H>::new(&float.quantize(100.0)).expect("the size");
    let mut slots = whole.scratch();
    let (mut count, mut kings) = (0, 0);
    positions(40, |ply, position| {
        let score = fresh(&whole, position);
        // Kept from position to position, here and there, as a search does.
        if ply % 3 != 1 {
            assert_eq!(whole.evaluate(&mut slots, ply % 23, &(), position), score);
        }
        assert_eq!(fresh(&whole, &position.flipped()), score);
        let exact = float.forward(position) * 100.0;
        assert!(
            (score.centimen() as f32 - exact).abs() < 25.0,
            "{score} {exact}"
        );
        count += 1;
        kings += u32::from(!position.all_kings().is_empty());
    });
    assert!(count > 1000 && kings > 100, "{count} {kings}");
}

#[test]
fn a_kept_state_a_fresh_one_the_turned_board_and_the_float_network_agree() {
    agrees_with_itself::<64>();
    agrees_with_itself::<128>();
    agrees_with_itself::<256>();
}

/// Every SIMD twin that this machine has gives the portable one's bits.
fn twins_agree<const H: usize>() {
    let mut numbers = Numbers(5);
    let mut row = |limit: i32| {
        Row::<H>(std::array::from_fn(|_| {
            (numbers.next() as i32 % (2 * limit + 1) - limit) as i16
        }))
    };
    let rows: [Row<H>; evaluator::ROWS] = std::array::from_fn(|_| row(507));
    for round in 0..200 {
        let limit = if round % 2 == 0 { 600 } else { 30_000 };
        let (source, weights) = ([row(limit), row(limit)], [row(127), row(127)]);
        let inputs = |count: usize, step: usize| -> Vec<[u8; 2]> {
            let input = |i: usize| ((round * step + i * 17) % 190) as u8;
            (0..count).map(|i| [input(i), input(i + 5)]).collect()
        };
        let (added, removed) = (inputs(round % 7, 31), inputs(round % 5, 13));
        let expected = lanes::updated(&source, &rows, &added, &removed).map(|row| row.0);
        let sum = lanes::output([&source[0], &source[1]], &weights);
        assert!(round % 7 + round % 5 == 0 || expected != source.map(|row| row.0));
        #[cfg(target_feature = "avx2")]
        {
            let found = avx2::updated(&source, &rows, &added, &removed);
            assert_eq!(found.map(|row| row.0), expected);
            assert_eq!(avx2::output([&source[0], &source[1]], &weights), sum);
        }
        #[cfg(target_feature = "avx512bw")]
        {
            let found = avx512::updated(&source, &rows, &added, &removed);
            assert_eq!(found.map(|row| row.0), expected);
            assert_eq!(avx512::output([&source[0], &source[1]], &weights), sum);
        }
        // Where there is no twin.
        let _ = sum;
    }
}

#[test]
fn portable_and_simd_loops_give_the_same_bits() {
    twins_agree::<64>();
    twins_agree::<128>();
    twins_agree::<256>();
}

#[test]
fn weights_that_could_overflow_are_none() {
    let bytes = |hidden: usize, output: i16, bias: i32| {
        let mut weights = network(hidden).quantize(100.0);
        weights.output.fill(output);
        weights.output_bias[7] = bias;
        let mut bytes = Vec::new();
        weights.write(&mut bytes);
        bytes
    };
    assert!(Weights::read(&bytes(128, 127, 0)).is_some());
    assert!(Weights::read(&bytes(128, -127, i32::MIN)).is_none());
    assert!(Weights::read(&bytes(64, 1, i32::MAX)).is_none());
    assert!(Weights::read(&bytes(256, 127, 0)).is_none());
    assert!(Weights::read(&bytes(256, 64, 0)).is_some());
}
