//! Finds the pairs of symbols that become symbols, and replaces them.

use super::prefix::Lengths;
use super::{DEPTH, MOST, NONE};
use std::ops::Range;

/// Fewest occurrences of a pair that are worth a symbol.
const FEWEST: u32 = 8;
/// Most symbols made at a time: those that are as frequent as the most frequent one, within a quarter.
const AT_ONCE: usize = 64;

/// Symbols: first each code, then pairs of earlier symbols.
pub(super) struct Pairs {
    /// Number of codes.
    base: usize,
    halves: Vec<(u16, u16)>,
    /// Levels of pairs in each symbol.
    depths: Vec<u8>,
    /// The symbols made at a time.
    rounds: Vec<Range<u16>>,
    /// The symbol of a pair; 0 for none.
    table: Vec<u16>,
}

fn entry(left: u16, right: u16) -> usize {
    usize::from(left) << 12 | usize::from(right)
}

impl Pairs {
    /// The pairs of these blocks of codes, none of which is higher than `most`.
    pub fn of(blocks: &[Vec<u8>], most: u8) -> Pairs {
        let base = usize::from(most) + 1;
        let mut pairs = Pairs {
            base,
            halves: Vec::new(),
            depths: vec![0; base],
            rounds: Vec::new(),
            table: vec![0; 1 << 24],
        };
        let mut symbols = Vec::new();
        for block in blocks {
            symbols.extend(block.iter().map(|&code| u16::from(code)));
            symbols.push(NONE);
        }
        let mut counts = vec![0; 1 << 24];
        while pairs.add(&symbols, &mut counts) {
            if let Some(round) = pairs.rounds.last() {
                pairs.replace(&mut symbols, round);
            }
        }
        pairs
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.base + self.halves.len()
    }

    /// The halves of a symbol, unless it is a code.
    pub fn halves(&self, symbol: u16) -> Option<(u16, u16)> {
        let at = usize::from(symbol).checked_sub(self.base)?;
        Some(self.halves[at])
    }

    /// Makes symbols of the most frequent pairs, no two of which overlap. Whether there are any.
    fn add(&mut self, symbols: &[u16], counts: &mut [u32]) -> bool {
        let first = self.len();
        counts[..first << 12].fill(0);
        let mut before = None;
        for pair in symbols.windows(2) {
            let pair = (pair[0], pair[1]);
            // Of three equal symbols only two are a pair.
            let overlaps = pair.0 == pair.1 && before == Some(pair);
            if pair.0 == NONE || pair.1 == NONE || overlaps {
                before = None;
                continue;
            }
            counts[entry(pair.0, pair.1)] += 1;
            before = Some(pair);
        }
        let mut found = Vec::new();
        for left in 0..first as u16 {
            for right in 0..first as u16 {
                let depth = self.depths[usize::from(left)].max(self.depths[usize::from(right)]);
                let count = counts[entry(left, right)];
                if count >= FEWEST && usize::from(depth) + 1 < DEPTH {
                    found.push((count, (left, right), depth + 1));
                }
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        let most = found.first().map_or(0, |pair| pair.0);
        // A symbol that begins a pair ends no other.
        let (mut begins, mut ends) = (vec![false; first], vec![false; first]);
        let many = if first < 16 { 8 } else { AT_ONCE };
        for (count, (left, right), depth) in found {
            let is_full = self.len() == MOST || self.len() - first == many;
            if is_full || count < most / 4 * 3 {
                break;
            }
            if begins[usize::from(right)] || ends[usize::from(left)] {
                continue;
            }
            (begins[usize::from(left)], ends[usize::from(right)]) = (true, true);
            self.table[entry(left, right)] = self.len() as u16;
            self.halves.push((left, right));
            self.depths.push(depth);
        }
        self.rounds.push(first as u16..self.len() as u16);
        self.len() > first
    }

    fn replace(&self, symbols: &mut Vec<u16>, round: &Range<u16>) {
        let (mut from, mut to) = (0, 0);
        while let Some(&left) = symbols.get(from) {
            let right = symbols.get(from + 1).copied().unwrap_or(NONE);
            let pair = self.table[entry(left, right)];
            let is_pair = round.contains(&pair);
            symbols[to] = if is_pair { pair } else { left };
            from += 1 + usize::from(is_pair);
            to += 1;
        }
        symbols.truncate(to);
    }

    /// A block in symbols, as if the pairs of each round were replaced from left to right, round by round. A symbol
    /// of a round is in no pair of an earlier one, so only rounds with a pair in the block are looked at.
    pub fn symbols(&self, block: &[u8]) -> Vec<u16> {
        let mut symbols: Vec<u16> = block.iter().map(|&code| u16::from(code)).collect();
        let pair = |two: &[u16]| self.table[entry(two[0], two[1])];
        // The pair that begins at each symbol, 0 for none.
        let mut pairs: Vec<u16> = symbols.windows(2).map(pair).collect();
        pairs.push(0);
        while let Some(first) = pairs.iter().copied().filter(|&pair| pair > 0).min() {
            let round = self.rounds.partition_point(|round| round.end <= first);
            let round = self.rounds[round].clone();
            let (mut from, mut to, mut is_new) = (0, 0, false);
            while from < symbols.len() {
                let (symbol, here) = (symbols[from], pairs[from]);
                let is_pair = round.contains(&here);
                symbols[to] = if is_pair { here } else { symbol };
                if to > 0 && (is_pair || is_new) {
                    pairs[to - 1] = pair(&symbols[to - 1..=to]);
                }
                pairs[to] = if is_pair { 0 } else { here };
                is_new = is_pair;
                from += 1 + usize::from(is_pair);
                to += 1;
            }
            symbols.truncate(to);
            pairs.truncate(to);
            pairs[to - 1] = 0;
        }
        symbols.shrink_to_fit();
        symbols
    }

    /// The symbols needed: first those with a code, by its length, then those only within others.
    pub fn order(&self, lengths: &Lengths) -> Vec<u16> {
        let mut needed: Vec<bool> = (0..self.len() as u16)
            .map(|symbol| lengths.get(symbol) > 0)
            .collect();
        for symbol in (0..self.len() as u16).rev() {
            if let (true, Some((left, right))) = (needed[usize::from(symbol)], self.halves(symbol))
            {
                (needed[usize::from(left)], needed[usize::from(right)]) = (true, true);
            }
        }
        let mut order: Vec<u16> = (0..self.len() as u16)
            .filter(|&symbol| needed[usize::from(symbol)])
            .collect();
        // Those without a code last.
        order.sort_by_key(|&symbol| lengths.get(symbol).wrapping_sub(1));
        order
    }
}
