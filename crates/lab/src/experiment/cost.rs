//! Nodes and time that variants of the engine need to a depth.
//!
//! Each variant searches each position with an empty table and empty histories; in the experiment `mtdfix` both are
//! kept from one position to the next, as in a game, so that what the last search left counts. The variants take turns
//! position by position, so that a machine that slows down slows all of them.

use super::findings::mean_ratio;
use super::{Curve, Experiment, Findings, Grid, Plan, Plot, Scale, Variant};
use crate::LabError;
use damier_endgame::Tables;
use damier_engine::search::{Control, Depth, Report};
use damier_engine::{Engine, Job, Level, Options, Purpose};
use damier_rules::{Game, Move, Position};
use std::sync::Arc;
use std::time::Duration;

/// What a variant needed for a position.
#[derive(Clone, Debug)]
struct Search {
    /// Nodes when each depth was complete, by depth; 0 where none was.
    nodes: Vec<u64>,
    time: Duration,
    passes: u64,
    iterations: u64,
    best: Option<Move>,
}

/// Compares variants; the first is what the others are compared with.
pub(super) fn run(
    plan: &Plan,
    positions: &[Position],
    variants: &[Variant],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let keeps_table = plan.experiment == Experiment::Mtdfix;
    let mut engines = Engines::default();
    let mut all = Vec::new();
    for variant in variants {
        all.push(engines.engine(&variant.options(&plan.engine)?)?);
    }
    let mut searches: Vec<Vec<Search>> = vec![Vec::new(); variants.len()];
    for (index, &position) in positions.iter().enumerate() {
        for (engine, searches) in all.iter_mut().zip(&mut searches) {
            if !keeps_table {
                engine.new_game();
            }
            searches.push(search(engine, position, plan.depth));
        }
        progress(index + 1)?;
    }
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    for (variant, own) in variants.iter().zip(&searches) {
        rows.push(row(variant, own, &searches[0]));
        curves.push(Curve {
            name: variant.name.clone(),
            points: by_depth(own),
        });
    }
    Ok(Findings {
        experiment: plan.experiment.name(),
        positions: positions.len(),
        depth: Some(plan.depth as u32),
        tables: vec![Grid {
            title: format!(
                "{} positions to depth {}{}. Ratios are geometric means over the positions, with 95 % intervals.",
                positions.len(),
                plan.depth,
                if keeps_table {
                    ", one after the other with the same table"
                } else {
                    ""
                }
            ),
            columns: vec![
                "variant",
                "nodes",
                "nodes, ratio",
                "time",
                "time, ratio",
                "growth a ply",
                "passes an iteration",
                "same move",
                "arguments",
            ],
            rows,
        }],
        plot: Plot {
            axis: "depth, plies",
            unit: "nodes a position, geometric mean".to_owned(),
            scale: Scale::Logarithmic,
            curves,
        },
    })
}

/// Makes engines that share their endgame tables.
#[derive(Default)]
pub(super) struct Engines {
    tables: Option<Arc<Tables>>,
}

impl Engines {
    /// An engine on one thread.
    pub fn engine(&mut self, options: &Options) -> Result<Engine, LabError> {
        let options = Options {
            threads: 1,
            ..options.clone()
        };
        if let Some(tables) = &self.tables {
            return Ok(Engine::with_tables(options, Arc::clone(tables))?);
        }
        let engine = Engine::new(options)?;
        self.tables = Some(Arc::clone(engine.tables()));
        Ok(engine)
    }
}

fn search(engine: &mut Engine, position: Position, depth: Depth) -> Search {
    let job = Job::new(Game::new(position), Level::depth(depth)).with_purpose(Purpose::Measure);
    let mut nodes = vec![0; depth as usize + 1];
    let control = Control::new();
    let outcome = engine.run(&job, &control, &mut |report: &Report| {
        if let Some(nodes) = nodes.get_mut(report.depth as usize) {
            *nodes = report.nodes;
        }
    });
    let time = control.spent();
    // The search may end before its depth, at a proven score: deeper iterations cost nothing.
    let mut last = 1;
    for nodes in &mut nodes[1..] {
        last = last.max(*nodes);
        *nodes = last;
    }
    Search {
        nodes,
        time,
        passes: outcome.stats.passes,
        iterations: outcome.stats.iterations,
        best: outcome.best,
    }
}

fn total(search: &Search) -> u64 {
    search.nodes.last().copied().unwrap_or(1)
}

/// The mean of the ratios of a value, position by position.
fn ratio(own: &[Search], first: &[Search], value: impl Fn(&Search) -> f64) -> String {
    let pairs = own.iter().zip(first);
    let ratios: Vec<f64> = pairs
        .map(|(own, first)| value(own) / value(first))
        .collect();
    mean_ratio(&ratios)
}

fn row(variant: &Variant, own: &[Search], first: &[Search]) -> Vec<String> {
    let time = ratio(own, first, |search| search.time.as_secs_f64().max(1e-6));
    let seconds = own.iter().map(|search| search.time.as_secs_f64());
    let same = own
        .iter()
        .zip(first)
        .filter(|(own, first)| own.best == first.best);
    let passes: u64 = own.iter().map(|search| search.passes).sum();
    let iterations: u64 = own.iter().map(|search| search.iterations).sum();
    vec![
        variant.name.clone(),
        own.iter().map(total).sum::<u64>().to_string(),
        ratio(own, first, |search| total(search) as f64),
        format!("{:.2} s", seconds.sum::<f64>()),
        time,
        format!("{:.2}", growth(own)),
        format!("{:.2}", passes as f64 / iterations.max(1) as f64),
        format!(
            "{:.0} %",
            100.0 * same.count() as f64 / own.len().max(1) as f64
        ),
        match variant.arguments().as_str() {
            "" => String::new(),
            arguments => format!("`{arguments}`"),
        },
    ]
}

/// The geometric mean over the positions of the nodes at each depth.
fn by_depth(searches: &[Search]) -> Vec<(u32, f64)> {
    let depths = searches.first().map_or(0, |search| search.nodes.len());
    let mean = |depth: usize| {
        let logs = searches
            .iter()
            .map(|search| (search.nodes[depth] as f64).ln());
        (logs.sum::<f64>() / searches.len() as f64).exp()
    };
    (1..depths)
        .map(|depth| (depth as u32, mean(depth)))
        .collect()
}

/// Growth of the nodes a ply over the second half of the depths.
fn growth(searches: &[Search]) -> f64 {
    let means = by_depth(searches);
    let Some((&(deep, most), &(shallow, least))) = means.last().zip(means.get(means.len() / 2))
    else {
        return 1.0;
    };
    (most / least).powf(1.0 / f64::from((deep - shallow).max(1)))
}
