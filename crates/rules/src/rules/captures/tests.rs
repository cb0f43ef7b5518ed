//! Compares the two searches for captures, also in positions with very many paths.

use super::*;
use crate::board::Square;
use crate::rules::zobrist::mix;
use damier_cpu::Baseline;
use proptest::prelude::*;

/// Random numbers below `n`, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = mix(self.0);
        (self.0 >> 20) % n
    }

    fn bit(&mut self) -> u64 {
        let square = Square::new(1 + self.below(50) as u8);
        square.map_or(0, |square| 1 << square.bit())
    }
}

fn sides(kings: &[u8], enemy_men: &[u8]) -> Sides {
    let set = |numbers: &[u8]| numbers.iter().filter_map(|&n| Square::new(n)).collect();
    let (kings, enemy_men): (Bitboard, Bitboard) = (set(kings), set(enemy_men));
    Sides {
        kings: kings.0,
        ..Sides::of_men(0, enemy_men.0)
    }
}

fn sorted(mut list: MoveList) -> Vec<String> {
    list.sort_by_key(|mv| (mv.from(), mv.to(), mv.captured().0));
    list.iter().map(|mv| mv.to_string()).collect()
}

/// Steps of the path search, states of the other, and the number of captures, which must be the same in both.
fn compare(sides: &Sides) -> (u32, usize, usize) {
    let (mut by_path, mut by_state) = (MoveList::new(), MoveList::new());
    let steps = paths::generate(Baseline, sides, &mut by_path, u32::MAX).unwrap();
    let states = states::generate(sides, &mut by_state);
    let moves = by_path.len();
    assert_eq!(sorted(by_path), sorted(by_state), "{sides:?}");
    (steps, states, moves)
}

/// The worst positions found by hill climbing over kings and enemy men for a few minutes each: by number of paths and
/// by number of states.
const WORST: [(&[u8], &[u8]); 3] = [
    (
        &[1, 3, 5, 6, 25, 26, 46, 48, 50],
        &[
            7, 8, 9, 10, 17, 18, 20, 21, 23, 29, 30, 31, 39, 40, 41, 42, 43,
        ],
    ),
    (
        &[1, 3, 5, 6, 25, 26, 36, 45, 46, 47, 48],
        &[8, 9, 10, 11, 12, 19, 20, 21, 22, 28, 30, 33, 34, 37, 43, 44],
    ),
    (
        &[1, 5, 6, 16, 19, 32, 49, 50],
        &[
            2, 7, 8, 10, 11, 13, 14, 21, 23, 24, 27, 28, 30, 37, 38, 41, 43, 44, 46,
        ],
    ),
];

#[test]
fn the_worst_positions_are_within_bounds() {
    for (kings, men) in WORST {
        let (steps, states, _) = compare(&sides(kings, men));
        assert!(steps < MOST_STEPS && states < 10_000);
    }
}

#[test]
fn too_many_paths_are_searched_by_state() {
    for (kings, men) in WORST {
        let sides = sides(kings, men);
        assert!(paths::generate(Baseline, &sides, &mut MoveList::new(), 1_000).is_err());
    }
}

/// Hill climbing from random compositions: changes that give more paths are kept.
#[test]
fn hill_climbing_for_paths_finds_no_blow_up() {
    let mut random = Random(1);
    for _ in 0..6 {
        let mut best = (0, Sides::of_men(0, 0));
        for _ in 0..1_500 {
            let mut sides = best.1;
            for _ in 0..=random.below(3) {
                let bit = random.bit();
                let (king, man) = match random.below(12) {
                    0 => (bit, 0),
                    1..5 => (0, 0),
                    _ => (0, bit),
                };
                sides.kings = sides.kings & !bit | king;
                sides.enemy_men = sides.enemy_men & !bit | man;
            }
            let mut list = MoveList::new();
            let steps = paths::generate(Baseline, &sides, &mut list, u32::MAX).unwrap();
            if steps >= best.0 {
                best = (steps, sides);
            }
        }
        let (steps, states, _) = compare(&best.1);
        assert!(steps < 40_000 && states < 20_000, "{best:?}: {states}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn both_searches_agree_in_compositions(seed: u64, own in 0..8, kings in 0..4, enemy in 4..22) {
        let mut random = Random(seed);
        let mut sides = Sides::of_men(0, 0);
        for (count, piece) in [(own, 0), (kings, 1), (enemy, 2)] {
            for _ in 0..count {
                let bit = random.bit() & sides.empty();
                match piece {
                    0 => sides.men |= bit,
                    1 => sides.kings |= bit,
                    _ if random.below(4) == 0 => sides.enemy_kings |= bit,
                    _ => sides.enemy_men |= bit,
                }
            }
        }
        compare(&sides);
        // The set-wise search finds the same captures.
        let mut list = MoveList::new();
        generate(Baseline, &sides, &mut list);
        let mut by_state = MoveList::new();
        states::generate(&sides, &mut by_state);
        prop_assert_eq!(sorted(list), sorted(by_state));
    }

    /// A capture is the same for both colours.
    #[test]
    fn directions_turn_with_the_board(bits: u64) {
        let set = Bitboard(bits & Bitboard::ALL.0);
        for d in 0..DIRECTIONS {
            let there = Bitboard(shift(set.rotated().0, opposite(d)) & Bitboard::ALL.0);
            prop_assert_eq!(Bitboard(shift(set.0, d) & Bitboard::ALL.0).rotated(), there);
        }
    }
}
