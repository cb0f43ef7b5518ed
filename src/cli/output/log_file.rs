//! The log: none unless it is asked for.

use crate::cli::shared_args::LogArgs;
use damier::notation::text::for_terminal;
use log::LevelFilter;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use thiserror::Error;

/// Why there is no log.
#[derive(Debug, Error)]
pub(in crate::cli) enum LogError {
    /// The file is something else.
    #[error("{}: {why}", path.display())]
    Unfit { path: PathBuf, why: &'static str },
    /// The file cannot be opened.
    #[error("{}: {error}", path.display())]
    Open { path: PathBuf, error: io::Error },
    /// There is a log already.
    #[error(transparent)]
    Twice(#[from] log::SetLoggerError),
}

/// Starts the log that the arguments name.
pub(in crate::cli) fn start(args: &LogArgs) -> Result<(), LogError> {
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
            for_terminal(&record.args().to_string())
        )
    });
    if let Some(path) = &args.log_file {
        // An earlier log may be what is needed: append. But the path may be a slip, so only to a log.
        if let Some(why) = unfit(path) {
            let path = path.clone();
            return Err(LogError::Unfit { path, why });
        }
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| LogError::Open {
            path: path.clone(),
            error,
        })?;
        let log = LogWriter {
            file,
            path: path.clone(),
            is_broken: false,
        };
        builder.target(env_logger::Target::Pipe(Box::new(log)));
    }
    Ok(builder.try_init()?)
}

/// A log that warns once on stderr when it cannot be written, as on a full disk.
struct LogWriter {
    file: File,
    path: PathBuf,
    is_broken: bool,
}

impl LogWriter {
    fn warn_once(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.is_broken, true) {
            let text = format!("{}: {error}; the log is not complete", self.path.display());
            // Stderr may be closed.
            let _ = writeln!(io::stderr(), "damier: {}", for_terminal(&text));
        }
    }
}

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        written.inspect_err(|error| self.warn_once(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        flushed.inspect_err(|error| self.warn_once(error))
    }
}

/// Why a log cannot be appended to a file: it can to an empty one, to one with a line of a log near its beginning, and
/// to a device. What cannot be read fails when it is opened.
fn unfit(path: &Path) -> Option<&'static str> {
    let kind = path.metadata().ok()?;
    if !kind.is_file() {
        // A pipe would wait for a reader, who may never come.
        return (!path.starts_with("/dev"))
            .then_some("not a regular file; give the log a file of its own");
    }
    let mut begin = [0; 1024];
    let read = File::open(path)
        .and_then(|mut file| file.read(&mut begin))
        .ok()?;
    // The first line of a log that was cut is not whole.
    let is_log = read == 0 || begin[..read].split(|&b| b == b'\n').any(begins_a_log);
    (!is_log).then_some("not a log of damier; give the log a file of its own")
}

/// Whether the bytes begin as a line that [`start`] writes: seconds, a level.
fn begins_a_log(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut words = text.split_ascii_whitespace();
    let seconds = words.next().and_then(|word| word.split_once('.'));
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty();
    seconds.is_some_and(|(whole, rest)| is_number(whole) && rest.len() == 3 && is_number(rest))
        && words
            .next()
            .is_some_and(|level| level.parse::<log::Level>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_told_from_what_is_none() {
        for log in [
            "    0.001 INFO  damier",
            "12345.678 DEBUG <- hub\n",
            "    1.000 WARN ",
        ] {
            assert!(begins_a_log(log.as_bytes()), "{log}");
        }
        for other in [
            "[Event \"1.000 INFO\"]",
            "DAMIER games",
            "W:W31:B20",
            "1. 32-28 19-23",
            "\u{0}\u{1}",
            "1.5 INFO",
        ] {
            assert!(!begins_a_log(other.as_bytes()), "{other}");
        }
    }
}
