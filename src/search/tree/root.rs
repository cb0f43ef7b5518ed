//! The root: its own move loop, which neither probes the table nor is cut by it.

use super::node::Mode;
use super::position::Node;
use super::worker::Worker;
use crate::eval::{Evaluator, Score};
use crate::search::driver::{Root, RootMoves, Window};
use crate::search::{Depth, Stopped};

/// The root of a search, as drivers see it.
pub(in crate::search) struct SearchRoot<'w, 'a, E: Evaluator> {
    pub worker: &'w mut Worker<'a, E>,
    pub node: Node,
}

impl<E: Evaluator> Root for SearchRoot<'_, '_, E> {
    fn pass(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        self.worker.enter()?;
        let params = self.worker.shared.params;
        moves.begin_pass();
        let (mut alpha, mut best) = (window.alpha, -Score::INFINITE);
        for index in 0..moves.len() {
            let mv = moves.as_slice()[index].mv;
            let child = self.node.child(mv);
            let inner = Window {
                alpha,
                beta: window.beta,
            };
            let reduced = index >= params.root_lmr_first
                && depth >= params.root_lmr_min_depth
                && !mv.is_capture();
            let score =
                self.try_move(&child, inner, depth - 1, Depth::from(reduced), index == 0)?;
            moves.set_bound(index, score);
            best = best.max(score);
            if score > alpha {
                alpha = score;
                if !window.is_zero() {
                    moves.settle(mv, score);
                }
            }
            if score >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}

impl<E: Evaluator> SearchRoot<'_, '_, E> {
    fn try_move(
        &mut self,
        child: &Node,
        window: Window,
        depth: Depth,
        reduction: Depth,
        first: bool,
    ) -> Result<Score, Stopped> {
        let worker = &mut *self.worker;
        if first {
            return Ok(-worker.descend(child, window.turned(), depth, Mode::PRINCIPAL)?);
        }
        let scout = worker.scout(window);
        let mut score = -worker.descend(child, scout.turned(), depth - reduction, Mode::OTHER)?;
        if score > window.alpha && reduction > 0 {
            score = -worker.descend(child, scout.turned(), depth, Mode::OTHER)?;
        }
        if score > window.alpha && score < window.beta && scout != window {
            score = -worker.descend(child, window.turned(), depth, Mode::PRINCIPAL)?;
        }
        Ok(score)
    }
}
