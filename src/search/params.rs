//! The tunables of the search, each written once. `MARGIN` adds hundredths of a man, `MIN_DEPTH` is inclusive.

use super::Depth;
use crate::eval::Score;
use once_cell::sync::Lazy;

/// What table entries may cut a search short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableUse {
    /// Those at least as deep, and proven results of any depth.
    #[default]
    Normal,
    /// Only those of exactly the same depth: no inconsistency comes from the table.
    SameDepth,
    /// None; nothing is stored.
    Off,
}

/// All tunables; a value so that two sets can be played against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Params {
    /// Scores of the search are multiples of this many hundredths of a man, a power of two.
    pub grain: i32,
    /// Depth from which ProbCut is tried.
    pub probcut_min_depth: Depth,
    /// ProbCut searches to this share of the depth, in percent.
    pub probcut_depth_percent: i32,
    /// ProbCut margin for every ply of depth.
    pub probcut_margin: i32,
    /// ProbCut is tried when the evaluation is at most this much below beta.
    pub probcut_gate: i32,
    /// Depth from which later moves are reduced.
    pub lmr_min_depth: Depth,
    /// Moves before the first that may be reduced; twice as many on the principal path.
    pub lmr_first: usize,
    /// Reductions grow with depth and number of the move: hundredths added, hundredths by which the logarithms' product is
    /// divided.
    pub lmr_base: i32,
    /// See `lmr_base`.
    pub lmr_divisor: i32,
    /// Depth from which later moves of the root are reduced, by one ply.
    pub root_lmr_min_depth: Depth,
    /// Moves of the root before the first that may be reduced.
    pub root_lmr_first: usize,
    /// Deepest reverse futility pruning.
    pub rfp_max_depth: Depth,
    /// Reverse futility margin for every ply.
    pub rfp_margin: i32,
    /// Aspiration window of the PVS driver.
    pub aspiration: i32,
    /// Plies beyond the horizon in which offers are tried.
    pub offer_plies: i32,
    /// Offers are tried where the evaluation is less than this much below alpha.
    pub offer_margin: i32,
    /// Whether a threat at the horizon is answered by one ply of every move.
    pub threats: bool,
    /// A forced move costs no depth.
    pub one_reply: bool,
    /// Depth from which the move of the table is tried for being the only good one, and then costs no depth.
    pub singular_min_depth: Depth,
    /// Plies by which the entry of the table may be shallower than the node for that.
    pub singular_table_plies: Depth,
    /// Margin for every ply of depth by which all other moves must be worse.
    pub singular_margin: i32,
    /// Which table entries cut.
    pub table: TableUse,
    /// Whether moves are sorted.
    pub ordering: bool,
}

impl Params {
    /// No pruning, reduction or extension: the value is that of plain minimax with the same quiescence.
    pub fn full_width() -> Params {
        let never = Depth::MAX;
        Params {
            probcut_min_depth: never,
            lmr_min_depth: never,
            root_lmr_min_depth: never,
            rfp_max_depth: 0,
            singular_min_depth: never,
            offer_margin: 2 * Score::INFINITE.centimen(),
            one_reply: false,
            ..Params::default()
        }
    }
}

impl Default for Params {
    fn default() -> Params {
        Params {
            grain: 8,
            probcut_min_depth: 6,
            probcut_depth_percent: 60,
            probcut_margin: 8,
            probcut_gate: 20,
            lmr_min_depth: 2,
            lmr_first: 2,
            lmr_base: 30,
            lmr_divisor: 190,
            root_lmr_min_depth: 3,
            root_lmr_first: 3,
            rfp_max_depth: 3,
            rfp_margin: 40,
            aspiration: 16,
            offer_plies: 1,
            offer_margin: 100,
            threats: true,
            one_reply: true,
            singular_min_depth: 5,
            singular_table_plies: 3,
            singular_margin: 4,
            table: TableUse::Normal,
            ordering: true,
        }
    }
}

/// Late move reductions by depth and number of the move, worked out from [`Params`] once.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[i8; 64]; 64]>);

impl Reductions {
    /// Those of the default tunables. Logarithms cannot be worked out at compile time, so they are at first use.
    pub fn usual() -> &'static Reductions {
        static USUAL: Lazy<Reductions> = Lazy::new(|| Reductions::new(&Params::default()));
        &USUAL
    }

    pub fn new(params: &Params) -> Reductions {
        let (base, divisor) = (
            params.lmr_base as f64 / 100.0,
            params.lmr_divisor as f64 / 100.0,
        );
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (index, reduction) in row.iter_mut().enumerate() {
                let product = (depth as f64).ln() * (index as f64 + 1.0).ln();
                *reduction = (base + product / divisor) as i8;
            }
        }
        Reductions(table)
    }

    /// Plies to reduce the move of this number, 0 being the first.
    #[inline(always)]
    pub fn get(&self, depth: Depth, index: usize) -> Depth {
        Depth::from(self.0[(depth as usize).min(63)][index.min(63)])
    }
}
