use damier_engine::rng::Rng;

/// Shuffles an iterator in bounded memory: each item returned is chosen at random from those held, and the next one
/// takes its place. Items come out up to about `capacity` places early and, rarely, many times that late; so shuffle
/// the blocks as well ([`super::Order::Shuffled`]), and hold more items than a few blocks have.
#[derive(Debug)]
pub struct Shuffle<I: Iterator> {
    items: I,
    held: Vec<I::Item>,
    capacity: usize,
    random: Rng,
}

impl<I: Iterator> Shuffle<I> {
    /// Holds `capacity` items, at least one. The same seed and items give the same order.
    pub fn new(items: I, capacity: usize, seed: u64) -> Shuffle<I> {
        Shuffle {
            items,
            held: Vec::new(),
            capacity: capacity.max(1),
            random: Rng::new(seed),
        }
    }
}

impl<I: Iterator> Iterator for Shuffle<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        while self.held.len() < self.capacity {
            match self.items.next() {
                Some(item) => self.held.push(item),
                None => break,
            }
        }
        if self.held.is_empty() {
            return None;
        }
        let chosen = self.random.below(self.held.len() as u64);
        Some(self.held.swap_remove(chosen as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_same_items_in_another_order_and_holds_no_more_than_told() {
        for (count, capacity) in [(1000, 64), (10, 64), (100, 0), (0, 5)] {
            let mut shuffle = Shuffle::new(0..count, capacity, 7);
            let mut given = Vec::new();
            while let Some(item) = shuffle.next() {
                assert!(shuffle.held.len() <= capacity.max(1));
                given.push(item);
            }
            let again: Vec<i32> = Shuffle::new(0..count, capacity, 7).collect();
            assert_eq!(given, again, "the same seed, another order");
            if capacity > 1 && count > 1 {
                assert!(!given.is_sorted(), "{given:?}");
                let other: Vec<i32> = Shuffle::new(0..count, capacity, 8).collect();
                assert_ne!(given, other, "another seed, the same order");
            }
            given.sort_unstable();
            assert_eq!(given, (0..count).collect::<Vec<_>>());
        }
    }
}
