//! What goes wrong on the command line.

use crate::cli::config::ConfigError;
use crate::cli::log_file::LogError;
pub(in crate::cli) use damier::analysis::json::text as json;
use damier::book::BookError;
use damier::lab::book::BookBuildError;
use damier::notation::text::for_terminal;
use damier::os::files;
use damier::os::pool::ThreadError;
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use thiserror::Error;

/// Why a command gave up.
#[derive(Debug, Error)]
pub(in crate::cli) enum Failure {
    /// The arguments make no sense.
    #[error("{0}")]
    Usage(String),
    /// What went wrong.
    #[error("{0}")]
    Error(String),
    /// The output is closed, or the input broke.
    #[error("standard input or output: {0}")]
    Io(#[from] io::Error),
    /// The message is printed already.
    #[error("already reported")]
    Reported,
    /// The message is printed already, and the exit code means something.
    #[error("already reported, exit code {0}")]
    Code(u8),
}

/// Errors that become a [`Failure`] by their text.
macro_rules! shown {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Error(error.to_string())
            }
        })*
    };
}

shown!(
    BookBuildError,
    BookError,
    ConfigError,
    LogError,
    ThreadError
);

/// A failure that shows as this.
pub(in crate::cli) fn error(error: impl fmt::Display) -> Failure {
    Failure::Error(error.to_string())
}

/// Opens a file of games or positions.
pub(in crate::cli) fn open_input(path: &str) -> Result<File, Failure> {
    let fail = |problem: io::Error| match Path::new(path).metadata() {
        Ok(found) if !found.is_file() && !found.is_dir() => {
            error(format!("{path}: {problem}; - reads from stdin"))
        }
        _ => error(format!("{path}: {problem}")),
    };
    files::open_regular(path).map_err(fail)
}

/// Prints a message to stderr and logs it.
pub(in crate::cli) fn warn(message: &dyn fmt::Display) {
    let message = for_terminal(&message.to_string());
    log::warn!("{message}");
    // In one piece, since stdout may go to the same place. An error is ignored: stderr may be closed.
    let _ = io::stderr().write_all(format!("damier: {message}\n").as_bytes());
}

/// Prints a result as a line, and logs it.
pub(in crate::cli) fn print(result: &dyn fmt::Display) -> Result<(), Failure> {
    log::info!("{result}");
    let mut out = io::stdout().lock();
    writeln!(out, "{result}")?;
    Ok(out.flush()?)
}

/// Prints an object as a line of JSON.
pub(in crate::cli) fn print_json(object: &impl Serialize) -> Result<(), Failure> {
    print(&json(object))
}
