//! `damier bench` and `damier suite`.

use crate::cli::args::{BenchArgs, SuiteArgs};
use crate::cli::{Failure, endgame, level};
use damier::engine::Options;
use damier::lab::bench::{self, BenchOptions};
use damier::lab::suite::{self, SuiteOptions};
use damier::lab::{LabError, bench::parse_drivers};
use std::io;

/// The format of suites. Paragraphs are single lines, which clap wraps; lists and examples fit into 80 columns.
pub(in crate::cli) const SUITE_HELP: &str = "\
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

/// The examples of bench.
pub(in crate::cli) const BENCH_HELP: &str = "\
Examples:
  damier bench
  damier bench --search all --depth 10
  damier bench positions.fen --json";

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Write(error) => Failure::Io(error),
            other => Failure::Error(other.to_string()),
        }
    }
}

/// Runs the bench. Its node count must depend on nothing but the code and the arguments: it reads no file of options
/// and uses one thread. `--search` may name several drivers.
pub(in crate::cli) fn run_bench(args: &BenchArgs) -> Result<(), Failure> {
    let usage = |error: bench::DriversError| Failure::Usage(error.to_string());
    let engine = args.engine.given.options()?;
    endgame::report_unusable(&engine);
    let defaults = BenchOptions::default();
    let options = BenchOptions {
        depth: args.depth.unwrap_or(defaults.depth),
        drivers: match &args.search {
            Some(text) => parse_drivers(text).map_err(usage)?,
            None => defaults.drivers,
        },
        engine,
    };
    let mut out = io::stdout().lock();
    Ok(bench::command(
        args.file.as_deref(),
        &options,
        args.json,
        &mut out,
    )?)
}

/// Runs a suite, or checks it.
pub(in crate::cli) fn run_suite(args: &SuiteArgs, options: Options) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if let Some(nodes) = args.prove {
        return Ok(suite::prove_command(
            &args.suite,
            nodes,
            options.tt_size,
            &mut out,
        )?);
    }
    endgame::report_unusable(&options);
    let options = SuiteOptions {
        level: level(&args.limits, 1),
        engine: options,
    };
    suite::command(&args.suite, &options, args.json, &mut out)?;
    Ok(())
}
