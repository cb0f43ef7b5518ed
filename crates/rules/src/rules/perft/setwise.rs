//! Counts moves of men set-wise, without branches.

use crate::board::Bitboard;
use crate::board::rays::DIRECTIONS;
use crate::rules::captures::{Jumps, onward, opposite, shift, union};
use crate::rules::quiets::men_targets;
use crate::rules::sides::Side;
use damier_cpu::bits;

/// What [`two_plies`] found.
pub(super) struct TwoPlies {
    /// Not empty if the side to move has a capture: then nothing was counted, and the sets are meaningless.
    pub capture: u64,
    /// Number of sequences of two quiet moves.
    pub count: u64,
    /// Targets of steps along the diagonal of step 6 that were not counted.
    pub six: u64,
    /// Targets of steps along the diagonal of step 7 that were not counted.
    pub seven: u64,
}

/// Counts the sequences of two quiet moves whose first step leaves the other side no capture. The replies are then the
/// quiet moves that the other side had before the step, minus those to the square now occupied, plus those to the
/// square vacated.
///
/// If the other side could capture before the step, nothing is counted. Otherwise after the step it can capture only
/// - the man that moved, along its own line (an enemy ahead, the square it left behind it),
/// - that man along the other line (an enemy on one side, an empty square on the other), or
/// - any other man, landing on the square left.
#[inline(always)]
pub(super) fn two_plies<S: Side>(own: u64, enemy: u64) -> TwoPlies {
    let empty = Bitboard::ALL.0 & !(own | enemy);
    let capture = union(Jumps::new(own, enemy, empty).first);
    let threat = union(Jumps::new(enemy, own, empty).first);
    let (all_six, all_seven) = men_targets::<S>(own, empty);

    let (ahead_six, ahead_seven) = (S::ahead_six, S::ahead_seven);
    let (back_six, back_seven) = (S::Other::ahead_six, S::Other::ahead_seven);
    let (below_six, below_seven) = (back_six(enemy), back_seven(enemy));
    let exposed_six = below_six & ahead_six(empty) | ahead_six(enemy) & back_six(empty);
    let exposed_seven = below_seven & ahead_seven(empty) | ahead_seven(enemy) & back_seven(empty);
    let covers = ahead_six(own & ahead_six(enemy))
        | back_six(own & back_six(enemy))
        | ahead_seven(own & ahead_seven(enemy))
        | back_seven(own & back_seven(enemy));
    let mut six = all_six & (below_six | exposed_seven | ahead_six(covers));
    let mut seven = all_seven & (below_seven | exposed_six | ahead_seven(covers));
    if threat != 0 {
        (six, seven) = (all_six, all_seven);
    }

    let (calm_six, calm_seven) = (all_six & !six, all_seven & !seven);
    let replies = count64(below_six & empty) + count64(below_seven & empty);
    let steps = count64(calm_six) + count64(calm_seven);
    let closed = count64(calm_six & below_seven) + count64(calm_seven & below_six);
    let opened =
        count64(calm_six & ahead_six(below_seven)) + count64(calm_seven & ahead_seven(below_six));
    let count = steps * replies + opened - closed;
    TwoPlies {
        capture,
        count: if capture == 0 { count } else { 0 },
        six,
        seven,
    }
}

/// The number of quiet moves or, if there are any, single captures; or 0 and a non-empty set if there are longer
/// captures.
#[inline(always)]
pub(super) fn quiets_and_singles<S: Side>(own: u64, enemy: u64) -> (u64, u64) {
    let empty = Bitboard::ALL.0 & !(own | enemy);
    let jumps = Jumps::new(own, enemy, empty);
    let singles: u64 = jumps.first.iter().map(|&f| count64(f)).sum();
    let (six, seven) = men_targets::<S>(own, empty);
    let quiets = count64(six) + count64(seven);
    let longer = union(jumps.next(jumps.first));
    let moves = if singles == 0 { quiets } else { singles };
    (if longer == 0 { moves } else { 0 }, longer)
}

/// The number of double captures, or as [`quiets_and_singles`].
#[inline(always)]
pub(super) fn doubles(own: u64, enemy: u64) -> (u64, u64) {
    let jumps = Jumps::new(own, enemy, Bitboard::ALL.0 & !(own | enemy));
    let once_onwards = |d: usize| onwards(&jumps, jumps.first[d], d);
    let moves = once_onwards(0) + once_onwards(1) + once_onwards(2) + once_onwards(3);
    let longer = union(jumps.next(jumps.next(jumps.first)));
    (if longer == 0 { moves } else { 0 }, longer)
}

/// The number of triple captures, or as [`quiets_and_singles`]. The fourth jump of a longer one may end on the man's
/// own square: here any man that can jump counts as absent, and the generator then checks exactly.
#[inline(always)]
pub(super) fn triples(own: u64, enemy: u64) -> (u64, u64) {
    let empty = Bitboard::ALL.0 & !(own | enemy);
    let jumps = Jumps::new(own, enemy, empty);
    let first = jumps.first;
    let twice_onwards = |d: usize| {
        let [a, b, c] = onward(d);
        onwards(&jumps, jumps.then(first[d], d, a), a)
            + onwards(&jumps, jumps.then(first[d], d, b), b)
            + onwards(&jumps, jumps.then(first[d], d, c), c)
    };
    let moves = twice_onwards(0) + twice_onwards(1) + twice_onwards(2) + twice_onwards(3);
    let starts = (0..DIRECTIONS).fold(0, |s, d| s | shift(first[d], opposite(d)));
    let third = jumps.next(jumps.next(first));
    let longer = union(Jumps::new(own, enemy, empty | starts).next(third));
    (if longer == 0 { moves } else { 0 }, longer)
}

/// The number of jumps right after those over `over` in direction `last`.
#[inline(always)]
fn onwards(jumps: &Jumps, over: u64, last: usize) -> u64 {
    let [a, b, c] = onward(last);
    count64(jumps.then(over, last, a))
        + count64(jumps.then(over, last, b))
        + count64(jumps.then(over, last, c))
}

#[inline(always)]
fn count64(bits: u64) -> u64 {
    u64::from(bits::count(bits))
}
