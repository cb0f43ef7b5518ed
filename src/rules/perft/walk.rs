//! The perft tree above the leaves.

use super::leaves::{self, Leaves};
use super::table::Table;
use crate::board::rays::king_reach;
use crate::board::{Bitboard, Color};
use crate::rules::sides::{Black, Side, Sides, White};
use crate::rules::zobrist::mix;
use crate::rules::{Move, MoveList, Position, captures, quiets};

/// From this depth on, counts are looked up in the table and stored.
const TABLE_DEPTH: u32 = 3;

/// Number of sequences of `depth` legal moves.
pub(super) fn count(position: &Position, depth: u32, table: Option<&Table>) -> u64 {
    let sides = position.sides(position.turn());
    match position.turn() {
        Color::White => count_from::<White>(&sides, depth, table),
        Color::Black => count_from::<Black>(&sides, depth, table),
    }
}

fn count_from<S: Side>(sides: &Sides, depth: u32, table: Option<&Table>) -> u64 {
    let mut leaves = Leaves::new();
    match (depth, table) {
        (0, _) => 1,
        (1, _) => leaves::count::<S>(sides),
        (_, Some(table)) if depth >= TABLE_DEPTH => {
            let key = key::<S>(sides);
            table.get(key, depth).unwrap_or_else(|| {
                let mut count = 0;
                each_child::<S>(sides, |child| {
                    count += count_from::<S::Other>(child, depth - 1, Some(table));
                });
                table.put(key, depth, count);
                count
            })
        }
        _ => {
            walk::<S>(sides, depth, &mut leaves);
            // Two plies from the end the same side is to move in all positions; the depth says which.
            match depth % 2 {
                0 => leaves.take::<S>(),
                _ => leaves.take::<S::Other>(),
            }
        }
    }
}

/// Adds the sequences of `depth` moves, at least 2, to the leaves.
fn walk<S: Side>(sides: &Sides, depth: u32, leaves: &mut Leaves) {
    if depth == 2 {
        leaves.add_parent::<S>(sides);
    } else {
        each_child::<S>(sides, |child| walk::<S::Other>(child, depth - 1, leaves));
    }
}

/// A key of the position for the table.
fn key<S: Side>(sides: &Sides) -> u64 {
    let men = mix(mix(sides.men ^ S::PROMOTION_ROW) ^ sides.enemy_men);
    mix(mix(men ^ sides.kings) ^ sides.enemy_kings)
}

/// Plays every legal move and visits the position after it, as the other side sees it.
#[inline(always)]
pub(super) fn each_child<S: Side>(sides: &Sides, visit: impl FnMut(&Sides)) {
    if captures::exists(sides) {
        each_capture::<S>(sides, visit);
    } else {
        each_quiet::<S>(sides, visit);
    }
}

/// As [`each_child`], when the side to move has a capture.
#[inline(always)]
pub(super) fn each_capture<S: Side>(sides: &Sides, mut visit: impl FnMut(&Sides)) {
    if !captures::each_short(sides, |mv| visit(&after_capture::<S>(sides, mv))) {
        let mut list = MoveList::new();
        captures::generate_long(sides, &mut list);
        list.iter()
            .for_each(|&mv| visit(&after_capture::<S>(sides, mv)));
    }
}

#[inline(always)]
fn each_quiet<S: Side>(sides: &Sides, mut visit: impl FnMut(&Sides)) {
    let empty = sides.empty();
    let (six, seven) = quiets::men_targets::<S>(sides.men, empty);
    for (targets, back) in [
        (six, <S::Other as Side>::ahead_six as fn(u64) -> u64),
        (seven, <S::Other as Side>::ahead_seven),
    ] {
        for to in Bitboard(targets) {
            let to = Bitboard::of(to).0;
            visit(&after_step::<S>(sides, back(to), to));
        }
    }
    let occupied = Bitboard(!empty & Bitboard::ALL.0);
    for from in Bitboard(sides.kings) {
        for to in king_reach(from, occupied) {
            let kings = sides.kings ^ (1 << from.bit() | 1 << to.bit());
            visit(&Sides {
                men: sides.enemy_men,
                kings: sides.enemy_kings,
                enemy_men: sides.men,
                enemy_kings: kings,
            });
        }
    }
}

#[inline(always)]
fn after_step<S: Side>(sides: &Sides, from: u64, to: u64) -> Sides {
    let promoted = to & S::PROMOTION_ROW;
    Sides {
        men: sides.enemy_men,
        kings: sides.enemy_kings,
        enemy_men: sides.men ^ (from | to) ^ promoted,
        enemy_kings: sides.kings | promoted,
    }
}

#[inline(always)]
fn after_capture<S: Side>(sides: &Sides, mv: Move) -> Sides {
    let (from, to) = (Bitboard::of(mv.from()).0, Bitboard::of(mv.to()).0);
    let captured = mv.captured().0;
    let (mut men, mut kings) = (sides.men & !from, sides.kings & !from);
    if sides.kings & from | to & S::PROMOTION_ROW != 0 {
        kings |= to;
    } else {
        men |= to;
    }
    Sides {
        men: sides.enemy_men & !captured,
        kings: sides.enemy_kings & !captured,
        enemy_men: men,
        enemy_kings: kings,
    }
}
