//! Experiments on the search: the questions that papers on MTD(f) and on game trees ask, asked of this engine.
//!
//! [`run`] does one and gives [`Findings`]: tables and curves, which are written as Markdown, JSON and SVG.
//!
//! - [`cost`]: nodes and time to a depth of several variants of the engine, on the same positions.
//! - [`mtdfix`]: matches of the drivers, and the search inconsistencies in them, as in the paper on MTDfix.
//! - [`evaluation`]: where games to train on come from, how the network is fitted to them, and the endgame tables
//!   beside published counts.
//! - [`time`]: how the clock is used.
//! - [`levels`]: how far apart the levels of the option `elo` are.
//! - [`odds`]: at which part of another engine's time the engine is even with it.
//! - [`depth`]: what a ply more is worth: how often it changes the move, and how much the shallower move loses.
//! - [`threads`]: what several threads are worth, in nodes and in time.

pub mod cost;
pub mod depth;
mod endings;
pub mod evaluation;
mod findings;
pub mod levels;
mod matches;
pub mod mtdfix;
pub mod odds;
pub mod threads;
pub mod time;
mod variants;

pub use crate::plot::{Curve, Plot, Scale};
pub use findings::{Findings, Grid};
pub use matches::MatchConditions;
pub use variants::Variant;

use super::{LabError, bench};
use damier_arena::level::GameLevel;
use damier_engine::Options;
use damier_engine::search::Depth;
use damier_rules::Position;
use damier_text::Encoding;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// An experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Experiment {
    /// The drivers of the root, their first guess and the grain of the scores.
    Drivers,
    /// Moves and values by depth.
    Depth,
    /// Threads that search together.
    Threads,
    /// MTDfix against MTD(f) and PVS, in matches and on positions.
    Mtdfix,
    /// The use of the clock.
    Time,
    /// Weights from different games and losses.
    Evaluation,
}

impl Experiment {
    /// All experiments.
    pub const ALL: [Experiment; 6] = [
        Experiment::Drivers,
        Experiment::Depth,
        Experiment::Threads,
        Experiment::Mtdfix,
        Experiment::Time,
        Experiment::Evaluation,
    ];

    /// Experiments of earlier versions: commit fb37f44 is the last one that has them.
    pub const REMOVED: &[&str] = &["ordering", "table"];

    /// Names of the experiments, in the same order.
    pub const NAMES: &[&str] = &[
        "drivers",
        "depth",
        "threads",
        "mtdfix",
        "time",
        "evaluation",
    ];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        Experiment::NAMES[self as usize]
    }

    /// The positions that it searches unless others are given: those of `damier bench`, or, as in the paper on MTDfix,
    /// 49 successive ones of a game.
    ///
    /// # Errors
    /// None; as [`bench::positions`].
    pub fn positions(self) -> Result<Vec<Position>, LabError> {
        let mut positions = bench::positions()?;
        if self == Experiment::Mtdfix {
            positions.truncate(bench::OF_A_GAME);
        }
        Ok(positions)
    }

    /// The depth of its full form, in plies.
    pub const fn full_depth(self) -> Depth {
        match self {
            Experiment::Drivers | Experiment::Mtdfix => 15,
            Experiment::Threads => 13,
            Experiment::Depth | Experiment::Time | Experiment::Evaluation => 12,
        }
    }

    /// The depth of its quick form, in plies.
    pub const fn quick_depth(self) -> Depth {
        match self {
            Experiment::Drivers | Experiment::Threads | Experiment::Mtdfix => 10,
            Experiment::Depth | Experiment::Time | Experiment::Evaluation => 7,
        }
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Experiment {
    type Err = ();

    fn from_str(text: &str) -> Result<Experiment, ()> {
        let named = |experiment: &Experiment| experiment.name() == text;
        Experiment::ALL.into_iter().find(named).ok_or(())
    }
}

/// What to do.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Which experiment.
    pub experiment: Experiment,
    /// Depth to which positions are searched, in plies.
    pub depth: Depth,
    /// The engine; the experiment changes some of its options.
    pub engine: Options,
    /// Fewer variants.
    pub quick: bool,
    /// The deepest match of the experiment depth; None for that of its form.
    pub match_depth: Option<Depth>,
    /// How its matches are played, if it has any.
    pub matches: MatchConditions,
    /// In the experiment time the time or the nodes of each move instead of the clocks.
    pub fixed: Option<GameLevel>,
    /// In the experiment evaluation games of people in PDN to learn from as well.
    pub pdn: Option<PathBuf>,
    /// Their encoding, where it is given.
    pub encoding: Option<Encoding>,
}

impl Plan {
    /// Steps of its progress, for this many positions.
    ///
    /// # Errors
    /// The openings of its matches cannot be had.
    pub fn steps(&self, positions: usize) -> Result<usize, LabError> {
        Ok(match self.experiment {
            Experiment::Mtdfix => positions + mtdfix::games(self)?,
            Experiment::Depth => {
                positions + depth::endings::count(self) + depth::games::count(self)?
            }
            Experiment::Evaluation => evaluation::steps(self)?,
            Experiment::Time => time::steps(self),
            Experiment::Drivers | Experiment::Threads => positions,
        })
    }
}

impl Findings {
    /// The curves as a picture in SVG.
    ///
    /// # Errors
    /// The curves cannot be drawn.
    pub fn to_svg(&self) -> Result<String, LabError> {
        let title = format!("damier experiment {}", self.experiment);
        crate::plot::svg(&title, &self.plot).map_err(LabError::Plot)
    }
}

/// Does an experiment on these positions. `progress` is told how many of its steps are done.
///
/// # Errors
/// There is no memory for an engine's table, its options are not usable, a match cannot be
/// played, or `progress` fails.
pub fn run(
    plan: &Plan,
    positions: &[Position],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    match plan.experiment {
        Experiment::Drivers => cost::run(plan, positions, &variants::drivers(), progress),
        Experiment::Mtdfix => mtdfix::run(plan, positions, progress),
        Experiment::Evaluation => evaluation::run(plan, progress),
        Experiment::Time => time::run(plan, progress),
        Experiment::Depth => depth::run(plan, positions, progress),
        Experiment::Threads => threads::run(plan, positions, progress),
    }
}
