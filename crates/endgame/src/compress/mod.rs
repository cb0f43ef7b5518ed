//! Compresses the codes of a slice. Each code is written as a few decisions of an adaptive arithmetic coder, whose
//! contexts are the codes of neighbouring slots: those in which one group has a lower rank.
//!
//! Slots that are never read ("don't care") get whatever the model predicts, which costs almost nothing and needs no
//! flag for the decoder. A block equal to its neighbours takes a single decision: most slots that are read are draws
//! throughout or wins throughout.

mod coder;

use crate::index::Layout;
use coder::{Coder, Decoder, Encoder, INPUTS};

/// The meaning of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// 0 draw, 1 win, 2 loss.
    Values,
    /// [`Verdict::code`](super::Verdict::code).
    Distances,
}

/// The largest half of a code (codes of distances are coded as half the distance).
const MOST: i32 = 127;

/// Packs codes; `code` returns None for slots that are never read. Returns the bytes, and the codes that [`unpack`]
/// will give back.
pub(crate) fn pack(
    layout: &Layout,
    kind: Kind,
    code: impl FnMut(usize) -> Option<u8>,
) -> (Vec<u8>, Vec<u8>) {
    let mut encoder = Encoder::new();
    let codes = Walk::new(layout, kind).run(&mut encoder, code);
    (encoder.finish(), codes)
}

/// The inverse of [`pack`]. Corrupt bytes give arbitrary codes.
pub(crate) fn unpack(layout: &Layout, kind: Kind, bytes: &[u8]) -> Vec<u8> {
    Walk::new(layout, kind).run(&mut Decoder::new(bytes), |_| None)
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

    fn run(mut self, coder: &mut impl Coder, mut code: impl FnMut(usize) -> Option<u8>) -> Vec<u8> {
        self.codes.reserve_exact(self.slots);
        let mut known = [None; BLOCK];
        while self.codes.len() < self.slots {
            let begin = self.codes.len();
            let known = &mut known[..BLOCK.min(self.slots - begin)];
            for (slot, known) in (begin..).zip(&mut *known) {
                *known = code(slot);
            }
            if !self.block(coder, known) {
                self.slots_of_block(coder, known);
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

    /// Codes in one decision whether all codes of the next block equal the last code.
    #[inline(always)]
    fn block(&mut self, coder: &mut impl Coder, known: &[Option<u8>]) -> bool {
        let (Some(&last), BLOCK) = (self.codes.last(), known.len()) else {
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
        let all = known
            .iter()
            .all(|known| known.is_none_or(|known| known == last));
        let contexts = [BLOCKS, BLOCKS + 64, BLOCKS + 128, BLOCKS + 192].map(|from| from + shape);
        let same = coder.code(contexts, BLOCK_MIXER, Some(all));
        if same {
            self.codes.extend([last; BLOCK]);
        }
        same
    }

    fn slots_of_block(&mut self, coder: &mut impl Coder, known: &[Option<u8>]) {
        let [one, two, three, four] = self.strides;
        let place = self.fast.min(50);
        for &known in known {
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
            let next = self.one(coder, &near, at, known);
            self.codes.push(next);
        }
    }

    #[inline(always)]
    fn one(
        &self,
        coder: &mut impl Coder,
        near: &[u8; NEIGHBOURS],
        at: u32,
        known: Option<u8>,
    ) -> u8 {
        let kind = self.kind;
        let symbols = near.map(|code| symbol(kind, code));
        let [a, b, c, d, e, f, g, h] = symbols;
        let wanted = known.map(|code| symbol(kind, code));
        let mut contexts: [u32; INPUTS] = [
            ((((a * 3 + b) * 3 + c) * 3 + d) * 3 + e) * 3 + g,
            (((at * 3 + a) * 3 + b) * 3 + c) * 3 + d,
            ((((a * 3 + e) * 3 + f) * 3 + h) * 3 + b) * 3 + g,
            ((at * 3 + f) * 3 + b) * 3 + h,
        ]
        .map(|context| context * 2);
        let mixer = ((a * 3 + b) * 3 + c) as usize;
        if coder.code(contexts, mixer, wanted.map(|symbol| symbol == 0)) {
            return 0;
        }
        contexts = contexts.map(|context| context + 1);
        let win = coder.code(contexts, mixer + 27, wanted.map(|symbol| symbol == 1));
        let symbol = if win { 1 } else { 2 };
        if kind == Kind::Values {
            return symbol as u8;
        }
        let half = self.half(coder, near, &symbols, symbol, at, known);
        // Wins have even codes, from 2; losses have odd ones, from 1.
        half * 2 + if win { 2 } else { 1 }
    }

    /// Codes half the distance, as the difference from that of a neighbour.
    #[inline(always)]
    fn half(
        &self,
        coder: &mut impl Coder,
        near: &[u8; NEIGHBOURS],
        symbols: &[u32; NEIGHBOURS],
        symbol: u32,
        at: u32,
        known: Option<u8>,
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
        let wanted = known.map(half);
        let mixer = |node: u32| 54 + node.min(9) as usize;
        if coder.code(contexts(0), mixer(0), wanted.map(|wanted| wanted == first)) {
            return first as u8;
        }
        let up = coder.code(contexts(1), mixer(1), wanted.map(|wanted| wanted > first));
        let (step, last) = if up { (1, MOST - 1) } else { (-1, 0) };
        let mut at = first + step;
        if !(0..MOST).contains(&at) {
            return first as u8;
        }
        let mut node = if up { 2 } else { 9 };
        while at != last
            && !coder.code(
                contexts(node),
                mixer(node),
                wanted.map(|wanted| wanted == at),
            )
        {
            at += step;
            if node != 8 && node != 15 {
                node += 1;
            }
        }
        at as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slice;

    #[test]
    fn codes_that_are_read_round_trip() {
        let layout = Layout::new("1m1k-1k".parse::<Slice>().expect("a slice"));
        for (kind, most) in [(Kind::Values, 3), (Kind::Distances, 255)] {
            let code = |slot: usize| {
                let mixed = (slot as u64 / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                (!slot.is_multiple_of(5)).then_some((mixed % most).min(mixed >> 12 & 255) as u8)
            };
            let (bytes, codes) = pack(&layout, kind, code);
            assert_eq!(unpack(&layout, kind, &bytes), codes);
            for (slot, &found) in codes.iter().enumerate() {
                assert!(code(slot).is_none_or(|code| code == found), "{slot}");
            }
            // Corrupt bytes give arbitrary codes, but the right number of them.
            assert_eq!(unpack(&layout, kind, &bytes[..9]).len(), codes.len());
        }
    }
}
