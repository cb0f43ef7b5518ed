//! Exchange offers: quiet moves of men that force a capture and allow a recapture; and what captures win.

use super::{Move, MoveList, Position};
use crate::board::{Bitboard, Color, Square};
use damier_cpu::{Cpu, bits};

/// The squares one step from the set in one direction, down the board (`step` > 0) or up.
#[inline(always)]
fn shift(bits: u64, step: i32) -> u64 {
    if step > 0 {
        bits << step
    } else {
        bits >> -step
    }
}

/// The four directions, as distances between bits.
const STEPS: [i32; 4] = [6, 7, -6, -7];

/// For the search, on a level of processors.
#[doc(hidden)]
impl Position {
    /// Appends the quiet moves of men after which the opponent must capture and a man can recapture. Only for a
    /// position without kings in which the side to move has no capture.
    #[inline(always)]
    pub fn offers_into_on(&self, cpu: impl Cpu, list: &mut MoveList) {
        cpu.run(
            #[inline(always)]
            || generate(self, list),
        );
    }

    /// Whether the side to move gains at least `pieces` where both sides play captures alone, until the one to move has
    /// none, and each takes what gains it the most pieces, a king counting as one.
    #[inline(always)]
    pub fn gains_by_captures_on<C: Cpu>(&self, cpu: C, pieces: i32) -> bool {
        cpu.run(
            #[inline(always)]
            || gains(self, pieces, cpu),
        )
    }
}

#[inline(always)]
fn gains<C: Cpu>(position: &Position, pieces: i32, cpu: C) -> bool {
    let mut captures = MoveList::new();
    if !position.captures_into_on(cpu, &mut captures) {
        return pieces <= 0;
    }
    captures.iter().any(|&mv| {
        let missing = pieces - mv.captured().len() as i32;
        !position.play(mv).gains_by_captures_on(cpu, 1 - missing)
    })
}

/// Appends the offers. Either the moved man is captured on its new square, or the square it left allows the capture of
/// a man behind it.
#[inline(always)]
fn generate(position: &Position, list: &mut MoveList) {
    let us = position.turn();
    let (own, enemy) = (position.men(us).0, position.men(!us).0);
    let empty = position.empty().0;
    let steps: [i32; 2] = if us == Color::White { [-6, -7] } else { [6, 7] };
    // Most moves give nothing; these sets leave them out at once. Squares where a man has an enemy on one side and,
    // once the moved man has left its square, perhaps none on the other; and men with a man behind them that an enemy
    // faces.
    let (mut exposed, mut covers) = (0, 0);
    for step in STEPS {
        let faced = shift(enemy, step);
        exposed |= faced & shift(empty | own, -step);
        covers |= shift(own & faced, step);
    }
    for step in steps {
        for to in Bitboard(shift(own, step) & empty & (exposed | shift(own & covers, step))) {
            let to_bit = 1u64 << to.bit();
            let from_bit = shift(to_bit, -step);
            let (own, empty) = (own ^ from_bit ^ to_bit, empty ^ from_bit ^ to_bit);
            if retaken(own, enemy, empty, to_bit) || retaken_behind(own, enemy, empty, from_bit) {
                let from = Square::from_bit(bits::lowest(from_bit));
                list.push(Move::new(from, to, Bitboard::EMPTY));
            }
        }
    }
}

/// Whether the man on `taken` can be captured by a man that can then be recaptured where it lands. Sets are those after
/// the move.
#[inline(always)]
fn retaken(own: u64, enemy: u64, empty: u64, taken: u64) -> bool {
    STEPS.iter().any(|&step| {
        let attacker = shift(taken, -step) & enemy;
        let landing = shift(taken, step) & empty;
        attacker != 0 && landing != 0 && hit(own & !taken, empty | taken | attacker, landing)
    })
}

/// Whether some man can be captured by a jump that lands on `landing`, and the capturing man be recaptured there.
#[inline(always)]
fn retaken_behind(own: u64, enemy: u64, empty: u64, landing: u64) -> bool {
    STEPS.iter().any(|&step| {
        let taken = shift(landing, -step) & own;
        let attacker = shift(taken, -step) & enemy;
        attacker != 0 && hit(own & !taken, empty | taken | attacker, landing)
    })
}

/// Whether one of `own` can capture a man on `target`.
#[inline(always)]
fn hit(own: u64, empty: u64, target: u64) -> bool {
    let empty = empty & !target;
    STEPS
        .iter()
        .any(|&step| shift(target, -step) & own != 0 && shift(target, step) & empty != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Setup;
    use damier_cpu::Baseline;

    /// Men alone, the black ones to move.
    fn black_to_move(white: &[u8], black: &[u8]) -> Position {
        let set = |numbers: &[u8]| numbers.iter().filter_map(|&n| Square::new(n)).collect();
        let setup = Setup {
            men: [set(white), set(black)],
            kings: [Bitboard::EMPTY; 2],
            turn: Color::Black,
        };
        Position::try_from(setup).expect("a legal position")
    }

    /// What the side to move wins by captures alone, in pieces.
    fn captured(position: &Position) -> i32 {
        if !position.must_capture() {
            return 0;
        }
        let captures = position.legal_moves();
        let values = captures
            .iter()
            .map(|&mv| mv.captured().len() as i32 - captured(&position.play(mv)));
        values.max().expect("a capture")
    }

    #[test]
    fn what_captures_come_to_is_known() {
        for (white, black, pieces) in [
            (&[50][..], &[1][..], 0),
            (&[28], &[23], 1),
            // 23x41.
            (&[28, 37], &[23], 2),
            // 23x32, 37x28.
            (&[28, 37, 41], &[23], 0),
            // 23x32, 37x17.
            (&[28, 33, 37, 41], &[22, 23], -1),
            // 23x34, and not 23x32, 37x28.
            (&[28, 29, 37, 41], &[23], 1),
        ] {
            let position = black_to_move(white, black);
            assert_eq!(captured(&position), pieces, "{position:?}");
            for wanted in -3..=3 {
                let gains = position.gains_by_captures_on(Baseline, wanted);
                assert_eq!(gains, wanted <= pieces, "{position:?}: {wanted}");
            }
        }
    }

    #[test]
    fn no_offer_is_left_out_at_once() {
        let mut position = Position::start();
        let mut found = 0;
        for ply in 0..20_000u32 {
            let moves = position.legal_moves();
            if moves.is_empty() || ply % 120 == 0 || !position.all_kings().is_empty() {
                position = Position::start();
                continue;
            }
            if !position.must_capture() {
                let mut offers = MoveList::new();
                position.offers_into_on(Baseline, &mut offers);
                let is_offer = |mv: &Move| {
                    let [from, to] = [mv.from(), mv.to()].map(|square| 1u64 << square.bit());
                    let changed = from ^ to;
                    let own = position.men(position.turn()).0 ^ changed;
                    let (enemy, empty) = (
                        position.men(!position.turn()).0,
                        position.empty().0 ^ changed,
                    );
                    retaken(own, enemy, empty, to) || retaken_behind(own, enemy, empty, from)
                };
                let all = moves.iter().filter(|mv| is_offer(mv)).count();
                assert!(offers.iter().all(is_offer));
                assert_eq!(offers.len(), all, "{position:?}");
                found += all;
            }
            let choice = ply.wrapping_mul(2_654_435_761) >> 16;
            position = position.play(moves[choice as usize % moves.len()]);
        }
        assert!(found > 1_000, "{found}");
    }

    #[test]
    fn captures_are_followed_to_their_end() {
        let mut position = Position::start();
        let (mut seen, mut lost) = (0, 0);
        for ply in 0..3_000u32 {
            let moves = position.legal_moves();
            if moves.is_empty() || ply % 150 == 0 {
                position = Position::start();
                continue;
            }
            for &mv in &moves {
                let child = position.play(mv);
                let value = captured(&child);
                for wanted in [value - 1, value, value + 1] {
                    assert_eq!(
                        child.gains_by_captures_on(Baseline, wanted),
                        wanted <= value
                    );
                }
                seen += usize::from(child.must_capture());
                lost += usize::from(value < 0);
            }
            let choice = ply.wrapping_mul(2_654_435_761) >> 16;
            position = position.play(moves[choice as usize % moves.len()]);
        }
        assert!(seen > 1_000 && lost > 50, "{seen} {lost}");
    }
}
