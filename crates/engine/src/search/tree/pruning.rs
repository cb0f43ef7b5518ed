//! Which parts of the tree are searched less deeply, or more: steps 8, 9, 12 and 13 of [`node`](super::node).

use super::frame::{Frame, Mode, TtProbe};
use super::worker::{Halt, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::Depth;
use crate::search::driver::Window;
use crate::search::table::{Bound, TtEntry};
use damier_cpu::Cpu;
use damier_rules::Move;

impl<E: Evaluator> Worker<'_, E> {
    /// Step 8. The evaluation of a quiet position near the horizon, where it exceeds beta by a margin.
    #[inline(always)]
    pub(super) fn reverse_futility(
        &mut self,
        frame: &mut Frame,
        is_capture: bool,
    ) -> Option<Score> {
        let (params, position) = (self.shared.params, &frame.node.state.position);
        if !frame.may_prune()
            || frame.depth > params.rfp_max_depth
            || is_capture
            || position.can_capture_on(self.cpu(), !position.turn())
        {
            return None;
        }
        let evaluation = self.refined_eval(frame);
        if evaluation - params.rfp_margin * frame.depth < frame.window.beta {
            return None;
        }
        self.counters.leaf(frame.node.state.ply);
        Some(evaluation)
    }

    /// Step 9. A bound from a shallow search of the same position, with a beta raised by a margin. Only where the
    /// evaluation is not far below beta.
    #[inline(always)]
    pub(super) fn probcut(&mut self, frame: &mut Frame) -> Result<Option<Score>, Halt> {
        let (params, beta) = (self.shared.params, frame.window.beta);
        if !frame.may_prune() || frame.depth < params.probcut_min_depth || !frame.mode.probcut {
            return Ok(None);
        }
        if self.refined_eval(frame) < beta - params.probcut_gate {
            return Ok(None);
        }
        let (depth, grain) = (frame.depth, params.grain);
        let margin = (params.probcut_margin * depth + grain - 1) / grain * grain;
        let raised = beta + margin;
        if !raised.is_eval() {
            return Ok(None);
        }
        // The frame of the same node: its evaluation is known.
        let score = self.node(&mut Frame {
            window: Window::zero(raised),
            depth: depth * params.probcut_depth_percent / 100,
            mode: Mode {
                probcut: false,
                ..frame.mode
            },
            tt: TtProbe::NONE,
            ..*frame
        })?;
        if score < raised {
            return Ok(None);
        }
        Ok(Some(match score.is_eval() {
            true => score - margin,
            false => score,
        }))
    }

    /// The evaluation, moved to what the table says: a search of any depth knows more. +10 [+3,+18] with 2,686 games at
    /// 4,000 nodes.
    #[inline(always)]
    fn refined_eval(&mut self, frame: &mut Frame) -> Score {
        let state = &frame.node.state;
        let evaluation = match frame.static_eval {
            Some(evaluation) => evaluation,
            None => self.evaluate(state),
        };
        frame.static_eval = Some(evaluation);
        match frame.tt.entry {
            Some(entry) => refined(evaluation, entry, state.ply),
            None => evaluation,
        }
    }

    /// Step 12. Plies by which the move of the table is searched deeper: one where it is the only good one, all others
    /// being worse by a margin than what the table says, by a search of part of the depth that is left. Negative where
    /// it should fail high and is not the only good one: then another would probably do so too.
    #[inline(always)]
    pub(super) fn singular(&mut self, frame: &Frame, moves: &[Move]) -> Result<Depth, Halt> {
        self.cpu().run(
            #[inline(always)]
            || self.singular_on_level(frame, moves),
        )
    }

    #[inline(always)]
    fn singular_on_level(&mut self, frame: &Frame, moves: &[Move]) -> Result<Depth, Halt> {
        let (params, depth, node) = (self.shared.params, frame.depth, frame.node);
        let (Some(entry), [first, others @ ..]) = (frame.tt.entry, moves) else {
            return Ok(0);
        };
        if depth < params.singular_min_depth || others.is_empty() {
            return Ok(0);
        }
        let score = entry.score.to_root(node.state.ply);
        let bar = score - params.singular_margin * depth;
        if !bar.is_eval()
            || !entry.tt_move.is(*first)
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || entry.depth < depth - params.singular_table_plies
            || !score.is_eval()
        {
            return Ok(0);
        }
        let mode = Mode {
            principal: false,
            ..frame.mode
        };
        let shallow = (depth - 1) * params.singular_depth_percent / 100 - 1;
        for &mv in others {
            let child = node.child(mv);
            let window = Window::zero(bar).turned();
            if -self.descend(&child, window, shallow, mode)? >= bar {
                return Ok(match score >= frame.window.beta {
                    true => -params.singular_negative,
                    false => 0,
                });
            }
        }
        Ok(1)
    }

    /// Step 13. Plies by which a later quiet move is searched less deep at first: logarithmic in depth and number of
    /// the move.
    #[inline(always)]
    pub(super) fn reduction(&self, frame: &Frame, mv: Move, index: usize) -> Depth {
        let (params, depth) = (self.shared.params, frame.depth);
        let principal = frame.mode.principal;
        let first = params.lmr_first << u32::from(principal);
        if depth < params.lmr_min_depth
            || index < first
            || mv.is_capture()
            || frame.node.state.position.promotes(mv)
        {
            return 0;
        }
        let reduction = self.shared.reductions.get(depth, index) - Depth::from(principal);
        reduction.clamp(0, depth - 1)
    }
}

/// The evaluation, moved to what the bound of an entry allows.
#[inline(always)]
fn refined(evaluation: Score, entry: TtEntry, ply: u32) -> Score {
    let score = entry.score.to_root(ply);
    if !score.is_eval() {
        return evaluation;
    }
    let raised = match entry.bound.is_lower() {
        true => evaluation.max(score),
        false => evaluation,
    };
    match entry.bound.is_upper() {
        true => raised.min(score),
        false => raised,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::table::TtMove;

    #[test]
    fn bounds_move_the_evaluation_one_way_and_proven_scores_do_not() {
        let entry = |bound, score| TtEntry {
            tt_move: TtMove::NONE,
            score,
            depth: 3,
            bound,
            back: 0,
        };
        let of = |bound, score| refined(Score::new(16), entry(bound, Score::new(score)), 4);
        for (bound, below, above) in [
            (Bound::Lower, 16, 40),
            (Bound::Upper, -8, 16),
            (Bound::Exact, -8, 40),
            (Bound::None, 16, 16),
        ] {
            assert_eq!(of(bound, -8), Score::new(below));
            assert_eq!(of(bound, 40), Score::new(above));
        }
        let proven = entry(Bound::Exact, Score::win_in(3));
        assert_eq!(refined(Score::new(16), proven, 4), Score::new(16));
    }
}
