//! `damier experiment`.

use super::levels::LevelsArgs;
use super::matches::{MOVE_TIME, MatchesArgs, first_unused};
use super::odds;
use super::pairings::PairingsArgs;
use crate::cli::engine_args::EVALUATION;
use crate::cli::files::{Pending, SVG, begin};
use crate::cli::shared_args::{EncodingArgs, depth};
use crate::cli::{
    AcceptedOptions, Command, Failure, GivenOptions, endgame, error, print, progress,
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use damier::arena::level::GameLevel;
use damier::lab::experiment::mtdfix;
use damier::lab::experiment::mtdfix::find::{self, Blunder, FindSettings};
use damier::lab::experiment::{self, Experiment, Findings, Plan};
use damier::lab::{LabError, TextFile, asked_to_end, bench, note_requests_to_end};
use damier::rules::Position;
use damier::rules::notation::fen;
use damier::search::Depth;
use std::io::{self, Write};
use std::path::PathBuf;

/// What the experiments ask, and examples.
const HELP: &str = "\
Experiments:
  drivers   mtdfix, mtdf, pvs, SSS*, DUAL*; first guess; grain of scores
  depth     how often one more ply changes the move, what the shallower move loses, and
            matches of each depth against the one before
  mtdfix    MTDfix, MTD(f) and PVS in matches, with the search inconsistencies detected, and on
            49 successive positions of a game
  time      the predicted and the real cost of iterations, and the time used, at three clocks or
            with --move-time or --nodes at a fixed level for each move
  evaluation  weights from self-play, from PDN, by least squares: losses and matches; with --pdn
            from games of people too; endgame tables beside published counts
  threads   the gain from several threads, in nodes and in time
  levels    the Elo between the levels of --elo: a tournament of neighbouring levels, full
            strength and other engines
  odds      the factor on its time or nodes at which Damier is even with another engine

Examples:
  damier experiment drivers --quick
  damier experiment depth --json depth.json --plot depth.svg
  damier experiment mtdfix --nodes 2000 --games 100 --journals games/
  damier experiment mtdfix --pairing mtdfix:mtdf --games 100
  damier experiment mtdfix --paper --weaker 'name=dame cmd=\"dame hub\"' --concurrency 2
  damier experiment mtdfix --paper --weaker 'name=dame cmd=\"dame hub\"' --report
  damier experiment mtdfix --passes W:W25,27,28,33,39,47:B6,12,13,16,24,26 --depth 6
  damier experiment mtdfix --find 12 --depth 10 > found.fen
  damier experiment drivers positions.fen --depth 12
  damier experiment levels --quick
  damier experiment levels --games 400 --journals levels --guest 'name=dame cmd=\"dame hub\" nodes=20000'
  damier experiment odds openings.fen --move-time 0.1 --journals odds --guest 'name=Scan cmd=\"scan hub\" book=false'";

/// Depth of the searches of --find and --passes, unless another is given.
const FIND_DEPTH: Depth = 10;
/// The quick form takes one in so many of the built-in positions.
const QUICK_STEP: usize = 4;

/// Run an experiment on the search, the levels or another engine: tables and a plot
///
/// drivers, threads, depth and mtdfix search the positions of bench; depth, mtdfix, time, evaluation, levels and odds
/// play games. The tables are printed in Markdown. docs/experiments.md has the results.
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct ExperimentArgs {
    /// The experiment: drivers, depth, threads, mtdfix, time, evaluation, levels or odds
    #[arg(value_name = "NAME", value_parser = names())]
    pub experiment: Which,
    /// Positions, one a line, or games (PDN) for the last position of each; in odds the openings; - for stdin [default:
    /// the positions of bench]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Fewer positions, less depth and fewer games: the same tables in less time
    #[arg(long)]
    pub quick: bool,
    /// Plies to search
    #[arg(long, value_name = "N", value_parser = depth)]
    pub depth: Option<Depth>,
    /// Write tables and curves to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Draw the curves to this file as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// In mtdfix: only print the passes of MTD(f) and MTDfix over this position
    #[arg(long, value_name = "FEN", value_parser = fen::parse)]
    pub passes: Option<Position>,
    /// In evaluation: also train on this PDN of games of people
    #[arg(long, value_name = "FILE")]
    pub pdn: Option<PathBuf>,
    #[command(flatten)]
    pub text: EncodingArgs,
    #[command(flatten)]
    pub matches: MatchesArgs,
    #[command(flatten)]
    pub pairings: PairingsArgs,
    #[command(flatten)]
    pub levels: LevelsArgs,
}

/// An experiment on the search, the tournament of levels, or matches at odds.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) enum Which {
    Search(Experiment),
    Levels,
    Odds,
}

const LEVELS: &str = "levels";
const ODDS: &str = "odds";
/// The answer to the name of an experiment that was here once.
const REMOVED: &str =
    "removed; docs/experiments.md has its results and the last commit that can run it";
/// The arguments about games that the tournament uses.
const LEVELS_USE: &[&str] = &["--games", "--journals", "--concurrency", "--seed"];

fn names() -> impl TypedValueParser<Value = Which> {
    let named = |name: String| match &*name {
        LEVELS => Ok(Which::Levels),
        ODDS => Ok(Which::Odds),
        name => name.parse().map(Which::Search),
    };
    let removed = Experiment::REMOVED
        .iter()
        .map(|name| PossibleValue::new(name).hide(true));
    let names = Experiment::NAMES
        .iter()
        .copied()
        .chain([LEVELS, ODDS])
        .map(PossibleValue::new);
    PossibleValuesParser::new(names.chain(removed))
        .try_map(move |name| named(name).map_err(|()| REMOVED))
}

impl Command for ExperimentArgs {
    const NAME: &'static str = "experiment";
    const ENGINE: AcceptedOptions =
        AcceptedOptions::without_file(&[EVALUATION, &["tt-size", "param"]]);

    fn outputs(&self) -> Vec<PathBuf> {
        let outputs = [&self.json, &self.plot].into_iter().flatten();
        outputs.cloned().collect()
    }

    /// Tables in Markdown go to stdout, JSON and a plot to files.
    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        // Before hours of work are done for them.
        let json = begin(self.json.as_deref(), b"{")?;
        let plot = begin(self.plot.as_deref(), SVG)?;
        let findings = match self.experiment {
            Which::Search(Experiment::Mtdfix) if self.passes.is_some() => passes(self, engine)?,
            Which::Search(kind) => match (self.matches.find, kind) {
                (Some(wanted), Experiment::Mtdfix) => return find(self, engine, wanted),
                (None, Experiment::Mtdfix) if self.pairings.are_chosen() => pairings(self, engine)?,
                _ => search(kind, self, engine)?,
            },
            Which::Levels => {
                self.refuse_unused(LEVELS, LEVELS_USE, engine)?;
                self.levels.play(&self.matches, self.quick)?
            }
            Which::Odds => {
                self.refuse_unused(ODDS, odds::USED, engine)?;
                odds::play(self)?
            }
        };
        let written = write(&findings, json, plot);
        // A full disk does not keep the tables back, nor a closed pipe the files.
        print(&findings)?;
        written
    }
}

impl ExperimentArgs {
    /// An argument that is given and not among those that are used.
    fn unused(&self, used: &[&str]) -> Option<&'static str> {
        let all = [
            ("FILE", self.file.is_some()),
            ("--quick", self.quick),
            ("--depth", self.depth.is_some()),
            ("--json", self.json.is_some()),
            ("--plot", self.plot.is_some()),
            ("--passes", self.passes.is_some()),
            ("--pdn", self.pdn.is_some()),
        ];
        first_unused(&all, used)
    }

    /// Refuses what a tournament or matches at odds do not use.
    fn refuse_unused(
        &self,
        name: &str,
        used: &[&str],
        engine: &GivenOptions,
    ) -> Result<(), Failure> {
        let own: &[&str] = match name {
            ODDS => &["FILE", "--quick", "--json", "--plot"],
            _ => &["--quick", "--json", "--plot"],
        };
        let of_engine = (!engine.is_empty()).then_some("an engine option");
        let unused = self.unused(own).or(of_engine);
        let matches = self.matches.unused(used).or(self.pairings.unused());
        match unused.or(matches) {
            Some(what) => Err(Failure::Usage(format!(
                "`experiment {name}` does not use {what}"
            ))),
            None => Ok(()),
        }
    }
}

/// Writes what is to be written beside the tables.
fn write(findings: &Findings, json: Option<Pending>, plot: Option<Pending>) -> Result<(), Failure> {
    if let Some(file) = json {
        let mut text = serde_json::to_string(findings).map_err(error)?;
        text.push('\n');
        file.complete(text.as_bytes())?;
    }
    if let Some(file) = plot {
        file.complete(findings.to_svg()?.as_bytes())?;
    }
    Ok(())
}

/// Does an experiment on the search.
fn search(
    kind: Experiment,
    args: &ExperimentArgs,
    engine: &GivenOptions,
) -> Result<Findings, Failure> {
    let own: &[&str] = match kind {
        Experiment::Evaluation => &["FILE", "--quick", "--depth", "--json", "--plot", "--pdn"],
        _ => &["FILE", "--quick", "--depth", "--json", "--plot"],
    };
    let unused = args.matches.unused(args.matches.used(kind));
    let given = args.levels.given().or(unused).or(args.unused(own));
    let of_pairings = args.pairings.unused();
    if let (Experiment::Mtdfix, None, Some(name)) = (kind, given, of_pairings) {
        return Err(Failure::Usage(format!("{name} needs --pairing or --paper")));
    }
    if let Some(name) = given.or(of_pairings) {
        return Err(Failure::Usage(format!(
            "`experiment {kind}` does not use {name}"
        )));
    }
    let engine = engine.options()?;
    endgame::report_unusable(&engine);
    let usual = match args.quick {
        true => kind.quick_depth(),
        false => kind.full_depth(),
    };
    let plan = Plan {
        experiment: kind,
        depth: args.depth.unwrap_or(usual),
        engine,
        quick: args.quick,
        match_depth: args.matches.match_depth(),
        matches: args
            .matches
            .conditions(kind, args.quick, GameLevel::MoveTime(MOVE_TIME))?,
        fixed: args.matches.level()?,
        pdn: args.pdn.clone(),
        encoding: args.text.encoding,
    };
    let positions = match &args.file {
        Some(path) => {
            let note = |taken| args.text.print_note(&path.display(), taken);
            let file = TextFile::from(path).encoded(args.text.encoding, &note);
            bench::positions_of(Some(file))?
        }
        None => kind.positions()?,
    };
    let step = match args.quick && args.file.is_none() {
        true => QUICK_STEP,
        false => 1,
    };
    let positions: Vec<Position> = positions.into_iter().step_by(step).collect();
    note_requests_to_end();
    let bar = progress::bar(plan.steps(positions.len())? as u64, "steps");
    let findings = experiment::run(&plan, &positions, &mut |done| {
        bar.set_position(done as u64);
        match asked_to_end() {
            true => Err(LabError::Interrupted),
            false => Ok(()),
        }
    })?;
    bar.finish_and_clear();
    Ok(findings)
}

/// Plays chosen pairings of mtdfix, or reports them.
fn pairings(args: &ExperimentArgs, engine: &GivenOptions) -> Result<Findings, Failure> {
    let used = args.matches.used(Experiment::Mtdfix);
    let unused = args.unused(&["--json", "--plot"]);
    if let Some(name) = unused.or(args.matches.unused(used)) {
        return Err(Failure::Usage(format!("chosen pairings do not use {name}")));
    }
    let guests = args.levels.guests()?;
    args.pairings.run(&args.matches, guests, engine)
}

/// The passes over one position.
fn passes(args: &ExperimentArgs, engine: &GivenOptions) -> Result<Findings, Failure> {
    let unused = args.unused(&["--passes", "--depth", "--json", "--plot"]);
    let given = args.levels.given().or(unused).or(args.matches.unused(&[]));
    if let Some(name) = given.or(args.pairings.unused()) {
        return Err(Failure::Usage(format!("`--passes` does not use {name}")));
    }
    let (options, depth) = (engine.options()?, args.depth.unwrap_or(FIND_DEPTH));
    let position = args.passes.unwrap_or_else(Position::start);
    Ok(mtdfix::passes(&options, position, depth)?)
}

/// Looks for positions in which MTD(f) is wrong: lines of a suite on stdout.
fn find(args: &ExperimentArgs, engine: &GivenOptions, wanted: usize) -> Result<(), Failure> {
    let used = args.matches.used(Experiment::Mtdfix);
    let unused = args.unused(&["--depth"]).or(args.matches.unused(used));
    let given = args.levels.given().or(unused);
    if let Some(name) = given.or(args.pairings.unused()) {
        return Err(Failure::Usage(format!("`--find` does not use {name}")));
    }
    let depth = args.depth.unwrap_or(FIND_DEPTH);
    if depth < find::SHALLOWEST {
        return Err(Failure::Usage(format!(
            "`--find` needs --depth {} or more",
            find::SHALLOWEST
        )));
    }
    let settings = FindSettings {
        engine: engine.options()?,
        depth,
        seed: args.matches.seed.unwrap_or(1).into(),
    };
    note_requests_to_end();
    let bar = progress::bar(wanted as u64, "positions");
    let mut each = |blunder: &Blunder| {
        bar.inc(1);
        bar.suspend(|| writeln!(io::stdout().lock(), "{blunder}"))?;
        Ok(())
    };
    let mut progress = |games| {
        bar.set_message(format!("{games} games"));
        match asked_to_end() {
            true => Err(LabError::Interrupted),
            false => Ok(()),
        }
    };
    find::find(&settings, wanted, &mut each, &mut progress)?;
    bar.finish_and_clear();
    Ok(())
}
