//! The order in which tables are unpacked in the background.

use crate::Slice;
use std::cmp::Reverse;

/// Tables waiting to be unpacked.
#[derive(Default)]
pub(crate) struct UnpackQueue {
    requests: Vec<UnpackRequest>,
    /// Number of roots requested so far.
    roots: u32,
    /// Whether a thread is working on this queue.
    is_running: bool,
}

#[derive(Clone, Copy)]
struct UnpackRequest {
    /// The number of the last root that needs the table; 0 if none does.
    root: u32,
    slice: Slice,
}

impl UnpackQueue {
    /// Starts the requests of a new root, which take priority over all others. Returns its number.
    pub fn begin_root(&mut self) -> u32 {
        self.roots += 1;
        self.roots
    }

    /// Adds a slice, or raises its priority.
    pub fn add(&mut self, root: u32, slice: Slice) {
        match self.requests.iter_mut().find(|one| one.slice == slice) {
            Some(request) => request.root = request.root.max(root),
            None => self.requests.push(UnpackRequest { root, slice }),
        }
    }

    /// Whether a thread has to be started. If so, it counts as running from now on.
    pub fn start(&mut self) -> bool {
        !self.requests.is_empty() && !std::mem::replace(&mut self.is_running, true)
    }

    /// The thread could not be started.
    pub fn stopped(&mut self) {
        self.is_running = false;
    }

    /// Takes the next slice: among those of the last root, or else among all, the one with the fewest pieces. None
    /// ends the thread.
    pub fn take(&mut self) -> Option<Slice> {
        let rank = |one: &UnpackRequest| (Reverse(one.root), one.slice.pieces(), one.slice.id());
        let next = (0..self.requests.len()).min_by_key(|&at| rank(&self.requests[at]));
        self.is_running = next.is_some();
        next.map(|at| self.requests.swap_remove(at).slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_root_has_priority_and_then_few_pieces() {
        let slice = |name: &str| name.parse::<Slice>().unwrap();
        let mut queue = UnpackQueue::default();
        assert!(!queue.start());
        queue.add(0, slice("1k-4k"));
        queue.add(0, slice("2k-2k"));
        queue.add(0, slice("2k-3k"));
        let first = queue.begin_root();
        queue.add(first, slice("3k-2k"));
        queue.add(first, slice("2k-1k"));
        let second = queue.begin_root();
        queue.add(second, slice("2k-3k"));
        assert!(queue.start() && !queue.start());
        let order: Vec<Slice> = std::iter::from_fn(|| queue.take()).collect();
        let expected = ["2k-3k", "2k-1k", "3k-2k", "2k-2k", "1k-4k"];
        assert_eq!(order, expected.map(slice));
        queue.add(0, slice("1k-1k"));
        assert!(queue.start());
    }
}
