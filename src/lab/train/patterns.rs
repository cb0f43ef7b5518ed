//! Patterns that learn: Adagrad on the few weights that a batch touches.
//!
//! While they learn, an arrangement of a window is worth what it is by itself, and what its rows are that it shares with other
//! arrangements. So a seldom seen one is worth what similar ones are. The parts are added up for play.

use super::label::{sigmoid, softplus};
use super::{Example, Labels, Learner, State};
use crate::eval::Weights;
use crate::eval::patterns::{
    ARRANGEMENTS, FloatPatterns, OTHERS, PHASES, WINDOWS, Weights as Whole, arrangements, early,
    turned, visit_others,
};
use rayon::prelude::*;

#[cfg(test)]
mod tests;

/// Examples that one thread looks at in one go.
const CHUNK: usize = 1 << 9;

/// Rows of a window that arrangements share, the first and how many.
const SHARED: [(u32, u32); 7] = [(0, 4), (1, 4), (2, 4), (0, 3), (1, 3), (2, 3), (3, 3)];
/// The first weight of each of these, behind those of the whole window.
const STARTS: [usize; SHARED.len() + 1] = {
    let mut starts = [ARRANGEMENTS; SHARED.len() + 1];
    let mut at = 0;
    while at < SHARED.len() {
        starts[at + 1] = starts[at] + 9usize.pow(SHARED[at].1);
        at += 1;
    }
    starts
};
/// Pairs of weights of a window, shared ones included.
const WINDOW: usize = STARTS[SHARED.len()];
const PAIRS: usize = WINDOWS * WINDOW + OTHERS;

/// What Adagrad takes for granted: a weight that was seldom seen moves little.
const FIRST_MEMORY: f32 = 1.0;
/// Steps of shared and of other weights, in those of the windows.
const SHARED_STEP: f32 = 1.5;
const OTHER_STEP: f32 = 3.0;
/// Largest absolute values: the sum of a window's parts then fits a whole number.
const LIMIT: f32 = 1.9;
const OTHER_LIMIT: f32 = 15.0;

/// An early and a late weight, or their gradients.
type Pair = [f32; 2];

/// The pairs of an arrangement in those of its window: its own, and the shared ones.
#[inline(always)]
fn parts(arrangement: u32) -> [usize; 1 + SHARED.len()] {
    std::array::from_fn(|part| {
        let Some(shared) = part.checked_sub(1) else {
            return arrangement as usize;
        };
        let (first, rows) = SHARED[shared];
        STARTS[shared] + (arrangement / 9u32.pow(first) % 9u32.pow(rows)) as usize
    })
}

/// What there is to see of an example.
struct Seen {
    /// By window: the arrangement above, and that below.
    windows: [[u32; 2]; WINDOWS],
    /// How early the board is, from 0 to 1.
    share: f32,
    /// The derivative of its loss by the logit.
    slope: f32,
}

/// One of the other weights in an example.
struct Other {
    pair: usize,
    gradient: Pair,
}

impl Seen {
    #[inline]
    fn new(example: &Example) -> Seen {
        let above = arrangements(&example.boards);
        let below = arrangements(&turned(example.boards));
        Seen {
            windows: std::array::from_fn(|window| [above[window], below[window]]),
            share: early(&example.boards) as f32 / PHASES as f32,
            slope: 0.0,
        }
    }

    #[inline]
    fn logit(&self, example: &Example, pairs: &[Pair]) -> f32 {
        let mut sums = [0.0; 2];
        for (window, seen) in self.windows.iter().enumerate() {
            let pairs = &pairs[window * WINDOW..][..WINDOW];
            for (arrangement, sign) in seen.iter().zip([1.0, -1.0]) {
                for part in parts(*arrangement) {
                    let pair = pairs[part];
                    sums.iter_mut().zip(pair).for_each(|(s, w)| *s += sign * w);
                }
            }
        }
        visit_others(&example.boards, |other, times| {
            let pair = pairs[WINDOWS * WINDOW + other];
            let times = times as f32;
            sums.iter_mut().zip(pair).for_each(|(s, w)| *s += times * w);
        });
        self.share * sums[0] + (1.0 - self.share) * sums[1]
    }

    #[inline]
    fn gradient(&self, times: f32) -> Pair {
        [self.share, 1.0 - self.share].map(|share| share * self.slope * times)
    }
}

/// Some examples of a batch.
struct Part {
    seen: Vec<Seen>,
    others: Vec<Other>,
    loss: f64,
}

/// The gradients of the weights of a window, or of the others, that a batch touches.
struct Sparse {
    gradients: Vec<Pair>,
    touched: Vec<u32>,
}

impl Sparse {
    fn new(pairs: usize) -> Sparse {
        Sparse {
            gradients: vec![[0.0; 2]; pairs],
            touched: Vec::new(),
        }
    }

    #[inline(always)]
    fn add(&mut self, pair: usize, gradient: Pair) {
        let sum = &mut self.gradients[pair];
        if *sum == [0.0; 2] {
            // Twice in the list is no harm: the second time there is no gradient left.
            self.touched.push(pair as u32);
        }
        sum.iter_mut().zip(gradient).for_each(|(s, g)| *s += g);
    }

    /// A step of Adagrad (Duchi, Hazan and Singer, 2011) against the gradients, which are zero then. `rule` has the rate and
    /// the limit of a pair.
    fn step(
        &mut self,
        pairs: &mut [Pair],
        memory: &mut [Pair],
        rule: impl Fn(usize) -> (f32, f32),
    ) {
        for pair in self.touched.drain(..).map(|pair| pair as usize) {
            let (rate, limit) = rule(pair);
            let gradient = std::mem::take(&mut self.gradients[pair]);
            for ((weight, memory), gradient) in
                pairs[pair].iter_mut().zip(&mut memory[pair]).zip(gradient)
            {
                *memory += gradient * gradient;
                let step = rate * gradient / (FIRST_MEMORY + *memory).sqrt();
                *weight = (*weight - step).clamp(-limit, limit);
            }
        }
    }
}

/// [`FloatPatterns`] in parts: the windows, each with what is shared behind it, and the other weights.
pub(super) struct Patterns {
    parameters: Vec<f32>,
    /// Sums of squared gradients.
    memory: Vec<f32>,
    steps: u64,
    windows: Vec<Sparse>,
    others: Sparse,
}

impl Patterns {
    /// All weights zero.
    pub fn new() -> Patterns {
        Patterns {
            parameters: vec![0.0; 2 * PAIRS],
            memory: vec![0.0; 2 * PAIRS],
            steps: 0,
            windows: (0..WINDOWS).map(|_| Sparse::new(WINDOW)).collect(),
            others: Sparse::new(OTHERS),
        }
    }

    /// Looks at some examples.
    fn part(&self, examples: &[Example], places: &[u32], labels: Labels) -> Part {
        // Fetched first, for the cache misses of many to overlap.
        let examples: Vec<Example> = places.iter().map(|&at| examples[at as usize]).collect();
        let pairs = self.parameters.as_chunks().0;
        let (mut seen, mut others, mut loss) = (Vec::new(), Vec::new(), 0.0);
        for example in &examples {
            let mut one = Seen::new(example);
            let (logit, label) = (one.logit(example, pairs), labels.label(example));
            loss += f64::from(softplus(logit) - label * logit);
            one.slope = sigmoid(logit) - label;
            visit_others(&example.boards, |pair, times| {
                let gradient = one.gradient(times as f32);
                others.push(Other { pair, gradient });
            });
            seen.push(one);
        }
        Part { seen, others, loss }
    }

    /// The sums of the parts.
    fn float(parameters: &[f32]) -> FloatPatterns {
        let (windows, others) = parameters.as_chunks().0.split_at(WINDOWS * WINDOW);
        let sum = |pairs: &[Pair], arrangement: usize| {
            let parts = parts(arrangement as u32).map(|part| pairs[part]);
            [0, 1].map(|at| parts.iter().map(|pair| pair[at]).sum::<f32>())
        };
        let window = |pairs| (0..ARRANGEMENTS).map(move |arrangement| sum(pairs, arrangement));
        FloatPatterns {
            windows: windows.chunks_exact(WINDOW).flat_map(window).collect(),
            others: others.to_vec(),
        }
    }
}

impl Learner for Patterns {
    fn learn(&mut self, examples: &[Example], batch: &[u32], labels: Labels, rate: f32) -> f64 {
        let parts: Vec<Part> = batch
            .par_chunks(CHUNK)
            .map(|places| self.part(examples, places, labels))
            .collect();
        let (pairs, memory) = (
            self.parameters.as_chunks_mut().0,
            self.memory.as_chunks_mut().0,
        );
        let (windows, others) = pairs.split_at_mut(WINDOWS * WINDOW);
        let (windows_memory, others_memory) = memory.split_at_mut(WINDOWS * WINDOW);
        // Each window belongs to one thread, which adds the examples in their order.
        let windows = windows.par_chunks_mut(WINDOW);
        let windows = windows.zip(windows_memory.par_chunks_mut(WINDOW));
        let windows = windows.zip(&mut self.windows).enumerate();
        windows.for_each(|(window, ((pairs, memory), sparse))| {
            for seen in parts.iter().flat_map(|part| &part.seen) {
                for (arrangement, sign) in seen.windows[window].into_iter().zip([1.0, -1.0]) {
                    let gradient = seen.gradient(sign);
                    for part in self::parts(arrangement) {
                        sparse.add(part, gradient);
                    }
                }
            }
            sparse.step(pairs, memory, |pair| {
                let whole = pair < ARRANGEMENTS;
                (if whole { rate } else { SHARED_STEP * rate }, LIMIT)
            });
        });
        for other in parts.iter().flat_map(|part| &part.others) {
            self.others.add(other.pair, other.gradient);
        }
        self.others
            .step(others, others_memory, |_| (OTHER_STEP * rate, OTHER_LIMIT));
        self.steps += 1;
        parts.iter().map(|part| part.loss).sum()
    }

    fn logit(&self, parameters: &[f32], example: &Example) -> f32 {
        Seen::new(example).logit(example, parameters.as_chunks().0)
    }

    fn begin_with(&mut self, weights: &Weights, scale: f32) -> bool {
        let Weights::Patterns(weights) = weights else {
            return false;
        };
        self.parameters = floats(weights, scale);
        true
    }

    fn state(&self) -> State {
        State {
            parameters: self.parameters.clone(),
            memory: self.memory.clone(),
            steps: self.steps,
        }
    }

    fn restore(&mut self, state: State) -> bool {
        let fits = [&state.parameters, &state.memory].map(Vec::len) == [2 * PAIRS; 2];
        if fits {
            (self.parameters, self.memory, self.steps) =
                (state.parameters, state.memory, state.steps);
        }
        fits
    }

    fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    fn weights(&self, parameters: &[f32], scale: f32) -> Weights {
        Weights::Patterns(Patterns::float(parameters).quantize(scale))
    }

    fn rounded(&self, parameters: &[f32]) -> Vec<f32> {
        floats(&Patterns::float(parameters).quantize(1.0), 1.0)
    }
}

/// Whole numbers as the floats that they stand for, where a logit of 1 is `scale` hundredths of a man. Nothing is shared.
fn floats(whole: &Whole, scale: f32) -> Vec<f32> {
    let float = |pair: &[i16; 2]| pair.map(|weight| f32::from(weight) * (whole.scale / scale));
    let mut pairs = Vec::with_capacity(PAIRS);
    for window in whole.windows.chunks_exact(ARRANGEMENTS) {
        pairs.extend(window.iter().map(float));
        pairs.resize(pairs.len() + WINDOW - ARRANGEMENTS, [0.0; 2]);
    }
    pairs.extend(whole.others.iter().map(float));
    pairs.into_flattened()
}
