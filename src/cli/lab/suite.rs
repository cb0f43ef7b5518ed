//! `damier suite`.

use crate::cli::engine_args::{RESOURCES, SEARCH};
use crate::cli::shared_args::{LimitArgs, whole};
use crate::cli::{Command, Failure, Given, Taken, endgame, usage};
use damier::lab::suite::{self, SuiteOptions};
use std::io;
use std::path::PathBuf;

/// The format of suites. Paragraphs are single lines, which clap wraps; lists and examples fit into 80 columns.
const HELP: &str = "\
A suite is a text file with a position on each line: a FEN, followed by fields, each after a semicolon. Blank lines \
and lines that begin with # are skipped.
  bm 27-22 32-28       the best moves: one of them must be found
  am 33-28             moves to avoid: any other solves it
  result win           win, draw or loss for the side to move: without bm and am,
                       the score must agree with it, with two men or more for a
                       win and one man or less for a draw
  id name              a name for the report
  grade, proof, source  free text: how hard, why it is true, where it is from

  W:W27,32:B8,16; bm 27-22; result win; id shot-1; source own

Examples:
  damier suite tactics
  damier suite endings --nodes 200000 --json
  damier suite my-positions.txt --time 0.5";

/// Search test positions with known solutions, a second each unless told otherwise
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct SuiteArgs {
    /// The suite: tactics or endings, a file, or - for stdin
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print one JSON object a line for each position
    #[arg(long)]
    pub json: bool,
    /// Check the suite itself by a search of NODES positions for every move; of the engine options it takes --tt-size
    /// alone
    #[arg(long, value_name = "NODES", conflicts_with_all = ["json", "time", "depth", "nodes", "param"], value_parser = whole::<u64>(1..))]
    pub prove: Option<u64>,
}

impl Command for SuiteArgs {
    const NAME: &'static str = "suite";
    const ENGINE: Taken = Taken::of(&[RESOURCES, SEARCH, &["param"]]);

    fn run(&self, engine: &Given) -> Result<(), Failure> {
        let options = engine.file_options()?;
        let mut out = io::stdout().lock();
        if let Some(nodes) = self.prove {
            engine.check(
                "suite --prove",
                &usage::of("suite"),
                Taken::of(&[&["tt-size"]]),
            )?;
            return Ok(suite::prove_command(
                &self.suite,
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
        suite::command(&self.suite, &options, self.json, &mut out)?;
        Ok(())
    }
}
