//! The perft tree above the leaves.

use super::children::each_child;
use super::leaves::{self, Leaves};
use super::table::PerftTable;
use crate::board::Color;
use crate::rules::Position;
use crate::rules::sides::{Black, Side, Sides, White};
use crate::rules::zobrist::mix;
use damier_cpu::{self as cpu, Baseline, Cpu, OnCpu};

/// From this depth on, counts are looked up in the table and stored.
const TABLE_DEPTH: u32 = 3;

/// Number of sequences of `depth` legal moves.
pub(super) fn count(position: &Position, depth: u32, table: Option<&PerftTable>) -> u64 {
    let work = Count {
        position,
        depth,
        table,
    };
    match cpu::level() {
        Ok(level) => level.run(work),
        Err(_) => work.on(Baseline),
    }
}

struct Count<'a> {
    position: &'a Position,
    depth: u32,
    table: Option<&'a PerftTable>,
}

impl OnCpu for Count<'_> {
    type Output = u64;

    fn on<C: Cpu>(self, cpu: C) -> u64 {
        let sides = self.position.sides(self.position.turn());
        match self.position.turn() {
            Color::White => count_from::<White>(cpu, &sides, self.depth, self.table),
            Color::Black => count_from::<Black>(cpu, &sides, self.depth, self.table),
        }
    }
}

fn count_from<S: Side>(
    cpu: impl Cpu,
    sides: &Sides,
    depth: u32,
    table: Option<&PerftTable>,
) -> u64 {
    match (depth, table) {
        (0, _) => 1,
        (1, _) => leaves::count::<S>(cpu, sides),
        (_, Some(table)) if depth >= TABLE_DEPTH => {
            let key = key::<S>(sides);
            table.get(key, depth).unwrap_or_else(|| {
                let count = match depth {
                    TABLE_DEPTH => walked::<S>(cpu, sides, depth),
                    _ => {
                        let mut count = 0;
                        each_child::<S>(cpu, sides, |child| {
                            count += count_from::<S::Other>(cpu, child, depth - 1, Some(table));
                        });
                        count
                    }
                };
                table.put(key, depth, count);
                count
            })
        }
        _ => walked::<S>(cpu, sides, depth),
    }
}

/// Number of sequences of `depth` moves, at least 2, without a table.
fn walked<S: Side>(cpu: impl Cpu, sides: &Sides, depth: u32) -> u64 {
    let mut leaves = Leaves::new(cpu);
    walk::<S, _>(cpu, sides, depth, &mut leaves);
    // Two plies from the end the same side is to move in all positions; the depth says which.
    match depth % 2 {
        0 => leaves.take::<S>(),
        _ => leaves.take::<S::Other>(),
    }
}

/// Adds the sequences of `depth` moves, at least 2, to the leaves.
#[inline(always)]
fn walk<S: Side, C: Cpu>(cpu: C, sides: &Sides, depth: u32, leaves: &mut Leaves<C>) {
    cpu.call(
        #[inline(always)]
        |sides, depth, leaves, ()| walk_on_level::<S, C>(cpu, sides, depth, leaves),
        sides,
        depth,
        leaves,
        (),
    );
}

#[inline(always)]
fn walk_on_level<S: Side, C: Cpu>(cpu: C, sides: &Sides, depth: u32, leaves: &mut Leaves<C>) {
    if depth == 2 {
        leaves.add_parent::<S>(sides);
    } else {
        each_child::<S>(cpu, sides, |child| {
            walk::<S::Other, C>(cpu, child, depth - 1, leaves);
        });
    }
}

/// A key of the position for the table.
fn key<S: Side>(sides: &Sides) -> u64 {
    let men = mix(mix(sides.men ^ S::PROMOTION_ROW) ^ sides.enemy_men);
    mix(mix(men ^ sides.kings) ^ sides.enemy_kings)
}
