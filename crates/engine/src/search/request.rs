//! What is asked of a search, and what it answers.

use super::driver::Window;
use super::{Depth, Limits};
use crate::eval::{Score, Wdl};
use damier_rules::{Game, Move};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What to search.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The game up to the position to search.
    pub game: &'a Game,
    /// When to end.
    pub limits: Limits,
    /// Continue where a search in a game would stop: at forced moves and settled choices.
    pub analyze: bool,
    /// Scores of a hundredth of a man instead of those of the parameter `grain`.
    pub fine: bool,
    /// Number of best moves to find, each with its score and line; at least one.
    pub lines: usize,
    /// Moves not to be considered.
    pub excluded: &'a [Move],
}

impl<'a> Request<'a> {
    /// A search of all moves for the best one, as in a game.
    pub fn new(game: &'a Game, limits: Limits) -> Request<'a> {
        Request {
            game,
            limits,
            analyze: false,
            fine: false,
            lines: 1,
            excluded: &[],
        }
    }

    /// A search of all moves for analysis.
    pub fn analysis(game: &'a Game, limits: Limits) -> Request<'a> {
        Request {
            analyze: true,
            ..Request::new(game, limits)
        }
    }
}

/// Counts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Nodes of the lead; in lock step the search time in nodes.
    pub own_nodes: u64,
    /// Positions found in the endgame tables.
    pub probes: u64,
    /// Iterations completed.
    pub iterations: u64,
    /// Passes of completed iterations.
    pub passes: u64,
    /// Search inconsistencies.
    pub detections: Detections,
}

/// Search inconsistencies that an MTD driver has detected in a search (van Horssen's case 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Detections {
    /// Iterations in which there was one.
    pub count: u64,
    /// Whether the best move comes from such an iteration: the fix decides which move is played.
    pub decisive: bool,
}

impl Detections {
    /// Whether there was any.
    pub fn any(self) -> bool {
        self.count > 0
    }
}

/// `3/1`: three detections, the move depends on the last one; `3/0`: it does not.
impl fmt::Display for Detections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.count, u8::from(self.decisive))
    }
}

impl FromStr for Detections {
    type Err = ();

    fn from_str(text: &str) -> Result<Detections, ()> {
        let (count, decisive) = text.split_once('/').ok_or(())?;
        let count = count.parse().map_err(|_| ())?;
        let decisive = match decisive {
            "0" => false,
            "1" if count > 0 => true,
            _ => return Err(()),
        };
        Ok(Detections { count, decisive })
    }
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play. None when there is no legal move.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// What is known of the best move at the end.
    pub report: Report,
    /// As many lines as asked for and found, in the order of their scores; none where there is no legal move.
    pub lines: Vec<Report>,
    /// The score of the last whole iteration. That of the report may come from an iteration that was
    /// interrupted, which shows rises of the score and no falls.
    pub whole: Score,
    /// Counts.
    pub stats: Stats,
    /// How the time of a game clock was used.
    pub timing: Timing,
}

/// How a search used the time of a game clock; empty where it had none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Timing {
    /// The target of the clock, before the search adjusts it.
    pub target: Option<Duration>,
    /// The iterations, the last one perhaps interrupted.
    pub iterations: Vec<IterationTime>,
}

/// What an iteration cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct IterationTime {
    /// Depth in plies.
    pub depth: u32,
    /// What it was expected to cost after the one before; none for the first.
    pub predicted: Option<Duration>,
    /// What it cost, or until it was interrupted.
    pub cost: Duration,
    /// Whether it was completed.
    pub finished: bool,
    /// Whether it changed the best move.
    pub changed: bool,
}

/// What is known of one of the best moves after an iteration, or at the end.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Place of the move among the best: 1 for the best one, 0 where there is no legal move.
    pub rank: usize,
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Mean ply of the leaves.
    pub mean_depth: f64,
    /// Value of the first move of `pv`, for the side to move.
    pub score: Score,
    /// Positions entered, quiescence included, by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// The line both sides are expected to play; legal from the root position.
    pub pv: Vec<Move>,
    /// What the score means; the engine adds it, unless it is measured.
    pub wdl: Option<Wdl>,
    /// Inconsistencies so far; those of the search for the best move only, at rank 1.
    pub detections: Detections,
}

impl Report {
    /// Nodes per second; 0 when no time has passed.
    pub fn nps(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 {
            self.nodes as f64 / seconds
        } else {
            0.0
        }
    }
}

/// A pass over the moves of the root: a window and what came back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PassReport {
    /// Depth of the iteration in plies.
    pub depth: Depth,
    /// The window.
    pub window: Window,
    /// The best bound.
    pub score: Score,
    /// The move with this bound, the first one of several.
    pub first: Option<Move>,
}

/// Receives reports on the thread of the search; must return quickly.
pub trait Observer {
    /// A line: after every finished iteration, all of them, the best one first; when the best move of an unfinished
    /// iteration changes; and when there was nothing else for a second, with the nodes and the time so far.
    fn report(&mut self, report: &Report);

    /// A pass was made.
    fn pass(&mut self, _pass: &PassReport) {}
}

/// Ignores all reports.
impl Observer for () {
    fn report(&mut self, _: &Report) {}
}

/// Any closure is an observer.
impl<F: FnMut(&Report)> Observer for F {
    fn report(&mut self, report: &Report) {
        self(report);
    }
}

#[cfg(test)]
mod tests {
    use super::Detections;

    #[test]
    fn detections_survive_text() {
        for (count, decisive) in [(0, false), (1, true), (12, false)] {
            let detections = Detections { count, decisive };
            assert_eq!(detections.to_string().parse(), Ok(detections));
        }
        for bad in ["", "1", "1/", "1/2", "0/1", "-1/0", "1/1/1", "x/0"] {
            assert_eq!(bad.parse::<Detections>(), Err(()), "{bad}");
        }
    }
}
