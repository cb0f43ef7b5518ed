//! `damier suite`.

use crate::cli::engine_args::{RESOURCES, SEARCH};
use crate::cli::shared_args::{EncodingArgs, LimitArgs, whole};
use crate::cli::{
    AcceptedOptions, Command, Failure, GivenOptions, endgame, error, progress, usage,
};
use damier::arena::level::GameLevel;
use damier::arena::spec;
use damier::lab::convert::{self, Conversion};
use damier::lab::suite::{self, SuiteOptions};
use damier::lab::{TextFile, duel};
use damier::os::signals::note_requests_to_end;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The format of suites. Paragraphs are single lines, which clap wraps; lists and examples fit into 80 columns.
const HELP: &str = "\
A suite is a text file with a position on each line: a FEN, followed by fields, each after a semicolon. Blank lines \
and lines that begin with # are skipped. Games of PDN have the position as FEN tag, and the move to find first.
  bm 27-22 32-28       the best moves: one of them must be found
  am 33-28             moves to avoid: any other solves it
  result win           win, draw or loss for the side to move: without bm and am,
                       the score must agree with it, with two men or more for a
                       win and one man or less for a draw
  id name              a name for the report
  grade, proof, source  free text: how hard, why it is true, where it is from

  W:W27,32:B8,16; bm 27-22; result win; id shot-1; source own

With --convert the positions with result win or loss are played out instead of searched, twice each against --engine, \
so that each engine has the winning side once. The limit of a move is --time, --nodes or --depth, or the level of the \
engine's own description.

Examples:
  damier suite tactics
  damier suite endings --nodes 200000 --json
  damier suite my-positions.txt --time 0.5";

/// Search test positions with known solutions, one second each by default
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct SuiteArgs {
    /// The suite: tactics or endings, a file of positions or of games (PDN), or - for stdin
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print one JSON object a line for each position
    #[arg(long)]
    pub json: bool,
    /// Check the suite itself by a search of NODES positions for every move; of the engine options it takes --tt-size
    /// alone
    #[arg(
        long,
        value_name = "NODES",
        conflicts_with_all = ["json", "time", "depth", "nodes", "param"],
        value_parser = whole::<u64>(1..)
    )]
    pub prove: Option<u64>,
    /// Play the won positions out against --engine, once with each side, and count the wins of both engines
    #[arg(long, requires = "engine", conflicts_with_all = ["prove", "param"])]
    pub convert: bool,
    /// With --convert: the opponent, described as for `damier match`; repeat it to name both players
    #[arg(long, value_name = "DESCRIPTION", requires = "convert")]
    pub engine: Vec<String>,
    /// With --convert: games at once [default: 1]
    #[arg(long, value_name = "N", requires = "convert", value_parser = whole::<u16>(1..=1_000))]
    pub concurrency: Option<u16>,
    #[command(flatten)]
    pub text: EncodingArgs,
}

impl SuiteArgs {
    /// Plays the won positions out.
    fn convert(&self, file: TextFile<'_>) -> Result<(), Failure> {
        let refuse = |why: &dyn std::fmt::Display| Failure::Usage(why.to_string());
        let guest = |text: &String| {
            spec::parse(text).map_err(|why| refuse(&format!("--engine '{text}': {why}")))
        };
        let mut engines: Vec<_> = self.engine.iter().map(guest).collect::<Result<_, _>>()?;
        if engines.len() == 1 {
            let program = std::env::current_exe().map_err(error)?;
            engines.insert(0, duel::this_engine(&program));
        }
        let concurrency = self.concurrency.and_then(|n| NonZeroUsize::new(n.into()));
        let concurrency = concurrency.unwrap_or(NonZeroUsize::MIN);
        spec::check(&engines, concurrency.get()).map_err(|why| refuse(&why))?;
        let Ok(engines) = engines.try_into() else {
            return Err(refuse(&"--convert takes one or two engines"));
        };
        let limits = [
            self.limits.time.map(GameLevel::MoveTime),
            self.limits.nodes.map(GameLevel::Nodes),
            self.limits.depth.map(GameLevel::Depth),
        ];
        let limits: Vec<GameLevel> = limits.into_iter().flatten().collect();
        let level = match limits[..] {
            [] => GameLevel::MoveTime(Duration::from_secs(1)),
            [level] => level,
            _ => {
                return Err(refuse(
                    &"--convert takes one of --time, --nodes and --depth",
                ));
            }
        };
        let conversion = Conversion {
            engines,
            level,
            concurrency,
        };
        note_requests_to_end();
        let bar = progress::bar(0, "games");
        let mut out = io::stdout().lock();
        let mut show = |_: &str, done, total| progress::show(&bar, done, total);
        convert::command(file, &conversion, self.json, &mut out, &mut show)?;
        bar.finish_and_clear();
        Ok(())
    }
}

impl Command for SuiteArgs {
    const NAME: &'static str = "suite";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[RESOURCES, SEARCH, &["param"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let note = |taken| self.text.print_note(&self.suite.display(), taken);
        let file = TextFile::from(&self.suite).encoded(self.text.encoding, &note);
        if self.convert {
            engine.check(
                "suite --convert",
                &usage::of(Self::NAME),
                AcceptedOptions::NONE,
            )?;
            return self.convert(file);
        }
        let options = engine.file_options()?;
        let mut out = io::stdout().lock();
        if let Some(nodes) = self.prove {
            engine.check(
                "suite --prove",
                &usage::of(Self::NAME),
                AcceptedOptions::of(&[&["tt-size"]]),
            )?;
            return Ok(suite::prove_command(
                file,
                nodes,
                options.tt_size,
                &mut out,
            )?);
        }
        endgame::report_unusable(&options);
        let options = SuiteOptions {
            level: self.limits.level_or(1),
            engine: options,
        };
        suite::command(file, &options, self.json, &mut out)?;
        Ok(())
    }
}
