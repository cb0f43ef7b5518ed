//! Positions in the tree: with the counters of the draw rules and, above the horizon, with their keys.

use damier_rules::board::Square;
use damier_rules::{DrawClock, Key, Move, Position};

/// A position in the search: what evaluation, quiescence and endgame tables need.
#[derive(Clone, Copy)]
pub(in crate::search) struct SearchPosition {
    pub position: Position,
    pub clock: DrawClock,
    /// Plies from the root.
    pub ply: u32,
}

impl SearchPosition {
    #[inline(always)]
    pub fn child(&self, mv: Move) -> SearchPosition {
        let position = self.position.play(mv);
        SearchPosition {
            position,
            clock: self.clock.after(&self.position, mv, &position),
            ply: self.ply + 1,
        }
    }
}

/// A node of the tree above the horizon: a position with its keys. Beyond the horizon neither the transposition table
/// nor repetitions are looked up, so a [`SearchPosition`] is enough.
#[derive(Clone, Copy)]
pub(in crate::search) struct Node {
    pub state: SearchPosition,
    /// Signature of the position.
    pub position_key: Key,
    /// Signature of position and counters.
    pub key: Key,
    /// From where and to where the move went that led here.
    pub previous: Option<(Square, Square)>,
}

impl Node {
    pub fn root(position: Position, clock: DrawClock) -> Node {
        let position_key = position.key();
        Node {
            state: SearchPosition {
                position,
                clock,
                ply: 0,
            },
            position_key,
            key: position_key ^ clock.key(),
            previous: None,
        }
    }

    #[inline(always)]
    pub fn child(&self, mv: Move) -> Node {
        self.child_with_key(mv, self.likely_key(mv))
    }

    /// The child whose [`Node::likely_key`] is at hand.
    #[inline(always)]
    pub fn child_with_key(&self, mv: Move, position_key: Key) -> Node {
        let state = self.state.child(mv);
        Node {
            state,
            position_key,
            key: position_key ^ state.clock.key(),
            previous: Some((mv.from(), mv.to())),
        }
    }

    /// The key of a child, exact unless a draw counter is part of it; for prefetching.
    #[inline(always)]
    pub fn likely_key(&self, mv: Move) -> Key {
        self.state.position.key_after(self.position_key, mv)
    }
}
