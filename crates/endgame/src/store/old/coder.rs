//! The decoder of a binary arithmetic coder with adaptive probabilities: each of several contexts predicts the next
//! bit, and a small network mixes the predictions (Mahoney, "Adaptive Weighing of Context Models for Lossless Data
//! Compression", 2005). Integer arithmetic only, so that every machine decodes the same.

use once_cell::sync::Lazy;

/// Contexts per decision.
pub(crate) const INPUTS: usize = 4;
/// Log2 of the number of probabilities of each context.
const CONTEXT_BITS: u32 = 15;
/// Number of decisions after which the adaptation rate no longer falls.
const LIMIT: u32 = 255;
/// Number of sets of mixing weights.
const MIXERS: usize = 128;

struct Curves {
    /// ln(p / (1 - p)) of a probability in 1/4096, scaled by 256.
    stretch: [i16; 4096],
    /// The inverse, for arguments from -2047.
    squash: [u16; 4096],
    /// 65536 / (n + 1.5).
    rate: [u32; LIMIT as usize + 1],
}

/// Squash interpolates 33 values, stretch is its inverse.
static CURVES: Lazy<Box<Curves>> = Lazy::new(|| {
    const KNOTS: [u16; 33] = [
        1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994,
        3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
    ];
    let mut curves = Box::new(Curves {
        stretch: [0; 4096],
        squash: [0; 4096],
        rate: [0; LIMIT as usize + 1],
    });
    let Curves {
        stretch,
        squash,
        rate,
    } = &mut *curves;
    let mut next = 0;
    for (at, squash) in squash.iter_mut().enumerate() {
        let (knot, part) = (at >> 7, (at & 127) as u32);
        let (low, high) = (u32::from(KNOTS[knot]), u32::from(KNOTS[knot + 1]));
        *squash = ((low * (128 - part) + high * part + 64) >> 7) as u16;
        let value = usize::from(*squash);
        if value >= next {
            stretch[next..=value].fill(at as i16 - 2048);
            next = value + 1;
        }
    }
    stretch[next..].fill(2047);
    for (n, rate) in rate.iter_mut().enumerate() {
        *rate = (65_536 * 2 / (2 * n + 3)) as u32;
    }
    curves
});

/// The adaptive part: probabilities of a 1 by context, and mixing weights.
pub(crate) struct Model {
    /// 22 bits of probability, 10 bits of count, each.
    probabilities: Vec<u32>,
    weights: [[i32; INPUTS]; MIXERS],
    curves: &'static Curves,
    /// The current decision: its probabilities, their stretched values, its weights, and the mixed probability.
    slots: [usize; INPUTS],
    inputs: [i32; INPUTS],
    mixer: usize,
    mixed: i32,
}

impl Model {
    pub fn new() -> Model {
        Model {
            probabilities: vec![1 << 31; INPUTS << CONTEXT_BITS],
            weights: [[(1 << 16) * 2 / 5; INPUTS]; MIXERS],
            curves: &CURVES,
            slots: [0; INPUTS],
            inputs: [0; INPUTS],
            mixer: 0,
            mixed: 2048,
        }
    }

    /// The probability of a 1 in 1/4096 in these contexts, 1 to 4095.
    #[inline(always)]
    fn predict(&mut self, contexts: [u32; INPUTS], mixer: usize) -> u32 {
        let mut dot = 0_i64;
        self.mixer = mixer & (MIXERS - 1);
        let weights = &self.weights[self.mixer];
        for (input, context) in contexts.into_iter().enumerate() {
            // Contexts that share an entry share its probability.
            let hashed = context ^ context >> CONTEXT_BITS;
            let slot = input << CONTEXT_BITS | (hashed & ((1 << CONTEXT_BITS) - 1)) as usize;
            self.slots[input] = slot;
            let stretch = i32::from(self.curves.stretch[(self.probabilities[slot] >> 20) as usize]);
            self.inputs[input] = stretch;
            dot += i64::from(stretch) * i64::from(weights[input]);
        }
        let at = ((dot >> 16) as i32).clamp(-2047, 2047);
        self.mixed = i32::from(self.curves.squash[(at + 2048) as usize]).clamp(1, 4095);
        self.mixed as u32
    }

    /// Adapts to the outcome of the current decision.
    #[inline(always)]
    fn learn(&mut self, bit: bool) {
        let error = (i32::from(bit) << 12) - self.mixed;
        let weights = &mut self.weights[self.mixer];
        for (input, weight) in weights.iter_mut().enumerate() {
            *weight += (self.inputs[input] * error * 6 + (1 << 9)) >> 10;
            let entry = &mut self.probabilities[self.slots[input]];
            let count = *entry & 1023;
            let probability = (*entry >> 10) as i64;
            let target = if bit { (1 << 22) - 1 } else { 0 };
            let step = ((target - probability) * i64::from(self.curves.rate[count as usize])) >> 16;
            let next = (probability + step) as u32;
            *entry = next << 10 | (count + 1).min(LIMIT);
        }
    }
}

#[inline(always)]
fn middle(low: u32, high: u32, probability: u32) -> u32 {
    low + ((u64::from(high - low) * u64::from(probability)) >> 12) as u32
}

/// Reads decisions. Corrupt bytes give arbitrary decisions, never an error.
pub(crate) struct Decoder<'a> {
    model: Model,
    low: u32,
    high: u32,
    at: u32,
    bytes: &'a [u8],
}

impl Decoder<'_> {
    pub fn new(bytes: &[u8]) -> Decoder<'_> {
        let mut decoder = Decoder {
            model: Model::new(),
            low: 0,
            high: u32::MAX,
            at: 0,
            bytes,
        };
        (0..4).for_each(|_| decoder.take());
        decoder
    }

    #[inline(always)]
    fn take(&mut self) {
        let byte = self.bytes.split_first().map_or(0, |(&first, rest)| {
            self.bytes = rest;
            first
        });
        self.at = self.at << 8 | u32::from(byte);
    }

    /// The next decision, in its contexts.
    #[inline(always)]
    pub fn decide(&mut self, contexts: [u32; INPUTS], mixer: usize) -> bool {
        let probability = self.model.predict(contexts, mixer);
        let middle = middle(self.low, self.high, probability);
        let bit = self.at <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        self.model.learn(bit);
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 255;
            self.take();
        }
        bit
    }
}
