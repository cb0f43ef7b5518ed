//! Threads that search one position together: nodes of teams that run in lock step, and the time of real threads.
//!
//! In lock step one thread runs at a time, for a turn of a few nodes each. The nodes of the lead are then the time that
//! the team would take on as many cores, if cores did not slow each other down; they are the same on every machine.

use super::findings::mean_ratio;
use super::{Curve, Findings, Grid, Plan, Plot, Scale};
use crate::LabError;
use damier_endgame::Tables;
use damier_engine::search::{Control, Outcome};
use damier_engine::{Engine, Job, Level, Options, Purpose};
use damier_rules::{Game, Position};
use std::sync::Arc;
use std::time::Duration;

/// Sizes of the teams.
const SIZES: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A team, or as many real threads.
struct Subject {
    threads: usize,
    engine: Engine,
    /// What each position took.
    searches: Vec<Search>,
}

#[derive(Clone, Copy)]
struct Search {
    nodes: f64,
    /// Nodes of the lead.
    own_nodes: f64,
    time: Duration,
}

/// Searches each position with each number of threads, first in lock step, then with as many real threads as there are
/// cores.
pub(super) fn run(
    plan: &Plan,
    positions: &[Position],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let first = engine(plan, SIZES[0], true, None)?;
    let tables = Arc::clone(first.tables());
    let subject = |threads, lock_step| -> Result<Subject, LabError> {
        Ok(Subject {
            threads,
            engine: engine(plan, threads, lock_step, Some(&tables))?,
            searches: Vec::new(),
        })
    };
    let mut teams = Vec::new();
    let mut real = Vec::new();
    for threads in SIZES {
        teams.push(subject(threads, true)?);
        if threads <= cores {
            real.push(subject(threads, false)?);
        }
    }
    for (index, &position) in positions.iter().enumerate() {
        for subject in teams.iter_mut().chain(&mut real) {
            let search = search(&mut subject.engine, position, plan);
            subject.searches.push(search);
        }
        progress(index + 1)?;
    }
    Ok(findings(plan, positions.len(), &teams, &real))
}

fn engine(
    plan: &Plan,
    threads: usize,
    lock_step: bool,
    tables: Option<&Arc<Tables>>,
) -> Result<Engine, LabError> {
    let mut options = Options {
        threads,
        ..plan.engine.clone()
    };
    options.params.lock_step = lock_step;
    if let Some(tables) = tables {
        return Ok(Engine::with_tables(options, Arc::clone(tables))?);
    }
    Ok(Engine::new(options)?)
}

fn search(engine: &mut Engine, position: Position, plan: &Plan) -> Search {
    engine.new_game();
    let level = Level::depth(plan.depth);
    let job = Job::new(Game::new(position), level).with_purpose(Purpose::Measure);
    let control = Control::new();
    let Outcome { stats, .. } = engine.run(&job, &control, &mut ());
    Search {
        nodes: stats.nodes.max(1) as f64,
        own_nodes: stats.own_nodes.max(1) as f64,
        time: control.spent().max(Duration::from_micros(1)),
    }
}

fn findings(plan: &Plan, positions: usize, teams: &[Subject], real: &[Subject]) -> Findings {
    let means = format!(
        "{positions} positions to depth {}; geometric means over the positions with 95 % intervals.",
        plan.depth
    );
    let speed_up = |search: &Search, alone: &Search| alone.own_nodes / search.own_nodes;
    Findings {
        experiment: plan.experiment.name(),
        positions,
        depth: Some(plan.depth as u32),
        tables: vec![
            Grid {
                title: format!("Threads in lock step, compared with one thread. {means}"),
                columns: vec!["threads", "speed-up in nodes", "nodes, ratio"],
                rows: rows(teams, &[&speed_up, &nodes_ratio]),
            },
            Grid {
                title: format!("Real threads, compared with one thread. {means}"),
                columns: vec![
                    "threads",
                    "time, ratio",
                    "nodes, ratio",
                    "nodes a second, ratio",
                ],
                rows: rows(
                    real,
                    &[&time_ratio, &nodes_ratio, &|search, alone| {
                        nodes_ratio(search, alone) / time_ratio(search, alone)
                    }],
                ),
            },
        ],
        plot: Plot {
            axis: "threads",
            unit: "speed-up in nodes, geometric mean".to_owned(),
            scale: Scale::Linear,
            curves: vec![
                Curve {
                    name: "in lock step".to_owned(),
                    points: points(teams, &speed_up),
                },
                Curve {
                    name: "every node counts".to_owned(),
                    points: SIZES.iter().map(|&n| (n as u32, n as f64)).collect(),
                },
            ],
        },
    }
}

fn nodes_ratio(search: &Search, alone: &Search) -> f64 {
    search.nodes / alone.nodes
}

fn time_ratio(search: &Search, alone: &Search) -> f64 {
    search.time.as_secs_f64() / alone.time.as_secs_f64()
}

type Ratio<'a> = &'a dyn Fn(&Search, &Search) -> f64;

/// A row for each subject: its threads, and the mean of each ratio to the first subject.
fn rows(subjects: &[Subject], ratios: &[Ratio]) -> Vec<Vec<String>> {
    let Some(alone) = subjects.first() else {
        return Vec::new();
    };
    let row = |subject: &Subject| {
        let means = ratios
            .iter()
            .map(|ratio| mean_ratio(&compare(subject, alone, ratio)));
        std::iter::once(subject.threads.to_string())
            .chain(means)
            .collect()
    };
    subjects.iter().map(row).collect()
}

fn compare(subject: &Subject, alone: &Subject, ratio: Ratio) -> Vec<f64> {
    let pairs = subject.searches.iter().zip(&alone.searches);
    pairs.map(|(own, alone)| ratio(own, alone)).collect()
}

fn points(subjects: &[Subject], ratio: Ratio) -> Vec<(u32, f64)> {
    let Some(alone) = subjects.first() else {
        return Vec::new();
    };
    let mean = |subject: &Subject| {
        let ratios = compare(subject, alone, ratio);
        let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        (logs / ratios.len().max(1) as f64).exp()
    };
    subjects
        .iter()
        .map(|subject| (subject.threads as u32, mean(subject)))
        .collect()
}
