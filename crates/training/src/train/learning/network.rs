//! A network that learns: forward and backward pass over the active inputs, in single precision.

use crate::train::examples::labels::{sigmoid, softplus};
use crate::train::learning::adam::Adam;
use crate::train::{Example, Labels, Learner, LearnerState, Objective};
use damier_cpu as cpu;
use damier_engine::eval::network::{
    BUCKETS, BySize, FloatNetwork, INPUTS, Size, WEIGHT_LIMIT, Weights, input,
};
use damier_engine::rng::Rng;
use damier_rules::board::{Color, Square};
use rayon::prelude::*;

#[cfg(test)]
mod tests;

/// Examples whose gradients one thread sums up; the sums are added in the order of the batch.
const CHUNK: usize = 1 << 8;
/// Floats worked on at once, so that they stay in registers.
const TILE: usize = 64;
/// Floats of a register.
const LANES: usize = 16;

/// First weights: the sums of a view spread over the range where a unit learns.
const FIRST_INPUT: f64 = 0.1;
const FIRST_BIAS: f32 = 0.3;
const FIRST_OUTPUT: f64 = 0.1;
const FIRST_SECOND: f64 = 0.1;

/// [`FloatNetwork`] with `H` hidden units and `D` of the second layer, all weights in one list in the order of its
/// fields.
pub(in crate::train) struct Network<const H: usize, const D: usize> {
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

    #[inline(always)]
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

/// The active inputs: in the view of the side to move, and in the other.
struct Active {
    lists: [[u8; 64]; 2],
    len: usize,
}

impl Active {
    #[inline(always)]
    fn view(&self, side: usize) -> &[u8] {
        &self.lists[side][..self.len]
    }
}

/// Weights or gradients by their place in the network.
struct Parts<'a, const H: usize, const D: usize> {
    input: &'a [[f32; H]],
    bias: &'a [f32; H],
    output: &'a [[f32; H]],
    output_bias: &'a [f32],
    second: &'a [[f32; H]],
    second_bias: &'a [f32],
    last: &'a [f32],
}

struct PartsMut<'a, const H: usize, const D: usize> {
    input: &'a mut [[f32; H]],
    bias: &'a mut [f32],
    output: &'a mut [[f32; H]],
    output_bias: &'a mut [f32],
    second: &'a mut [[f32; H]],
    second_bias: &'a mut [f32],
    last: &'a mut [f32],
}

/// The units for an example, clipped: the hidden ones of both views, and those of the second layer.
struct Units<const H: usize, const D: usize> {
    hidden: [[f32; H]; 2],
    /// Of the hidden ones.
    squares: [[f32; H]; 2],
    second: [f32; D],
}

impl<const H: usize, const D: usize> Units<H, D> {
    fn new() -> Units<H, D> {
        Units {
            hidden: [[0.0; H]; 2],
            squares: [[0.0; H]; 2],
            second: [0.0; D],
        }
    }
}

impl<'a, const H: usize, const D: usize> Parts<'a, H, D> {
    fn new(weights: &'a [f32]) -> Parts<'a, H, D> {
        let (input, rest) = weights.split_at(INPUTS * H);
        let (bias, rest) = rest.split_at(H);
        let (output, rest) = rest.split_at(BUCKETS * 2 * H);
        let (output_bias, rest) = rest.split_at(BUCKETS);
        let (second, rest) = rest.split_at(BUCKETS * D * 2 * H);
        let (second_bias, last) = rest.split_at(BUCKETS * D);
        Parts {
            input: input.as_chunks().0,
            bias: &bias.as_chunks().0[0],
            output: output.as_chunks().0,
            output_bias,
            second: second.as_chunks().0,
            second_bias,
            last,
        }
    }

    #[inline(always)]
    fn forward(&self, active: &Active, bucket: usize, units: &mut Units<H, D>) -> f32 {
        let mut lanes = [0.0; LANES];
        for side in 0..2 {
            let (hidden, squares) = (&mut units.hidden[side], &mut units.squares[side]);
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
                let sums = sums.map(|sum| sum.clamp(0.0, 1.0));
                let squared = sums.map(|unit| unit * unit);
                for ((lane, square), out) in (0..TILE).zip(&squared).zip(&out) {
                    lanes[lane % LANES] += square * out;
                }
                hidden[at..at + TILE].copy_from_slice(&sums);
                squares[at..at + TILE].copy_from_slice(&squared);
            }
        }
        let mut logit = self.output_bias[bucket] + lanes.iter().sum::<f32>();
        for (unit, second) in (bucket * D..).zip(&mut units.second) {
            let mut lanes = [0.0; LANES];
            for (row, squares) in self.second[2 * unit..].iter().zip(&units.squares) {
                for (i, (weight, square)) in row.iter().zip(squares).enumerate() {
                    lanes[i % LANES] += square * weight;
                }
            }
            *second = (self.second_bias[unit] + lanes.iter().sum::<f32>()).clamp(0.0, 1.0);
            logit += *second * *second * self.last[unit];
        }
        logit
    }
}

/// The derivative of a unit's square, 0 where the unit was clipped.
#[inline(always)]
fn inside(unit: f32) -> f32 {
    if unit < 1.0 { 2.0 * unit } else { 0.0 }
}

#[inline(always)]
fn tile<const H: usize>(row: &[f32; H], at: usize) -> [f32; TILE] {
    std::array::from_fn(|i| row[at + i])
}

impl<'a, const H: usize, const D: usize> PartsMut<'a, H, D> {
    fn new(weights: &'a mut [f32]) -> PartsMut<'a, H, D> {
        let (input, rest) = weights.split_at_mut(INPUTS * H);
        let (bias, rest) = rest.split_at_mut(H);
        let (output, rest) = rest.split_at_mut(BUCKETS * 2 * H);
        let (output_bias, rest) = rest.split_at_mut(BUCKETS);
        let (second, rest) = rest.split_at_mut(BUCKETS * D * 2 * H);
        let (second_bias, last) = rest.split_at_mut(BUCKETS * D);
        PartsMut {
            input: input.as_chunks_mut().0,
            bias,
            output: output.as_chunks_mut().0,
            output_bias,
            second: second.as_chunks_mut().0,
            second_bias,
            last,
        }
    }

    /// Adds the gradient of an example's loss, whose derivative by the logit is `slope`.
    #[inline(always)]
    fn backward(
        &mut self,
        weights: &Parts<H, D>,
        active: &Active,
        bucket: usize,
        units: &Units<H, D>,
        slope: f32,
    ) {
        self.output_bias[bucket] += slope;
        let mut slopes = [0.0; D];
        for ((unit, second), below) in (bucket * D..).zip(&units.second).zip(&mut slopes) {
            self.last[unit] += slope * second * second;
            *below = slope * weights.last[unit] * inside(*second);
            self.second_bias[unit] += *below;
        }
        for (side, hidden) in units.hidden.iter().enumerate() {
            let output = 2 * bucket + side;
            for at in (0..H).step_by(TILE) {
                let squares: [f32; TILE] = tile(&units.squares[side], at);
                let mut deltas: [f32; TILE] = tile(&weights.output[output], at);
                deltas.iter_mut().for_each(|delta| *delta *= slope);
                let gradient = &mut self.output[output][at..at + TILE];
                for (gradient, square) in gradient.iter_mut().zip(&squares) {
                    *gradient += slope * square;
                }
                let slopes = (bucket * D..).zip(&slopes);
                for (unit, slope) in slopes.filter(|(_, slope)| **slope != 0.0) {
                    let row = 2 * unit + side;
                    let weights: [f32; TILE] = tile(&weights.second[row], at);
                    let gradient = &mut self.second[row][at..at + TILE];
                    for (((delta, weight), gradient), square) in
                        deltas.iter_mut().zip(&weights).zip(gradient).zip(&squares)
                    {
                        *delta += slope * weight;
                        *gradient += slope * square;
                    }
                }
                for (delta, unit) in deltas.iter_mut().zip(&hidden[at..at + TILE]) {
                    *delta *= inside(*unit);
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

impl<const H: usize, const D: usize> Network<H, D> {
    const WEIGHTS: usize = INPUTS * H + H + BUCKETS * (2 * H + 1 + D * (2 * H + 2));

    /// Random weights.
    pub fn new(seed: u64) -> Network<H, D> {
        let mut rng = Rng::stream(seed, 0);
        let mut parameters = vec![0.0; Network::<H, D>::WEIGHTS];
        let parts = PartsMut::<H, D>::new(&mut parameters);
        let mut draw = |most: f64| ((2.0 * rng.unit() - 1.0) * most) as f32;
        let rows = parts.input.as_flattened_mut();
        rows.iter_mut().for_each(|w| *w = draw(FIRST_INPUT));
        parts.bias.fill(FIRST_BIAS);
        let rows = parts.output.as_flattened_mut();
        rows.iter_mut().for_each(|w| *w = draw(FIRST_OUTPUT));
        let rows = parts.second.as_flattened_mut();
        rows.iter_mut().for_each(|w| *w = draw(FIRST_SECOND));
        parts.second_bias.fill(FIRST_BIAS);
        parts.last.iter_mut().for_each(|w| *w = draw(FIRST_OUTPUT));
        Network {
            parameters,
            adam: Adam::new(Network::<H, D>::WEIGHTS),
            gradients: Vec::new(),
            inputs: Inputs::new(),
        }
    }

    /// Size of the network: learners are made by [`Size::dispatch`].
    fn size() -> Size {
        Size::of(H, D).unwrap_or_else(|| unreachable!("{H} and {D} are no size"))
    }

    /// The network of these weights.
    fn float(parameters: &[f32]) -> FloatNetwork {
        let parts = Parts::<H, D>::new(parameters);
        FloatNetwork {
            size: Network::<H, D>::size(),
            input: parts.input.as_flattened().to_vec(),
            bias: parts.bias.to_vec(),
            output: parts.output.as_flattened().to_vec(),
            output_bias: parts.output_bias.to_vec(),
            second: parts.second.as_flattened().to_vec(),
            second_bias: parts.second_bias.to_vec(),
            last: parts.last.to_vec(),
        }
    }

    /// Sets `gradient` to the sum of the gradients of these examples; gives the sum of their losses.
    fn gradient(
        &self,
        examples: &[Example],
        places: &[u32],
        (labels, objective): (&Labels, Objective),
        gradient: &mut [f32],
    ) -> f64 {
        // Fetched first, for the cache misses of many to overlap.
        let examples: Vec<Example> = places.iter().map(|&at| examples[at as usize]).collect();
        gradient.fill(0.0);
        let weights = Parts::<H, D>::new(&self.parameters);
        let mut parts = PartsMut::<H, D>::new(gradient);
        let mut units = Units::new();
        let mut sum = 0.0;
        cpu::run(
            #[inline(always)]
            || {
                for example in &examples {
                    let active = self.inputs.active(example);
                    let bucket = usize::from(example.bucket);
                    let logit = weights.forward(&active, bucket, &mut units);
                    let label = example.label(labels);
                    sum += f64::from(softplus(logit) - label * logit);
                    let slope = objective.slope(sigmoid(logit), label);
                    parts.backward(&weights, &active, bucket, &units, slope);
                }
            },
        );
        sum
    }
}

/// A learner with random weights.
pub(in crate::train) fn fresh(size: Size, seed: u64) -> Box<dyn Learner> {
    size.dispatch(Fresh { seed })
}

struct Fresh {
    seed: u64,
}

impl BySize for Fresh {
    type Output = Box<dyn Learner>;

    fn with<const H: usize, const D: usize>(self) -> Box<dyn Learner> {
        Box::new(Network::<H, D>::new(self.seed))
    }
}

impl<const H: usize, const D: usize> Learner for Network<H, D> {
    fn learn(
        &mut self,
        examples: &[Example],
        batch: &[u32],
        goal: (&Labels, Objective),
        rate: f32,
    ) -> f64 {
        let mut gradients = std::mem::take(&mut self.gradients);
        let chunks = batch.len().div_ceil(CHUNK);
        gradients.resize_with(chunks, || vec![0.0; Network::<H, D>::WEIGHTS]);
        let sums: Vec<f64> = gradients
            .par_iter_mut()
            .zip(batch.par_chunks(CHUNK))
            .map(|(gradient, places)| self.gradient(examples, places, goal, gradient))
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
        let weights = Parts::<H, D>::new(parameters);
        cpu::run(
            #[inline(always)]
            || weights.forward(&active, usize::from(example.bucket), &mut Units::new()),
        )
    }

    fn state(&self) -> LearnerState {
        LearnerState {
            parameters: self.parameters.clone(),
            memory: [&self.adam.first[..], &self.adam.second].concat(),
            steps: self.adam.steps,
        }
    }

    fn restore(&mut self, state: LearnerState) -> bool {
        let fits = state.parameters.len() == Network::<H, D>::WEIGHTS
            && state.memory.len() == 2 * Network::<H, D>::WEIGHTS;
        if fits {
            let (first, second) = state.memory.split_at(Network::<H, D>::WEIGHTS);
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
        Network::<H, D>::float(parameters).quantize(scale)
    }

    fn begin_with(&mut self, weights: &Weights, scale: f32) -> bool {
        let fits = weights.size == Network::<H, D>::size();
        if fits {
            self.parameters = floats(weights, scale);
        }
        fits
    }

    fn rounded(&self, parameters: &[f32]) -> Vec<f32> {
        floats(&Network::<H, D>::float(parameters).quantize(1.0), 1.0)
    }
}

/// Quantised weights as floats, where a logit of 1 is `scale` hundredths of a man.
fn floats(quantised: &Weights, scale: f32) -> Vec<f32> {
    let unit = Weights::UNIT as f32;
    let one = scale / quantised.scale;
    let output = one / (unit * unit);
    let hidden = quantised.input.iter().chain(&quantised.bias);
    let hidden = hidden.map(|&w| f32::from(w) / unit);
    let outputs = quantised.output.iter().map(|&w| f32::from(w) / output);
    let biases = quantised.output_bias.iter().map(|&w| w as f32 / one);
    let second = quantised.second.iter();
    let second = second.map(|&w| f32::from(w) / Weights::SECOND_WEIGHT as f32);
    let second_biases = quantised.second_bias.iter();
    let second_biases = second_biases.map(|&w| w as f32 / Weights::SECOND_ONE as f32);
    let last = quantised.last.iter();
    let last = last.map(|&w| f32::from(w) * Weights::SECOND_SQUARE as f32 / one);
    let first = hidden.chain(outputs).chain(biases);
    first
        .chain(second)
        .chain(second_biases)
        .chain(last)
        .collect()
}
