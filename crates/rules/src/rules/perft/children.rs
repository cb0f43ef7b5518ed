//! The positions after each legal move, visited without a list of moves.

use crate::board::Bitboard;
use crate::board::rays::king_reach;
use crate::rules::sides::{Side, Sides};
use crate::rules::{Move, MoveList, captures, quiets};
use damier_cpu::Cpu;

/// Plays every legal move and visits the position after it, as the other side sees it.
#[inline(always)]
pub(super) fn each_child<S: Side>(cpu: impl Cpu, sides: &Sides, visit: impl FnMut(&Sides)) {
    if captures::exists(cpu, sides) {
        each_capture::<S>(cpu, sides, visit);
    } else {
        each_quiet::<S>(sides, visit);
    }
}

/// As [`each_child`], when the side to move has a capture.
#[inline(always)]
pub(super) fn each_capture<S: Side>(cpu: impl Cpu, sides: &Sides, mut visit: impl FnMut(&Sides)) {
    if !captures::each_short(sides, |mv| visit(&after_capture::<S>(sides, mv))) {
        let mut list = MoveList::new();
        captures::generate_long(cpu, sides, &mut list);
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
