//! Values that depend on a repetition, kept for the path on which they were found.
//!
//! Such a value must not be given to another path (graph history interaction), so a thread that searches alone does not
//! keep it. The threads of a team come to the same node by the same path: for them it is stored under a key of the node
//! and of all positions before it that can be repeated, in their order.

use super::position::Node;
use super::worker::{NO_REPETITION, Worker};
use crate::eval::Evaluator;
use damier_rules::{Key, mix};

impl<E: Evaluator> Worker<'_, E> {
    /// The key of the last node of the path for this path alone. None where no position before it can be repeated.
    pub(super) fn path_key(&self, node: &Node) -> Option<Key> {
        let reversible = usize::from(node.state.clock.kings_only());
        let before = &self.path[..self.path.len() - 1];
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
pub(super) fn plies_back(ply: u32, path_ply: u32) -> u8 {
    match path_ply {
        NO_REPETITION => 0,
        // At most the plies of the longest path, which are fewer than 128.
        path_ply => (ply - path_ply) as u8,
    }
}

/// The ply that a value depends on, from what the entry of a node at `ply` keeps.
pub(super) fn path_ply(ply: u32, back: u8) -> u32 {
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
                assert_eq!(path_ply(ply, plies_back(ply, depends)), depends);
            }
            assert_eq!(path_ply(ply, plies_back(ply, NO_REPETITION)), NO_REPETITION);
        }
        // 127 is what an entry has room for.
        assert!(plies_back(MAX_PLY, 0) <= 127);
    }
}
