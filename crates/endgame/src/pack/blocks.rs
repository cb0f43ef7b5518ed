//! Reads packed codes.

use super::prefix::Reader;
use super::{BLOCK, DEPTH, ENTRY, GROUP, LONGEST, NONE};

/// A symbol: two symbols one after the other, or a code.
#[derive(Clone, Copy, Default)]
struct Symbol {
    /// The left half, or the code.
    left: u16,
    /// The right half; [`NONE`] for a code.
    right: u16,
    /// Number of codes.
    length: u16,
    /// The code, if all codes are the same; otherwise [`NONE`].
    run: u16,
}

/// The dictionary of packed codes, and where they are.
pub(crate) struct Blocks {
    slots: usize,
    symbols: Box<[Symbol]>,
    reader: Reader,
    /// Where index and data begin.
    index: usize,
    data: usize,
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*two))
}

fn double(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*four))
}

impl Blocks {
    /// The directory at the start of packed codes. None if it is damaged.
    pub fn new(bytes: &[u8], slots: usize) -> Option<Blocks> {
        let number = usize::from(word(bytes, 0)?);
        let mut numbers = [0; LONGEST];
        for (at, number) in numbers.iter_mut().enumerate() {
            *number = word(bytes, 2 + 2 * at)?;
        }
        let first = 2 + 2 * LONGEST;
        let halves = bytes.get(first..first + 3 * number)?.as_chunks::<3>().0;
        let halves = halves.iter().map(|&[low, middle, high]| {
            let both = u32::from_le_bytes([low, middle, high, 0]);
            ((both & 0xFFF) as u16, (both >> 12) as u16)
        });
        let index = first + 3 * number;
        let data = index + slots.div_ceil(BLOCK * GROUP) * ENTRY;
        Some(Blocks {
            slots,
            symbols: symbols(halves.collect())?,
            reader: Reader::new(numbers)?,
            index,
            data: (data <= bytes.len()).then_some(data)?,
        })
    }

    /// Bytes before the data.
    pub fn directory(&self) -> usize {
        self.data
    }

    /// Number of groups of blocks.
    pub fn groups(&self) -> usize {
        self.slots.div_ceil(BLOCK * GROUP)
    }

    /// The group of a slot.
    #[inline(always)]
    pub fn group(slot: usize) -> usize {
        slot / (BLOCK * GROUP)
    }

    /// Whether a group has its checksum.
    pub fn is_sound(&self, bytes: &[u8], group: usize) -> bool {
        let sound = || {
            let at = self.index + group * ENTRY;
            let from = self.data + double(bytes, at)? as usize;
            let length = usize::from(word(bytes, at + ENTRY - 2)?);
            let data = bytes.get(from..from + length)?;
            Some(crc32fast::hash(data) == double(bytes, at + 4)?)
        };
        sound().unwrap_or(false)
    }

    /// Where a block begins.
    #[inline(always)]
    fn start(&self, bytes: &[u8], block: usize) -> Option<usize> {
        let at = self.index + block / GROUP * ENTRY;
        let before = match block % GROUP {
            0 => 0,
            within => usize::from(word(bytes, at + 6 + 2 * within)?),
        };
        Some(self.data + double(bytes, at)? as usize + before)
    }

    /// Reads the codes from a slot on, all of one block. What is damaged or beyond the last slot remains as it is.
    #[inline(always)]
    pub fn read(&self, bytes: &[u8], slot: usize, out: &mut [u8]) {
        let length = out.len().min(self.slots.saturating_sub(slot));
        let start = self.start(bytes, slot / BLOCK);
        let Some(bytes) = start.and_then(|start| bytes.get(start..)) else {
            return;
        };
        let (mut skip, mut bit, mut out) = (slot % BLOCK, 0, &mut out[..length]);
        while !out.is_empty() {
            let Some((symbol, after)) = self.reader.next(bytes, bit) else {
                return;
            };
            bit = after;
            let Some(symbol) = self.symbols.get(usize::from(symbol)) else {
                return;
            };
            match skip.checked_sub(usize::from(symbol.length)) {
                Some(rest) => skip = rest,
                None => {
                    let done = self.expand(symbol, skip, out);
                    out = &mut out[done..];
                    skip = 0;
                }
            }
        }
    }

    /// Writes the codes of a symbol without the first `skip`, as many as there is room for. Returns their number.
    #[inline(always)]
    fn expand<'a>(&'a self, mut symbol: &'a Symbol, mut skip: usize, out: &mut [u8]) -> usize {
        let mut stack = [0; DEPTH];
        let (mut top, mut done) = (0, 0);
        loop {
            if symbol.run != NONE {
                let length = (usize::from(symbol.length) - skip).min(out.len() - done);
                out[done..done + length].fill(symbol.run as u8);
                done += length;
                skip = 0;
                if top == 0 || done == out.len() {
                    return done;
                }
                top -= 1;
                symbol = &self.symbols[usize::from(stack[top])];
                continue;
            }
            let left = &self.symbols[usize::from(symbol.left)];
            match skip.checked_sub(usize::from(left.length)) {
                Some(rest) => {
                    skip = rest;
                    symbol = &self.symbols[usize::from(symbol.right)];
                }
                None => {
                    stack[top] = symbol.right;
                    top += 1;
                    symbol = left;
                }
            }
        }
    }

    /// All codes.
    #[cfg(test)]
    pub fn all(&self, bytes: &[u8]) -> Vec<u8> {
        let mut codes = vec![0; self.slots];
        for (block, codes) in codes.chunks_mut(BLOCK).enumerate() {
            self.read(bytes, block * BLOCK, codes);
        }
        codes
    }
}

/// The symbols of a dictionary. None if one contains itself, another that is not there, too many levels or codes.
fn symbols(halves: Vec<(u16, u16)>) -> Option<Box<[Symbol]>> {
    let mut symbols = vec![(Symbol::default(), 0); halves.len()];
    for symbol in 0..halves.len() {
        define(symbol, &halves, &mut symbols, DEPTH)?;
    }
    Some(symbols.into_iter().map(|(symbol, _)| symbol).collect())
}

/// Defines a symbol after its halves. Returns it with its number of levels.
fn define(
    at: usize,
    halves: &[(u16, u16)],
    symbols: &mut [(Symbol, usize)],
    most: usize,
) -> Option<(Symbol, usize)> {
    let &(left, right) = halves.get(at)?;
    if symbols[at].0.length > 0 {
        return Some(symbols[at]);
    }
    let (length, run, levels) = if right == NONE {
        (1, left, 0)
    } else {
        let most = most.checked_sub(1)?;
        let (one, above) = define(usize::from(left), halves, symbols, most)?;
        let (two, below) = define(usize::from(right), halves, symbols, most)?;
        let run = if one.run == two.run { one.run } else { NONE };
        (one.length + two.length, run, above.max(below) + 1)
    };
    let is_sane = usize::from(length) <= BLOCK && levels < DEPTH;
    let symbol = Symbol {
        left,
        right,
        length,
        run,
    };
    symbols[at] = (symbol, levels);
    is_sane.then_some(symbols[at])
}
