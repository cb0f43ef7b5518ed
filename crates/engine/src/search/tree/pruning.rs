//! Which parts of the tree are searched less deeply, or more: pruning, reductions, extensions.

use super::node::Mode;
use super::position::Node;
use super::worker::{Halt, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::Depth;
use crate::search::driver::Window;
use crate::search::table::{Bound, TtEntry};
use damier_rules::{Move, MoveList};

impl<E: Evaluator> Worker<'_, E> {
    /// A value that makes the moves unnecessary, if there is one.
    pub(super) fn prune(
        &mut self,
        node: &Node,
        captures: bool,
        window: Window,
        depth: Depth,
        mode: Mode,
        entry: Option<TtEntry>,
    ) -> Result<Option<Score>, Halt> {
        let params = self.shared.params;
        let (us, beta) = (node.position.turn(), window.beta);
        if mode.principal || !beta.is_eval() {
            return Ok(None);
        }
        let futile = depth <= params.rfp_max_depth && !captures && !node.position.can_capture(!us);
        let probcut = depth >= params.probcut_min_depth && mode.probcut;
        if !futile && !probcut {
            return Ok(None);
        }
        let evaluation = self.evaluate(node);
        // What a search found speaks louder, however shallow it was: +10 [+3,+18] with 2,686 games at 4,000 nodes.
        let evaluation = entry.map_or(evaluation, |entry| refined(evaluation, entry, node.ply));

        // Step 8. Reverse futility (static null move): near the horizon, a quiet position that is better than beta by a
        // margin stays so. +16 [-3,+35] with 632 games at 3,000 nodes.
        if futile && evaluation - params.rfp_margin * depth >= beta {
            self.leaf(node.ply);
            return Ok(Some(evaluation));
        }

        // Step 9. ProbCut (Buro 1995), first form: a shallow search of the same position that clears beta by a margin
        // speaks for the deep one. Only where the evaluation does not speak against it.
        if !probcut || evaluation < beta - params.probcut_gate {
            return Ok(None);
        }
        let margin =
            (params.probcut_margin * depth + params.grain - 1) / params.grain * params.grain;
        let raised = beta + margin;
        if !raised.is_eval() {
            return Ok(None);
        }
        let shallow = depth * params.probcut_depth_percent / 100;
        let once = Mode {
            probcut: false,
            ..mode
        };
        let score = self.node(node, Window::zero(raised), shallow, once)?;
        if score < raised {
            return Ok(None);
        }
        Ok(Some(if score.is_eval() {
            score - margin
        } else {
            score
        }))
    }

    /// Singular extension: whether the move of the table is the only good one, all others being worse by a margin than
    /// what the table says, by a search of part of the depth that is left. Then it costs no depth: +10 [0,+20] with
    /// 1,106 games at 15,000 nodes.
    pub(super) fn is_singular(
        &mut self,
        node: &Node,
        moves: &MoveList,
        entry: TtEntry,
        depth: Depth,
        mode: Mode,
    ) -> Result<bool, Halt> {
        let params = self.shared.params;
        let [first, others @ ..] = &moves[..] else {
            return Ok(false);
        };
        if depth < params.singular_min_depth || others.is_empty() {
            return Ok(false);
        }
        let score = entry.score.to_root(node.ply);
        let bar = score - params.singular_margin * depth;
        if !bar.is_eval()
            || node.ply >= self.extension_plies
            || !entry.tt_move.is(*first)
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || entry.depth < depth - params.singular_table_plies
            || !score.is_eval()
        {
            return Ok(false);
        }
        let mode = Mode {
            principal: false,
            ..mode
        };
        let shallow = (depth - 1) * params.singular_depth_percent / 100 - 1;
        for &mv in others {
            let child = node.child(mv);
            let window = Window::zero(bar).turned();
            if -self.descend(&child, window, shallow, mode)? >= bar {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Late move reduction: plies by which a later quiet move is searched less deep at first. Logarithmic in depth and
    /// number of the move: +15 [-3,+34] over a flat one or two plies with 632 games at 3,000 nodes.
    #[inline(always)]
    pub(super) fn reduction(
        &self,
        node: &Node,
        mv: Move,
        index: usize,
        depth: Depth,
        mode: Mode,
    ) -> Depth {
        let params = self.shared.params;
        let first = params.lmr_first << u32::from(mode.principal);
        if depth < params.lmr_min_depth
            || index < first
            || mv.is_capture()
            || node.position.promotes(mv)
        {
            return 0;
        }
        let reduction = self.shared.reductions.get(depth, index) - Depth::from(mode.principal);
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
