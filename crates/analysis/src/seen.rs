//! Which positions were given already, in bounded memory.

use damier_rules::board::Color;
use damier_rules::{Key, Position};
use std::collections::HashSet;

/// A set of positions that forgets the oldest ones once it is full. A position and the same with colours swapped count
/// as one.
#[derive(Debug)]
pub struct Seen {
    new: HashSet<Key>,
    old: HashSet<Key>,
    most: usize,
}

impl Default for Seen {
    /// Remembers four million positions, in at most about 200 MB.
    fn default() -> Seen {
        Seen::new(4 << 20)
    }
}

impl Seen {
    /// Remembers at least the last `most` positions, at most twice as many.
    pub fn new(most: usize) -> Seen {
        Seen {
            new: HashSet::new(),
            old: HashSet::new(),
            most,
        }
    }

    /// Adds a position; false where it was there.
    pub fn insert(&mut self, position: &Position) -> bool {
        let key = match position.turn() {
            Color::White => position.key(),
            Color::Black => position.flipped().key(),
        };
        if self.old.contains(&key) || !self.new.insert(key) {
            return false;
        }
        if self.new.len() >= self.most {
            self.old = std::mem::take(&mut self.new);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::notation::fen;

    #[test]
    fn a_position_and_its_twin_are_seen_once() {
        let position = fen::parse("W:W28,31,32,36,37:B8,14,18,23,26").expect("a position");
        let mut seen = Seen::new(2);
        assert!(seen.insert(&position));
        assert!(!seen.insert(&position.flipped()));
        // The oldest are forgotten in the end.
        for men in 31..=36 {
            assert!(seen.insert(&fen::parse(&format!("W:W{men}:B1")).expect("a position")));
        }
        assert!(seen.insert(&position));
    }
}
