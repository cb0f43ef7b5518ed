//! The commands of the lab: bench and suite.

use super::args::{BenchArgs, SuiteArgs};
use super::engine_args::EngineArgs;
use super::{Failure, level};
use damier::engine::Options;
use damier::lab::bench::{self, BenchOptions};
use damier::lab::suite::{self, SuiteOptions};
use damier::lab::{LabError, bench::parse_drivers};
use std::io;

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Write(error) => Failure::Io(error),
            other => Failure::Error(other.to_string()),
        }
    }
}

/// Runs the bench. Its node count must depend on nothing but the code and the arguments, so no file of options is asked, and there is one
/// thread; `--search` may name many drivers.
pub(super) fn run_bench(args: &BenchArgs, mut engine: EngineArgs) -> Result<(), Failure> {
    let usage = |error: bench::DriversError| Failure::Usage(error.to_string());
    let drivers = engine.take("search");
    let mut options = Options::default();
    engine.apply(&mut options).map_err(Failure::Usage)?;
    super::endgame::report_unusable(&options);
    args.params.apply(&mut options)?;
    let defaults = BenchOptions::default();
    let options = BenchOptions {
        depth: args.depth.unwrap_or(defaults.depth),
        drivers: drivers.map_or(Ok(defaults.drivers), |text| {
            parse_drivers(&text).map_err(usage)
        })?,
        engine: options,
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
pub(super) fn run_suite(args: &SuiteArgs, mut options: Options) -> Result<(), Failure> {
    args.params.apply(&mut options)?;
    let mut out = io::stdout().lock();
    if let Some(nodes) = args.prove {
        return Ok(suite::prove_command(
            &args.suite,
            nodes,
            options.tt_size,
            &mut out,
        )?);
    }
    super::endgame::report_unusable(&options);
    let options = SuiteOptions {
        level: level(&args.limits, 1),
        engine: options,
    };
    suite::command(&args.suite, &options, args.json, &mut out)?;
    Ok(())
}
