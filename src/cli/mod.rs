//! The command line: the only place that knows clap and the logger.
//!
//! Exit codes: 0 all went well, 1 something failed (a message on stderr says what), 2 the arguments make no sense.
//! `solve` has codes of its own: 1 not sound, 2 something failed.

mod arena;
mod args;
mod book;
mod command;
mod endgame;
mod games;
mod install;
mod lab;
mod output;
mod sessions;
mod study;
mod training;

use args::{config, engine_args, shared_args};
use clap::{ArgMatches, Args, FromArgMatches};
use command::{Command, Entry, Leaf, Ready};
use damier::cpu::level;
use damier::os::files::is_same;
use engine_args::{AcceptedOptions, GivenOptions};
use errors::{Failure, error, json, open_input, print, print_json, warn};
use output::{errors, files, log_file, progress, usage};
use shared_args::LogArgs;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// All commands, in the order of the help.
fn commands() -> impl Iterator<Item = &'static Entry> {
    const GAMES: &[Entry] = &[Entry::Group(games::COMMANDS)];
    const TABLES: &[Entry] = &[
        Entry::Group(endgame::COMMANDS),
        Entry::Group(book::COMMANDS),
    ];
    let lists = [
        sessions::COMMANDS,
        study::COMMANDS,
        GAMES,
        lab::COMMANDS,
        training::COMMANDS,
        TABLES,
        arena::COMMANDS,
        install::COMMANDS,
    ];
    lists.into_iter().flatten()
}

const EXAMPLES: &str = "\
Examples:
  damier                                   play a game (with a pipe on stdin: speak Hub)
  damier play --white computer --time 1    the computer has white and a second for each move
  damier play --clock 10+5                 ten minutes each, and five seconds more for each move
  damier serve                             play and analyse on a board in the browser
  damier analyze                           the start position for 5 seconds
  damier analyze \"W:W28,K33:B8,14,K3\" --depth 20
  damier analyze --moves \"32-28 19-23 28x19 14x23\" --json
  damier analyze - --time 0.5 --json < positions.txt
  damier puzzles                           combinations to find, easy to hard
  damier annotate games.pdn --out annotated.pdn --html games.html
  damier games import games.pdn --base my.games
  damier games search --base my.games --player sijbrands --moves \"32-28 19-23\"
  damier hub                               for a graphical interface
  damier dxp                               let other programs connect and play, over DXP
  damier perft --depth 10
  damier bench --search all
  damier selfplay --games 10000 --nodes 2000 --seed 1 --out games.dgr
  damier dataset stat games.dgr
  damier train games.dgr --out weights.dwt
  damier tune lmr_base=15 --games 20000 --out tuned.jsonl
  damier endgame build --pieces 5 --dir tables
  damier endgame probe \"W:WK26,K33,31:BK4\"

Engine options come from hub.ini beside the program, or from the file given with --config;
the command line overrides them.
Exit code: 0 success, 1 something failed, 2 wrong arguments.";

/// The whole command line.
fn root() -> clap::Command {
    root_with(commands())
}

/// The command line with some commands.
fn root_with(entries: impl Iterator<Item = &'static Entry>) -> clap::Command {
    let command = clap::Command::new("damier")
        .version(env!("CARGO_PKG_VERSION"))
        .about(env!("CARGO_PKG_DESCRIPTION"))
        .after_help(EXAMPLES)
        .max_term_width(110);
    let command = LogArgs::augment_args(AcceptedOptions::ALL.add_to(command, HUB));
    command::add_all(command, entries, "")
}

const HUB: &str = "hub";
const PLAY: &str = "play";

/// Executes the command in the arguments.
pub(crate) fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // To build all commands takes milliseconds. Those that are not named are needed for help and errors alone.
    let named = commands().filter(|entry| words.iter().any(|word| word == entry.name()));
    let parsed = root_with(named)
        .try_get_matches_from(&words)
        .or_else(|_| root().try_get_matches_from(&words));
    let read = parsed.and_then(|matches| {
        let (name, _) = command::called(&matches);
        Ok((Call::read(&matches)?, name))
    });
    match read {
        Ok((call, name)) => match call.run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => usage::report(&failure, &name),
        },
        Err(error) => usage::stop(&usage::explained(error, &words)),
    }
}

/// A command with all that was given to it.
struct Call {
    name: String,
    leaf: &'static Leaf,
    command: Box<dyn Ready>,
    engine: GivenOptions,
    log: LogArgs,
}

impl Call {
    fn read(matches: &ArgMatches) -> Result<Call, clap::Error> {
        let (mut name, below) = command::called(matches);
        let is_named = !name.is_empty();
        if !is_named {
            let default = if io::stdin().is_terminal() { PLAY } else { HUB };
            default.clone_into(&mut name);
        }
        let leaf = command::find(commands(), &name)
            .unwrap_or_else(|| unreachable!("clap knows the commands of the list only: {name}"));
        let (command, mut engine) = match is_named {
            true => leaf.read(below)?,
            false => leaf.read(&leaf.clap("").try_get_matches_from([&name])?)?,
        };
        engine.precede(AcceptedOptions::ALL.read(matches));
        Ok(Call {
            name,
            leaf,
            command,
            engine,
            log: LogArgs::from_arg_matches(matches)?,
        })
    }

    fn run(self) -> Result<(), Failure> {
        let Call {
            name, engine, log, ..
        } = &self;
        engine.check(name, &usage::of(name), self.leaf.engine)?;
        let level = level().map_err(error)?;
        if let Some(log) = &log.log_file
            && self
                .command
                .outputs()
                .iter()
                .any(|output| is_same(log, output))
        {
            let message = format!("{}: a log needs a file of its own", log.display());
            return Err(Failure::Usage(message));
        }
        log_file::start(log)?;
        let version = env!("CARGO_PKG_VERSION");
        log::info!(
            "damier {version} {name}, for processors of level {}",
            level.name()
        );
        let result = self.command.run(engine);
        match &result {
            Ok(()) => log::info!("`{name}` is done"),
            Err(failure) => log::info!("`{name}` failed: {failure}"),
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_finds_no_fault() {
        root().debug_assert();
    }

    /// Whether an example of each command stands in its help.
    fn check_examples(command: &mut clap::Command, path: &str) {
        let text = command.render_long_help().to_string();
        let mut lines = text.lines().filter(|line| !line.starts_with("Usage:"));
        assert!(
            lines.any(|line| line.contains(path)),
            "the help of `{path}` has no example"
        );
        for below in command.get_subcommands_mut() {
            if below.get_name() != "help" {
                let path = format!("{path} {}", below.get_name());
                check_examples(below, &path);
            }
        }
    }

    #[test]
    fn the_help_of_every_command_has_an_example() {
        let mut command = root();
        command.build();
        check_examples(&mut command, "damier");
    }
}
