//! Search frame of one ply: the window, depth and mode requested, the table entry and static evaluation found.

use super::position::Node;
use crate::eval::Score;
use crate::search::Depth;
use crate::search::driver::Window;
use crate::search::table::{TtEntry, TtMove};

/// How a node is searched, besides its window.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Mode {
    /// The node lies on the principal path: the root and the first move of such nodes, where less is pruned.
    /// MTD(f) uses zero windows only, so the window does not show it.
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

    pub fn child(self, first: bool) -> Mode {
        Mode {
            principal: self.principal && first,
            probcut: self.probcut,
        }
    }
}

/// The table entry of a node that it did not cut.
#[derive(Clone, Copy)]
pub(super) struct TtProbe {
    pub tt_move: TtMove,
    /// For pruning and extensions; none with [`TableUse::SameDepth`](crate::search::params::TableUse).
    pub entry: Option<TtEntry>,
}

impl TtProbe {
    pub const NONE: TtProbe = TtProbe {
        tt_move: TtMove::NONE,
        entry: None,
    };
}

/// One ply of the search.
#[derive(Clone, Copy)]
pub(super) struct Frame<'n> {
    pub node: &'n Node,
    pub window: Window,
    pub depth: Depth,
    pub mode: Mode,
    /// The node is shared by several threads (see `together`).
    pub is_shared: bool,
    pub tt: TtProbe,
    /// The evaluation of the position, on the grain; computed by the first step that needs it.
    pub static_eval: Option<Score>,
    /// Depth of the children, before reductions.
    pub next_depth: Depth,
    /// Depth of the first child.
    pub first_depth: Depth,
}

impl Frame<'_> {
    #[inline(always)]
    pub fn new(node: &Node, window: Window, depth: Depth, mode: Mode) -> Frame<'_> {
        Frame {
            node,
            window,
            depth,
            mode,
            is_shared: false,
            tt: TtProbe::NONE,
            static_eval: None,
            next_depth: depth - 1,
            first_depth: depth - 1,
        }
    }

    /// Whether a bound may stand for the value: off the principal path, and where no result is proven.
    #[inline(always)]
    pub fn may_prune(&self) -> bool {
        !self.mode.principal && self.window.beta.is_eval()
    }
}
