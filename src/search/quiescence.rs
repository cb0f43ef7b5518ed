//! Beyond the horizon: until the position is quiet enough to be evaluated.
//!
//! Captures are forced, so there is no choice to stand pat on them. In a quiet position the side to move may take the
//! evaluation, unless the opponent threatens to capture; then every move is tried for one ply. Offers of a man that force
//! a capture and can be taken back, exchanges and shots, are tried too.

use super::driver::Window;
use super::worker::{Place, Worker};
use super::{MAX_PLY, Stopped};
use crate::board::{Bitboard, Color, Square, bits};
use crate::eval::{Evaluator, Score};
use crate::rules::{Move, MoveList, Position};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a node at the horizon. `depth` counts plies beyond it, downwards from 0.
    pub fn quiescence(
        &mut self,
        place: &Place,
        window: Window,
        depth: i32,
    ) -> Result<Score, Stopped> {
        let mut moves = MoveList::new();
        if place.position.captures_into(&mut moves) {
            return self.captures(place, &moves, window, depth - 1);
        }
        if place.ply >= MAX_PLY {
            self.leaf(place.ply);
            return Ok(self.evaluate(place));
        }
        if let Some(score) = self.by_tables_at_horizon(place) {
            return Ok(score);
        }
        // Under threat at the horizon itself, not after captures there: one ply of ordinary search. (After captures too, where threats
        // and offers were looked for before: EXPERIMENTS.md.)
        if depth == 0
            && self.shared.params.threats
            && place.position.can_capture(!place.position.turn())
        {
            place.position.quiets_into(&mut moves);
            return self.all_quiets(place, &mut moves, window, depth - 1);
        }
        if place.position.is_terminal() {
            self.leaf(place.ply);
            return Ok(Score::loss_in(place.ply));
        }
        // Where a man or more is missing no offer is tried, though it could win that much; with the order of the replies below
        // +9 [+2,+16] with 3,792 games at 4,000 nodes. The upper bound given back is then not proven.
        let best = self.evaluate(place);
        let params = self.shared.params;
        if best >= window.beta
            || best + params.offer_margin <= window.alpha
            || !place.position.all_kings().is_empty()
            || -depth >= params.offer_plies
        {
            self.leaf(place.ply);
            return Ok(best);
        }
        let window = Window {
            alpha: window.alpha.max(best),
            ..window
        };
        offers_into(&place.position, &mut moves);
        if moves.is_empty() {
            self.leaf(place.ply);
        }
        self.best_of(place, &moves, window, best, depth - 1)
    }

    /// The best of all captures, of which there are some.
    fn captures(
        &mut self,
        place: &Place,
        moves: &[Move],
        window: Window,
        depth: i32,
    ) -> Result<Score, Stopped> {
        if place.ply >= MAX_PLY {
            self.leaf(place.ply);
            return Ok(self.evaluate(place));
        }
        self.best_of(place, moves, window, -Score::INFINITE, depth)
    }

    /// The best of all moves of a side that need not capture. Those that give nothing come first, for what they are worth is known
    /// at once.
    fn all_quiets(
        &mut self,
        place: &Place,
        moves: &mut [Move],
        mut window: Window,
        depth: i32,
    ) -> Result<Score, Stopped> {
        if moves.is_empty() {
            self.leaf(place.ply);
            return Ok(Score::loss_in(place.ply));
        }
        let mut best = -Score::INFINITE;
        let mut givers = 0;
        for at in 0..moves.len() {
            let mv = moves[at];
            if self.shared.params.ordering && place.position.gives(mv) {
                moves[givers] = mv;
                givers += 1;
                continue;
            }
            best = best.max(self.leap(place, mv, window, depth)?);
            if best >= window.beta {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }
        self.best_of(place, &moves[..givers], window, best, depth)
    }

    /// The best of some moves and of what is had without them.
    #[inline(always)]
    fn best_of(
        &mut self,
        place: &Place,
        moves: &[Move],
        mut window: Window,
        mut best: Score,
        depth: i32,
    ) -> Result<Score, Stopped> {
        for &mv in moves {
            best = best.max(self.leap(place, mv, window, depth)?);
            if best >= window.beta {
                break;
            }
            window.alpha = window.alpha.max(best);
        }
        Ok(best)
    }

    #[inline(always)]
    fn leap(
        &mut self,
        place: &Place,
        mv: Move,
        window: Window,
        depth: i32,
    ) -> Result<Score, Stopped> {
        self.enter()?;
        let child = place.child(mv);
        Ok(-self.quiescence(&child, window.turned(), depth)?)
    }
}

/// Squares next to each square of the set, in one direction down the board (`step` > 0) or up.
#[inline(always)]
fn shift(bits: u64, step: i32) -> u64 {
    if step > 0 {
        bits << step
    } else {
        bits >> -step
    }
}

const STEPS: [i32; 4] = [6, 7, -6, -7];

/// Appends the quiet moves of men after which the opponent must capture, and which give a piece to capture back.
///
/// Either the moved man is taken on its new square, or the square it left lets a man behind it be taken. For a position
/// without kings, without a capture for the side to move.
pub(super) fn offers_into(position: &Position, list: &mut MoveList) {
    let us = position.turn();
    let (own, enemy) = (position.men(us).0, position.men(!us).0);
    let empty = position.empty().0;
    let steps: [i32; 2] = if us == Color::White { [-6, -7] } else { [6, 7] };
    for step in steps {
        for to in Bitboard(shift(own, step) & empty) {
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

/// Whether the man on `taken` can be captured by a man that can then be captured where it lands. Sets after the move.
#[inline(always)]
fn retaken(own: u64, enemy: u64, empty: u64, taken: u64) -> bool {
    STEPS.iter().any(|&step| {
        let attacker = shift(taken, -step) & enemy;
        let landing = shift(taken, step) & empty;
        attacker != 0 && landing != 0 && hit(own & !taken, empty | taken | attacker, landing)
    })
}

/// Whether some man can be captured by a jump that lands on `landing`, and the captor then be captured there.
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
