//! The log: none unless it is asked for.

use super::args::LogArgs;
use log::LevelFilter;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
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
        // Added at the end: an earlier log may be what is needed, and the path may be a slip. Games and weights are no log.
        if holds_data(path) {
            return Err(format!(
                "{}: a file of games or weights, not a log; name another one",
                path.display()
            ));
        }
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    builder.try_init().map_err(|error| error.to_string())
}

/// Whether there is a file that begins as the files of this program do.
fn holds_data(path: &Path) -> bool {
    const NAME: &[u8] = b"DAMIER";
    let mut begin = [0; NAME.len()];
    // What is no regular file may never be read.
    path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok())
        && begin.eq_ignore_ascii_case(NAME)
}
