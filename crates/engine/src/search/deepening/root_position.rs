//! The root: the moves to search, in a first order, as far as the endgame tables leave a choice.

use crate::search::driver::RootMoves;
use crate::search::ordering::{self, History};
use crate::search::params::Params;
use crate::search::table::TtMove;
use crate::search::tree::{Node, stage_of};
use crate::search::{Request, TranspositionTable};
use damier_cpu::Baseline;
use damier_endgame::{Advice, View};
use damier_rules::{DrawClock, Move};

/// The root position, with what of its past matters.
pub(in crate::search) struct RootPosition {
    pub node: Node,
    pub(super) moves: RootMoves,
    /// See [`SearchContext::stage`].
    pub stage: (u32, u32),
    /// Whether the endgame tables chose the moves, and whether they know the end to the ply.
    pub(super) advised: Advised,
}

/// What endgame tables have said of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Advised {
    /// Nothing, or not yet.
    No,
    /// Which moves keep the value.
    Moves,
    /// The end to the ply as well.
    Exactly,
}

impl Advised {
    pub fn by(advice: &Advice) -> Advised {
        match advice.is_exact() {
            true => Advised::Exactly,
            false => Advised::Moves,
        }
    }
}

impl RootPosition {
    pub fn new(
        request: &Request,
        table: &TranspositionTable,
        params: &Params,
        history: &History,
        tables: Option<&View>,
    ) -> RootPosition {
        let position = *request.game.position();
        // In a game already drawn by a count the players go on without that rule; so does the search.
        let clock = request.game.clock();
        let clock = if clock.verdict().is_some() {
            DrawClock::default()
        } else {
            clock
        };
        let node = Node::root(position, clock);
        let tt_move = table
            .probe(node.key)
            .map_or(TtMove::NONE, |entry| entry.tt_move);
        let mut moves = position.legal_moves();
        moves.retain(|mv| !request.excluded.contains(mv));
        ordering::sort(
            Baseline,
            &mut moves,
            &position,
            &ordering::Context {
                params,
                history,
                tt_move,
                ply: 0,
                previous: None,
            },
        );
        let (mut stage, mut advised) = ((u32::MAX, 0), Advised::No);
        if let Some(tables) = tables.filter(|t| position.occupied().len() <= t.limit()) {
            // Also where they are not read yet: they may come while it searches.
            stage = stage_of(&position);
            let keys = request.game.keys();
            if let Some(advice) = Advice::in_game(tables, &position, &clock, keys) {
                let best: Vec<Move> = advice.best().collect();
                if is_advice_used(request, &best, &moves) {
                    moves.retain(|mv| best.contains(mv));
                    advised = Advised::by(&advice);
                }
            }
        }
        RootPosition {
            node,
            moves: RootMoves::new(moves),
            stage,
            advised,
        }
    }
}

/// Whether only the best moves of endgame tables are searched: not where more lines are asked for than there are such
/// moves.
pub(super) fn is_advice_used(request: &Request, best: &[Move], moves: &[Move]) -> bool {
    let known = moves.iter().filter(|mv| best.contains(mv)).count();
    known >= request.lines.clamp(1, moves.len().max(1))
}
