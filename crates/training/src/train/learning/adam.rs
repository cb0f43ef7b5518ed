//! The optimiser: Adam (Kingma and Ba, 2015).

use damier_cpu as cpu;
use rayon::prelude::*;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Weights that one thread updates at a time.
const PART: usize = 1 << 12;

/// Running means of each weight's gradient and of its square.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::train) struct Adam {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
    pub steps: u64,
}

impl Adam {
    pub fn new(weights: usize) -> Adam {
        Adam {
            first: vec![0.0; weights],
            second: vec![0.0; weights],
            steps: 0,
        }
    }

    /// Takes a step against the sum of these gradients times `factor`; weights are clamped to `limit` either way.
    pub fn step(
        &mut self,
        weights: &mut [f32],
        gradients: &[Vec<f32>],
        factor: f32,
        rate: f32,
        limit: f32,
    ) {
        self.steps += 1;
        let power = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64);
        let rate = f64::from(rate) / power(BETA1);
        let (rate, unbias) = (rate as f32, (1.0 / power(BETA2)) as f32);
        weights
            .par_chunks_mut(PART)
            .zip(self.first.par_chunks_mut(PART))
            .zip(self.second.par_chunks_mut(PART))
            .enumerate()
            .for_each(|(part, ((weights, first), second))| {
                cpu::run(|| {
                    let mut sum = [0.0; PART];
                    let sum = &mut sum[..weights.len()];
                    for gradient in gradients {
                        let gradient = &gradient[part * PART..][..weights.len()];
                        sum.iter_mut().zip(gradient).for_each(|(s, g)| *s += g);
                    }
                    let moments = first.iter_mut().zip(second);
                    for ((weight, gradient), (first, second)) in
                        weights.iter_mut().zip(sum).zip(moments)
                    {
                        let gradient = *gradient * factor;
                        *first += (1.0 - BETA1) * (gradient - *first);
                        *second += (1.0 - BETA2) * (gradient * gradient - *second);
                        let step = rate * *first / ((*second * unbias).sqrt() + EPSILON);
                        *weight = (*weight - step).clamp(-limit, limit);
                    }
                })
            });
    }
}
