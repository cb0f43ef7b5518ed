//! `damier bench`: the same positions searched to the same depth, on one thread. The node count is a signature of the
//! search: it depends on nothing but the code and the positions. With several drivers it compares them.
//!
//! Every run begins with an empty table and empty histories of its own. Within a run they are kept from position to
//! position, as in a game: most of the positions are successive ones of a game, and `mtdf` and `mtdf-clear` differ only
//! in what the previous search left in the table. Drivers take turns position by position, so that a machine that slows
//! down slows all of them.

use super::{LabError, TextFile, lines};
use damier_engine::eval::Score;
use damier_engine::search::{Control, Depth, Driver, MAX_DEPTH, Stats};
use damier_engine::{Engine, EngineError, Job, Level, Options, Purpose};
use damier_rules::{Game, Move, Position};
use serde_json::{Value, json};
use std::fmt;
use std::io::Write;
use std::time::Duration;

/// The default depth of each search.
pub const DEFAULT_DEPTH: Depth = 14;

/// The built-in positions: 49 of a game and 20 others.
pub const POSITIONS: &str = damier_bench_positions::BENCH;

/// How many of [`POSITIONS`] are successive positions of a game with White to move: these come first.
pub const OF_A_GAME: usize = 49;

/// Name of [`POSITIONS`] in errors.
const POSITIONS_NAME: &str = "bench-positions/bench.fen";

/// What to run.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchOptions {
    /// Depth of each search, in plies.
    pub depth: Depth,
    /// Ways to search the root, one run each.
    pub drivers: Vec<Driver>,
    /// The engine's options, but for the driver and the threads, of which there is one.
    pub engine: Options,
}

impl Default for BenchOptions {
    fn default() -> BenchOptions {
        BenchOptions {
            depth: DEFAULT_DEPTH,
            drivers: vec![Driver::default()],
            engine: Options::default(),
        }
    }
}

/// Parses the value of `--search`: names of drivers separated by commas, or `all`.
///
/// # Errors
/// A name is unknown, or given twice.
pub fn parse_drivers(text: &str) -> Result<Vec<Driver>, DriversError> {
    if text == "all" {
        return Ok(Driver::ALL.to_vec());
    }
    let mut drivers = Vec::new();
    for name in text.split(',').map(str::trim) {
        let driver: Driver = name.parse().map_err(|_| DriversError::Unknown)?;
        if drivers.contains(&driver) {
            return Err(DriversError::Twice(driver));
        }
        drivers.push(driver);
    }
    Ok(drivers)
}

/// Why a text is not a list of drivers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DriversError {
    /// An unknown name.
    #[error("--search expects all, or names from {}", Driver::NAMES.join(","))]
    Unknown,
    /// A driver is named twice.
    #[error("{0} is named twice")]
    Twice(Driver),
}

/// One position searched by one driver.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchLine {
    /// Number of the position, from 1.
    pub index: usize,
    /// Who searched.
    pub driver: Driver,
    /// The move found; none without a legal move.
    pub best: Option<Move>,
    /// Value, for the side to move.
    pub score: Score,
    /// Counts.
    pub stats: Stats,
    /// Time of the search, without clearing the table before it.
    pub time: Duration,
}

/// `  1 mtdfix     score    0.08  best 32-28     nodes    512345  time  0.105 s  passes 31`
impl fmt::Display for BenchLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:3} {:10} score {:>7}  nodes {:9}  time {:6.3} s  passes {:3}  best {}",
            self.index,
            self.driver.name(),
            self.score.to_string(),
            self.stats.nodes,
            self.time.as_secs_f64(),
            self.stats.passes,
            self.best.map_or("none".to_owned(), |mv| mv.to_string())
        )
    }
}

/// A run of one driver over all positions.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchResult {
    /// Who searched.
    pub driver: Driver,
    /// Depth of each search, in plies.
    pub depth: Depth,
    /// Positions searched.
    pub positions: usize,
    /// Positions entered, quiescence included.
    pub nodes: u64,
    /// Positions found in the endgame tables.
    pub probes: u64,
    /// Time of the searches.
    pub time: Duration,
    /// Iterations completed.
    pub iterations: u64,
    /// Passes of these iterations.
    pub passes: u64,
    /// Iterations whose last pass failed low with a new first move: what `mtdfix` detects and only `mtdfix` corrects.
    pub inconsistencies: u64,
    /// Searches whose last iteration was one of these, so that it decided the move.
    pub decisive: u64,
}

impl BenchResult {
    fn new(driver: Driver, depth: Depth) -> BenchResult {
        BenchResult {
            driver,
            depth,
            positions: 0,
            nodes: 0,
            probes: 0,
            time: Duration::ZERO,
            iterations: 0,
            passes: 0,
            inconsistencies: 0,
            decisive: 0,
        }
    }

    fn add(&mut self, line: &BenchLine) {
        self.positions += 1;
        self.nodes += line.stats.nodes;
        self.probes += line.stats.probes;
        self.time += line.time;
        self.iterations += line.stats.iterations;
        self.passes += line.stats.passes;
        self.inconsistencies += line.stats.detections.count;
        self.decisive += u64::from(line.stats.detections.decisive);
    }

    /// Nodes per second; 0 if no time has passed.
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos();
        let nps = (u128::from(self.nodes) * 1_000_000_000).checked_div(nanos);
        nps.map_or(0, |nps| u64::try_from(nps).unwrap_or(u64::MAX))
    }

    /// Passes per completed iteration, on average; 0 if there was none.
    pub fn passes_per_iteration(&self) -> f64 {
        self.passes as f64 / self.iterations.max(1) as f64
    }

    /// The result as an object, with `nps` and `passes_per_iteration`; `time` in seconds.
    pub fn to_json(&self) -> Value {
        json!({
            "search": self.driver.name(),
            "depth": self.depth,
            "positions": self.positions,
            "nodes": self.nodes,
            "probes": self.probes,
            "time": self.time.as_secs_f64(),
            "nps": self.nps(),
            "iterations": self.iterations,
            "passes": self.passes,
            "passes_per_iteration": self.passes_per_iteration(),
            "inconsistencies": self.inconsistencies,
            "decisive": self.decisive,
        })
    }
}

/// The last line of a bench: `Bench: <nodes> nodes <nps> nps`.
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bench: {} nodes {} nps", self.nodes, self.nps())
    }
}

/// The positions of [`POSITIONS`].
///
/// # Errors
/// Never, as the tests show.
pub fn positions() -> Result<Vec<Position>, LabError> {
    lines::parse_positions(POSITIONS_NAME, POSITIONS)
}

/// The positions of a file, one a line, the last ones of the games of a file, or those of [`POSITIONS`].
///
/// # Errors
/// The file cannot be read, is malformed, or has no position.
pub fn positions_of(file: Option<TextFile<'_>>) -> Result<Vec<Position>, LabError> {
    let Some(file) = file else {
        return positions();
    };
    let (name, text) = file.read()?;
    lines::parse_positions(&name, &text)
}

/// Searches every position with every driver and calls `each` after each search. Returns one result for each driver, in
/// the order of the options.
///
/// # Errors
/// There is no memory for the tables, or `each` fails.
pub fn run(
    positions: &[Position],
    options: &BenchOptions,
    mut each: impl FnMut(&BenchLine) -> Result<(), LabError>,
) -> Result<Vec<BenchResult>, LabError> {
    let depth = options.depth.clamp(1, MAX_DEPTH);
    let mut runs = Vec::new();
    for &driver in &options.drivers {
        let engine = engine(driver, options)?;
        runs.push((engine, BenchResult::new(driver, depth)));
    }
    for (index, &position) in positions.iter().enumerate() {
        for (engine, result) in &mut runs {
            let line = search(engine, result.driver, index + 1, position, depth);
            result.add(&line);
            each(&line)?;
        }
    }
    Ok(runs.into_iter().map(|(_, result)| result).collect())
}

fn engine(driver: Driver, options: &BenchOptions) -> Result<Engine, EngineError> {
    Engine::new(Options {
        search: driver,
        threads: 1,
        ..options.engine.clone()
    })
}

fn search(
    engine: &mut Engine,
    driver: Driver,
    index: usize,
    position: Position,
    depth: Depth,
) -> BenchLine {
    let job = Job::new(Game::new(position), Level::depth(depth)).with_purpose(Purpose::Measure);
    let control = Control::new();
    let outcome = engine.run(&job, &control, &mut ());
    BenchLine {
        index,
        driver,
        best: outcome.best,
        score: outcome.report.score,
        stats: outcome.stats,
        time: control.spent(),
    }
}

/// A table with a line for each driver; nodes and time also as a share of those of the first.
pub fn table(results: &[BenchResult]) -> String {
    let mut out = format!(
        "{:10} {:>12} {:>7} {:>9} {:>7} {:>10} {:>7} {:>9} {:>15} {:>8} {:>9}",
        "search",
        "nodes",
        "",
        "time",
        "",
        "nps",
        "passes",
        "per iter.",
        "inconsistencies",
        "decisive",
        "probes"
    );
    let Some(first) = results.first() else {
        return out;
    };
    let percent = |a: f64, b: f64| format!("{:.1} %", 100.0 * a / b.max(f64::MIN_POSITIVE));
    for r in results {
        let seconds = r.time.as_secs_f64();
        out += &format!(
            "\n{:10} {:12} {:>7} {:7.3} s {:>7} {:10} {:7} {:9.2} {:15} {:8} {:9}",
            r.driver.name(),
            r.nodes,
            percent(r.nodes as f64, first.nodes as f64),
            seconds,
            percent(seconds, first.time.as_secs_f64()),
            r.nps(),
            r.passes,
            r.passes_per_iteration(),
            r.inconsistencies,
            r.decisive,
            r.probes
        );
    }
    out
}

/// The command: searches the positions of `file`, or the built-in ones; prints a line for each search, the table, and
/// at the end the `Bench:` line of the first driver. With `json`, prints only one object for each driver, one a line.
///
/// # Errors
/// The file cannot be read or is malformed, there is no memory for the table, or `out` fails.
pub fn command(
    file: Option<TextFile<'_>>,
    options: &BenchOptions,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    let positions = positions_of(file)?;
    let results = run(&positions, options, |line| {
        if !json {
            writeln!(out, "{line}")?;
            out.flush()?;
        }
        Ok(())
    })?;
    if json {
        for result in &results {
            writeln!(out, "{}", result.to_json())?;
        }
        return Ok(());
    }
    writeln!(out, "{}", table(&results))?;
    if let Some(first) = results.first() {
        writeln!(out, "{first}")?;
    }
    Ok(out.flush()?)
}
