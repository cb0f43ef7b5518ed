use super::*;
use crate::train::samples;

fn examples(count: usize) -> Vec<Example> {
    samples(count)
        .into_iter()
        .map(|(_, example)| example)
        .collect()
}

fn trained<const H: usize, const D: usize>(examples: &[Example]) -> Network<H, D> {
    let mut network = Network::<H, D>::new(3);
    let batch: Vec<u32> = (0..examples.len() as u32).collect();
    for _ in 0..20 {
        network.learn(
            examples,
            &batch,
            (&Labels::default(), Objective::default()),
            0.01,
        );
    }
    network
}

fn forward_is_that_of_the_network<const H: usize, const D: usize>() {
    let samples = samples(3_000);
    let examples: Vec<Example> = samples.iter().map(|(_, example)| *example).collect();
    let network = trained::<H, D>(&examples);
    let float = Network::<H, D>::float(&network.parameters);
    let mut kings = 0;
    for (position, example) in &samples {
        let logit = network.logit(&network.parameters, example);
        let expected = float.forward(position);
        assert!((logit - expected).abs() < 1e-4, "{logit} {expected}");
        kings += u32::from(!position.all_kings().is_empty());
    }
    assert!(kings > 100, "{kings}");
}

#[test]
fn forward_is_that_of_the_network_in_every_size() {
    forward_is_that_of_the_network::<64, 0>();
    forward_is_that_of_the_network::<128, 0>();
    forward_is_that_of_the_network::<128, 8>();
    forward_is_that_of_the_network::<256, 0>();
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let examples = examples(400);
    let places: Vec<u32> = (0..examples.len() as u32).collect();
    let mut network = trained::<128, 8>(&examples);
    let mut gradient = vec![0.0; Network::<128, 8>::WEIGHTS];
    network.gradient(
        &examples,
        &places,
        (&Labels::default(), Objective::default()),
        &mut gradient,
    );
    // Independent of the code above it: the loss in double precision, by the definition of the network.
    let loss = |network: &Network<128, 8>| -> f64 {
        let parts = Parts::<128, 8>::new(&network.parameters);
        examples
            .iter()
            .map(|example| f64_loss(&network.inputs, &parts, example))
            .sum()
    };
    let mut rng = Rng::new(9);
    let second = INPUTS * 128 + 128 + BUCKETS * 257;
    let last = gradient.len() - BUCKETS * 8;
    let layers = [
        0..INPUTS * 128,
        INPUTS * 128..INPUTS * 128 + 128,
        INPUTS * 128 + 128..second,
        second..last - BUCKETS * 8,
        last - BUCKETS * 8..last,
        last..gradient.len(),
    ];
    for (number, layer) in layers.into_iter().enumerate() {
        let (mut checked, mut error, mut size) = (0, 0.0, 0.0);
        for _ in 0..60 {
            let at = layer.start + rng.below(layer.len() as u64) as usize;
            let before = network.parameters[at];
            let mut at_weight = |weight: f32| {
                network.parameters[at] = weight;
                loss(&network)
            };
            let (up, down) = (before + 2e-5, before - 2e-5);
            let slope = (at_weight(up) - at_weight(down)) / f64::from(up - down);
            network.parameters[at] = before;
            error += (slope - f64::from(gradient[at])).powi(2);
            size += slope.powi(2);
            checked += u32::from(slope != 0.0);
        }
        assert!(checked > 10 && size > 0.0, "{number}: {checked} {size}");
        assert!(error < 1e-4 * size, "{number}: {error} of {size}");
    }
}

fn f64_loss(inputs: &Inputs, parts: &Parts<128, 8>, example: &Example) -> f64 {
    let (active, bucket) = (inputs.active(example), usize::from(example.bucket));
    let mut logit = f64::from(parts.output_bias[bucket]);
    let mut sums = [0.0; 8];
    for (unit, sum) in sums.iter_mut().enumerate() {
        *sum = f64::from(parts.second_bias[8 * bucket + unit]);
    }
    for side in 0..2 {
        for unit in 0..128 {
            let rows = active
                .view(side)
                .iter()
                .map(|&input| &parts.input[usize::from(input)]);
            let sum: f64 = rows.map(|row| f64::from(row[unit])).sum();
            let square = (sum + f64::from(parts.bias[unit])).clamp(0.0, 1.0).powi(2);
            logit += square * f64::from(parts.output[2 * bucket + side][unit]);
            for (above, sum) in sums.iter_mut().enumerate() {
                let row = &parts.second[16 * bucket + 2 * above + side];
                *sum += square * f64::from(row[unit]);
            }
        }
    }
    for (sum, last) in sums.iter().zip(&parts.last[8 * bucket..]) {
        logit += sum.clamp(0.0, 1.0).powi(2) * f64::from(*last);
    }
    let expected = 1.0 / (1.0 + (-logit).exp());
    let search = f64::from(example.score());
    let label = example
        .result()
        .map_or(search, |result| 0.3 * f64::from(result) + 0.7 * search);
    -label * expected.ln() - (1.0 - label) * (1.0 - expected).ln()
}

#[test]
fn quantised_weights_are_near_and_read_back() {
    let examples = examples(2_000);
    let mut network = trained::<128, 8>(&examples);
    let rounded = network.rounded(&network.parameters);
    for example in &examples {
        let [exact, near] = [&network.parameters, &rounded].map(|w| network.logit(w, example));
        assert!((exact - near).abs() < 0.05, "{exact} {near}");
    }
    let weights = network.weights(&network.parameters, 120.0);
    assert!(network.begin_with(&weights, 120.0));
    let pairs = network.parameters.iter().zip(&rounded);
    assert!(
        pairs
            .into_iter()
            .all(|(a, b)| (a - b).abs() <= a.abs() * 1e-6)
    );
    assert_eq!(network.weights(&network.parameters, 120.0), weights);
    assert!(!Network::<64, 0>::new(1).begin_with(&weights, 100.0));
}

#[test]
fn no_weight_leaves_its_limits() {
    let examples = examples(200);
    let mut network = Network::<128, 8>::new(1);
    let places: Vec<u32> = (0..200).collect();
    for _ in 0..10 {
        network.learn(
            &examples,
            &places,
            (&Labels::default(), Objective::default()),
            0.9,
        );
    }
    assert!(network.parameters.iter().any(|w| w.abs() == WEIGHT_LIMIT));
    assert!(network.parameters.iter().all(|w| w.abs() <= WEIGHT_LIMIT));
}
