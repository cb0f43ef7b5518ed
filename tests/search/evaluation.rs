//! What an evaluation costs. A measurement, not a check: it runs when it is asked for.

use damier::cpu::{self, Cpu, OnCpu};
use damier::eval::network::{self, BySize, Network};
use damier::eval::{Evaluator, WeightsFile};
use damier::rules::Position;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

/// Positions of random games in the order in which they came about.
fn positions(count: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    let (mut position, mut number) = (Position::start(), 1u64);
    while positions.len() < count {
        let moves = position.legal_moves();
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        match moves.len() {
            0 => position = Position::start(),
            legal => {
                position = position.play(moves[(number >> 33) as usize % legal]);
                positions.push(position);
            }
        }
    }
    positions
}

/// Nanoseconds an evaluation: of positions that follow each other, and of positions that have nothing to do with each
/// other.
fn cost<Eval: Evaluator>(evaluator: &Eval) -> [f64; 2] {
    let near = positions(100_000);
    let far = |i: usize| near[i * 7_919 % near.len()];
    let far: Vec<Position> = (0..near.len()).map(far).collect();
    [near, far].map(|positions| {
        let mut scratch = evaluator.scratch();
        let mut best = f64::MAX;
        for _ in 0..20 {
            let began = Instant::now();
            for (ply, position) in positions.iter().enumerate() {
                black_box(evaluator.evaluate(&mut scratch, ply as u32 % 100, position));
            }
            best = best.min(began.elapsed().as_secs_f64());
        }
        best * 1e9 / positions.len() as f64
    })
}

struct CostOf<'a>(&'a network::Weights);

impl OnCpu for CostOf<'_> {
    type Output = [f64; 2];

    fn on<C: Cpu>(self, cpu: C) -> [f64; 2] {
        self.0.size.dispatch(CostOn(cpu, self.0))
    }
}

struct CostOn<'a, C>(C, &'a network::Weights);

impl<C: Cpu> BySize for CostOn<'_, C> {
    type Output = [f64; 2];

    fn with<const H: usize, const D: usize>(self) -> [f64; 2] {
        cost(&Network::<H, D, C>::new(self.0, self.1).expect("the size"))
    }
}

/// `DAMIER_WEIGHTS` names a file in the place of the weights inside the program.
#[test]
#[ignore = "a measurement: cargo test --release --test search evaluation -- --ignored --nocapture"]
fn nanoseconds_of_an_evaluation() {
    let named = std::env::var("DAMIER_WEIGHTS").map(|name| std::fs::read(name).expect("a file"));
    let bytes = named.unwrap_or_else(|_| WeightsFile::EMBEDDED.to_vec());
    let weights = WeightsFile::from_bytes(&bytes).expect("weights").weights;
    let name = weights.size;
    let [near, far] = cpu::level().expect("a level").run(CostOf(&weights));
    let _ = writeln!(
        io::stderr(),
        "{name}: {near:.0} ns where positions follow each other, {far:.0} ns elsewhere"
    );
    assert!(near > 0.0 && far > 0.0);
}
