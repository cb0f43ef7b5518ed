//! Alpha-beta below the root, fail-soft, on any window. The MTD drivers give it zero windows.
//!
//! A node takes the steps below in order. Elo is that of the search with the step against the search without it, with
//! its 95 % interval; that of steps 8, 9, 11 and 13 was measured with the hand-made evaluation, before there was a
//! network. Nodes are those to a fixed depth. All measurements: EXPERIMENTS.md and `docs/experiments.md`.

use super::frame::{Frame, Mode, TtProbe};
use super::path::{NO_REPETITION, REPEATABLE_PLIES, plies_back};
use super::position::{Node, SearchPosition};
use super::worker::{Halt, Worker};
use crate::eval::{Evaluator, Score};
use crate::search::driver::Window;
use crate::search::ordering::{self, Context};
use crate::search::params::TableUse;
use crate::search::table::{Bound, TtEntry, TtMove, cut_by};
use crate::search::{Depth, MAX_PLY};
use damier_cpu::Cpu;
use damier_rules::{Key, Move, MoveList};

/// The best of the moves tried so far.
pub(super) struct Best {
    pub score: Score,
    mv: TtMove,
    /// What a later move has to exceed.
    alpha: Score,
    repetition_ply: u32,
}

impl Best {
    pub fn none(window: Window) -> Best {
        Best {
            score: -Score::INFINITE,
            mv: TtMove::NONE,
            alpha: window.alpha,
            repetition_ply: NO_REPETITION,
        }
    }
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
        let result = match depth > 0 {
            true => self.node(&mut Frame::new(child, window, depth, mode)),
            false => self.horizon(child, window),
        };
        self.path.pop();
        result
    }

    /// The value of a node without depth: steps 1 to 3.
    #[inline(always)]
    fn horizon(&mut self, node: &Node, window: Window) -> Result<Score, Halt> {
        self.cpu().call(
            #[inline(always)]
            |worker: &mut Self, node: &Node, window, ()| match worker.by_rules(node)? {
                Some(score) => Ok(score),
                None => worker.quiescence(&node.state, window, 0),
            },
            self,
            node,
            window,
            (),
        )
    }

    /// Steps 1 and 2: what the rules say.
    #[inline(always)]
    fn by_rules(&mut self, node: &Node) -> Result<Option<Score>, Halt> {
        let SearchPosition { clock, ply, .. } = &node.state;

        // Step 1. Count the node; stop at a limit.
        self.enter()?;
        self.path.repetition_ply = NO_REPETITION;

        // Step 2. Draws by repetition and by the counters of article 6.
        if self.path.repeats(clock) {
            return Ok(Some(Score::DRAW));
        }
        if clock.verdict().is_some() {
            return Ok(Some(self.drawn_by_count(&node.state)));
        }
        if *ply >= MAX_PLY {
            return Ok(Some(self.evaluate(&node.state)));
        }
        Ok(None)
    }

    /// The value of a node: exact inside the window, a bound outside. Steps 1 to 5: what rules and tables know.
    #[inline(always)]
    pub(super) fn node(&mut self, frame: &mut Frame) -> Result<Score, Halt> {
        self.cpu().run(
            #[inline(always)]
            || self.node_on_level(frame),
        )
    }

    #[inline(always)]
    fn node_on_level(&mut self, frame: &mut Frame) -> Result<Score, Halt> {
        let (node, window, depth) = (frame.node, frame.window, frame.depth);
        let ply = node.state.ply;
        if let Some(score) = self.by_rules(node)? {
            return Ok(score);
        }

        // Step 3. Quiescence at the horizon (steps Q1 to Q6); it probes the endgame tables itself.
        if depth <= 0 {
            return self.quiescence(&node.state, window, 0);
        }

        // Step 4. Endgame tables: exact, and no slower than the transposition table. Up to four pieces: +38 [+28,+51]
        // with 300 games at 1,000 nodes.
        if let Some(score) = self.by_tables(&node.state) {
            return Ok(score);
        }

        // Step 5. Transposition table, without locks (Hyatt and Mann 2002). Without it 3.1 times the
        // nodes to depth 13 from an empty table, 3.8 times from that of the search before.
        let entry = self.shared.table.probe(node.key);
        let usage = self.shared.params.table;
        if let Some(score) = entry.and_then(|entry| cut_by(entry, ply, window, depth, usage)) {
            return Ok(score);
        }
        frame.tt = TtProbe {
            tt_move: entry.map_or(TtMove::NONE, |entry| entry.tt_move),
            entry: entry.filter(|_| usage == TableUse::Normal),
        };
        // The move of the table will be the first: if it is quiet, its entry is on its way while this node is evaluated
        // and its moves are sorted.
        if depth > 1 {
            self.prefetch_first(node, frame.tt.tt_move);
        }

        frame.is_shared = self.shares(depth);
        match frame.is_shared {
            true => self.expand_shared(frame),
            false => self.expand(frame),
        }
    }

    /// Steps 6 to 16: the value of a node by its moves.
    #[inline(always)]
    pub(super) fn expand(&mut self, frame: &mut Frame) -> Result<Score, Halt> {
        let (node, depth) = (frame.node, frame.depth);
        let SearchPosition { position, ply, .. } = &node.state;

        // Step 6. Legal moves; without any the game is lost.
        let mut moves = MoveList::new();
        position.legal_moves_into_on(self.cpu(), &mut moves);
        let moves = &mut moves[..];
        if moves.is_empty() {
            self.counters.leaf(*ply);
            return Ok(Score::loss_in(*ply));
        }

        // Step 7. Mate distance pruning (chess programs, since the 1980s): the quickest win takes one move, the
        // quickest loss two. Only won and lost positions have such windows; not measured.
        frame.window = Window {
            alpha: frame.window.alpha.max(Score::loss_in(ply + 2)),
            beta: frame.window.beta.min(Score::win_in(ply + 1)),
        };
        let window = frame.window;
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        // A forced move is not pruned.
        if moves.len() > 1 {
            // Step 8. Reverse futility (static null move; futility pruning, Schaeffer 1986, seen from the other side):
            // near the horizon, a quiet position that is better than beta by a margin stays so. +16 [-3,+35] with 632
            // games at 3,000 nodes.
            if let Some(score) = self.reverse_futility(frame, moves[0].is_capture()) {
                return Ok(score);
            }

            // Step 9. ProbCut (Buro 1995), first form: a shallow search of the same position that clears beta by a
            // margin stands for the deep one. It enters this node again, at step 1, which counts it twice. +7 [-10,+23]
            // with 632 games at 15,000 nodes.
            if let Some(score) = self.probcut(frame)? {
                return Ok(score);
            }
        }

        // Step 10. Order: table move, promotions, killers (Akl and Newborn 1977), counter-move (Uiterwijk 1992),
        // history (Schaeffer 1983). With the table move alone 1.7 times the nodes.
        if depth > 1 && frame.tt.tt_move.is_none() {
            // Which move will be the first is known only when they are sorted: until then the entries of all arrive.
            for &mv in &*moves {
                self.shared.table.prefetch(node.likely_key(mv));
            }
        }
        let context = Context {
            params: self.shared.params,
            history: &*self.history,
            tt_move: frame.tt.tt_move,
            ply: *ply,
            previous: node.previous,
        };
        ordering::sort(self.cpu(), moves, position, &context);

        // Step 11. One-reply extension: a forced move costs no depth. +29 [+10,+49] with 632 games at 3,000 nodes.
        let may_extend = *ply < self.extension_plies;
        let forced = self.shared.params.one_reply && moves.len() == 1 && may_extend;
        frame.next_depth = depth - 1 + Depth::from(forced);

        // Step 12. Singular extension (Anantharaman, Campbell and Hsu 1988): the table move costs no depth where all
        // others are worse by a margin: +10 [0,+20] with 1,106 games at 15,000 nodes. It costs one more where it should
        // fail high and another is as good: +7 [+2,+13] with 2,000 games at 100,000 nodes.
        let singular = match may_extend {
            true => self.singular(frame, moves)?,
            false => 0,
        };
        frame.first_depth = frame.next_depth + singular;

        // The moves, each by steps 13 to 15. Threads that share the node divide them (ABDADA, Weill 1996): two threads
        // take 0.57 to 0.63 of the time of one, on two machines.
        let best = match frame.is_shared {
            true => self.cpu().run_apart(
                #[inline(always)]
                || self.try_moves_together(frame, moves),
            )?,
            false => self.try_moves(frame, moves)?,
        };

        // Step 16. Store; a path-dependent value only for other threads on the same path.
        self.path.repetition_ply = match best.repetition_ply < *ply {
            true => best.repetition_ply,
            false => NO_REPETITION,
        };
        self.store(frame, &best);
        Ok(best.score)
    }

    /// Searches the moves of a node until one fails high.
    #[inline(always)]
    fn try_moves(&mut self, frame: &Frame, moves: &[Move]) -> Result<Best, Halt> {
        let (node, table) = (frame.node, self.shared.table);
        let mut best = Best::none(frame.window);
        // A child at the horizon needs no key: the table is not probed there, and a repetition is looked for only after
        // reversible plies.
        let below = frame.first_depth.max(frame.next_depth) > 0;
        let keyed = below || node.state.clock.kings_only() + 1 >= REPEATABLE_PLIES;
        let key_after = |mv| match keyed {
            true => node.likely_key(mv),
            false => Key::default(),
        };
        // Prefetch one move ahead: a cache line takes about as long as making a child.
        let mut key = moves.first().map_or(Key::default(), |&mv| key_after(mv));
        if frame.next_depth > 0 {
            table.prefetch(key);
        }
        for (index, &mv) in moves.iter().enumerate() {
            let child = node.child_with_key(mv, key);
            if let Some(&next) = moves.get(index + 1) {
                key = key_after(next);
                if frame.next_depth > 0 {
                    table.prefetch(key);
                }
            }
            if self.try_move(frame, &child, mv, index, &mut best)? {
                self.reward(frame, mv, &moves[..index]);
                break;
            }
        }
        Ok(best)
    }

    /// Searches a move and updates `best`. Returns whether it fails high.
    #[inline(always)]
    pub(super) fn try_move(
        &mut self,
        frame: &Frame,
        child: &Node,
        mv: Move,
        index: usize,
        best: &mut Best,
    ) -> Result<bool, Halt> {
        let beta = frame.window.beta;
        let window = Window {
            alpha: best.alpha,
            beta,
        };
        let mode = frame.mode.child(index == 0);
        let score = if index == 0 {
            -self.descend(child, window.turned(), frame.first_depth, mode)?
        } else {
            // Step 13. Late move reduction (chess programs, since about 2004), logarithmic: +19 [0,+39] for any, +15
            // [-3,+34] for the logarithms, each with 632 games at 3,000 nodes. Moves of the root: by one ply, `root`.
            let reduction = self.reduction(frame, mv, index);
            self.scout(child, window, frame.next_depth, reduction, mode)?
        };
        if score >= beta {
            // A fail high needs this move only, so it depends on the path only where this move's value does.
            best.score = score;
            best.mv = TtMove::of(mv);
            best.repetition_ply = self.path.repetition_ply;
            return Ok(true);
        }
        best.repetition_ply = best.repetition_ply.min(self.path.repetition_ply);
        if score > best.score {
            best.score = score;
            if score > best.alpha {
                best.mv = TtMove::of(mv);
                best.alpha = score;
            }
        }
        Ok(false)
    }

    /// Step 14. Principal variation search (Marsland and Campbell 1982): a later move is searched reduced, then with a
    /// zero window, then with the whole window, as long as it turns out better than expected. Plain alpha-beta takes
    /// as many nodes in the driver `pvs` without aspiration; the windows of MTD(f) are zero already.
    #[inline(always)]
    pub(super) fn scout(
        &mut self,
        child: &Node,
        window: Window,
        depth: Depth,
        reduction: Depth,
        mode: Mode,
    ) -> Result<Score, Halt> {
        let scout = match self.shared.params.scout {
            true => Window::zero(window.alpha + 1),
            false => window,
        };
        let mut score = -self.descend(child, scout.turned(), depth - reduction, mode)?;
        if score > window.alpha && reduction > 0 {
            score = -self.descend(child, scout.turned(), depth, mode)?;
        }
        if score > window.alpha && score < window.beta && scout != window {
            let mode = Mode {
                principal: true,
                ..mode
            };
            score = -self.descend(child, window.turned(), depth, mode)?;
        }
        Ok(score)
    }

    /// Step 15. A quiet move that failed high after others did not is remembered for step 10: as killer, counter-move
    /// and in the history. Without all three 1.2 times the nodes, without history alone 1.08 times.
    #[inline(always)]
    pub(super) fn reward(&mut self, frame: &Frame, mv: Move, tried: &[Move]) {
        if !mv.is_capture() {
            let node = frame.node;
            let color = node.state.position.turn();
            let bonus = self.shared.params.bonus(frame.depth);
            self.history
                .cutoff(color, node.state.ply, bonus, mv, tried, node.previous);
        }
    }

    fn store(&mut self, frame: &Frame, best: &Best) {
        let ply = frame.node.state.ply;
        let key = match self.path.repetition_ply {
            NO_REPETITION => Some(frame.node.key),
            // Other threads come here by the same path.
            _ if frame.is_shared => self.member.open.last().and_then(|open| open.path_key),
            _ => None,
        };
        let Some(key) = key else {
            return;
        };
        let bound = if best.score >= frame.window.beta {
            Bound::Lower
        } else if best.alpha > frame.window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TtEntry {
            tt_move: best.mv,
            score: best.score.from_root(ply),
            depth: frame.depth,
            bound,
            back: plies_back(ply, self.path.repetition_ply),
        };
        self.shared.table.store(key, entry);
    }

    /// Prefetches the entry of the child that will probably be searched first.
    #[inline(always)]
    fn prefetch_first(&self, node: &Node, tt_move: TtMove) {
        let SearchPosition { position, ply, .. } = &node.state;
        let first = match tt_move.is_none() {
            true => self.history.killer(*ply),
            false => tt_move,
        };
        let own = position.pieces(position.turn());
        if let Some(quiet) = first.quiet().filter(|mv| own.contains(mv.from())) {
            self.shared.table.prefetch(node.likely_key(quiet));
        }
    }

    /// The limit of a counter is reached: drawn, unless the side to move has no move and has lost already.
    fn drawn_by_count(&mut self, node: &SearchPosition) -> Score {
        self.counters.leaf(node.ply);
        if node.position.is_terminal_on(self.cpu()) {
            return Score::loss_in(node.ply);
        }
        // A class count is in the key exactly; the count of kings only in steps, so its verdict is the path's.
        if node.clock.class().is_none() {
            self.path.repetition_ply = 0;
        }
        Score::DRAW
    }

    /// The static evaluation, on the grain.
    #[inline(always)]
    pub fn evaluate(&mut self, node: &SearchPosition) -> Score {
        self.shared
            .evaluator
            .evaluate(&mut self.scratch, node.ply, &node.position)
            .on_grain(self.shared.params.grain)
    }
}
