//! Packs the codes of a slice into blocks of [`BLOCK`] codes, each of which can be read by itself.
//!
//! Frequent pairs of neighbouring symbols become symbols of their own, again and again (Larsson and Moffat, "Offline
//! Dictionary-Based Compression", 1999), and the symbols of a block are written in a prefix code. One dictionary serves
//! a slice. A code is found by adding up the lengths of the symbols before it and descending into the one that holds
//! it.
//!
//! Slots that are never read ("don't care") repeat the code before them, which makes runs longer.
//!
//! ```text
//! 2    number of symbols
//! 30   numbers of codes of 1 to 15 bits in the prefix code, 2 bytes each; its codes belong to the first symbols
//! 3    for each symbol: left and right half, 12 bits each; or a code and 4095
//! 24   for each group of 8 blocks: its place in the data (4), CRC-32 (4), the ends of its blocks in it (2 each)
//!      the data; each block begins with a byte, the first bit of the prefix code highest
//! ```

mod blocks;
mod pairs;
mod prefix;

pub(crate) use blocks::Blocks;

use crate::Slice;
use crate::index::{Layout, Order};
use crate::verdict::Value;
use pairs::Pairs;
use prefix::Lengths;
use rayon::prelude::*;

/// The meaning of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// 0 draw, 1 win, 2 loss.
    Values,
    /// [`Verdict::code`](crate::Verdict::code).
    Distances,
}

/// Codes of a block.
pub(crate) const BLOCK: usize = 4096;
/// Blocks with a common checksum.
const GROUP: usize = 8;
/// Bytes of a group in the index.
const ENTRY: usize = 8 + 2 * GROUP;
/// Most symbols; the next number is that of no symbol.
const MOST: usize = 4095;
/// In place of a symbol: none.
const NONE: u16 = MOST as u16;
/// Most levels of pairs within pairs.
const DEPTH: usize = 48;
/// Number of blocks in which pairs are looked for: more hardly pack better.
const SAMPLE: usize = 2048;
/// Blocks that one thread packs after another.
const CHUNK: usize = 256;
/// Bits of the longest code of a symbol.
const LONGEST: usize = 15;

/// In place of a code: the slot is never read.
pub(crate) const UNREAD: u8 = 255;

/// The codes of a slice in slots from the given one on, [`UNREAD`] for those that are never read.
pub(crate) trait Codes: Fn(usize, &mut [u8]) + Sync {}

impl<F: Fn(usize, &mut [u8]) + Sync> Codes for F {}

/// Codes of slots in memory, one by one, in an order.
pub(crate) fn ordered(
    slice: Slice,
    order: Order,
    code: &(impl Fn(usize) -> Option<u8> + Sync),
) -> impl Codes {
    let layout = Layout::ordered(slice, order);
    one_by_one(move |slot| code(layout.in_memory(slot as u64) as usize))
}

/// Codes one by one.
pub(crate) fn one_by_one(code: impl Fn(usize) -> Option<u8> + Sync) -> impl Codes {
    move |first: usize, codes: &mut [u8]| {
        for (at, held) in codes.iter_mut().enumerate() {
            *held = code(first + at).unwrap_or(UNREAD);
        }
    }
}

/// Packs codes.
pub(crate) fn pack(kind: Kind, slots: usize, codes: impl Codes) -> Vec<u8> {
    Draft::new(kind, slots, codes).pack()
}

/// Packs the codes of a slice in the order in which a sample of them packs best.
pub(crate) fn pack_slice<C: Codes>(
    kind: Kind,
    slice: Slice,
    codes: impl Fn(Order) -> C,
) -> (Order, Vec<u8>) {
    let slots = Layout::new(slice).slots as usize;
    let (mut best, others) = (Order::EnemyKings, &Order::of(slice)[1..]);
    let mut draft = Draft::new(kind, slots, codes(best));
    for &order in others {
        let other = Draft::new(kind, slots, codes(order));
        if other.bits < draft.bits {
            (best, draft) = (order, other);
        }
    }
    (best, draft.pack())
}

/// Codes to pack, and their dictionary.
struct Draft<C> {
    source: Source<C>,
    most: u8,
    pairs: Pairs,
    /// Bits of a sample, packed.
    bits: u64,
}

impl<C: Codes> Draft<C> {
    fn new(kind: Kind, slots: usize, codes: C) -> Draft<C> {
        let source = Source::new(slots, codes);
        let most = match kind {
            Kind::Values => Value::Loss.code(),
            Kind::Distances => source.most(),
        };
        let step = slots.div_ceil(BLOCK * SAMPLE).max(1);
        let sample: Vec<Vec<u8>> = (0..slots.div_ceil(BLOCK))
            .into_par_iter()
            .step_by(step)
            .map(|block| source.block(block, None))
            .collect();
        let pairs = Pairs::of(&sample, most);
        let mut counts = vec![0_u64; pairs.len()];
        for symbol in sample.iter().flat_map(|block| pairs.symbols(block)) {
            counts[usize::from(symbol)] += 1;
        }
        let lengths = Lengths::of(&counts);
        let bits = counts
            .iter()
            .zip(0..)
            .map(|(count, symbol)| count * u64::from(lengths.get(symbol)));
        Draft {
            bits: bits.sum(),
            source,
            most,
            pairs,
        }
    }

    /// Packs all. No more codes than a few thousand blocks are in memory.
    fn pack(self) -> Vec<u8> {
        let Draft {
            source,
            most,
            pairs,
            ..
        } = self;
        let slots = source.slots;
        // Many blocks hold one code only.
        let uniform: Vec<Vec<u16>> = (0..=most)
            .map(|code| pairs.symbols(&[code; BLOCK]))
            .collect();
        let symbols = |codes: &[u8]| match codes.len() == BLOCK
            && codes.iter().all(|&code| code == codes[0])
        {
            true => uniform[usize::from(codes[0])].clone(),
            false => pairs.symbols(codes),
        };
        let chunks = (0..slots.div_ceil(BLOCK * CHUNK)).into_par_iter();
        let blocks: Vec<Vec<u16>> = chunks
            .flat_map_iter(|chunk| {
                let mut last = None;
                let (source, symbols) = (&source, &symbols);
                let blocks = chunk * CHUNK..(chunk + 1) * CHUNK;
                blocks
                    .take_while(|block| block * BLOCK < slots)
                    .map(move |block| {
                        let codes = source.block(block, last);
                        last = codes.last().copied();
                        symbols(&codes)
                    })
            })
            .collect();
        let mut counts = vec![0_u64; pairs.len()];
        for &symbol in blocks.iter().flatten() {
            counts[usize::from(symbol)] += 1;
        }
        let lengths = Lengths::of(&counts);
        let order = pairs.order(&lengths);
        let mut new = vec![NONE; pairs.len()];
        for (at, &symbol) in order.iter().enumerate() {
            new[usize::from(symbol)] = at as u16;
        }

        let mut bytes = Vec::new();
        bytes.extend((order.len() as u16).to_le_bytes());
        for count in lengths.numbers() {
            bytes.extend(count.to_le_bytes());
        }
        for &symbol in &order {
            let (left, right) = match pairs.halves(symbol) {
                Some((left, right)) => (new[usize::from(left)], new[usize::from(right)]),
                None => (symbol, NONE),
            };
            let both = u32::from(left) | u32::from(right) << 12;
            bytes.extend(&both.to_le_bytes()[..3]);
        }
        let codes = lengths.codes(&order);
        let groups: Vec<([u16; GROUP], Vec<u8>)> = blocks
            .par_chunks(GROUP)
            .map(|group| {
                let (mut ends, mut data) = ([0; GROUP], Vec::new());
                for (at, end) in ends.iter_mut().enumerate() {
                    let symbols = group.get(at).map_or(&[][..], |block| block);
                    prefix::write(symbols, &codes, &mut data);
                    *end = data.len() as u16;
                }
                (ends, data)
            })
            .collect();
        let mut place = 0_u32;
        for (ends, data) in &groups {
            bytes.extend(place.to_le_bytes());
            bytes.extend(crc32fast::hash(data).to_le_bytes());
            ends.iter().for_each(|end| bytes.extend(end.to_le_bytes()));
            place += data.len() as u32;
        }
        groups.iter().for_each(|(_, data)| bytes.extend(data));
        bytes
    }
}

/// The blocks of codes, those that are never read like the one before, or like the first at the start.
struct Source<C> {
    slots: usize,
    codes: C,
    first: u8,
}

impl<C: Codes> Source<C> {
    fn new(slots: usize, codes: C) -> Source<C> {
        let mut source = Source {
            slots,
            codes,
            first: 0,
        };
        let mut blocks = 0..slots.div_ceil(BLOCK);
        let known = |block| source.read(block).into_iter().find(|&code| code != UNREAD);
        source.first = blocks.find_map(known).unwrap_or(0);
        source
    }

    fn read(&self, block: usize) -> Vec<u8> {
        let mut codes = vec![UNREAD; BLOCK.min(self.slots - block * BLOCK)];
        (self.codes)(block * BLOCK, &mut codes);
        codes
    }

    /// A block; `last` is the code before it, if the caller has it.
    fn block(&self, block: usize, last: Option<u8>) -> Vec<u8> {
        let mut codes = self.read(block);
        let is_known = |&&code: &&u8| code != UNREAD;
        let mut last = codes.iter().find(is_known).copied().or(last);
        if last.is_none() {
            let before = (0..block).rev().map(|block| self.read(block));
            last = before
                .filter_map(|codes| codes.iter().rfind(is_known).copied())
                .next();
        }
        let mut last = last.unwrap_or(self.first);
        for code in &mut codes {
            match *code {
                UNREAD => *code = last,
                known => last = known,
            }
        }
        codes
    }

    /// The highest code.
    fn most(&self) -> u8 {
        let blocks = (0..self.slots.div_ceil(BLOCK)).into_par_iter();
        let most = |block| {
            self.read(block)
                .into_iter()
                .filter(|&code| code != UNREAD)
                .max()
        };
        blocks.filter_map(most).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes with runs, patterns and disorder, some of them never read.
    fn code(most: u64, slot: usize) -> Option<u8> {
        let mixed = (slot as u64 / 7).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let code = match slot / 9000 % 3 {
            0 => 1,
            1 => slot as u64 % 5 % most,
            _ => mixed % most,
        };
        (!slot.is_multiple_of(5)).then_some(code as u8)
    }

    #[test]
    fn codes_that_are_read_round_trip() {
        for (slots, most) in [(1, 3), (5_000, 3), (100_000, 3), (300_001, 255)] {
            let bytes = pack(Kind::Distances, slots, one_by_one(|slot| code(most, slot)));
            let blocks = Blocks::new(&bytes, slots).unwrap();
            assert!((0..blocks.groups()).all(|group| blocks.is_sound(&bytes, group)));
            let all = blocks.all(&bytes);
            assert_eq!(all.len(), slots);
            for (slot, &found) in all.iter().enumerate() {
                assert!(code(most, slot).is_none_or(|code| code == found), "{slot}");
            }
            for slot in (0..slots).step_by(997) {
                let mut some = [0; 16];
                let slot = slot / 16 * 16;
                blocks.read(&bytes, slot, &mut some);
                let held = slots.min(slot + 16) - slot;
                assert_eq!(some[..held], all[slot..slot + held], "{slot}");
            }
        }
    }

    #[test]
    fn no_damage_is_fatal_and_all_of_it_is_found() {
        let slots = 300_001;
        let bytes = pack(Kind::Distances, slots, one_by_one(|slot| code(3, slot)));
        let sound = Blocks::new(&bytes, slots).unwrap();
        for at in (0..bytes.len()).step_by(7) {
            let mut bad = bytes.clone();
            bad[at] ^= 1 << (at % 8);
            // The checksum of the directory is in the header of the file.
            let Some(blocks) = Blocks::new(&bad, slots) else {
                assert!(at < sound.directory(), "{at}");
                continue;
            };
            let wrong = (0..blocks.groups()).filter(|&group| !blocks.is_sound(&bad, group));
            let wrong = wrong.count();
            assert_eq!(blocks.all(&bad).len(), slots);
            assert!(at < sound.directory() || wrong == 1, "{at}: {wrong}");
        }
        for length in (0..bytes.len()).step_by(101) {
            if let Some(blocks) = Blocks::new(&bytes[..length], slots) {
                assert!(!blocks.is_sound(&bytes[..length], blocks.groups() - 1));
            }
        }
    }
}
