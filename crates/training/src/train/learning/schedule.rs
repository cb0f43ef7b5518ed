//! Order of the positions, learning rate, and averaging of the weights over the steps.

use crate::train::TrainingSettings;
use damier_engine::rng::Rng;

/// Share of the learning rate that is left at the end.
const LAST: f64 = 0.01;

/// The order of the examples in an epoch: the same for the same seed, epoch and number, whatever was before.
pub(in crate::train) fn order(seed: u64, epoch: u32, examples: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..examples as u32).collect();
    Rng::stream(seed, 1 + u64::from(epoch)).shuffle(&mut order);
    order
}

/// The learning rate of a step: half a cosine from the whole rate down to a hundredth of it.
pub(in crate::train) fn rate(settings: &TrainingSettings, step: u64, steps: u64) -> f32 {
    let done = step as f64 / steps.max(1) as f64;
    let cosine = 0.5 * (1.0 + (std::f64::consts::PI * done.min(1.0)).cos());
    (settings.rate * (LAST + (1.0 - LAST) * cosine)) as f32
}

/// Moves the mean of the weights towards the weights after step `step`, from 0. At first the mean is over few steps, so
/// that the random weights at the start are soon forgotten.
pub(in crate::train) fn average(mean: &mut [f32], weights: &[f32], decay: f64, step: u64) {
    let seen = step as f64;
    let share = 1.0 - decay.min((1.0 + seen) / (10.0 + seen)) as f32;
    for (mean, weight) in mean.iter_mut().zip(weights) {
        *mean += share * (weight - *mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_follows_the_weights_at_its_pace() {
        let mut mean = [0.0, 4.0];
        for step in 0..2_000 {
            average(&mut mean, &[1.0, 4.0], 0.999, step);
        }
        assert!(
            (mean[0] - 1.0).abs() < 1e-3,
            "the start is forgotten: {mean:?}"
        );
        assert_eq!(mean[1], 4.0);
        let before = mean[0];
        average(&mut mean, &[2.0, 4.0], 0.999, 1 << 30);
        assert!((mean[0] - before - 0.001).abs() < 1e-5, "{mean:?} {before}");
        // Without a mean: the last weights.
        average(&mut mean, &[7.0, 8.0], 0.0, 5);
        assert!(
            (mean[0] - 7.0).abs() < 1e-6 && (mean[1] - 8.0).abs() < 1e-6,
            "{mean:?}"
        );
    }
}
