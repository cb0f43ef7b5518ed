//! Numbers the positions of a slice: the slot of a position.
//!
//! A slot is a mixed-radix number of four ranks. Each is the rank of a set of squares among all sets of its size
//! (combinatorial number system): own men on 45 squares, enemy men on 45, own kings on 50, enemy kings on 50, the last
//! running fastest. Slots with two pieces on one square hold no position (2 to 15 % of them); in return, a move changes
//! only one rank. In a file the kings may be the other way round ([`Order`]).
//!
//! The side to move is treated as white. With black to move the board is rotated: a second table gives the ranks of
//! rotated sets, so that the sets themselves are not rotated.

use super::Slice;
use damier_cpu::bits;
use damier_rules::Position;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::internal::{retro, unchecked};

/// Own men, enemy men, own kings, enemy kings.
pub(crate) const GROUPS: usize = 4;
/// The same group seen with the other side to move.
pub(crate) const PARTNER: [usize; GROUPS] = [1, 0, 3, 2];
/// Maximum number of pieces in one group: each side has at least one of the six.
const MOST: usize = 5;

const fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let (mut product, mut i) = (1, 0);
    while i < k {
        product = product * (n - i) / (i + 1);
        i += 1;
    }
    product
}

/// The number of a square in its group, from 0. Own men cannot be on the first row, nor enemy men on the last.
const fn dense(group: usize, number: u8) -> u64 {
    let first = if group == 0 { 6 } else { 1 };
    if number < first {
        0
    } else {
        (number - first) as u64
    }
}

/// Contribution of a piece to a rank, by group, index of the piece in its set, and bit of its square.
type Ranks = [[[u32; 64]; MOST]; GROUPS];

const fn ranks(rotated: bool) -> Ranks {
    let mut table = [[[0; 64]; MOST]; GROUPS];
    let mut number = 1;
    while number <= 50 {
        let (mut group, seen) = (0, if rotated { 51 - number } else { number });
        let Some(square) = Square::new(number) else {
            return table;
        };
        while group < GROUPS {
            let mut piece = 0;
            while piece < MOST {
                let rank = choose(dense(group, seen), piece as u64 + 1);
                table[group][piece][square.bit()] = rank as u32;
                piece += 1;
            }
            group += 1;
        }
        number += 1;
    }
    table
}

static STRAIGHT: Ranks = ranks(false);
static ROTATED: Ranks = ranks(true);

/// The rank of a set among all sets of its size.
#[inline(always)]
pub(crate) fn rank(group: usize, set: Bitboard) -> u64 {
    let (mut set, mut rank, mut piece) = (set.bits(), 0, 0);
    while set != 0 {
        rank += u64::from(STRAIGHT[group][piece][bits::lowest(set) as usize]);
        set &= set - 1;
        piece += 1;
    }
    rank
}

/// The rank of the rotated set.
#[inline(always)]
pub(crate) fn rank_rotated(group: usize, set: Bitboard) -> u64 {
    let (mut set, mut rank, mut piece) = (set.bits(), 0, 0);
    while set != 0 {
        let bit = bits::highest(set) as usize;
        rank += u64::from(ROTATED[group][piece][bit]);
        set ^= 1 << bit;
        piece += 1;
    }
    rank
}

/// Which kings run fastest in the slots of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Those of the side that is not to move, as in memory.
    EnemyKings,
    /// Those of the side to move.
    OwnKings,
}

impl Order {
    /// The orders that differ for a slice.
    pub fn of(slice: Slice) -> &'static [Order] {
        match slice.kings > 0 && slice.enemy_kings > 0 {
            true => &[Order::EnemyKings, Order::OwnKings],
            false => &[Order::EnemyKings],
        }
    }
}

/// For each group of a slice, the number of its sets and the weight of its rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Number of sets of each group.
    pub sizes: [u64; GROUPS],
    /// Weight of the rank of each group.
    pub strides: [u64; GROUPS],
    /// Number of slots.
    pub slots: u64,
}

impl Layout {
    /// The layout in memory.
    pub fn new(slice: Slice) -> Layout {
        Layout::ordered(slice, Order::EnemyKings)
    }

    /// The layout of a file.
    pub fn ordered(slice: Slice, order: Order) -> Layout {
        let counts = counts(slice);
        let sizes = std::array::from_fn(|group| {
            choose(if group < 2 { 45 } else { 50 }, u64::from(counts[group]))
        });
        let mut strides = [1; GROUPS];
        for group in (0..GROUPS - 1).rev() {
            strides[group] = strides[group + 1] * sizes[group + 1];
        }
        let slots = strides[0] * sizes[0];
        if order == Order::OwnKings {
            [strides[2], strides[3]] = [1, sizes[2]];
        }
        Layout {
            sizes,
            strides,
            slots,
        }
    }

    /// The slot in memory of a slot of this layout.
    pub fn in_memory(&self, slot: u64) -> u64 {
        let [_, _, own, enemy] = self.sizes;
        let within = slot % (own * enemy);
        let ranks = [2, 3].map(|group| within / self.strides[group] % self.sizes[group]);
        slot - within + ranks[0] * enemy + ranks[1]
    }

    /// The slot of a position, which must belong to this slice.
    #[inline(always)]
    pub fn slot(&self, position: &Position) -> u64 {
        let us = position.turn();
        let groups = [
            position.men(us),
            position.men(!us),
            position.kings(us),
            position.kings(!us),
        ];
        let mut slot = 0;
        for (group, set) in groups.into_iter().enumerate() {
            slot += self.strides[group]
                * match us {
                    Color::White => rank(group, set),
                    Color::Black => rank_rotated(group, set),
                };
        }
        slot
    }
}

/// The numbers of pieces by group.
pub(crate) fn counts(slice: Slice) -> [u8; GROUPS] {
    [slice.men, slice.enemy_men, slice.kings, slice.enemy_kings]
}

/// All sets of a group in order of rank.
pub(crate) fn sets(group: usize, count: u8) -> Vec<Bitboard> {
    let (squares, first) = match group {
        0 => (45, 6),
        1 => (45, 1),
        _ => (50, 1),
    };
    let mut all = Vec::with_capacity(choose(squares, u64::from(count)) as usize);
    let mut dense: u64 = (1 << count) - 1;
    while dense < 1 << squares {
        let set = (0..squares as u8)
            .filter(|i| dense >> i & 1 != 0)
            .filter_map(|i| Square::new(first + i))
            .collect();
        all.push(set);
        if dense == 0 {
            break;
        }
        // The next larger number with as many set bits (Gosper's hack).
        let low = dense & dense.wrapping_neg();
        let up = dense + low;
        dense = (((up ^ dense) >> 2) / low) | up;
    }
    all
}

/// The sets of a slice by rank, and their contributions to slots in the opposite slice, reached by moves.
pub(crate) struct Frame {
    pub slice: Slice,
    pub layout: Layout,
    sets: [Vec<Bitboard>; GROUPS],
    /// Contribution of each set to the slot in the opposite slice.
    opposite: [Vec<u64>; GROUPS],
    opposite_strides: [u64; GROUPS],
}

/// The pieces of one slot, with the side to move as white.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// Own men, enemy men, own kings, enemy kings.
    pub sets: [Bitboard; GROUPS],
    /// Contribution of each group to the slot in the opposite slice.
    opposite: [u64; GROUPS],
}

impl Placement {
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sets[0] | self.sets[1] | self.sets[2] | self.sets[3]
    }

    /// The position; None if two pieces are on one square.
    #[inline(always)]
    pub fn position(&self, pieces: u8) -> Option<Position> {
        if self.occupied().len() != u32::from(pieces) {
            return None;
        }
        let [men, enemy_men, kings, enemy_kings] = self.sets;
        Some(unchecked(
            [men, enemy_men],
            [kings, enemy_kings],
            Color::White,
        ))
    }

    /// The slot in the opposite slice, without the contribution of one group.
    #[inline(always)]
    fn opposite_without(&self, group: usize) -> u64 {
        let all = self.opposite[0] + self.opposite[1] + self.opposite[2] + self.opposite[3];
        all - self.opposite[group]
    }
}

impl Frame {
    pub fn new(slice: Slice) -> Frame {
        let layout = Layout::new(slice);
        let other = Layout::new(slice.opposite());
        let counts = counts(slice);
        let sets: [Vec<Bitboard>; GROUPS] = std::array::from_fn(|group| sets(group, counts[group]));
        let opposite_strides = PARTNER.map(|partner| other.strides[partner]);
        let opposite = std::array::from_fn(|group| {
            sets[group]
                .iter()
                .map(|&set| rank_rotated(PARTNER[group], set) * opposite_strides[group])
                .collect()
        });
        Frame {
            slice,
            layout,
            sets,
            opposite,
            opposite_strides,
        }
    }

    /// The pieces of a slot.
    #[inline(always)]
    pub fn placement(&self, slot: u64) -> Placement {
        let mut rest = slot;
        let mut ranks = [0; GROUPS];
        for group in (1..GROUPS).rev() {
            let size = self.layout.sizes[group];
            if size > 1 {
                // Most slots fit 32 bits, where a division takes half the time.
                let quotient = match u32::try_from(rest) {
                    Ok(small) => u64::from(small / size as u32),
                    Err(_) => rest / size,
                };
                ranks[group] = (rest - quotient * size) as usize;
                rest = quotient;
            }
        }
        ranks[0] = rest as usize;
        Placement {
            sets: std::array::from_fn(|group| self.sets[group][ranks[group]]),
            opposite: std::array::from_fn(|group| self.opposite[group][ranks[group]]),
        }
    }

    /// Visits the slots of the opposite slice reached by quiet moves of the side to move, without promotions.
    #[inline(always)]
    pub fn each_next(&self, placement: &Placement, mut visit: impl FnMut(u64)) {
        retro::each_step(placement.sets[0], placement.occupied(), |men| {
            visit(self.opposite_slot(placement, 0, men));
        });
        self.each_king_move(placement, 2, &mut visit);
    }

    /// Visits the slots of the opposite slice from which a quiet move of the other side leads here, without promotions.
    #[inline(always)]
    pub fn each_before(&self, placement: &Placement, mut visit: impl FnMut(u64)) {
        retro::each_step_back(placement.sets[1], placement.occupied(), |men| {
            visit(self.opposite_slot(placement, 1, men));
        });
        self.each_king_move(placement, 3, &mut visit);
    }

    #[inline(always)]
    fn each_king_move(&self, placement: &Placement, group: usize, visit: &mut impl FnMut(u64)) {
        let kings = placement.sets[group];
        // Most slices have one king a side, whose rank is looked up.
        let alone = kings.len() == 1;
        let others = placement.opposite_without(group);
        let (stride, ranks) = (self.opposite_strides[group], &ROTATED[PARTNER[group]][0]);
        retro::each_king_move(kings, placement.occupied(), |from, to| {
            visit(if alone {
                others + u64::from(ranks[to.bit() & 63]) * stride
            } else {
                let kings = kings ^ Bitboard::of(from) | Bitboard::of(to);
                self.opposite_slot(placement, group, kings)
            });
        });
    }

    /// The slot in the opposite slice with the pieces of one group as given.
    #[inline(always)]
    fn opposite_slot(&self, placement: &Placement, group: usize, set: Bitboard) -> u64 {
        let others = placement.opposite_without(group);
        others + rank_rotated(PARTNER[group], set) * self.opposite_strides[group]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_round_trip_and_rotation_keeps_them() {
        for slice in (2..=3).flat_map(Slice::of_pieces) {
            let frame = Frame::new(slice);
            let mut positions = 0;
            for slot in 0..frame.layout.slots {
                if let Some(position) = frame.placement(slot).position(slice.pieces()) {
                    assert_eq!(Slice::of(&position), slice);
                    assert_eq!(frame.layout.slot(&position), slot);
                    assert_eq!(frame.layout.slot(&position.flipped()), slot);
                    positions += 1;
                }
            }
            assert_eq!(positions, slice.positions(), "{slice}");
        }
    }

    #[test]
    fn slots_of_a_file_are_each_one_in_memory() {
        for slice in (2..=3).flat_map(Slice::of_pieces) {
            let frame = Frame::new(slice);
            for &order in Order::of(slice) {
                let layout = Layout::ordered(slice, order);
                assert_eq!(layout.slots, frame.layout.slots);
                for slot in 0..layout.slots {
                    let placement = frame.placement(layout.in_memory(slot));
                    if let Some(position) = placement.position(slice.pieces()) {
                        assert_eq!(layout.slot(&position), slot, "{slice} {order:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn moves_and_moves_back_agree_with_the_move_generator() {
        for slice in Slice::of_pieces(3) {
            let (frame, other) = (Frame::new(slice), Layout::new(slice.opposite()));
            for slot in (0..frame.layout.slots).step_by(7) {
                let placement = frame.placement(slot);
                let Some(position) = placement.position(3) else {
                    continue;
                };
                if position.must_capture() {
                    continue;
                }
                let mut made: Vec<u64> = position
                    .legal_moves()
                    .into_iter()
                    .filter(|&mv| !position.promotes(mv))
                    .map(|mv| other.slot(&position.play(mv)))
                    .collect();
                let mut found = Vec::new();
                frame.each_next(&placement, |slot| found.push(slot));
                assert_eq!(
                    found.len() as u32,
                    retro::count(placement.sets[0], placement.sets[2], placement.occupied())
                );
                made.sort();
                found.sort();
                assert_eq!(made, found, "{slice} {slot}");
                // And back.
                let opposite = Frame::new(slice.opposite());
                for next in found {
                    let mut before = Vec::new();
                    opposite.each_before(&opposite.placement(next), |slot| before.push(slot));
                    assert!(before.contains(&slot), "{slice} {slot} {next}");
                }
            }
        }
    }
}
