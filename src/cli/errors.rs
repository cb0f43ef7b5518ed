//! What goes wrong on the command line, and how it is shown.

use super::args::Args;
use super::config::ConfigError;
use super::engine_args;
use super::log_file::LogError;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use damier::notation::text::for_terminal;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use thiserror::Error;

/// Why a command gave up.
#[derive(Debug, Error)]
pub(super) enum Failure {
    /// The arguments make no sense.
    #[error("{0}")]
    Usage(String),
    /// What went wrong.
    #[error("{0}")]
    Error(String),
    /// Nobody reads the output any more, or the input broke.
    #[error("standard input or output: {0}")]
    Io(#[from] io::Error),
    /// It was reported already.
    #[error("already reported")]
    Told,
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::Error(error.to_string())
    }
}

impl From<LogError> for Failure {
    fn from(error: LogError) -> Failure {
        Failure::Error(error.to_string())
    }
}

/// A failure that shows as this.
pub(super) fn error(error: impl fmt::Display) -> Failure {
    Failure::Error(error.to_string())
}

impl Failure {
    /// Shows it; returns the exit code.
    pub(super) fn report(&self, command: &str) -> ExitCode {
        match self {
            // As `damier analyze | head -1` wants it.
            Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Failure::Told => ExitCode::FAILURE,
            Failure::Usage(message) => {
                log::error!("{message}");
                let message = for_terminal(message);
                stop(&usage(command).error(ErrorKind::ValueValidation, message))
            }
            Failure::Error(_) | Failure::Io(_) => {
                say(self);
                ExitCode::FAILURE
            }
        }
    }
}

/// Says something on stderr, and in the log.
pub(super) fn say(message: &dyn fmt::Display) {
    let message = for_terminal(&message.to_string());
    log::warn!("{message}");
    // Nobody may be listening.
    let _ = writeln!(io::stderr(), "damier: {message}");
}

/// Prints a result, and logs it.
pub(super) fn print(out: &mut dyn Write, result: &dyn fmt::Display) -> io::Result<()> {
    log::info!("{result}");
    writeln!(out, "{result}")
}

/// The command that a name leads to, which knows how it is used.
fn usage(name: &str) -> clap::Command {
    let mut command = Args::command();
    command.build();
    for word in name.split(' ') {
        if let Some(below) = command.find_subcommand(word) {
            command = below.clone();
        }
    }
    command
}

/// Prints what clap has to say: help, version, or what is wrong with the arguments.
pub(super) fn stop(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let printed = match for_terminal(&text) == text {
        true => error.print(),
        false => write!(io::stderr(), "{}", for_terminal(&text)),
    };
    match (error.exit_code(), printed) {
        // Help that could not be written, other than to a reader who has left.
        (0, Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            Failure::Io(error).report("")
        }
        (code, _) => ExitCode::from(u8::try_from(code).unwrap_or(2)),
    }
}

/// What clap says of arguments, in our words where it cannot know better.
pub(super) fn explained(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let command = command_of(words);
    // It would be refused as a position or a file.
    error.remove(ContextKind::Suggested);
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let of = |kind, message: String| usage(&command).error(kind, message);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let given =
                context(ContextKind::InvalidArg).and_then(|argument| argument.strip_prefix("--"));
            match given.filter(|name| engine_args::is_known(name)) {
                Some(name) if !command.is_empty() => {
                    of(error.kind(), engine_args::unused(&command, name))
                }
                _ => error,
            }
        }
        ErrorKind::InvalidSubcommand => {
            let given = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            let known = usage(&command);
            let names: Vec<&str> = known
                .get_subcommands()
                .map(clap::Command::get_name)
                .collect();
            let near = damier::settings::near(given, names.iter().copied());
            let hint = match near.first() {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            of(error.kind(), format!("no command `{given}`; {hint}"))
        }
        ErrorKind::InvalidUtf8 => {
            let bad = words.iter().find(|word| word.to_str().is_none());
            let shown = bad
                .map(|word| word.to_string_lossy().into_owned())
                .unwrap_or_default();
            of(
                error.kind(),
                format!("`{shown}` is not UTF-8: give the file another name, or a link to it"),
            )
        }
        _ => error,
    }
}

/// The command, with its subcommand, that the words name; empty for none.
fn command_of(words: &[OsString]) -> String {
    let parsed = Args::command()
        .ignore_errors(true)
        .try_get_matches_from(words);
    let mut names = Vec::new();
    let mut level = parsed.as_ref().ok();
    while let Some((name, below)) = level.and_then(clap::ArgMatches::subcommand) {
        names.push(name.to_owned());
        level = Some(below);
    }
    names.join(" ")
}
