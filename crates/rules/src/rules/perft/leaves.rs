//! The last two plies of perft: legal moves are counted without being generated, and quiet moves followed by quiet
//! moves without being played.
//!
//! Positions with men only are collected in blocks, and each step of the count is done for a whole block without
//! branches, so that the compiler vectorises it (with AVX-512, eight positions per register). The blocks:
//!
//! 1. [`parents`](Leaves::add_parent), two plies from the end: if there is no capture, all sequences of two quiet moves
//!    are counted at once; what remains is played and goes to the next block;
//! 2. `rounds[0]`, one ply from the end: quiet moves and single captures are counted;
//! 3. `rounds[1]`, those of them where a man can take two: double captures are counted;
//! 4. `rounds[2]`, those where a man can take three: triple captures are counted.
//!
//! The generator counts where a man can take four, and for a side that has kings.

use super::children;
use super::setwise;
use crate::board::Bitboard;
use crate::board::rays::DIRECTIONS;
use crate::rules::captures::{self, Jumps, opposite, shift, union};
use crate::rules::sides::{Side, Sides};
use crate::rules::{MoveList, quiets};
use damier_cpu::Cpu;
use damier_cpu::bits;

/// Number of legal moves, by the generator.
#[inline(always)]
pub(super) fn count<S: Side>(cpu: impl Cpu, sides: &Sides) -> u64 {
    match count_captures(cpu, sides) {
        0 => quiets::count::<S>(sides),
        captures => captures,
    }
}

#[inline(always)]
fn count_captures(cpu: impl Cpu, sides: &Sides) -> u64 {
    let mut list = MoveList::new();
    captures::generate(cpu, sides, &mut list);
    list.len() as u64
}

/// Room in a block. More makes the vector loops longer; less keeps all blocks in the L1 cache.
const ROOM: usize = 128;
/// A block with less room left is full: the steps of all men to one side, at most 25, are added without a check.
const SLACK: usize = 32;
/// Number of positions in one group of vector lanes.
const LANES: usize = 8;

/// Positions to be counted: the men of the side to move and the pieces of the other side.
struct Block {
    own: [u64; ROOM],
    enemy: [u64; ROOM],
    len: usize,
}

impl Block {
    const EMPTY: Block = Block {
        own: [0; ROOM],
        enemy: [0; ROOM],
        len: 0,
    };

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len > ROOM - SLACK
    }

    #[inline(always)]
    fn push(&mut self, own: u64, enemy: u64) {
        self.own[self.len % ROOM] = own;
        self.enemy[self.len % ROOM] = enemy;
        self.len += 1;
    }

    /// Adds the positions after steps of `men` to each of `targets` from the square that `back` gives; the other side,
    /// `others`, is to move. Two at a time, so that the length of the loop is easier to predict.
    #[inline(always)]
    fn push_steps(&mut self, men: u64, others: u64, targets: u64, back: impl Fn(u64) -> u64) {
        let (mut left, mut at) = (targets, self.len);
        while left != 0 {
            for _ in 0..2 {
                let to = bits::lowest_alone(left);
                left = bits::without_lowest(left);
                self.own[at % ROOM] = others;
                self.enemy[at % ROOM] = men ^ (to | back(to));
                at += 1;
            }
        }
        self.len += bits::count(targets) as usize;
    }

    /// Adds the positions after captures of the single piece on `over`, in each direction in which `jumped` has it.
    /// Usually there is only one such capture; a branch on which one would be mispredicted.
    #[inline(always)]
    fn push_singles(&mut self, men: u64, others: u64, over: u64, jumped: [u64; DIRECTIONS]) {
        for (d, jumped) in jumped.into_iter().enumerate() {
            self.own[self.len % ROOM] = others ^ over;
            self.enemy[self.len % ROOM] = men ^ (shift(over, d) | shift(over, opposite(d)));
            self.len += usize::from(jumped & over != 0);
        }
    }

    /// Pads the last group of lanes with empty boards, which have no moves; returns the padded length.
    #[inline(always)]
    fn pad(&mut self) -> usize {
        let end = self.len.next_multiple_of(LANES).min(ROOM);
        self.own[self.len..end].fill(0);
        self.enemy[self.len..end].fill(0);
        end
    }
}

/// Counts the legal moves of positions with the same side to move, in blocks.
pub(super) struct Leaves<C> {
    cpu: C,
    parents: Block,
    rounds: [Block; 3],
    total: u64,
}

impl<C: Cpu> Leaves<C> {
    pub fn new(cpu: C) -> Leaves<C> {
        Leaves {
            cpu,
            parents: Block::EMPTY,
            rounds: [Block::EMPTY; 3],
            total: 0,
        }
    }

    /// Adds the sequences of two moves from a position to the total.
    #[inline(always)]
    pub fn add_parent<S: Side>(&mut self, sides: &Sides) {
        if sides.has_kings() {
            children::each_child::<S>(self.cpu, sides, |child| self.add::<S::Other>(child));
        } else {
            self.parents.push(sides.men, sides.enemy_men);
            if self.parents.is_full() {
                self.count_parents::<S>();
            }
        }
    }

    /// Adds the legal moves of a position to the total.
    #[inline(always)]
    fn add<S: Side>(&mut self, sides: &Sides) {
        if sides.kings != 0 {
            self.total += count::<S>(self.cpu, sides);
        } else {
            self.rounds[0].push(sides.men, sides.enemy());
            self.count_if_full::<S>();
        }
    }

    /// Returns the total and resets it to zero. `S` is to move in the parents.
    pub fn take<S: Side>(&mut self) -> u64 {
        self.count_parents::<S>();
        self.first_round::<S::Other>();
        self.second_round();
        self.third_round();
        std::mem::take(&mut self.total)
    }

    #[inline(always)]
    fn count_parents<S: Side>(&mut self) {
        self.cpu.run_apart(
            #[inline(always)]
            || self.count_parents_on_level::<S>(),
        );
    }

    #[inline(always)]
    fn count_parents_on_level<S: Side>(&mut self) {
        let end = self.parents.pad();
        let (own, enemy) = (&self.parents.own[..end], &self.parents.enemy[..end]);
        let (mut total, [mut capture, mut six, mut seven]) = (0, [[0; ROOM]; 3]);
        let targets = capture[..end].iter_mut().zip(&mut six[..end]);
        let targets = targets.zip(&mut seven[..end]);
        for (((capture, six), seven), (&own, &enemy)) in targets.zip(own.iter().zip(enemy)) {
            let plan = setwise::two_plies::<S>(own, enemy);
            total += plan.count;
            (*capture, *six, *seven) = (plan.capture, plan.six, plan.seven);
        }
        self.total += total;
        while self.parents.len > 0 {
            self.parents.len -= 1;
            let i = self.parents.len;
            let (own, enemy) = (self.parents.own[i], self.parents.enemy[i]);
            if capture[i] != 0 {
                self.play_captures::<S>(own, enemy);
            } else {
                self.rounds[0].push_steps(own, enemy, six[i], S::Other::ahead_six);
                self.count_if_full::<S::Other>();
                self.rounds[0].push_steps(own, enemy, seven[i], S::Other::ahead_seven);
                self.count_if_full::<S::Other>();
            }
        }
    }

    #[inline(always)]
    fn play_captures<S: Side>(&mut self, own: u64, enemy: u64) {
        let jumps = Jumps::new(own, enemy, Bitboard::ALL.0 & !(own | enemy));
        if union(jumps.next(jumps.first)) == 0 {
            for over in Bitboard(union(jumps.first)) {
                self.rounds[0].push_singles(own, enemy, 1 << over.bit(), jumps.first);
                self.count_if_full::<S::Other>();
            }
        } else {
            let sides = Sides::of_men(own, enemy);
            children::each_capture::<S>(self.cpu, &sides, |child| self.add::<S::Other>(child));
        }
    }

    #[inline(always)]
    fn count_if_full<S: Side>(&mut self) {
        if self.rounds[0].is_full() {
            self.first_round::<S>();
        }
    }

    #[inline(always)]
    fn first_round<S: Side>(&mut self) {
        self.cpu.run_apart(
            #[inline(always)]
            || self.first_round_on_level::<S>(),
        );
    }

    #[inline(always)]
    fn first_round_on_level<S: Side>(&mut self) {
        let longer = self.round::<0>(
            #[inline(always)]
            |own, enemy| setwise::quiets_and_singles::<S>(own, enemy),
        );
        for i in not_empty(&longer) {
            self.rounds[1].push(self.rounds[0].own[i], self.rounds[0].enemy[i]);
            if self.rounds[1].is_full() {
                self.second_round();
            }
        }
    }

    #[inline(always)]
    fn second_round(&mut self) {
        self.cpu.run_apart(
            #[inline(always)]
            || self.second_round_on_level(),
        );
    }

    #[inline(always)]
    #[expect(
        clippy::redundant_closure,
        reason = "a function passed by its name is compiled for the baseline"
    )]
    fn second_round_on_level(&mut self) {
        let longer = self.round::<1>(
            #[inline(always)]
            |own, enemy| setwise::doubles(own, enemy),
        );
        for i in not_empty(&longer) {
            self.rounds[2].push(self.rounds[1].own[i], self.rounds[1].enemy[i]);
            if self.rounds[2].is_full() {
                self.third_round();
            }
        }
    }

    #[inline(always)]
    fn third_round(&mut self) {
        self.cpu.run_apart(
            #[inline(always)]
            || self.third_round_on_level(),
        );
    }

    #[inline(always)]
    #[expect(
        clippy::redundant_closure,
        reason = "a function passed by its name is compiled for the baseline"
    )]
    fn third_round_on_level(&mut self) {
        let longer = self.round::<2>(
            #[inline(always)]
            |own, enemy| setwise::triples(own, enemy),
        );
        for i in not_empty(&longer) {
            let (own, enemy) = (self.rounds[2].own[i], self.rounds[2].enemy[i]);
            self.total += count_captures(self.cpu, &Sides::of_men(own, enemy));
        }
    }

    /// Adds up what `count` returns for each position of a block: a number of moves, and a set that is non-empty if
    /// there are longer captures (the number is then 0). Returns the sets. The block is then empty, but its positions
    /// can still be read.
    #[inline(always)]
    fn round<const ROUND: usize>(&mut self, count: impl Fn(u64, u64) -> (u64, u64)) -> [u64; ROOM] {
        let block = &mut self.rounds[ROUND];
        let end = block.pad();
        block.len = 0;
        let (own, enemy) = (&block.own[..end], &block.enemy[..end]);
        let (mut total, mut sets) = (0, [0; ROOM]);
        for ((set, &own), &enemy) in sets[..end].iter_mut().zip(own).zip(enemy) {
            let moves;
            (moves, *set) = count(own, enemy);
            total += moves;
        }
        self.total += total;
        sets
    }
}

/// The indices of the non-empty sets.
#[inline(always)]
fn not_empty(sets: &[u64; ROOM]) -> impl Iterator<Item = usize> {
    (0..ROOM).filter(|&i| sets[i] != 0)
}
