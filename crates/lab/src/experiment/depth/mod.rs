//! What a ply more is worth: how often it changes the best move, and how much the shallower move loses.
//!
//! [`games`] plays each depth against the one before. If deeper search made worse moves (pathology), the loss would
//! grow with the depth; [`endings`] are judged without a search, by the endgame tables.

pub(super) mod endings;
pub(super) mod games;

use super::cost::Engines;
use super::findings::share;
use super::{Curve, Findings, Grid, Plan, Plot, Scale};
use crate::LabError;
use damier_engine::search::{Control, Depth, Report};
use damier_engine::{Engine, Job, Level, Options, Purpose};
use damier_rules::{Game, Move, Position};
use std::path::PathBuf;

/// A move is judged by a search this many plies deeper than the one that chose it.
const JUDGED_DEEPER: Depth = 6;
/// Losses above this many hundredths of a man count as this: a lost game is lost, whatever the score.
const MOST: i32 = 300;

/// What was found for one depth.
#[derive(Clone, Copy, Default, Debug)]
struct Sums {
    positions: usize,
    changed: usize,
    /// Sum of the losses, in hundredths of a man.
    loss: f64,
}

impl Sums {
    /// Share of the positions whose best move changed.
    fn changed_share(&self) -> f64 {
        self.changed as f64 / self.positions as f64
    }

    fn mean_loss(&self) -> f64 {
        self.loss / self.positions as f64
    }
}

/// With the weights of the plan and with the hand-made evaluation: moves and values by depth, then the matches.
pub(super) fn run(
    plan: &Plan,
    positions: &[Position],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let evaluations = [
        ("the network", plan.engine.weights.clone()),
        ("the hand-made evaluation", PathBuf::from("handmade")),
    ];
    let mut maker = Engines::default();
    let mut engines = Vec::new();
    for (_, weights) in &evaluations {
        let options = Options {
            weights: weights.clone(),
            ..plan.engine.clone()
        };
        // Moves are judged by one and the same evaluation.
        engines.push((
            maker.engine(&options)?,
            vec![Sums::default(); plan.depth as usize + 1],
        ));
    }
    let mut judge = maker.engine(&plan.engine)?;
    for (index, &position) in positions.iter().enumerate() {
        for (engine, levels) in &mut engines {
            study(engine, &mut judge, position, plan.depth, levels);
        }
        progress(index + 1)?;
    }
    let mut tables = Vec::new();
    let mut curves = Vec::new();
    for ((name, _), (_, levels)) in evaluations.iter().zip(&engines) {
        tables.push(table(name, levels));
        curves.extend(lines(name, levels));
    }
    let share = |(depth, sums): (usize, &Sums)| (depth, sums.changed_share());
    let shares: Vec<(usize, f64)> = known(&engines[0].1).map(share).collect();
    let done = positions.len();
    tables.push(endings::run(plan, &evaluations, &mut |endings| {
        progress(done + endings)
    })?);
    let done = done + endings::count(plan);
    tables.push(games::run(plan, &shares, &mut |games| {
        progress(done + games)
    })?);
    Ok(Findings {
        experiment: plan.experiment.name(),
        positions: positions.len(),
        depth: Some(plan.depth as u32),
        tables,
        plot: Plot {
            axis: "depth, plies",
            unit: "percent of positions; hundredths of a man".to_owned(),
            scale: Scale::Linear,
            curves,
        },
    })
}

/// The depths that were searched.
fn known(levels: &[Sums]) -> impl Iterator<Item = (usize, &Sums)> {
    let all = levels.iter().enumerate();
    all.filter(|(_, level)| level.positions > 0)
}

/// The table of an evaluation.
fn table(name: &str, levels: &[Sums]) -> Grid {
    let rows = known(levels).map(|(depth, level)| {
        vec![
            depth.to_string(),
            level.positions.to_string(),
            share(level.changed, level.positions),
            format!("{:.2}", level.mean_loss()),
        ]
    });
    Grid {
        title: format!(
            "With {name}: share of the positions with a choice of moves whose best move at this depth is another than \
             a ply before, with its 95 % interval, and what the move loses, in hundredths of a man, as the network \
             judges it {JUDGED_DEEPER} plies deeper."
        ),
        columns: vec!["depth", "positions", "move changed (95 %)", "loss"],
        rows: rows.collect(),
    }
}

/// The curves of an evaluation.
fn lines(name: &str, levels: &[Sums]) -> [Curve; 2] {
    let curve = |what: &str, value: fn(&Sums) -> f64| Curve {
        name: format!("{what}, {name}"),
        points: known(levels)
            .map(|(depth, level)| (depth as u32, value(level)))
            .collect(),
    };
    [
        curve("move changed", |level| 100.0 * level.changed_share()),
        curve("loss", Sums::mean_loss),
    ]
}

/// What a search said at each depth that it completed: the best move and its value in hundredths of a man.
type ByDepth = Vec<Option<(Move, i32)>>;

/// Adds a position to the sums.
fn study(
    engine: &mut Engine,
    judge: &mut Engine,
    position: Position,
    depth: Depth,
    sums: &mut [Sums],
) {
    if position.legal_moves().len() < 2 {
        return;
    }
    let chosen = by_depth(engine, position, depth);
    let judged = by_depth(judge, position, depth + JUDGED_DEEPER);
    // Values of the moves that were chosen at some depth, by the depth of the search of the position behind them.
    let mut values: Vec<(Move, ByDepth)> = Vec::new();
    for at in 2..=depth as usize {
        let (Some((mv, _)), Some((before, _))) = (chosen[at], chosen[at - 1]) else {
            break;
        };
        let deep = at + JUDGED_DEEPER as usize;
        let Some((best, value)) = judged[deep] else {
            break;
        };
        let loss = match mv == best {
            true => 0,
            false => {
                if !values.iter().any(|(known, _)| *known == mv) {
                    let found = by_depth(judge, position.play(mv), depth + JUDGED_DEEPER - 1);
                    values.push((mv, found));
                }
                let found = values.iter().find(|(known, _)| *known == mv);
                let Some((_, own)) = found.and_then(|(_, found)| found[deep - 1]) else {
                    break;
                };
                bounded(value) - bounded(-own)
            }
        };
        let sum = &mut sums[at];
        sum.positions += 1;
        sum.changed += usize::from(mv != before);
        sum.loss += f64::from(loss);
    }
}

fn bounded(value: i32) -> i32 {
    value.clamp(-MOST, MOST)
}

fn by_depth(engine: &mut Engine, position: Position, depth: Depth) -> ByDepth {
    engine.new_game();
    let job = Job::new(Game::new(position), Level::depth(depth)).with_purpose(Purpose::Analyse);
    let mut found = vec![None; depth as usize + 1];
    engine.run(&job, &Control::new(), &mut |report: &Report| {
        if let (Some(place), Some(&mv)) = (found.get_mut(report.depth as usize), report.pv.first())
        {
            *place = Some((mv, report.score.centimen()));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench;

    #[test]
    fn every_position_counts_once_at_each_depth() {
        let options = Options {
            tt_size: 16,
            ..Options::default()
        };
        let mut maker = Engines::default();
        let mut engine = || maker.engine(&options).expect("an engine");
        let (mut own, mut judge) = (engine(), engine());
        let mut sums = [Sums::default(); 5];
        let positions = bench::positions().expect("positions");
        for position in &positions[..6] {
            study(&mut own, &mut judge, *position, 4, &mut sums);
        }
        assert!((1..=6).contains(&sums[2].positions));
        for sum in &sums[2..] {
            assert!(sum.changed <= sum.positions && sum.positions <= sums[2].positions);
            assert!(sum.loss.abs() <= f64::from(2 * MOST) * 6.0);
        }
        // A shallow search loses something against a judge that looks much further.
        assert!(sums[2..].iter().any(|sum| sum.loss > 0.0));
    }
}
