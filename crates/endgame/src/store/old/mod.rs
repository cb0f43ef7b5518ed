//! Unpacks the slices of earlier versions. Each code was written as a few decisions of an adaptive arithmetic coder,
//! whose contexts are the codes of neighbouring slots: those in which one group has a lower rank. A block equal to its
//! neighbours takes a single decision.

mod coder;

use crate::index::Layout;
use crate::pack::Kind;
use coder::{Decoder, INPUTS};

/// The largest half of a code (codes of distances are coded as half the distance).
const MOST: i32 = 127;

/// Unpacks the codes of a slice. Corrupt bytes give arbitrary codes.
pub(super) fn unpack(layout: &Layout, kind: Kind, bytes: &[u8]) -> Vec<u8> {
    Walk::new(layout, kind).run(&mut Decoder::new(bytes))
}

/// Draw, win or loss (0, 1, 2), whatever the kind.
#[inline(always)]
fn symbol(kind: Kind, code: u8) -> u32 {
    match kind {
        Kind::Values => u32::from(code),
        Kind::Distances if code == 0 => 0,
        Kind::Distances => 1 + u32::from(code & 1),
    }
}

struct Walk {
    kind: Kind,
    slots: usize,
    /// For each group with pieces, fastest first: how many slots back the neighbour with the next lower rank is; zero
    /// for none.
    strides: [usize; 4],
    /// Number of sets of the fastest-running group.
    fast: usize,
    codes: Vec<u8>,
}

/// Slots that a single decision may cover.
const BLOCK: usize = 64;
/// First context of block decisions, above those of single codes.
const BLOCKS: u32 = 25_000;
/// Their set of mixing weights.
const BLOCK_MIXER: usize = 64;

/// Number of neighbours of a slot.
const NEIGHBOURS: usize = 8;

impl Walk {
    fn new(layout: &Layout, kind: Kind) -> Walk {
        let mut strides = [0; 4];
        let mut fast = 1;
        let groups = (0..4).rev().filter(|&group| layout.sizes[group] > 1);
        for (at, group) in groups.enumerate() {
            strides[at] = layout.strides[group] as usize;
            if at == 0 {
                fast = layout.sizes[group] as usize;
            }
        }
        Walk {
            kind,
            slots: layout.slots as usize,
            strides,
            fast,
            codes: Vec::new(),
        }
    }

    #[inline(always)]
    fn back(&self, steps: usize) -> u8 {
        let len = self.codes.len();
        if steps == 0 || steps > len {
            0
        } else {
            self.codes[len - steps]
        }
    }

    fn run(mut self, coder: &mut Decoder) -> Vec<u8> {
        self.codes.reserve_exact(self.slots);
        while self.codes.len() < self.slots {
            let length = BLOCK.min(self.slots - self.codes.len());
            if !self.block(coder, length) {
                self.slots_of_block(coder, length);
            }
        }
        self.codes
    }

    /// Whether all codes of the block that begins `steps` slots back equal `code`.
    #[inline(always)]
    fn uniform(&self, steps: usize, code: u8) -> bool {
        let from = self.codes.len().checked_sub(steps);
        let block = from.and_then(|from| self.codes[from..].first_chunk::<BLOCK>());
        block.is_some_and(|block| block.iter().fold(0, |all, other| all | (other ^ code)) == 0)
    }

    /// Whether all codes of the next block equal the last code, which is one decision.
    #[inline(always)]
    fn block(&mut self, coder: &mut Decoder, length: usize) -> bool {
        let (Some(&last), BLOCK) = (self.codes.last(), length) else {
            return false;
        };
        let [_, two, three, four] = self.strides;
        let near = [BLOCK, two, three, four].map(|steps| self.uniform(steps, last));
        if !near[0] && !near[1] {
            return false;
        }
        let shape = near.iter().fold(symbol(self.kind, last), |shape, &one| {
            2 * shape + u32::from(one)
        });
        let contexts = [BLOCKS, BLOCKS + 64, BLOCKS + 128, BLOCKS + 192].map(|from| from + shape);
        let same = coder.decide(contexts, BLOCK_MIXER);
        if same {
            self.codes.extend([last; BLOCK]);
        }
        same
    }

    fn slots_of_block(&mut self, coder: &mut Decoder, length: usize) {
        let [one, two, three, four] = self.strides;
        let place = self.fast.min(50);
        for _ in 0..length {
            let slot = self.codes.len();
            let near = [
                self.back(one),
                self.back(two),
                self.back(three),
                self.back(four),
                self.back(2 * one),
                self.back(5 * one),
                self.back(two + one),
                self.back(11 * one),
            ];
            let at = (slot % self.fast % place) as u32;
            let next = self.one(coder, &near, at);
            self.codes.push(next);
        }
    }

    #[inline(always)]
    fn one(&self, coder: &mut Decoder, near: &[u8; NEIGHBOURS], at: u32) -> u8 {
        let kind = self.kind;
        let symbols = near.map(|code| symbol(kind, code));
        let [a, b, c, d, e, f, g, h] = symbols;
        let mut contexts: [u32; INPUTS] = [
            ((((a * 3 + b) * 3 + c) * 3 + d) * 3 + e) * 3 + g,
            (((at * 3 + a) * 3 + b) * 3 + c) * 3 + d,
            ((((a * 3 + e) * 3 + f) * 3 + h) * 3 + b) * 3 + g,
            ((at * 3 + f) * 3 + b) * 3 + h,
        ]
        .map(|context| context * 2);
        let mixer = ((a * 3 + b) * 3 + c) as usize;
        if coder.decide(contexts, mixer) {
            return 0;
        }
        contexts = contexts.map(|context| context + 1);
        let win = coder.decide(contexts, mixer + 27);
        let symbol = if win { 1 } else { 2 };
        if kind == Kind::Values {
            return symbol as u8;
        }
        let half = self.half(coder, near, &symbols, symbol, at);
        // Wins have even codes, from 2; losses have odd ones, from 1.
        half * 2 + if win { 2 } else { 1 }
    }

    /// Half the distance, written as the difference from that of a neighbour.
    #[inline(always)]
    fn half(
        &self,
        coder: &mut Decoder,
        near: &[u8; NEIGHBOURS],
        symbols: &[u32; NEIGHBOURS],
        symbol: u32,
        at: u32,
    ) -> u8 {
        let half = |code: u8| i32::from(code - 1) / 2;
        let mut guesses = [-1; 3];
        let mut found = 0;
        for (&code, &other) in near.iter().zip(symbols) {
            if other == symbol && found < 3 {
                guesses[found] = half(code);
                found += 1;
            }
        }
        let [first, second, third] = guesses;
        let first = first.max(0);
        let differ = |guess: i32, most: i32| {
            if guess < 0 {
                0
            } else {
                ((guess - first).clamp(-most, most) + most + 1) as u32
            }
        };
        let (second, third) = (differ(second, 3), differ(third, 3));
        let shape = symbols[0] * 9 + symbols[1] * 3 + symbols[2];
        let base = [
            ((first.min(31) as u32) * 8 + second) * 8 + third,
            (first.min(15) as u32 * 50 + at) * 8,
            (shape * 8 + second) * 8 + third,
            (at * 8 + second) * 8 + third,
        ]
        .map(|context| (context * 2 + symbol - 1) * 16);
        let contexts =
            |node: u32| base.map(|context| (context + node).wrapping_mul(0x9E37_79B1) >> 7);
        let mixer = |node: u32| 54 + node.min(9) as usize;
        if coder.decide(contexts(0), mixer(0)) {
            return first as u8;
        }
        let up = coder.decide(contexts(1), mixer(1));
        let (step, last) = if up { (1, MOST - 1) } else { (-1, 0) };
        let mut at = first + step;
        if !(0..MOST).contains(&at) {
            return first as u8;
        }
        let mut node = if up { 2 } else { 9 };
        while at != last && !coder.decide(contexts(node), mixer(node)) {
            at += step;
            if node != 8 && node != 15 {
                node += 1;
            }
        }
        at as u8
    }
}
