//! A canonical prefix code: shorter codes are smaller, and codes of a length follow each other.

use super::LONGEST;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The bits of each symbol's code; 0 for a symbol without one.
pub(super) struct Lengths(Vec<u8>);

impl Lengths {
    /// The lengths of the best code for symbols that occur so often, none longer than [`LONGEST`].
    pub fn of(counts: &[u64]) -> Lengths {
        let mut counts = counts.to_vec();
        loop {
            let lengths = huffman(&counts);
            if lengths.iter().all(|&length| usize::from(length) <= LONGEST) {
                return Lengths(lengths);
            }
            // Flatter counts make longer codes shorter.
            let flat = counts.iter_mut().filter(|count| **count > 0);
            flat.for_each(|count| *count = *count / 2 + 1);
        }
    }

    pub fn get(&self, symbol: u16) -> u8 {
        self.0[usize::from(symbol)]
    }

    /// How many codes have 1, 2, 3 bits, and so on.
    pub fn numbers(&self) -> [u16; LONGEST] {
        let mut numbers = [0; LONGEST];
        for &length in self.0.iter().filter(|&&length| length > 0) {
            numbers[usize::from(length) - 1] += 1;
        }
        numbers
    }

    /// Code and length by symbol; `order` has the symbols by length.
    pub fn codes(&self, order: &[u16]) -> Vec<(u16, u8)> {
        let mut codes = vec![(0, 0); self.0.len()];
        let (mut next, mut bits) = (0_u32, 0);
        for &symbol in order.iter().filter(|&&symbol| self.get(symbol) > 0) {
            next <<= self.get(symbol) - bits;
            bits = self.get(symbol);
            codes[usize::from(symbol)] = (next as u16, bits);
            next += 1;
        }
        codes
    }
}

/// Huffman's lengths.
fn huffman(counts: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0; counts.len()];
    // Ties are broken by number, so that the code is the same everywhere.
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut parents = vec![0; counts.len()];
    let used = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    heap.extend(used.map(|(symbol, &count)| Reverse((count, symbol))));
    if let (1, Some(Reverse((_, only)))) = (heap.len(), heap.peek()) {
        lengths[*only] = 1;
        return lengths;
    }
    while let (Some(Reverse(one)), Some(Reverse(two))) = (heap.pop(), heap.pop()) {
        let parent = parents.len();
        parents.push(0);
        (parents[one.1], parents[two.1]) = (parent, parent);
        if !heap.is_empty() {
            heap.push(Reverse((one.0 + two.0, parent)));
        }
    }
    let root = parents.len() - 1;
    let mut depths = vec![0_u8; parents.len()];
    for node in (0..root).rev().filter(|&node| parents[node] > 0) {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    lengths.copy_from_slice(&depths[..counts.len()]);
    lengths
}

/// Writes symbols, from the highest bit of a new byte on.
pub(super) fn write(symbols: &[u16], codes: &[(u16, u8)], bytes: &mut Vec<u8>) {
    let (mut held, mut bits) = (0_u32, 0);
    for &symbol in symbols {
        let (code, length) = codes[usize::from(symbol)];
        held = held << length | u32::from(code);
        bits += length;
        while bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    if bits > 0 {
        bytes.push((held << (8 - bits)) as u8);
    }
}

/// Reads symbols.
pub(super) struct Reader {
    /// By length: the first 16 bits above its codes, and what is added to a code to get its symbol.
    limits: [(u32, i32); LONGEST + 1],
    /// By the first eight bits: the shortest possible length.
    shortest: [u8; 256],
}

impl Reader {
    /// The reader of a code with so many codes of each length. None if there is no such code.
    pub fn new(numbers: [u16; LONGEST]) -> Option<Reader> {
        let mut limits = [(0, 0); LONGEST + 1];
        let (mut next, mut symbol) = (0_u32, 0);
        for (at, &number) in numbers.iter().enumerate() {
            let length = at + 1;
            next <<= 1;
            let offset = symbol - next as i32;
            next += u32::from(number);
            symbol += i32::from(number);
            if next > 1 << length {
                return None;
            }
            limits[length] = (next << (16 - length), offset);
        }
        let shortest = std::array::from_fn(|first| {
            let found = (1..=LONGEST).find(|&length| ((first as u32) << 8) < limits[length].0);
            found.unwrap_or(LONGEST) as u8
        });
        Some(Reader { limits, shortest })
    }

    /// The symbol whose code begins at a bit, and the bit after it. None if there is no such code.
    #[inline(always)]
    pub fn next(&self, bytes: &[u8], bit: usize) -> Option<(u16, usize)> {
        let from = bit / 8;
        let four = match bytes.get(from..).and_then(|rest| rest.first_chunk()) {
            Some(four) => u32::from_be_bytes(*four),
            None => last(bytes.get(from..)?),
        };
        let word = four << (bit % 8) >> 16;
        let mut length = usize::from(self.shortest[(word >> 8) as usize]);
        loop {
            let &(limit, offset) = self.limits.get(length)?;
            if word < limit {
                let symbol = (word >> (16 - length)) as i32 + offset;
                return Some((symbol as u16, bit + length));
            }
            length += 1;
        }
    }
}

/// The last bytes, with zeros after them.
#[cold]
fn last(bytes: &[u8]) -> u32 {
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    u32::from_be_bytes(four)
}
