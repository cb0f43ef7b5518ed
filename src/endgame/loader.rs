//! In which order tables are unpacked in the background.

use std::cmp::Reverse;

/// Tables that wait to be unpacked.
#[derive(Default)]
pub(super) struct Queue {
    wishes: Vec<Wish>,
    /// Roots that had wishes so far.
    roots: u32,
    /// A thread works for this queue.
    running: bool,
}

#[derive(Clone, Copy)]
struct Wish {
    /// The number of the root that wants it; 0 where none does.
    root: u32,
    pieces: u8,
    id: usize,
}

impl Queue {
    /// Begins the wishes of another root, which go before those of all others. Returns its number.
    pub fn begin_root(&mut self) -> u32 {
        self.roots += 1;
        self.roots
    }

    /// Adds the slice with this id, or has it go before others.
    pub fn add(&mut self, root: u32, pieces: u8, id: usize) {
        match self.wishes.iter_mut().find(|wish| wish.id == id) {
            Some(wish) => wish.root = wish.root.max(root),
            None => self.wishes.push(Wish { root, pieces, id }),
        }
    }

    /// Whether a thread has to be started; from then on it counts as running.
    pub fn start(&mut self) -> bool {
        !self.wishes.is_empty() && !std::mem::replace(&mut self.running, true)
    }

    /// The thread could not be started.
    pub fn stopped(&mut self) {
        self.running = false;
    }

    /// Takes the next slice: of those of the last root, or else of all, the one with fewest pieces. None ends the thread.
    pub fn take(&mut self) -> Option<usize> {
        let rank = |wish: &Wish| (Reverse(wish.root), wish.pieces, wish.id);
        let next = (0..self.wishes.len()).min_by_key(|&at| rank(&self.wishes[at]));
        self.running = next.is_some();
        next.map(|at| self.wishes.swap_remove(at).id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_root_goes_first_and_then_few_pieces() {
        let mut queue = Queue::default();
        assert!(!queue.start());
        queue.add(0, 5, 50);
        queue.add(0, 4, 40);
        queue.add(0, 5, 51);
        let first = queue.begin_root();
        queue.add(first, 5, 52);
        queue.add(first, 3, 30);
        let second = queue.begin_root();
        queue.add(second, 5, 51);
        assert!(queue.start() && !queue.start());
        let order: Vec<usize> = std::iter::from_fn(|| queue.take()).collect();
        assert_eq!(order, [51, 30, 52, 40, 50]);
        queue.add(0, 2, 20);
        assert!(queue.start());
    }
}
