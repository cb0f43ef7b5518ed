//! Checks compositions: whether the solution is right, whether another one exists, and what the defences are.
//!
//! ```no_run
//! use damier_analysis::Stop;
//! use damier_analysis::solve::{Problem, Solver};
//! use damier_engine::{Engine, Options};
//! use damier_rules::notation::fen;
//!
//! let mut solver = Solver::new(Engine::new(Options::default())?, 200_000);
//! let problem = Problem::win(fen::parse("W:W6,7,40:B19,30,33")?);
//! let solution = solver.solve(&problem, &Stop::new());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What counts as a win is said at [`WON`], what a dual is at [`Alternative`].

mod json;
mod judge;
mod solver;
#[cfg(test)]
mod tests;
mod text;
mod walk;

pub use json::SolutionObject;
pub use solver::Solver;

use damier_engine::eval::Score;
use damier_rules::board::Color;
use damier_rules::notation::pdn::{Game as PdnGame, Outcome};
use damier_rules::{Move, Position};
use std::fmt;

/// A move wins where the end on the board or the endgame tables prove it, or where a search gives the win at least this
/// chance. A move draws where the chance not to lose is as large.
pub const WON: f64 = 0.9;
/// A move fails where that chance is smaller than this. Between the two it is not clear.
pub const MISSED: f64 = 0.5;

/// What the composer asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A win.
    Win,
    /// A draw.
    Draw,
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Goal::Win => "win",
            Goal::Draw => "draw",
        })
    }
}

/// Where the goal of a composition comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalSource {
    /// It was asked for.
    Given,
    /// The result of the game says it.
    Result,
    /// The end of the solution says it, as in "and wins".
    Solution,
    /// The convention of compositions: White wins unless it is said otherwise.
    Convention,
}

/// A composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The first position; any number of pieces, either side to move.
    pub start: Position,
    /// The side that reaches the goal.
    pub side: Color,
    /// What it reaches.
    pub goal: Goal,
    /// Where the goal comes from.
    pub source: GoalSource,
    /// The solution of the composer, both sides' moves; may be empty.
    pub intended: Vec<Move>,
}

impl Problem {
    /// A composition without a solution in which the side to move wins.
    pub fn win(start: Position) -> Problem {
        Problem {
            start,
            side: start.turn(),
            goal: Goal::Win,
            source: GoalSource::Given,
            intended: Vec::new(),
        }
    }

    /// A composition as a game: its moves are the solution, its result names the winner, or a draw by the side to move.
    /// Without a result the end of the solution says who wins, or that White draws; else White wins, whoever begins:
    /// the convention of compositions.
    pub fn of_game(game: &PdnGame) -> Problem {
        let (side, goal, source) = match game.result {
            Outcome::White => (Color::White, Goal::Win, GoalSource::Result),
            Outcome::Black => (Color::Black, Goal::Win, GoalSource::Result),
            Outcome::Draw => (game.start.turn(), Goal::Draw, GoalSource::Result),
            Outcome::Nobody | Outcome::Unknown => match game.goal() {
                Some(Outcome::Black) => (Color::Black, Goal::Win, GoalSource::Solution),
                Some(Outcome::Draw) => (Color::White, Goal::Draw, GoalSource::Solution),
                Some(_) => (Color::White, Goal::Win, GoalSource::Solution),
                None => (Color::White, Goal::Win, GoalSource::Convention),
            },
        };
        Problem {
            start: game.start,
            side,
            goal,
            source,
            intended: game.plain_moves(),
        }
    }
}

/// Whether a move or a line reaches the goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// It does not.
    Missed,
    /// The search cannot tell.
    Unclear,
    /// It does.
    Reached,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The solution reaches the goal, and is the only one.
    Sound,
    /// Another first move reaches the goal too.
    Cook,
    /// Another move reaches the goal too, later in the main line.
    Dual,
    /// A defence refutes the composer's solution, or no move reaches the goal.
    Refuted,
    /// Not decided with so many nodes.
    Unsolved,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Sound => "sound",
            Verdict::Cook => "cook",
            Verdict::Dual => "dual",
            Verdict::Refuted => "refuted",
            Verdict::Unsolved => "unsolved",
        })
    }
}

/// Another move than the solution's that reaches the goal, or may: a cook at the first move of the side that solves, a
/// dual at a later one. A dual at the last move of a line is usually accepted, and so is one that only a defence beside
/// the main line allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// The ply from 1 at which it can be played.
    pub ply: usize,
    /// The moves before it, from the first position.
    pub path: Vec<Move>,
    /// The move and what is expected to follow.
    pub line: Vec<Move>,
    /// [`Status::Reached`], or [`Status::Unclear`].
    pub status: Status,
    /// For the side that solves.
    pub score: Score,
    /// Whether it is the first move of the side that solves.
    pub is_first: bool,
    /// Whether it is the last one of its line, and not the first.
    pub is_last: bool,
    /// Whether it stands in the main line.
    pub in_main_line: bool,
}

impl Alternative {
    /// Whether composers accept it in a sound composition.
    pub fn is_accepted(&self) -> bool {
        !self.is_first && (self.is_last || !self.in_main_line)
    }
}

/// A reply that is not in the main line, and how it is answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// The ply from 1 of the reply.
    pub ply: usize,
    /// The moves before it, from the first position.
    pub path: Vec<Move>,
    /// The reply and the line that follows.
    pub line: Vec<Move>,
    /// Whether the goal is still reached.
    pub status: Status,
}

/// What was found of a composition.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The verdict.
    pub verdict: Verdict,
    /// What was asked.
    pub problem: Problem,
    /// The main line, from the first position; that of the composer where there is one.
    pub main_line: Vec<Move>,
    /// The score after the main line, for the side that solves.
    pub score: Score,
    /// Whether that is an end on the board or in the endgame tables, not an evaluation.
    pub is_proven: bool,
    /// All replies beside the main line.
    pub defences: Vec<Defence>,
    /// Cooks and duals, those of the main line first.
    pub alternatives: Vec<Alternative>,
    /// The ply from 1 of the move of the solution that fails; none where none does.
    pub refuted_at: Option<usize>,
    /// The defence that refutes, or the best try where no move reaches the goal; only where the verdict is so.
    pub refutation: Option<Defence>,
    /// Whether every defence was followed; a composition with very many is not searched for ever.
    pub is_complete: bool,
    /// Positions searched.
    pub nodes: u64,
}

impl Solution {
    /// Whether the composition is sound; `strict` accepts no dual at all.
    pub fn is_sound(&self, strict: bool) -> bool {
        self.verdict == Verdict::Sound && (!strict || self.alternatives.is_empty())
    }
}
