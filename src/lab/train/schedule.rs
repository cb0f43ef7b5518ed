//! Which positions come when, and how large the steps are.

use super::Settings;
use crate::lab::rng::Rng;

/// What is left of the rate at the end.
const LAST: f64 = 0.01;

/// The order of the examples in an epoch: the same for the same seed, epoch and number, whatever was before.
pub(super) fn order(seed: u64, epoch: u32, examples: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..examples as u32).collect();
    Rng::stream(seed, 1 + u64::from(epoch)).shuffle(&mut order);
    order
}

/// The rate of a step: half a cosine from the whole rate down to a hundredth of it.
pub(super) fn rate(settings: &Settings, step: u64, steps: u64) -> f32 {
    let done = step as f64 / steps.max(1) as f64;
    let cosine = 0.5 * (1.0 + (std::f64::consts::PI * done.min(1.0)).cos());
    (f64::from(settings.rate) * (LAST + (1.0 - LAST) * cosine)) as f32
}
