//! `damier bench`.

use crate::cli::engine_args::EVALUATION;
use crate::cli::shared_args::{EncodingArgs, depth};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, endgame};
use damier::lab::TextFile;
use damier::lab::bench::{self, BenchOptions, parse_drivers};
use damier::search::Depth;
use std::io;
use std::path::PathBuf;

/// The examples of bench.
const HELP: &str = "\
Examples:
  damier bench
  damier bench --search all --depth 10
  damier bench positions.fen --json";

/// Search the same positions to the same depth: speed, and a signature of the search
///
/// With several drivers in --search, bench compares them. It searches with one thread and reads no file of options.
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct BenchArgs {
    /// Positions, one a line, or games (PDN) for the last position of each; - for stdin [default: the built-in
    /// positions]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Plies to search
    #[arg(long, value_name = "N", value_parser = depth)]
    pub depth: Option<Depth>,
    /// Search drivers at the root: mtdfix, mtdf, mtdf-clear, pvs, sss and dual, separated by commas, or all [default:
    /// mtdfix]
    #[arg(long, value_name = "NAMES")]
    pub search: Option<String>,
    /// Print one JSON object a line for each driver
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub text: EncodingArgs,
}

impl Command for BenchArgs {
    const NAME: &'static str = "bench";
    const ENGINE: AcceptedOptions =
        AcceptedOptions::without_file(&[EVALUATION, &["tt-size", "param"]]);

    /// The node count must depend on the code and the arguments alone: one thread, and no file of options.
    /// `--search` may name several drivers.
    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let usage = |error: bench::DriversError| Failure::Usage(error.to_string());
        let engine = engine.options()?;
        endgame::report_unusable(&engine);
        let defaults = BenchOptions::default();
        let options = BenchOptions {
            depth: self.depth.unwrap_or(defaults.depth),
            drivers: match &self.search {
                Some(text) => parse_drivers(text).map_err(usage)?,
                None => defaults.drivers,
            },
            engine,
        };
        let path = self.file.as_deref();
        let note = |taken| {
            path.iter()
                .for_each(|path| self.text.print_note(&path.display(), taken))
        };
        let file = path.map(|path| TextFile::from(path).encoded(self.text.encoding, &note));
        let mut out = io::stdout().lock();
        Ok(bench::command(file, &options, self.json, &mut out)?)
    }
}
