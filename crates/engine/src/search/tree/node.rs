//! Alpha-beta below the root, fail-soft, on any window. The MTD drivers give it zero windows.

use super::path::plies_back;
use super::position::{Node, SearchPosition};
use super::worker::{Halt, NO_REPETITION, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::driver::Window;
use crate::search::params::TableUse;
use crate::search::table::{Bound, TtEntry, TtMove, cut_by};
use crate::search::{Depth, MAX_PLY, ordering};
use damier_rules::{Move, MoveList};

/// How a node is searched, besides its window.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Mode {
    /// The node lies on the principal path: the root and the first move of such nodes, where less is pruned. MTD(f) has
    /// no other sign of it, all its windows being zero.
    pub principal: bool,
    /// ProbCut may be tried.
    pub probcut: bool,
}

impl Mode {
    pub const PRINCIPAL: Mode = Mode {
        principal: true,
        probcut: true,
    };
    pub const OTHER: Mode = Mode {
        principal: false,
        probcut: true,
    };

    fn child(self, first: bool) -> Mode {
        Mode {
            principal: self.principal && first,
            probcut: self.probcut,
        }
    }
}

/// What the table says of a node whose value it does not know.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub tt_move: TtMove,
    /// What pruning and extensions may use; none where they are to learn nothing from the table.
    pub entry: Option<TtEntry>,
}

/// The best of the moves tried so far.
pub(super) struct Best {
    pub score: Score,
    mv: Option<Move>,
    /// What a later move has to exceed.
    alpha: Score,
    path_ply: u32,
}

impl Best {
    pub fn none(window: Window) -> Best {
        Best {
            score: -Score::INFINITE,
            mv: None,
            alpha: window.alpha,
            path_ply: NO_REPETITION,
        }
    }
}

/// How the moves of a node are searched.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub window: Window,
    /// Of the node.
    pub depth: Depth,
    /// Of its children, before reductions.
    pub next_depth: Depth,
    pub mode: Mode,
    /// The first move is the only good one.
    pub singular: bool,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a child of the node on the path, for the side to move there.
    #[inline(always)]
    pub fn descend(
        &mut self,
        child: &Node,
        window: Window,
        depth: Depth,
        mode: Mode,
    ) -> Result<Score, Halt> {
        self.path.push(child.position_key);
        let result = self.node(child, window, depth, mode);
        self.path.pop();
        result
    }

    /// The value of a node: exact inside the window, a bound outside.
    pub(super) fn node(
        &mut self,
        node: &Node,
        window: Window,
        depth: Depth,
        mode: Mode,
    ) -> Result<Score, Halt> {
        // Step 1. Count; stop when told to.
        self.enter()?;
        self.path_ply = NO_REPETITION;

        // Step 2. Draws by repetition and by the counters of article 6.
        if self.repeats(&node.clock) {
            return Ok(Score::DRAW);
        }
        if node.clock.verdict().is_some() {
            return Ok(self.drawn_by_count(node));
        }
        if node.ply >= MAX_PLY {
            return Ok(self.evaluate(node));
        }

        // Step 3. At the horizon, quiescence, which asks the endgame tables itself.
        if depth <= 0 {
            return self.quiescence(node, window, 0);
        }

        // Step 4. Endgame tables: exact, and no slower than the transposition table.
        if let Some(score) = self.by_tables(node) {
            return Ok(score);
        }

        // Step 5. Transposition table.
        let entry = self.probe(node, window, depth);
        let usage = self.shared.params.table;
        if let Some(score) = entry.and_then(|entry| cut_by(entry, node.ply, window, depth, usage)) {
            return Ok(score);
        }
        let tt_move = entry.map_or(TtMove::NONE, |entry| entry.tt_move);
        // The move of the table will be the first: if it is quiet, its entry is on its way while this node is evaluated
        // and its moves are sorted.
        if depth > 1 {
            self.prefetch_first(node, tt_move);
        }
        // What is to be free of the table's inconsistencies learns nothing else from it.
        let entry = entry.filter(|_| usage == TableUse::Normal);

        let known = Known { tt_move, entry };
        if self.shares(depth) {
            return self.expand_openly(node, window, depth, mode, known);
        }
        self.expand(node, window, depth, mode, known)
    }

    /// The value of a node by its moves: what neither rules nor tables know.
    #[inline(always)]
    pub(super) fn expand(
        &mut self,
        node: &Node,
        window: Window,
        depth: Depth,
        mode: Mode,
        known: Known,
    ) -> Result<Score, Halt> {
        // Step 6. Legal moves; none is a loss.
        let mut moves = MoveList::new();
        node.position.legal_moves_into(&mut moves);
        if moves.is_empty() {
            self.leaf(node.ply);
            return Ok(Score::loss_in(node.ply));
        }

        // Step 7. No win is quicker than one move from here, no loss than none.
        let window = Window {
            alpha: window.alpha.max(Score::loss_in(node.ply + 2)),
            beta: window.beta.min(Score::win_in(node.ply + 1)),
        };
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        // Steps 8 and 9. Pruning; a forced move is no choice to prune.
        if moves.len() > 1
            && let Some(score) = self.prune(
                node,
                moves[0].is_capture(),
                window,
                depth,
                mode,
                known.entry,
            )?
        {
            return Ok(score);
        }

        // Step 10. The moves, best first. Which one will be is not known yet without a move of the table: until they
        // are sorted, the entries of all are asked for.
        if depth > 1 && known.tt_move.is_none() {
            for &mv in &moves {
                self.shared.table.prefetch(node.likely_key(mv));
            }
        }
        let best = if self.shared.usual {
            let context = self.context(node, known.tt_move);
            ordering::sort(&mut moves, &node.position, &context);
            self.try_moves(node, &moves, window, depth, mode, known.entry)?
        } else {
            self.try_moves_experimentally(node, &mut moves, window, depth, mode, known)?
        };

        // Step 11. Store; a path-dependent value only for other threads on the same path.
        self.path_ply = if best.path_ply < node.ply {
            best.path_ply
        } else {
            NO_REPETITION
        };
        self.store(node, window, depth, &best);
        Ok(best.score)
    }

    /// What the order of the moves depends on.
    #[inline(always)]
    pub(super) fn context(&self, node: &Node, tt_move: TtMove) -> ordering::Context<'_> {
        ordering::Context {
            params: self.shared.params,
            history: &*self.history,
            tt_move,
            ply: node.ply,
            previous: node.previous,
        }
    }

    /// The limit of a counter is reached: drawn, unless the side to move has no move and has lost already.
    fn drawn_by_count(&mut self, node: &Node) -> Score {
        self.leaf(node.ply);
        if node.position.is_terminal() {
            return Score::loss_in(node.ply);
        }
        // A class count is in the key exactly; the count of kings only in steps, so its verdict is the path's.
        if node.clock.class().is_none() {
            self.path_ply = 0;
        }
        Score::DRAW
    }

    /// Has the entry fetched of the child that will probably be searched first.
    #[inline(always)]
    fn prefetch_first(&self, node: &Node, tt_move: TtMove) {
        let first = match tt_move.is_none() {
            true => self.history.killer(node.ply),
            false => tt_move,
        };
        let own = node.position.pieces(node.position.turn());
        if let Some(quiet) = first.quiet().filter(|mv| own.contains(mv.from())) {
            self.shared.table.prefetch(node.likely_key(quiet));
        }
    }

    pub(super) fn try_moves(
        &mut self,
        node: &Node,
        moves: &MoveList,
        window: Window,
        depth: Depth,
        mode: Mode,
        entry: Option<TtEntry>,
    ) -> Result<Best, Halt> {
        let shared = self.shared;
        // One-reply extension: a forced move costs no depth, within reason.
        let forced = shared.params.one_reply && moves.len() == 1 && node.ply < self.extension_plies;
        let singular = match entry {
            Some(entry) => self.is_singular(node, moves, entry, depth, mode)?,
            None => false,
        };
        let plan = Plan {
            window,
            depth,
            next_depth: depth - 1 + Depth::from(forced),
            mode,
            singular,
        };
        if self.shares(depth) {
            return self.try_moves_together(node, moves, plan);
        }
        let mut best = Best::none(window);
        // At the horizon the table is not asked. An entry takes as long to arrive as a child to be made; that of the
        // next move has the time of a search.
        let mut key = moves
            .first()
            .map_or(node.position_key, |&mv| node.likely_key(mv));
        if plan.next_depth > 0 {
            shared.table.prefetch(key);
        }
        for (index, &mv) in moves.iter().enumerate() {
            let child = node.child_with_key(mv, key);
            if let Some(&next) = moves.get(index + 1) {
                key = node.likely_key(next);
                if plan.next_depth > 0 {
                    shared.table.prefetch(key);
                }
            }
            if self.try_child(node, &child, mv, index, &plan, &mut best)? {
                self.reward(node, mv, &moves[..index], depth);
                break;
            }
        }
        Ok(best)
    }

    /// Searches the child that a move leads to, and notes what it says of the node. Whether it fails high.
    #[inline(always)]
    pub(super) fn try_child(
        &mut self,
        node: &Node,
        child: &Node,
        mv: Move,
        index: usize,
        plan: &Plan,
        best: &mut Best,
    ) -> Result<bool, Halt> {
        let inner = Window {
            alpha: best.alpha,
            beta: plan.window.beta,
        };
        let reduction = self.reduction(node, mv, index, plan.depth, plan.mode);
        let score = self.try_move(
            child,
            inner,
            plan.next_depth + Depth::from(plan.singular && index == 0),
            reduction,
            plan.mode.child(index == 0),
            index == 0,
        )?;
        if score >= plan.window.beta {
            // A fail high needs this move only, so it depends on the path only where this move's value does.
            best.score = score;
            best.mv = Some(mv);
            best.path_ply = self.path_ply;
            return Ok(true);
        }
        best.path_ply = best.path_ply.min(self.path_ply);
        if score > best.score {
            best.score = score;
            if score > best.alpha {
                best.mv = Some(mv);
                best.alpha = score;
            }
        }
        Ok(false)
    }

    /// Remembers a move that failed high after others that did not.
    #[inline(always)]
    pub(super) fn reward(&mut self, node: &Node, mv: Move, tried: &[Move], depth: Depth) {
        if !mv.is_capture() {
            let color = node.position.turn();
            let bonus = self.shared.params.bonus(depth);
            self.history
                .cutoff(color, node.ply, bonus, mv, tried, node.previous);
        }
    }

    /// The window with which a later move is tried first.
    #[inline(always)]
    pub(super) fn scout(&self, window: Window) -> Window {
        match self.shared.params.scout {
            true => Window::zero(window.alpha + 1),
            false => window,
        }
    }

    /// One move: reduced, then with a zero window, then as it is, as far as each time it does better than expected.
    #[inline(always)]
    fn try_move(
        &mut self,
        child: &Node,
        window: Window,
        depth: Depth,
        reduction: Depth,
        mode: Mode,
        first: bool,
    ) -> Result<Score, Halt> {
        if first {
            return Ok(-self.descend(child, window.turned(), depth, mode)?);
        }
        let scout = self.scout(window);
        let mut score = -self.descend(child, scout.turned(), depth - reduction, mode)?;
        if score > window.alpha && reduction > 0 {
            score = -self.descend(child, scout.turned(), depth, mode)?;
        }
        if score > window.alpha && score < window.beta && scout != window {
            score = -self.descend(
                child,
                window.turned(),
                depth,
                Mode {
                    principal: true,
                    ..mode
                },
            )?;
        }
        Ok(score)
    }

    #[inline(always)]
    fn probe(&mut self, node: &Node, window: Window, depth: Depth) -> Option<TtEntry> {
        match self.shared.usual {
            true => self.shared.table.probe(node.key),
            false => self.probe_experimentally(node, window, depth),
        }
    }

    fn store(&mut self, node: &Node, window: Window, depth: Depth, best: &Best) {
        let tt_move = best.mv.map_or(TtMove::NONE, TtMove::of);
        let key = match self.path_ply {
            NO_REPETITION => Some(node.key),
            // Other threads come here by the same path.
            _ if self.shares(depth) => self.open.last().and_then(|open| open.path_key),
            _ => None,
        };
        let Some(key) = key else {
            return;
        };
        let bound = if best.score >= window.beta {
            Bound::Lower
        } else if best.mv.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = best.score.from_root(node.ply);
        let entry = TtEntry {
            tt_move,
            score,
            depth,
            bound,
            back: plies_back(node.ply, self.path_ply),
        };
        match self.shared.usual {
            true => self.shared.table.store(key, entry),
            false => self.store_experimentally(key, entry),
        }
    }

    /// The static evaluation, on the grain.
    #[inline(always)]
    pub fn evaluate(&mut self, place: &SearchPosition) -> Score {
        self.shared
            .evaluator
            .evaluate(&mut self.scratch, place.ply, &place.position)
            .on_grain(self.shared.params.grain)
    }
}
