//! `damier suite`: searches positions with known solutions, and reports what was found, when, and what was not.
//!
//! Table and histories are cleared before every position, so that a result does not depend on the other positions.

use super::{LabError, Solution, SuiteEntry, TextFile, lines, prove};
use damier_engine::eval::Score;
use damier_engine::search::{Control, Report};
use damier_engine::{Engine, Job, Level, Options, Purpose};
use damier_rules::{Game, Move};
use serde_json::{Value, json};
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The built-in suites: name and text.
pub const BUILT_IN: [(&str, &str); 2] = [
    ("tactics", damier_bench_positions::TACTICS),
    ("endings", damier_bench_positions::ENDINGS),
];

/// How to search.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteOptions {
    /// When each search ends. Without any limit it ends after a second.
    pub level: Level,
    /// Threads, table and driver.
    pub engine: Options,
}

impl Default for SuiteOptions {
    fn default() -> SuiteOptions {
        SuiteOptions {
            level: Level::move_time(Duration::from_secs(1)),
            engine: Options::default(),
        }
    }
}

/// The point of a search at which something was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// Depth of the iteration that found it.
    pub depth: u32,
    /// Nodes at the end of that iteration.
    pub nodes: u64,
    /// Time at the end of that iteration.
    pub time: Duration,
}

impl When {
    fn of(report: &Report) -> When {
        When {
            depth: report.depth,
            nodes: report.nodes,
            time: report.time,
        }
    }
}

/// The result of a search for the solution of an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The first of the iterations that held to the solution up to the end; none if the search ended with something
    /// else.
    pub solved: Option<When>,
    /// The move at the end.
    pub best: Option<Move>,
    /// Score at the end, for the side to move.
    pub score: Score,
    /// Where the search ended.
    pub end: When,
}

impl Finding {
    /// The finding as an object; `nodes`, `depth` and `time` (seconds) are those of the solution, null without a
    /// solution.
    pub fn to_json(&self, entry: &SuiteEntry) -> Value {
        json!({
            "id": entry.id,
            "fen": damier_rules::notation::fen::format(&entry.position),
            "wanted": entry.solution.to_string(),
            "solved": self.solved.is_some(),
            "depth": self.solved.map(|when| when.depth),
            "nodes": self.solved.map(|when| when.nodes),
            "time": self.solved.map(|when| when.time.as_secs_f64()),
            "best": self.best.map(|mv| mv.to_string()),
            "score": self.score.men(),
            "end_depth": self.end.depth,
            "end_nodes": self.end.nodes,
            "end_time": self.end.time.as_secs_f64(),
        })
    }
}

/// All findings together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SuiteSummary {
    /// Entries solved.
    pub solved: usize,
    /// Entries searched.
    pub entries: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl SuiteSummary {
    /// Share of the entries solved, 0 to 1.
    pub fn share(&self) -> f64 {
        self.solved as f64 / self.entries.max(1) as f64
    }
}

/// `Solved: 58 of 60 (96.7 %), 12345678 nodes, 3.456 s`
impl fmt::Display for SuiteSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Solved: {} of {} ({:.1} %), {} nodes, {:.3} s",
            self.solved,
            self.entries,
            100.0 * self.share(),
            self.nodes,
            self.time.as_secs_f64()
        )
    }
}

/// Searches one entry, with cleared table and histories.
pub fn solve(engine: &mut Engine, entry: &SuiteEntry, level: Level) -> Finding {
    engine.new_game();
    let job = Job::new(Game::new(entry.position), level).with_purpose(Purpose::Measure);
    let mut since: Option<When> = None;
    let mut watch = |report: &Report| {
        if entry
            .solution
            .is_met(report.pv.first().copied(), report.score)
        {
            since = since.or(Some(When::of(report)));
        } else {
            since = None;
        }
    };
    let outcome = engine.run(&job, &Control::new(), &mut watch);
    let end = When::of(&outcome.report);
    let met = entry.solution.is_met(outcome.best, outcome.report.score);
    Finding {
        solved: met.then(|| since.unwrap_or(end)),
        best: outcome.best,
        score: outcome.report.score,
        end,
    }
}

/// Searches every entry and calls `each` after each.
///
/// # Errors
/// There is no memory for the table, or `each` fails.
pub fn run(
    entries: &[SuiteEntry],
    options: &SuiteOptions,
    mut each: impl FnMut(&SuiteEntry, &Finding) -> Result<(), LabError>,
) -> Result<SuiteSummary, LabError> {
    let mut engine = Engine::new(Options {
        ..options.engine.clone()
    })?;
    let level = if options.level.is_infinite() {
        SuiteOptions::default().level
    } else {
        options.level
    };
    let mut summary = SuiteSummary::default();
    for entry in entries {
        let finding = solve(&mut engine, entry, level);
        summary.entries += 1;
        summary.solved += usize::from(finding.solved.is_some());
        summary.nodes += finding.end.nodes;
        summary.time += finding.end.time;
        each(entry, &finding)?;
    }
    Ok(summary)
}

/// Loads a suite: one of [`BUILT_IN`] by its name, or a file.
///
/// # Errors
/// The file cannot be read or is malformed.
pub fn load<'a>(file: impl Into<TextFile<'a>>) -> Result<Vec<SuiteEntry>, LabError> {
    let file = file.into();
    let is_named = |(name, _): &&(&str, _)| Path::new(name) == file.path;
    match BUILT_IN.iter().find(is_named) {
        Some((name, text)) => lines::parse_entries(name, text),
        None => {
            let (name, text) = file.read()?;
            lines::parse_entries(&name, &text)
        }
    }
}

/// The command: prints a line for each entry, a list of those not solved, and the share of those solved. With `json`,
/// prints an object for each entry and one for the summary, one a line.
///
/// # Errors
/// The file cannot be read or is malformed, there is no memory for the table, or `out` fails.
pub fn command<'a>(
    file: impl Into<TextFile<'a>>,
    options: &SuiteOptions,
    json: bool,
    out: &mut dyn Write,
) -> Result<SuiteSummary, LabError> {
    let entries = load(file)?;
    let mut missed = Vec::new();
    let summary = run(&entries, options, |entry, finding| {
        if json {
            writeln!(out, "{}", finding.to_json(entry))?;
        } else {
            writeln!(out, "{}", line(entry, finding))?;
        }
        if finding.solved.is_none() {
            missed.push(entry.id.clone());
        }
        Ok(out.flush()?)
    })?;
    if json {
        let object = json!({
            "solved": summary.solved,
            "entries": summary.entries,
            "share": summary.share(),
            "nodes": summary.nodes,
            "time": summary.time.as_secs_f64(),
            "missed": missed,
        });
        writeln!(out, "{object}")?;
    } else {
        if !missed.is_empty() {
            writeln!(out, "Not found: {}", missed.join(", "))?;
        }
        writeln!(out, "{summary}")?;
    }
    out.flush()?;
    Ok(summary)
}

/// `tactics-01  found 27-21 at depth 5, 12345 nodes, 0.002 s, score 1.52`, or what was found instead.
fn line(entry: &SuiteEntry, finding: &Finding) -> String {
    let best = finding.best.map_or("none".to_owned(), |mv| mv.to_string());
    let score = finding.score;
    match finding.solved {
        Some(when) => format!(
            "{:12} found {best} at depth {}, {} nodes, {:.3} s, score {score}",
            entry.id,
            when.depth,
            when.nodes,
            when.time.as_secs_f64()
        ),
        None => format!(
            "{:12} NOT found: {best} ({score}) at depth {}, {} nodes, {:.3} s; wanted {}",
            entry.id,
            finding.end.depth,
            finding.end.nodes,
            finding.end.time.as_secs_f64(),
            entry.solution
        ),
    }
}

/// The command that checks a suite: searches every root move of every entry by itself, with at most `nodes` each;
/// prints a line for each entry with the scores of the moves that it names and of the best other one.
///
/// # Errors
/// As [`command`].
pub fn prove_command<'a>(
    file: impl Into<TextFile<'a>>,
    nodes: u64,
    table_size: u32,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    let entries = load(file)?;
    prove::prove_all(&entries, nodes, table_size, |entry, proof| {
        let text = |score: Option<Score>| score.map_or("none".to_owned(), |it| it.to_string());
        let found = match &entry.solution {
            Solution::Moves(moves) => {
                let (worst, rival) = proof.against_others(moves);
                format!(" at least {worst}, other moves at most {}", text(rival))
            }
            Solution::Avoid(moves) => {
                let (avoided, other) = proof.avoiding(moves);
                format!(": best other {}, avoided at most {avoided}", text(other))
            }
            Solution::Score(_) => {
                let best = proof.values.first().map(|&(_, score)| score);
                format!(" best {}", text(best))
            }
        };
        writeln!(out, "{:12} {}{found}", entry.id, entry.solution)?;
        Ok(out.flush()?)
    })
}
