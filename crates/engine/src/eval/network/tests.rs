use super::simd::{self, ROWS, Row, Second, UNITS, WeightRow, lanes};
use super::*;
use crate::eval::{Evaluator, Score};
use damier_cpu::{Cpu, CpuLevel, OnCpu};
use damier_rules::Position;

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

fn network(size: Size) -> FloatNetwork {
    let (hidden, second) = size.units();
    let mut numbers = Numbers((hidden + second) as u64);
    let mut float = FloatNetwork::new(size);
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
        .second
        .iter_mut()
        .for_each(|w| *w = (numbers.weight(0.1) * 64.0).round() / 64.0);
    float
        .second_bias
        .iter_mut()
        .for_each(|w| *w = 0.4 + numbers.weight(0.3));
    float.last.iter_mut().for_each(|w| *w = numbers.weight(0.9));
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

fn fresh<const H: usize, const D: usize, C: Cpu>(
    network: &Network<H, D, C>,
    position: &Position,
) -> Score {
    network.evaluate(&mut network.scratch(), 0, position)
}

fn agrees_with_itself<const H: usize, const D: usize>(cpu: impl Cpu) {
    let float = network(Size::of(H, D).expect("a size"));
    let whole = Network::<H, D, _>::new(cpu, &float.quantize(100.0)).expect("the size");
    let mut slots = whole.scratch();
    let (mut count, mut kings) = (0, 0);
    positions(40, |ply, position| {
        let score = fresh(&whole, position);
        // Kept from position to position, here and there, as a search does.
        if ply % 3 != 1 {
            assert_eq!(whole.evaluate(&mut slots, ply % 23, position), score);
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

struct AgreesWithItself;

impl OnCpu for AgreesWithItself {
    type Output = ();

    fn on<C: Cpu>(self, cpu: C) {
        agrees_with_itself::<64, 0>(cpu);
        agrees_with_itself::<128, 0>(cpu);
        agrees_with_itself::<128, 8>(cpu);
        agrees_with_itself::<256, 0>(cpu);
    }
}

#[test]
fn a_kept_state_a_fresh_one_the_turned_board_and_the_float_network_agree() {
    for level in CpuLevel::all() {
        level.run(AgreesWithItself);
    }
}

/// The loops of a level give the portable ones' bits.
fn twins_agree<const H: usize>(cpu: impl Cpu) {
    let mut numbers = Numbers(5);
    let mut others = Numbers(6);
    let mut bytes = |limit: u64| {
        let mut byte = |_| (others.next() % (2 * limit + 1)) as i64 - limit as i64;
        WeightRow(std::array::from_fn(|i| byte(i) as i8))
    };
    let mut inside = 0;
    let mut row = |limit: i32| {
        Row::<H>(std::array::from_fn(|_| {
            (numbers.next() as i32 % (2 * limit + 1) - limit) as i16
        }))
    };
    let rows: [Row<H>; ROWS] = std::array::from_fn(|_| row(507));
    for round in 0..200 {
        let limit = if round % 2 == 0 { 600 } else { 30_000 };
        let (source, weights) = ([row(limit), row(limit)], [row(127), row(127)]);
        let inputs = |count: usize, step: usize| -> Vec<[u8; 2]> {
            let input = |i: usize| ((round * step + i * 17) % 190) as u8;
            (0..count).map(|i| [input(i), input(i + 5)]).collect()
        };
        let (added, removed) = (inputs(round % 7, 31), inputs(round % 5, 13));
        let [added, removed] = [&added, &removed].map(|inputs| inputs.iter().copied());
        let units = [&source[0], &source[1]];
        let expected =
            lanes::updated(&source, &rows, added.clone(), removed.clone()).map(|row| row.0);
        let sum = lanes::output(units, &weights);
        // Small weights, whose sums are within the range of a unit; and the largest.
        let most = [6, 127][round % 2];
        let second = Second::<H> {
            rows: std::array::from_fn(|_| [bytes(most), bytes(most)]),
            bias: std::array::from_fn(|unit| 4_000 - 100 * unit as i32),
            output: std::array::from_fn(|unit| [i16::MAX, i16::MIN, 1, -300][unit % 4]),
        };
        let above = lanes::second(units, &second);
        let alone = |unit: usize| {
            let mut one = second.clone();
            one.output = std::array::from_fn(|other| i16::from(other == unit));
            lanes::second(units, &one)
        };
        let most = Weights::SECOND_SQUARE;
        inside += (0..UNITS)
            .filter(|unit| (1..most).contains(&alone(*unit)))
            .count();
        assert!(round % 7 + round % 5 == 0 || expected != source.map(|row| row.0));
        let found = cpu.run(|| simd::updated(cpu, &source, &rows, added, removed));
        assert_eq!(found.map(|row| row.0), expected);
        assert_eq!(cpu.run(|| simd::output(cpu, units, &weights)), sum);
        assert_eq!(cpu.run(|| simd::second(cpu, units, &second)), above);
    }
    assert!(inside > 400, "{inside}");
}

struct TwinsAgree;

impl OnCpu for TwinsAgree {
    type Output = ();

    fn on<C: Cpu>(self, cpu: C) {
        twins_agree::<64>(cpu);
        twins_agree::<128>(cpu);
        twins_agree::<256>(cpu);
        extremes_agree::<64>(cpu);
        extremes_agree::<128>(cpu);
        extremes_agree::<256>(cpu);
    }
}

struct TwinsAgreeOnBetter;

impl OnCpu for TwinsAgreeOnBetter {
    type Output = ();

    fn on<C: Cpu>(self, cpu: C) {
        if let Some(better) = simd::better(cpu) {
            TwinsAgree.on(better);
        }
    }
}

#[test]
fn portable_and_simd_loops_give_the_same_bits() {
    for level in CpuLevel::all() {
        level.run(TwinsAgree);
        level.run(TwinsAgreeOnBetter);
    }
}

/// The largest weights of the second layer do not overflow: all squares 1, all weights as large as can be, the biases
/// such that the sum is just within the range.
fn extremes_agree<const H: usize>(cpu: impl Cpu) {
    for weight in [i8::MIN, i8::MAX] {
        let units = Row::<H>([i16::MAX; H]);
        let sum = 127 * 2 * H as i32 * i32::from(weight);
        let second = Second::<H> {
            rows: [[WeightRow([weight; H]); 2]; UNITS],
            bias: std::array::from_fn(|unit| 4_000 + 500 * unit as i32 - sum),
            // One up, one down: weights whose outputs could leave 32 bits are refused.
            output: std::array::from_fn(|unit| [i16::MIN, i16::MAX][unit % 2]),
        };
        let output = |unit: usize| {
            let square = (4_000 + 500 * unit as i32).pow(2) >> 12;
            square * i32::from(second.output[unit])
        };
        let expected: i32 = (0..UNITS).map(output).sum();
        let units = [&units, &units];
        assert_eq!(lanes::second(units, &second), expected);
        assert_eq!(cpu.run(|| simd::second(cpu, units, &second)), expected);
    }
}

#[test]
fn weights_that_could_overflow_are_none() {
    let bytes = |hidden: usize, output: i16, bias: i32| {
        let mut weights = network(Size::of(hidden, 0).expect("a size")).quantize(100.0);
        weights.output.fill(output);
        weights.output_bias[7] = bias;
        let mut bytes = Vec::new();
        weights.write(&mut bytes);
        bytes
    };
    let read = |bytes: &[u8]| Weights::read(bytes, false);
    assert!(read(&bytes(128, 127, 0)).is_some());
    assert!(read(&bytes(128, -127, i32::MIN)).is_none());
    assert!(read(&bytes(64, 1, i32::MAX)).is_none());
    assert!(read(&bytes(256, 127, 0)).is_none());
    assert!(read(&bytes(256, 64, 0)).is_some());
}

#[test]
fn a_second_layer_that_could_overflow_is_none() {
    let deep = || network(Size::Deep).quantize(100.0);
    let read = |spoil: fn(&mut Weights)| {
        let (mut weights, mut bytes) = (deep(), Vec::new());
        spoil(&mut weights);
        weights.write(&mut bytes);
        let read = Weights::read(&bytes, true);
        assert!(Weights::read(&bytes, false).is_none());
        assert!(Weights::read(&bytes[..bytes.len() - 1], true).is_none());
        assert!(read.is_none() || read == Some(weights));
        read.is_some()
    };
    assert!(read(|_| ()));
    assert!(!read(|weights| weights.second_bias[5] = i32::MIN));
    assert!(!read(|weights| weights.last.fill(i16::MAX)));
    assert!(read(|weights| weights.second.fill(127)));
    assert!(!read(|weights| weights.size = Size::Medium));
}
