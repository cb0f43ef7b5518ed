//! Messages for wrong arguments, and how every failure is shown.

use crate::cli::command::{called, find};
use crate::cli::engine_args;
use crate::cli::errors::{Failure, warn};
use crate::cli::{AcceptedOptions, commands, root};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use damier::notation::text::for_terminal;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// Shows why a command gave up; returns the exit code.
pub(in crate::cli) fn report(failure: &Failure, command: &str) -> ExitCode {
    match failure {
        // As `damier analyze | head -1` wants it.
        Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Failure::Reported => ExitCode::FAILURE,
        Failure::Code(code) => ExitCode::from(*code),
        Failure::Usage(message) => {
            log::error!("{message}");
            let message = for_terminal(message);
            stop(&of(command).error(ErrorKind::ValueValidation, message))
        }
        Failure::Error(_) | Failure::Io(_) => {
            warn(failure);
            ExitCode::FAILURE
        }
    }
}

/// The command of a name, with its usage.
pub(in crate::cli) fn of(name: &str) -> clap::Command {
    let mut command = root();
    command.build();
    for word in name.split(' ') {
        if let Some(below) = command.find_subcommand(word) {
            command = below.clone();
        }
    }
    command
}

/// Prints what clap has to say: help, version, or what is wrong with the arguments.
pub(in crate::cli) fn stop(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let printed = match for_terminal(&text) == text {
        true => error.print(),
        false => write!(io::stderr(), "{}", for_terminal(&text)),
    };
    match (error.exit_code(), printed) {
        // Help that could not be written, other than to a reader who has left.
        (0, Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            report(&Failure::Io(error), "")
        }
        (code, _) => ExitCode::from(u8::try_from(code).unwrap_or(2)),
    }
}

/// Rewrites errors of clap that need the list of commands or of engine options.
pub(in crate::cli) fn explained(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let command = command_of(words);
    // It would be refused as a position or a file.
    error.remove(ContextKind::Suggested);
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let refused = |kind, message: String| of(&command).error(kind, message);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let given =
                context(ContextKind::InvalidArg).and_then(|argument| argument.strip_prefix("--"));
            match given.filter(|name| engine_args::is_known(name)) {
                Some(name) if !command.is_empty() => {
                    let taken = find(commands(), &command)
                        .map_or(AcceptedOptions::NONE, |leaf| leaf.engine);
                    refused(error.kind(), taken.unused(&command, name, None))
                }
                _ => error,
            }
        }
        ErrorKind::InvalidSubcommand => {
            let given = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            let known = of(&command);
            let names: Vec<&str> = known
                .get_subcommands()
                .map(clap::Command::get_name)
                .collect();
            let near = damier::settings::near(given, names.iter().copied());
            let hint = match near.first() {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            refused(error.kind(), format!("no command `{given}`; {hint}"))
        }
        ErrorKind::InvalidUtf8 => {
            let bad = words.iter().find(|word| word.to_str().is_none());
            let shown = bad
                .map(|word| word.to_string_lossy().into_owned())
                .unwrap_or_default();
            refused(
                error.kind(),
                format!("`{shown}` is not UTF-8: give the file another name, or a link to it"),
            )
        }
        _ => error,
    }
}

/// The command, with its subcommand, that the words name; empty for none.
fn command_of(words: &[OsString]) -> String {
    let parsed = root().ignore_errors(true).try_get_matches_from(words);
    parsed.map_or(String::new(), |matches| called(&matches).0)
}
