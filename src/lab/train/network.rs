//! A network that learns: forward and backward over the inputs that are on, in single precision.

use super::adam::Adam;
use super::label::{sigmoid, softplus};
use super::{Example, Labels, Learner, State};
use crate::board::{Color, Square};
use crate::eval::Weights;
use crate::eval::network::{BUCKETS, FloatNetwork, INPUTS, WEIGHT_LIMIT, Weights as Whole, input};
use crate::lab::rng::Rng;
use rayon::prelude::*;

#[cfg(test)]
mod tests;

/// Examples whose gradients one thread sums up; the sums are added in the order of the batch.
const CHUNK: usize = 1 << 8;
/// Floats worked on at once: they stay in registers.
const TILE: usize = 64;
/// Floats of a register.
const LANES: usize = 16;

/// First weights: the sums of a view spread over the range where a unit learns.
const FIRST_INPUT: f64 = 0.1;
const FIRST_BIAS: f32 = 0.3;
const FIRST_OUTPUT: f64 = 0.1;

/// [`FloatNetwork`] with `H` hidden units, one behind the other in memory: inputs, bias, outputs, biases of the outputs.
pub(super) struct Network<const H: usize> {
    parameters: Vec<f32>,
    adam: Adam,
    /// One for each chunk of a batch.
    gradients: Vec<Vec<f32>>,
    inputs: Inputs,
}

/// The input that a piece is, by view, kind and bit.
struct Inputs([[[u8; 64]; 4]; 2]);

impl Inputs {
    fn new() -> Inputs {
        let mut table = [[[0; 64]; 4]; 2];
        for (view, table) in Color::BOTH.into_iter().zip(&mut table) {
            for (kind, table) in table.iter_mut().enumerate() {
                let color = Color::BOTH[kind & 1];
                for square in Square::all() {
                    table[square.bit()] = input(view, color, kind >= 2, square) as u8;
                }
            }
        }
        Inputs(table)
    }

    #[inline]
    fn active(&self, example: &Example) -> Active {
        let mut active = Active {
            lists: [[0; 64]; 2],
            len: 0,
        };
        for (kind, mut board) in example.boards.into_iter().enumerate() {
            while board != 0 {
                let bit = board.trailing_zeros() as usize & 63;
                board &= board - 1;
                let at = active.len & 63;
                active.lists[0][at] = self.0[0][kind][bit];
                active.lists[1][at] = self.0[1][kind][bit];
                active.len += 1;
            }
        }
        active
    }
}

/// The inputs that are on: in the view of the side to move, and in the other.
struct Active {
    lists: [[u8; 64]; 2],
    len: usize,
}

impl Active {
    #[inline]
    fn view(&self, side: usize) -> &[u8] {
        &self.lists[side][..self.len]
    }
}

/// Weights or gradients by their place in the network.
struct Parts<'a, const H: usize> {
    input: &'a [[f32; H]],
    bias: &'a [f32; H],
    output: &'a [[f32; H]],
    output_bias: &'a [f32],
}

struct PartsMut<'a, const H: usize> {
    input: &'a mut [[f32; H]],
    bias: &'a mut [f32],
    output: &'a mut [[f32; H]],
    output_bias: &'a mut [f32],
}

/// The hidden units of both views, clipped.
type Hidden<const H: usize> = [[f32; H]; 2];

impl<'a, const H: usize> Parts<'a, H> {
    fn new(weights: &'a [f32]) -> Parts<'a, H> {
        let (input, rest) = weights.split_at(INPUTS * H);
        let (bias, rest) = rest.split_at(H);
        let (output, output_bias) = rest.split_at(BUCKETS * 2 * H);
        Parts {
            input: input.as_chunks().0,
            bias: &bias.as_chunks().0[0],
            output: output.as_chunks().0,
            output_bias,
        }
    }

    #[inline]
    fn forward(&self, active: &Active, bucket: usize, hidden: &mut Hidden<H>) -> f32 {
        let mut lanes = [0.0; LANES];
        for (side, hidden) in hidden.iter_mut().enumerate() {
            let output = &self.output[2 * bucket + side];
            for at in (0..H).step_by(TILE) {
                let mut sums: [f32; TILE] = tile(self.bias, at);
                for &input in active.view(side) {
                    let row: &[f32; TILE] = &tile(&self.input[usize::from(input)], at);
                    for (sum, weight) in sums.iter_mut().zip(row) {
                        *sum += weight;
                    }
                }
                let out: [f32; TILE] = tile(output, at);
                for ((lane, sum), out) in (0..TILE).zip(&mut sums).zip(&out) {
                    *sum = sum.clamp(0.0, 1.0);
                    lanes[lane % LANES] += *sum * *sum * out;
                }
                hidden[at..at + TILE].copy_from_slice(&sums);
            }
        }
        self.output_bias[bucket] + lanes.iter().sum::<f32>()
    }
}

#[inline(always)]
fn tile<const H: usize>(row: &[f32; H], at: usize) -> [f32; TILE] {
    std::array::from_fn(|i| row[at + i])
}

impl<'a, const H: usize> PartsMut<'a, H> {
    fn new(weights: &'a mut [f32]) -> PartsMut<'a, H> {
        let (input, rest) = weights.split_at_mut(INPUTS * H);
        let (bias, rest) = rest.split_at_mut(H);
        let (output, output_bias) = rest.split_at_mut(BUCKETS * 2 * H);
        PartsMut {
            input: input.as_chunks_mut().0,
            bias,
            output: output.as_chunks_mut().0,
            output_bias,
        }
    }

    /// Adds the gradient of an example's loss, whose derivative by the logit is `slope`.
    #[inline]
    fn backward(
        &mut self,
        weights: &Parts<H>,
        active: &Active,
        bucket: usize,
        hidden: &Hidden<H>,
        slope: f32,
    ) {
        self.output_bias[bucket] += slope;
        for (side, hidden) in hidden.iter().enumerate() {
            let row = 2 * bucket + side;
            for at in (0..H).step_by(TILE) {
                let units = tile(hidden, at);
                let out = tile(&weights.output[row], at);
                let mut deltas = [0.0; TILE];
                for ((delta, unit), out) in deltas.iter_mut().zip(&units).zip(&out) {
                    let inside = if *unit < 1.0 { 2.0 * unit } else { 0.0 };
                    *delta = slope * out * inside;
                }
                let gradient = &mut self.output[row][at..at + TILE];
                for (gradient, unit) in gradient.iter_mut().zip(&units) {
                    *gradient += slope * unit * unit;
                }
                let gradient = &mut self.bias[at..at + TILE];
                gradient.iter_mut().zip(&deltas).for_each(|(g, d)| *g += d);
                for &input in active.view(side) {
                    let gradient = &mut self.input[usize::from(input)][at..at + TILE];
                    gradient.iter_mut().zip(&deltas).for_each(|(g, d)| *g += d);
                }
            }
        }
    }
}

impl<const H: usize> Network<H> {
    const WEIGHTS: usize = INPUTS * H + H + BUCKETS * 2 * H + BUCKETS;

    /// Weights drawn at random.
    pub fn new(seed: u64) -> Network<H> {
        let mut rng = Rng::stream(seed, 0);
        let mut parameters = vec![0.0; Network::<H>::WEIGHTS];
        let parts = PartsMut::<H>::new(&mut parameters);
        let mut draw = |most: f64| ((2.0 * rng.unit() - 1.0) * most) as f32;
        let rows = parts.input.as_flattened_mut();
        rows.iter_mut().for_each(|w| *w = draw(FIRST_INPUT));
        parts.bias.fill(FIRST_BIAS);
        let rows = parts.output.as_flattened_mut();
        rows.iter_mut().for_each(|w| *w = draw(FIRST_OUTPUT));
        Network {
            parameters,
            adam: Adam::new(Network::<H>::WEIGHTS),
            gradients: Vec::new(),
            inputs: Inputs::new(),
        }
    }

    /// The network of these weights.
    fn float(parameters: &[f32]) -> FloatNetwork {
        let parts = Parts::<H>::new(parameters);
        FloatNetwork {
            hidden: H,
            input: parts.input.as_flattened().to_vec(),
            bias: parts.bias.to_vec(),
            output: parts.output.as_flattened().to_vec(),
            output_bias: parts.output_bias.to_vec(),
        }
    }

    /// Sets `gradient` to the sum of the gradients of these examples; gives the sum of their losses.
    fn gradient(
        &self,
        examples: &[Example],
        places: &[u32],
        labels: Labels,
        gradient: &mut [f32],
    ) -> f64 {
        // Fetched first, for the cache misses of many to overlap.
        let examples: Vec<Example> = places.iter().map(|&at| examples[at as usize]).collect();
        gradient.fill(0.0);
        let weights = Parts::<H>::new(&self.parameters);
        let mut parts = PartsMut::<H>::new(gradient);
        let mut hidden = [[0.0; H]; 2];
        let mut sum = 0.0;
        for example in &examples {
            let active = self.inputs.active(example);
            let bucket = usize::from(example.bucket);
            let logit = weights.forward(&active, bucket, &mut hidden);
            let label = labels.label(example);
            sum += f64::from(softplus(logit) - label * logit);
            parts.backward(&weights, &active, bucket, &hidden, sigmoid(logit) - label);
        }
        sum
    }
}

impl<const H: usize> Learner for Network<H> {
    fn learn(&mut self, examples: &[Example], batch: &[u32], labels: Labels, rate: f32) -> f64 {
        let mut gradients = std::mem::take(&mut self.gradients);
        let chunks = batch.len().div_ceil(CHUNK);
        gradients.resize_with(chunks, || vec![0.0; Network::<H>::WEIGHTS]);
        let sums: Vec<f64> = gradients
            .par_iter_mut()
            .zip(batch.par_chunks(CHUNK))
            .map(|(gradient, places)| self.gradient(examples, places, labels, gradient))
            .collect();
        let mean = 1.0 / batch.len().max(1) as f32;
        let weights = &mut self.parameters;
        self.adam
            .step(weights, &gradients, mean, rate, WEIGHT_LIMIT);
        self.gradients = gradients;
        sums.into_iter().sum()
    }

    fn logit(&self, parameters: &[f32], example: &Example) -> f32 {
        let active = self.inputs.active(example);
        let mut hidden = [[0.0; H]; 2];
        Parts::<H>::new(parameters).forward(&active, usize::from(example.bucket), &mut hidden)
    }

    fn state(&self) -> State {
        State {
            parameters: self.parameters.clone(),
            memory: [&self.adam.first[..], &self.adam.second].concat(),
            steps: self.adam.steps,
        }
    }

    fn restore(&mut self, state: State) -> bool {
        let fits = state.parameters.len() == Network::<H>::WEIGHTS
            && state.memory.len() == 2 * Network::<H>::WEIGHTS;
        if fits {
            let (first, second) = state.memory.split_at(Network::<H>::WEIGHTS);
            self.adam = Adam {
                first: first.to_vec(),
                second: second.to_vec(),
                steps: state.steps,
            };
            self.parameters = state.parameters;
        }
        fits
    }

    fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    fn weights(&self, parameters: &[f32], scale: f32) -> Weights {
        Weights::Network(Network::<H>::float(parameters).quantize(scale))
    }

    fn begin_with(&mut self, weights: &Weights, scale: f32) -> bool {
        match weights {
            Weights::Network(weights) if weights.hidden == H => {
                self.parameters = floats(weights, scale);
                true
            }
            _ => false,
        }
    }

    fn rounded(&self, parameters: &[f32]) -> Vec<f32> {
        floats(&Network::<H>::float(parameters).quantize(1.0), 1.0)
    }
}

/// Whole numbers as the floats that they stand for, where a logit of 1 is `scale` hundredths of a man.
fn floats(whole: &Whole, scale: f32) -> Vec<f32> {
    let unit = Whole::UNIT as f32;
    let one = scale / whole.scale;
    let output = one / (unit * unit);
    let hidden = whole.input.iter().chain(&whole.bias);
    let hidden = hidden.map(|&w| f32::from(w) / unit);
    let outputs = whole.output.iter().map(|&w| f32::from(w) / output);
    let last = whole.output_bias.iter().map(|&w| w as f32 / one);
    hidden.chain(outputs).chain(last).collect()
}
