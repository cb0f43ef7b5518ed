use super::*;
use crate::eval::patterns::Pair as WholePair;
use crate::lab::rng::Rng;
use crate::lab::train::samples;

const LABELS: Labels = Labels {
    blend: 0.3,
    scale: 150.0,
};

fn trained(examples: &[Example], rate: f32) -> Patterns {
    let mut patterns = Patterns::new();
    let batch: Vec<u32> = (0..examples.len() as u32).collect();
    for _ in 0..10 {
        patterns.learn(examples, &batch, LABELS, rate);
    }
    patterns
}

#[test]
fn the_parts_add_up_to_the_patterns() {
    let samples = samples(3_000);
    let examples: Vec<Example> = samples.iter().map(Example::new).collect();
    let patterns = trained(&examples, 0.1);
    let float = Patterns::float(&patterns.parameters);
    let (mut kings, mut largest) = (0, 0f32);
    for (sample, example) in samples.iter().zip(&examples) {
        let logit = patterns.logit(&patterns.parameters, example);
        let expected = float.forward(&sample.position);
        assert!((logit - expected).abs() < 1e-4, "{logit} {expected}");
        kings += u32::from(!sample.position.all_kings().is_empty());
        largest = largest.max(logit.abs());
    }
    assert!(kings > 100 && largest > 0.5, "{kings} {largest}");
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let examples: Vec<Example> = samples(400).iter().map(Example::new).collect();
    let places: Vec<u32> = (0..examples.len() as u32).collect();
    let mut patterns = trained(&examples, 0.1);
    // The squares of the gradients are what the memory grows by.
    let before = patterns.memory.clone();
    let kept = patterns.parameters.clone();
    patterns.learn(&examples, &places, LABELS, 0.0);
    assert!(patterns.parameters == kept);
    let loss = |parameters: &[f32]| -> f64 {
        let one = |example: &Example| {
            let logit = f64::from(patterns.logit(parameters, example));
            let expected = 1.0 / (1.0 + (-logit).exp());
            let label = f64::from(LABELS.label(example));
            -label * expected.ln() - (1.0 - label) * (1.0 - expected).ln()
        };
        examples.iter().map(one).sum()
    };
    let touched: Vec<usize> = (0..2 * PAIRS)
        .filter(|&at| patterns.memory[at] > before[at])
        .collect();
    assert!(touched.len() > 1000, "{}", touched.len());
    let mut rng = Rng::new(9);
    let last = 2 * WINDOWS * WINDOW;
    let others: Vec<usize> = touched.iter().copied().filter(|&at| at >= last).collect();
    assert!(others.len() > 20, "{}", others.len());
    for at in (0..200).map(|i| {
        *rng.pick(if i % 2 == 0 { &touched } else { &others })
            .unwrap()
    }) {
        let found = (patterns.memory[at] - before[at]).sqrt();
        let at_weight = |step: f32| {
            let mut parameters = patterns.parameters.clone();
            parameters[at] += step;
            loss(&parameters)
        };
        let slope = (at_weight(0.01) - at_weight(-0.01)) / 0.02;
        let error = (slope.abs() - f64::from(found)).abs();
        assert!(error < 0.01 + 0.02 * slope.abs(), "{at}: {slope} {found}");
    }
}

#[test]
fn whole_numbers_are_near_and_read_back() {
    let examples: Vec<Example> = samples(2_000).iter().map(Example::new).collect();
    let mut patterns = trained(&examples, 0.1);
    let rounded = patterns.rounded(&patterns.parameters);
    for example in &examples {
        let [exact, near] = [&patterns.parameters, &rounded].map(|w| patterns.logit(w, example));
        assert!((exact - near).abs() < 0.01, "{exact} {near}");
    }
    let weights = patterns.weights(&patterns.parameters, 120.0);
    assert!(patterns.begin_with(&weights, 120.0));
    let pairs = patterns.parameters.iter().zip(&rounded);
    assert!(
        pairs
            .into_iter()
            .all(|(a, b)| (a - b).abs() <= a.abs() * 1e-6)
    );
    assert!(patterns.weights(&patterns.parameters, 120.0) == weights);
    let network =
        crate::eval::network::FloatNetwork::new(crate::eval::network::Size::Small).quantize(100.0);
    assert!(!patterns.begin_with(&Weights::Network(network), 100.0));
}

#[test]
fn no_weight_leaves_its_limits() {
    let examples: Vec<Example> = samples(300).iter().map(Example::new).collect();
    let patterns = trained(&examples, 20.0);
    let (windows, others) = patterns.parameters.split_at(2 * WINDOWS * WINDOW);
    for (weights, limit) in [(windows, LIMIT), (others, OTHER_LIMIT)] {
        let largest = weights.iter().fold(0f32, |most, w| most.max(w.abs()));
        assert_eq!(largest, limit);
    }
    // Nor do the sums leave the whole numbers.
    let Weights::Patterns(weights) = patterns.weights(&patterns.parameters, 150.0) else {
        panic!("patterns")
    };
    let inside = |pair: &WholePair| pair.iter().all(|w| (-i16::MAX..i16::MAX).contains(w));
    assert!(weights.windows.iter().chain(&weights.others).all(inside));
}
