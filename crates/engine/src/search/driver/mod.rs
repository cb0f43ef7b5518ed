//! How the value of the root is found at one depth: one small file for each way.
//!
//! A driver is generic over the [`Root`] it makes passes with, so that tests can feed it any sequence of values.

mod mtdf;
mod pvs;
#[cfg(test)]
mod tests;

use super::{Depth, Stopped};
use crate::eval::Score;
use crate::settings::choice;
use damier_rules::Move;
use std::fmt;
use std::str::FromStr;

/// The ways to search a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Driver {
    /// MTD(f) with van Horssen's fix (2018): the default.
    #[default]
    Mtdfix,
    /// MTD(f) as published (Plaat 1994), move selection made explicit.
    Mtdf,
    /// [`Driver::Mtdf`] with the table cleared before each search.
    MtdfClear,
    /// Principal variation search with an aspiration window.
    Pvs,
    /// SSS* as MTD(f) from above (Plaat 1994): the first guess is better than any evaluation.
    Sss,
    /// DUAL* as MTD(f) from below: the first guess is worse than any evaluation.
    Dual,
}

impl Driver {
    /// Searches the root to a depth. `moves` comes and leaves with the best move first.
    pub fn search(
        self,
        root: &mut impl Root,
        moves: &mut RootMoves,
        aim: Aim,
    ) -> Result<Iteration, Stopped> {
        let mtdf = |guess, inconsistency| (Aim { guess, ..aim }, inconsistency);
        let (aim, inconsistency) = match self {
            Driver::Mtdfix => mtdf(aim.guess, Inconsistency::Mended),
            Driver::Mtdf | Driver::MtdfClear => mtdf(aim.guess, Inconsistency::Kept),
            Driver::Sss => mtdf(Score::EVAL_MAX, Inconsistency::Kept),
            Driver::Dual => mtdf(-Score::EVAL_MAX, Inconsistency::Kept),
            Driver::Pvs => return pvs::search(root, moves, aim),
        };
        mtdf::search(root, moves, aim, inconsistency)
    }
}

choice! {
    Driver {
        Mtdfix = "mtdfix",
        Mtdf = "mtdf",
        MtdfClear = "mtdf-clear",
        Pvs = "pvs",
        Sss = "sss",
        Dual = "dual",
    }
}

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseDriverError;

impl fmt::Display for ParseDriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "search is one of {}", Driver::NAMES.join(", "))
    }
}

impl std::error::Error for ParseDriverError {}

impl FromStr for Driver {
    type Err = ParseDriverError;

    fn from_str(text: &str) -> Result<Driver, ParseDriverError> {
        let mut all = Driver::ALL.into_iter();
        all.find(|driver| driver.name() == text)
            .ok_or(ParseDriverError)
    }
}

/// An open interval of scores: a search finds values inside it exactly, and bounds those outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Values up to this come back as upper bounds.
    pub alpha: Score,
    /// Values from this on come back as lower bounds.
    pub beta: Score,
}

impl Window {
    /// The zero window that asks whether the value is at least `gamma`.
    #[inline(always)]
    pub fn zero(gamma: Score) -> Window {
        Window {
            alpha: gamma - 1,
            beta: gamma,
        }
    }

    /// The window seen from the other side.
    #[inline(always)]
    pub fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Whether no score lies inside.
    #[inline(always)]
    pub fn is_zero(self) -> bool {
        self.beta == self.alpha + 1
    }
}

/// Distances between scores that matter to drivers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Evaluations are multiples of this.
    pub grain: i32,
    /// Half the aspiration window of PVS.
    pub aspiration: i32,
    /// Depth from which that window is used.
    pub aspiration_min_depth: Depth,
    /// A window wider than this on one side is opened.
    pub aspiration_max: i32,
}

impl Steps {
    /// The lowest score above `score` that a search can return.
    fn above(self, score: Score) -> Score {
        let next = Score::new((score.centimen().div_euclid(self.grain) + 1) * self.grain);
        if score.is_eval() && next.is_eval() {
            next
        } else {
            score + 1
        }
    }
}

/// What an iteration is to find, and where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aim {
    /// Depth in plies.
    pub depth: Depth,
    /// The value expected.
    pub guess: Score,
    /// Distances between scores.
    pub steps: Steps,
}

/// A legal move of the root and its bound from the last pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The bound that the last pass gave it; minus infinity when the pass was cut off before.
    pub bound: Score,
}

/// The moves of the root, the best one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RootMoves {
    list: Vec<RootMove>,
    /// A move whose value is known to reach this bound in the iteration at hand; sound when it is interrupted.
    settled: Option<(Move, Score)>,
}

impl RootMoves {
    /// The moves in this order, without bounds.
    pub fn new(moves: impl IntoIterator<Item = Move>) -> RootMoves {
        let list = moves
            .into_iter()
            .map(|mv| RootMove {
                mv,
                bound: -Score::INFINITE,
            })
            .collect();
        RootMoves {
            list,
            settled: None,
        }
    }

    /// The best move. None when there is no legal move.
    pub fn first(&self) -> Option<Move> {
        self.list.first().map(|m| m.mv)
    }

    /// All moves.
    pub fn as_slice(&self) -> &[RootMove] {
        &self.list
    }

    /// Number of moves.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Forgets the bounds of the last pass.
    pub fn begin_pass(&mut self) {
        self.list
            .iter_mut()
            .for_each(|m| m.bound = -Score::INFINITE);
    }

    /// Sets the bound of the move at `index`.
    pub fn set_bound(&mut self, index: usize, bound: Score) {
        self.list[index].bound = bound;
    }

    /// Best bound first; moves of equal bound keep their order.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|m| std::cmp::Reverse(m.bound));
    }

    /// Puts a move first; the others keep their order.
    pub fn put_first(&mut self, mv: Move) {
        if let Some(at) = self.list.iter().position(|m| m.mv == mv) {
            self.list[..=at].rotate_right(1);
        }
    }

    /// Takes out the moves from `at` on.
    pub fn split_off(&mut self, at: usize) -> RootMoves {
        RootMoves {
            list: self.list.split_off(at),
            settled: None,
        }
    }

    /// Puts moves behind these.
    pub fn append(&mut self, mut rest: RootMoves) {
        self.list.append(&mut rest.list);
    }

    /// Notes that the value of `mv` is at least `bound` at the depth being searched, and that no other move is known to
    /// be better.
    pub fn settle(&mut self, mv: Move, bound: Score) {
        self.settled = Some((mv, bound));
    }

    /// Takes what was settled since the last call.
    pub fn take_settled(&mut self) -> Option<(Move, Score)> {
        self.settled.take()
    }
}

/// Makes passes over the root moves. Implemented by the search, and by scripts in tests.
pub trait Root {
    /// Searches the moves in order with a window, until one reaches beta. Gives each searched move its bound, the
    /// others minus infinity; returns the best bound. The root neither probes the table nor is cut by it.
    fn pass(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: Depth,
    ) -> Result<Score, Stopped>;
}

/// How a search inconsistency is handled. A pass that fails low gives upper bounds only: where the last pass does, and
/// another move came out first, that move is not known to be good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inconsistency {
    /// The move is played, sound or not; the inconsistency is counted.
    Kept,
    /// The move and value from before that pass, a lower bound, are restored.
    Mended,
}

/// The result of a driver at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Value of the root.
    pub score: Score,
    /// Passes made.
    pub passes: u32,
    /// The last pass failed low and the first move had changed: van Horssen's case 2, a search inconsistency.
    pub inconsistent: bool,
}
