//! Replacement policies that only experiments use, beside [`TranspositionTable::store`].

use super::entry::{TtEntry, TtMove, depth_of};
use super::replacement::{Replacement, searches_since};
use super::{CLUSTER, TranspositionTable};
use crate::search::params::Policy;
use damier_rules::Key;
use std::sync::atomic::Ordering::Relaxed;

/// Where a packed entry has the nodes of its subtree: eight steps for a doubling.
const NODES_BIT: u32 = 48;
/// Steps for a doubling.
const STEPS: u32 = 8;

/// Nodes as eight bits.
fn steps(nodes: u64) -> u64 {
    let nodes = nodes.max(1);
    let doublings = nodes.ilog2();
    // What is left above the power of two, in eighths of it.
    let rest = ((u128::from(nodes) * u128::from(STEPS)) >> doublings) as u32 - STEPS;
    u64::from((doublings * STEPS + rest).min(255))
}

impl TranspositionTable {
    /// Writes an entry as [`TranspositionTable::store`] does, but over one that the policy chooses. `nodes` is what the
    /// entry cost.
    #[inline(never)]
    pub fn store_by_policy(&self, key: Key, mut entry: TtEntry, nodes: u64) {
        let Replacement {
            policy, age_plies, ..
        } = self.replacement;
        let age = self.age.load(Relaxed);
        let words = self.cluster(key);
        let cluster: [u64; CLUSTER] = std::array::from_fn(|i| words[2 * i + 1].load(Relaxed));
        let is_same = |i: usize| {
            let data = cluster[i];
            data != 0 && words[2 * i].load(Relaxed) ^ data == key.0
        };
        let same = (0..CLUSTER).find(|&i| is_same(i));
        if let Some(i) = same {
            if entry.tt_move.is_none() {
                entry.tt_move = TtMove(cluster[i] as u16);
            }
            if policy != Policy::Always && self.replacement.keeps(cluster[i], &entry, age) {
                return;
            }
        }
        let value = |data: u64| match (data, policy) {
            (0, _) => i32::MIN,
            (_, Policy::Nodes) => {
                let steps = (data >> NODES_BIT) as u8;
                i32::from(steps) - STEPS as i32 * age_plies * searches_since(data, age)
            }
            _ => depth_of(data) - age_plies * searches_since(data, age),
        };
        let victim = match (same, policy) {
            // Bits that choose nothing else, for tables that are not larger than memory.
            (_, Policy::Always) => (key.0 >> 62) as usize % CLUSTER,
            (Some(same), _) => same,
            (None, _) => (0..CLUSTER)
                .min_by_key(|&i| value(cluster[i]))
                .unwrap_or_default(),
        };
        let data = entry.pack(age) | steps(nodes) << NODES_BIT;
        words[2 * victim].store(key.0 ^ data, Relaxed);
        words[2 * victim + 1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bound;
    use super::*;
    use crate::eval::Score;
    use crate::search::Depth;

    fn table(policy: Policy) -> TranspositionTable {
        let mut table = TranspositionTable::new(8).unwrap();
        table.set_replacement(Replacement {
            policy,
            ..table.replacement
        });
        table
    }

    fn entry(depth: Depth) -> TtEntry {
        TtEntry {
            tt_move: TtMove::NONE,
            score: Score::new(-40),
            depth,
            bound: Bound::Exact,
            back: 0,
        }
    }

    /// Keys of the same cluster.
    fn key(i: u64) -> Key {
        Key(i * 64)
    }

    #[test]
    fn the_cheapest_gives_way_however_deep_it_is() {
        let nodes = [700, 40, 500, 900];
        let survivors = |policy| {
            let table = table(policy);
            for (i, &nodes) in (1..).zip(&nodes) {
                table.store_by_policy(key(i), entry(10 - i as Depth), nodes);
            }
            table.store_by_policy(key(5), entry(1), 800);
            (1..=5)
                .filter(|&i| {
                    table.probe(key(i)) == Some(entry(10 - i as Depth))
                        || i == 5 && table.probe(key(i)) == Some(entry(1))
                })
                .collect::<Vec<u64>>()
        };
        assert_eq!(survivors(Policy::Nodes), [1, 3, 4, 5]);
        assert_eq!(survivors(Policy::Depth), [1, 2, 3, 5]);
    }

    #[test]
    fn what_always_replaces_keeps_nothing_of_its_place() {
        let table = table(Policy::Always);
        table.store_by_policy(key(1), entry(20), 1000);
        table.store_by_policy(key(1), entry(2), 3);
        assert_eq!(table.probe(key(1)), Some(entry(2)));
        table.store_by_policy(key(2), entry(1), 1);
        assert_eq!(
            (table.probe(key(1)), table.probe(key(2))),
            (None, Some(entry(1)))
        );
    }

    #[test]
    fn both_ways_to_store_by_depth_agree() {
        let (usual, other) = (TranspositionTable::new(8).unwrap(), table(Policy::Depth));
        let mut seed = 1;
        for i in 0..20_000u64 {
            seed = damier_rules::internal::mix(seed);
            let (key, entry) = (Key(seed >> 50), entry((seed & 15) as Depth));
            usual.store(key, entry);
            other.store_by_policy(key, entry, seed);
            if i % 5000 == 0 {
                usual.next_age();
                other.next_age();
            }
        }
        let all = |table: &TranspositionTable| {
            (0..1 << 14)
                .map(|i| table.probe(Key(i)))
                .collect::<Vec<_>>()
        };
        assert!(all(&usual).iter().flatten().count() > 100);
        assert_eq!(all(&usual), all(&other));
    }

    #[test]
    fn steps_grow_with_nodes_and_fit() {
        let counts = [0, 1, 2, 3, 4, 100, 110, 1 << 30, u64::MAX];
        let all = counts.map(steps);
        assert!(
            all[1..].is_sorted() && all[0] == all[1] && all[5] < all[6],
            "{all:?}"
        );
        assert_eq!(steps(1024) - steps(512), u64::from(STEPS));
    }
}
