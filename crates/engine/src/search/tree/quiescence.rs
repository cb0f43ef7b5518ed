//! Beyond the horizon: until the position is quiet enough to be evaluated.
//!
//! Captures are forced, so there is no choice to stand pat on them. In a quiet position the side to move may take the
//! evaluation, unless the opponent threatens to capture; then every move is tried for one ply. Offers of a man that
//! force a capture and can be taken back, exchanges and shots, are tried too: at the horizon all of them, beyond it
//! those that lose nothing by the captures that follow.

use super::position::SearchPosition;
use super::worker::{Halt, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::MAX_PLY;
use crate::search::driver::Window;
use damier_cpu::Cpu;
use damier_rules::{Move, MoveList, Position};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a node at the horizon. `depth` counts plies beyond it, downwards from 0.
    #[inline(always)]
    pub fn quiescence(
        &mut self,
        node: &SearchPosition,
        window: Window,
        depth: i32,
    ) -> Result<Score, Halt> {
        self.cpu().call(
            #[inline(always)]
            |worker, node, window, depth| Self::quiescence_on_level(worker, node, window, depth),
            self,
            node,
            window,
            depth,
        )
    }

    #[inline(always)]
    fn quiescence_on_level(
        &mut self,
        node: &SearchPosition,
        window: Window,
        depth: i32,
    ) -> Result<Score, Halt> {
        let cpu = self.cpu();
        // Step Q1. Captures are forced: all of them are searched, without stand pat.
        let mut moves = MoveList::new();
        if node.position.captures_into_on(cpu, &mut moves) {
            return self.captures(node, &moves, window, depth - 1);
        }
        if node.ply >= MAX_PLY {
            self.counters.leaf(node.ply);
            return Ok(self.evaluate(node));
        }

        // Step Q2. Endgame tables.
        if let Some(score) = self.by_tables_at_horizon(node) {
            return Ok(score);
        }

        // Step Q3. Under threat at the horizon itself, one ply of ordinary search: +14 [-5,+32] with 632 games at 3,000
        // nodes. Not after captures at the horizon: 20 % fewer nodes.
        if depth == 0
            && self.shared.params.threats
            && node.position.can_capture_on(cpu, !node.position.turn())
        {
            node.position.quiets_into_on(cpu, &mut moves);
            return cpu.call(
                #[inline(always)]
                move |worker, node, window, moves| {
                    Self::all_quiets(worker, node, moves, window, depth - 1)
                },
                self,
                node,
                window,
                &mut moves,
            );
        }

        // Step Q4. Without a move the game is lost.
        if node.position.is_terminal_on(cpu) {
            self.counters.leaf(node.ply);
            return Ok(Score::loss_in(node.ply));
        }

        // Step Q5. Stand pat. Where a man or more is missing no offer is tried, though it could win that much; with the
        // order of the replies of step Q3 +9 [+2,+16] with 3,792 games at 4,000 nodes. The upper bound is then
        // unproven.
        let best = self.evaluate(node);
        let params = self.shared.params;
        let all = -depth < params.offer_plies;
        if best >= window.beta
            || best + params.offer_margin <= window.alpha
            || !(all || -depth < params.sound_offer_plies)
            || !node.position.all_kings().is_empty()
        {
            self.counters.leaf(node.ply);
            return Ok(best);
        }

        // Step Q6. Offers: all at the horizon (at any distance: -45 [-66,-24] with 632 games at 3,000 nodes), beyond it
        // the sound ones: +7 [-9,+23] with 260 games at 0.05 s.
        node.position.offers_into_on(cpu, &mut moves);
        let offers = match all {
            true => moves.len(),
            false => cpu.run(
                #[inline(always)]
                || sound_first(cpu, &node.position, &mut moves),
            ),
        };
        if offers == 0 {
            self.counters.leaf(node.ply);
        }
        let window = Window {
            alpha: window.alpha.max(best),
            ..window
        };
        self.best_of(node, &moves[..offers], window, best, depth - 1)
    }

    /// The best of the captures.
    #[inline(always)]
    fn captures(
        &mut self,
        node: &SearchPosition,
        moves: &[Move],
        window: Window,
        depth: i32,
    ) -> Result<Score, Halt> {
        if node.ply >= MAX_PLY || -depth > self.shared.params.capture_plies {
            self.counters.leaf(node.ply);
            return Ok(self.evaluate(node));
        }
        self.best_of(node, moves, window, -Score::INFINITE, depth)
    }

    /// The best of all quiet moves. Those that leave no man en prise come first: their value is known at once.
    #[inline(always)]
    fn all_quiets(
        &mut self,
        node: &SearchPosition,
        moves: &mut MoveList,
        mut window: Window,
        depth: i32,
    ) -> Result<Score, Halt> {
        let cpu = self.cpu();
        if moves.is_empty() {
            self.counters.leaf(node.ply);
            return Ok(Score::loss_in(node.ply));
        }
        let mut best = -Score::INFINITE;
        let mut offers = 0;
        for at in 0..moves.len() {
            let mv = moves[at];
            if node.position.leaves_en_prise_on(cpu, mv) {
                moves[offers] = mv;
                offers += 1;
                continue;
            }
            best = best.max(self.search_child(node, mv, window, depth)?);
            if best >= window.beta {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }
        self.best_of(node, &moves[..offers], window, best, depth)
    }

    /// The best of some moves, and of `best` without them.
    #[inline(always)]
    fn best_of(
        &mut self,
        node: &SearchPosition,
        moves: &[Move],
        mut window: Window,
        mut best: Score,
        depth: i32,
    ) -> Result<Score, Halt> {
        for &mv in moves {
            best = best.max(self.search_child(node, mv, window, depth)?);
            if best >= window.beta {
                break;
            }
            window.alpha = window.alpha.max(best);
        }
        Ok(best)
    }

    #[inline(always)]
    fn search_child(
        &mut self,
        node: &SearchPosition,
        mv: Move,
        window: Window,
        depth: i32,
    ) -> Result<Score, Halt> {
        self.enter()?;
        let child = node.child(mv);
        Ok(-self.quiescence(&child, window.turned(), depth)?)
    }
}

/// Moves the offers that lose nothing by the captures that follow to the front. Returns their number.
#[inline(always)]
fn sound_first(cpu: impl Cpu, position: &Position, offers: &mut [Move]) -> usize {
    let mut sound = 0;
    for at in 0..offers.len() {
        let mv = offers[at];
        if !position.play(mv).gains_by_captures_on(cpu, 1) {
            offers[sound] = mv;
            sound += 1;
        }
    }
    sound
}
