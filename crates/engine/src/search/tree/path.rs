//! The path to the present node, repetitions on it, and values that depend on one.
//!
//! Such a value must not be given to another path (graph history interaction), so a thread that searches alone does not
//! keep it. The threads of a team come to the same node by the same path: for them it is stored under a key of the node
//! and of all positions before it that can be repeated, in their order.

use super::position::Node;
use damier_rules::internal::mix;
use damier_rules::{DrawClock, Key};

/// The value depends on no repetition, so not on the path that led to the position.
pub(in crate::search) const NO_REPETITION: u32 = u32::MAX;

/// Reversible plies after which a position can be there again.
pub(super) const REPEATABLE_PLIES: u8 = 4;

/// The positions of the game before the root, then those of the path.
pub(in crate::search) struct Path {
    /// Keys, the present position last.
    keys: Vec<Key>,
    /// Index of the root in `keys`.
    root_index: usize,
    /// Smallest ply on which the last returned value depends through a repetition; [`NO_REPETITION`] if the value can
    /// be stored for all paths.
    pub repetition_ply: u32,
}

impl Path {
    /// The game up to the root.
    pub fn new(game: &[Key]) -> Path {
        let mut keys = Vec::with_capacity(game.len() + 256);
        keys.extend_from_slice(game);
        Path {
            root_index: keys.len().saturating_sub(1),
            keys,
            repetition_ply: NO_REPETITION,
        }
    }

    #[inline(always)]
    pub fn push(&mut self, position: Key) {
        self.keys.push(position);
    }

    #[inline(always)]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Whether the present position repeats an earlier one: once within the search, or for the third time counting the
    /// game. Sets [`Path::repetition_ply`].
    #[inline(always)]
    pub fn repeats(&mut self, clock: &DrawClock) -> bool {
        clock.kings_only() >= REPEATABLE_PLIES && self.look_back(clock.kings_only().into())
    }

    fn look_back(&mut self, reversible: usize) -> bool {
        let now = self.keys.len() - 1;
        let key = self.keys[now];
        let mut in_game = 0;
        for back in (REPEATABLE_PLIES.into()..=reversible.min(now)).step_by(2) {
            if self.keys[now - back] != key {
                continue;
            }
            if now - back >= self.root_index {
                self.repetition_ply = (now - back - self.root_index) as u32;
                return true;
            }
            in_game += 1;
            if in_game == 2 {
                self.repetition_ply = 0;
                return true;
            }
        }
        false
    }

    /// The key of the last node of the path for this path alone. None where no position before it can be repeated.
    pub fn key_of(&self, node: &Node) -> Option<Key> {
        let reversible = usize::from(node.state.clock.kings_only());
        let before = &self.keys[..self.keys.len() - 1];
        let before = &before[before.len().saturating_sub(reversible)..];
        path_key(node.key, before, node.state.ply)
    }
}

/// The key of a node `ply` plies below the root, after these positions, which can all be repeated.
fn path_key(node: Key, before: &[Key], ply: u32) -> Option<Key> {
    if before.is_empty() {
        return None;
    }
    // A position of the game must come twice more, one of the search once: where the root stands counts.
    let in_game = before.len().saturating_sub(ply as usize);
    let seed = mix(in_game as u64);
    let path = before.iter().fold(seed, |hash, key| mix(hash ^ key.0));
    Some(node ^ Key(path))
}

/// How many plies back from `ply` a value depends on: what an entry of the table keeps.
pub(super) fn plies_back(ply: u32, repetition_ply: u32) -> u8 {
    match repetition_ply {
        NO_REPETITION => 0,
        // At most the plies of the longest path, which are fewer than 128.
        repetition_ply => (ply - repetition_ply) as u8,
    }
}

/// The ply that a value depends on, from what the entry of a node at `ply` keeps.
pub(super) fn repetition_ply(ply: u32, back: u8) -> u32 {
    match back {
        0 => NO_REPETITION,
        back => ply.saturating_sub(u32::from(back)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MAX_PLY;

    #[test]
    fn a_key_is_that_of_one_path() {
        let keys = |numbers: &[u64]| numbers.iter().map(|&n| Key(n)).collect::<Vec<_>>();
        let node = Key(99);
        let key = |numbers: &[u64], ply| path_key(node, &keys(numbers), ply);
        let one = key(&[1, 2, 3, 4], 4);
        assert_eq!(one, key(&[1, 2, 3, 4], 4));
        // Where the root stands does not matter as long as all positions come after it.
        assert_eq!(one, key(&[1, 2, 3, 4], 30));
        let others = [
            one,
            key(&[3, 2, 1, 4], 4),
            key(&[1, 2, 3, 4], 3),
            key(&[1, 2, 3, 4], 2),
            key(&[1, 2, 3], 4),
            key(&[1, 2, 1, 2], 4),
            key(&[1, 1, 2, 2], 4),
            Some(node),
        ];
        for (index, other) in others.iter().enumerate() {
            assert!(!others[..index].contains(other), "{index}");
        }
        assert_eq!(key(&[], 4), None);
    }

    #[test]
    fn what_a_value_depends_on_comes_back_from_an_entry() {
        for ply in 1..MAX_PLY {
            for depends in 0..ply {
                assert_eq!(repetition_ply(ply, plies_back(ply, depends)), depends);
            }
            assert_eq!(
                repetition_ply(ply, plies_back(ply, NO_REPETITION)),
                NO_REPETITION
            );
        }
        // 127 is what an entry has room for.
        assert!(plies_back(MAX_PLY, 0) <= 127);
    }
}
