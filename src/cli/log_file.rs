//! The log: none unless it is asked for.

use super::args::LogArgs;
use log::LevelFilter;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Instant;

/// Sends the log to where the arguments want it.
pub(super) fn start(args: &LogArgs) -> Result<(), String> {
    let level = match (args.log_level, &args.log_file) {
        (Some(level), _) => level,
        (None, Some(_)) => LevelFilter::Debug,
        (None, None) => return Ok(()),
    };
    let mut builder = env_logger::Builder::new();
    builder.filter_level(level);
    let began = Instant::now();
    builder.format(move |line, record| {
        let seconds = began.elapsed().as_secs_f64();
        writeln!(
            line,
            "{seconds:>9.3} {:<5} {}",
            record.level(),
            record.args()
        )
    });
    if let Some(path) = &args.log_file {
        // Added at the end: an earlier log may be what is needed, and the path may be a slip.
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    builder.try_init().map_err(|error| error.to_string())
}
