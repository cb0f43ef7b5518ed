//! How the engine uses its time: what an iteration costs beside what two predictors expect of it, the time used against
//! the target, and what becomes of the iterations that are broken off.
//!
//! Two engines play games from three-move ballots against each other, each with a clock, or a fixed time or number of
//! nodes for each move, and a memory of its own, as in a match, but within this process.

mod costs;
mod play;
mod tables;
#[cfg(test)]
mod tests;

use super::cost::Engines;
use super::{Findings, Plan, Plot, Scale};
use crate::LabError;
use costs::Seen;
use damier_arena::level::GameLevel;
use damier_arena::schedule::openings::{self, OpeningSource};
use damier_engine::rng::Rng;
use damier_engine::search::Depth;
use play::Players;
use std::time::Duration;
use tables::{growth, predictions, use_of_time};

/// Clocks of the full form: seconds for the game; each move adds a hundredth of that.
const CLOCKS: [f64; 3] = [2.0, 10.0, 60.0];
/// Clocks of the quick form.
const QUICK_CLOCKS: [f64; 3] = [0.1, 0.2, 0.4];
/// Games at each clock, unless another number is given.
const GAMES: (u64, u64) = (10, 1);
/// Longer games are left.
const MAX_PLIES: usize = 200;
/// With so few pieces the endgame tables play.
const FEWEST_PIECES: u32 = 5;
/// Cheaper iterations say nothing about time.
const CHEAPEST: Duration = Duration::from_micros(100);
/// Seed of the order of the ballots.
const SEED: u64 = 1;
/// Both moves of an iteration that was broken off are judged by a search this many plies deeper.
const JUDGED_DEEPER: Depth = 4;
/// A search with a fixed time ends this much before its time at most.
const ANSWER: Duration = Duration::from_millis(2);
/// Scores beyond this, in hundredths of a man, count as this.
const MOST: i32 = 300;

/// How long a move may take.
#[derive(Clone, Copy)]
enum Pace {
    /// Seconds for the game; each move adds a hundredth.
    Clock(f64),
    /// The time of each move.
    Time(Duration),
    /// The nodes of each move. Costs are in nodes then, a microsecond for each, and do not depend on the machine.
    Nodes(u64),
}

impl Pace {
    fn all(plan: &Plan) -> Vec<Pace> {
        match (plan.fixed, plan.quick) {
            (Some(GameLevel::MoveTime(time)), _) => vec![Pace::Time(time)],
            (Some(GameLevel::Nodes(nodes)), _) => vec![Pace::Nodes(nodes)],
            (_, true) => QUICK_CLOCKS.map(Pace::Clock).into(),
            (_, false) => CLOCKS.map(Pace::Clock).into(),
        }
    }

    fn name(self) -> String {
        match self {
            Pace::Clock(seconds) => format!("{seconds}+{}", seconds / 100.0),
            Pace::Time(time) => format!("{} s a move", time.as_secs_f64()),
            Pace::Nodes(nodes) => format!("{nodes} nodes a move"),
        }
    }
}

fn games(plan: &Plan) -> u64 {
    let usual = match plan.quick {
        true => GAMES.1,
        false => GAMES.0,
    };
    plan.matches.games.unwrap_or(usual)
}

/// Games at all paces.
pub(super) fn steps(plan: &Plan) -> usize {
    Pace::all(plan).len() * games(plan) as usize
}

pub(super) fn run(
    plan: &Plan,
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let mut ballots = openings::load(&OpeningSource::ThreeMove).map_err(LabError::step)?;
    Rng::new(SEED).shuffle(&mut ballots);
    let mut makers = Engines::default();
    let mut engine = || makers.engine(&plan.engine);
    let mut players = Players {
        engines: [engine()?, engine()?],
        judge: engine()?,
    };
    let mut all = Vec::new();
    for (index, pace) in Pace::all(plan).into_iter().enumerate() {
        let mut seen = Seen::default();
        for (number, opening) in (0..games(plan)).zip(ballots.iter().cycle()) {
            players.play(opening.game(), pace, &plan.engine.params, &mut seen);
            progress(index * games(plan) as usize + number as usize + 1)?;
        }
        all.push((pace.name(), seen));
    }
    let games = games(plan);
    Ok(Findings {
        experiment: plan.experiment.name(),
        positions: 0,
        depth: None,
        tables: vec![use_of_time(&all, games), predictions(&all), growth(&all)],
        plot: Plot {
            axis: "depth, plies",
            unit: "real cost of an iteration as a share of the predicted one, geometric mean"
                .to_owned(),
            scale: Scale::Linear,
            curves: all.iter().map(|(name, seen)| seen.curve(name)).collect(),
        },
    })
}
