//! The engine's options on the command line: one argument each, made from the engine's own list, and `--set`.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use damier::engine::{Kind, OptionSpec, Options};
use std::path::{Path, PathBuf};

const HEADING: &str = "Engine options";
const SET: &str = "set";

/// Options given on the command line, as name and value, in the order in which they count.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineArgs(Vec<(String, String)>);

impl EngineArgs {
    /// Takes an option out; returns the value that counts.
    pub(super) fn take(&mut self, wanted: &str) -> Option<String> {
        let last = self.0.iter().rfind(|(name, _)| name == wanted);
        let value = last.map(|(_, value)| value.clone());
        self.0.retain(|(name, _)| name != wanted);
        value
    }

    /// Sets these options.
    pub(super) fn apply(&self, options: &mut Options) -> Result<(), String> {
        self.0
            .iter()
            .try_for_each(|(name, value)| options.set(name, value))
            .map_err(|error| error.to_string())
    }
}

fn help(name: &str) -> &'static str {
    match name {
        "variant" => "The game",
        "book" => "Play from the opening book",
        "book-ply" => "Plies for which the book is used",
        "book-margin" => "Hundredths of a man that a book move may be worse than the best",
        "ponder" => "Think on the opponent's time",
        "threads" => "Threads that search",
        "tt-size" => "Log2 of the entries of the transposition table, 16 bytes each",
        "bb-size" => "Most pieces of the endgame tables used",
        "search" => "How the root is searched",
        "weights" => "What positions are judged with",
        "endgame-dir" => "Folder of endgame tables beside those in the program",
        "line-gap" => "Microseconds between lines of Hub on a pipe",
        _ => "",
    }
}

fn argument(spec: OptionSpec) -> Arg {
    let (value, range) = match &spec.kind {
        Kind::Bool => ("BOOL", "true or false".to_owned()),
        Kind::Int(min, max) => ("N", format!("{min} to {max}")),
        Kind::Enum(words) => ("NAME", words.join(", ")),
        Kind::File(words) => ("FILE", format!("a file, or {}", words.join(", "))),
        Kind::Text => ("PATH", "none where empty".to_owned()),
    };
    Arg::new(spec.name)
        .long(spec.name)
        .value_name(value)
        .global(true)
        .allow_negative_numbers(true)
        .help_heading(HEADING)
        .help(format!(
            "{}: {range} [default: {}]",
            help(spec.name),
            spec.value
        ))
}

/// What a command does with the options of an engine, where that is less than all.
struct Use {
    command: &'static str,
    /// Those that mean something, with a description of its own where it means something else than to the engine.
    options: &'static [(&'static str, &'static str)],
    /// Whether the file of options is read.
    reads_file: bool,
    /// Why the others mean nothing.
    reason: &'static str,
}

const THREADS: &str = "Threads: 1 to 1024 [default: as many as there are cores]";

/// What a search of given positions depends on.
const SEARCH: &[(&str, &str)] = &[
    ("threads", ""),
    ("tt-size", ""),
    ("bb-size", ""),
    ("search", ""),
    ("weights", ""),
    ("endgame-dir", ""),
];

const USES: [Use; 11] = [
    Use {
        command: "play",
        options: SEARCH,
        reads_file: true,
        reason: "play speaks no protocol and has no clock",
    },
    Use {
        command: "analyze",
        options: SEARCH,
        reads_file: true,
        reason: "analyze speaks no protocol and plays no game",
    },
    Use {
        command: "suite",
        options: SEARCH,
        reads_file: true,
        reason: "suite speaks no protocol and plays no game",
    },
    Use {
        command: "eval",
        options: &[("weights", "")],
        reads_file: true,
        reason: "eval judges a position without a search",
    },
    Use {
        command: "perft",
        options: &[("threads", "Threads that count: 1 to 64 [default: 1]")],
        reads_file: true,
        reason: "perft counts moves and judges nothing",
    },
    Use {
        command: "bench",
        options: &[
            (
                "search",
                "How the root is searched: mtdfix, mtdf, mtdf-clear, pvs, many with commas between, or all [default: mtdfix]",
            ),
            ("tt-size", ""),
            ("bb-size", ""),
            ("weights", ""),
            ("endgame-dir", ""),
        ],
        reads_file: false,
        reason: "bench searches on one thread, so that its nodes depend on nothing but the program and its arguments",
    },
    Use {
        command: "selfplay",
        options: &[
            (
                "threads",
                "Games played at once: 1 to 1024 [default: as many as there are cores]",
            ),
            (
                "tt-size",
                "Log2 of the entries of each game's table: 8 to 30 [default: a small one that suits --nodes or --depth]",
            ),
            ("bb-size", ""),
            ("search", ""),
            ("weights", ""),
            ("endgame-dir", ""),
        ],
        reads_file: false,
        reason: "the games of selfplay depend on nothing but the program and its arguments",
    },
    Use {
        command: "train",
        options: &[("threads", THREADS)],
        reads_file: false,
        reason: "train does not search, and its weights depend on nothing but the games and its arguments",
    },
    Use {
        command: "endgame",
        options: &[("threads", THREADS), ("endgame-dir", "")],
        reads_file: true,
        reason: "endgame does not search",
    },
    Use {
        command: "dataset",
        options: &[],
        reads_file: false,
        reason: "dataset reads games and plays none",
    },
    Use {
        command: "match",
        options: &[],
        reads_file: false,
        reason: "match plays with engines of any make: options of an engine stand in its description",
    },
];

/// Refuses what means nothing to a command: options, and the file of options. It would be ignored otherwise, and the user think
/// that it counts.
pub(super) fn check(
    command: Option<&str>,
    options: &EngineArgs,
    file: Option<&Path>,
) -> Result<(), String> {
    let Some(used) = USES.iter().find(|used| Some(used.command) == command) else {
        return Ok(());
    };
    let known = |name: &str| used.options.iter().any(|(option, _)| *option == name);
    let (name, reason) = (used.command, used.reason);
    if let Some((option, _)) = options.0.iter().find(|(option, _)| !known(option)) {
        let list: Vec<String> = used.options.iter().map(|(o, _)| format!("--{o}")).collect();
        let takes = match list.is_empty() {
            true => String::new(),
            false => format!("; it takes {}", list.join(", ")),
        };
        return Err(format!(
            "{reason}: the option {option:.40} means nothing to {name}{takes}"
        ));
    }
    match file {
        Some(_) if !used.reads_file => Err(format!(
            "{reason}: {name} reads no file of options (--config)"
        )),
        _ => Ok(()),
    }
}

/// Leaves out of the help of some commands the options that mean nothing to them. They are still known there, so that [`check`]
/// can say why they mean nothing.
pub(super) fn listed_where_used(command: Command) -> Command {
    USES.iter().fold(command, |command, used| {
        command.mut_subcommand(used.command, |command| list(command, used))
    })
}

fn list(command: Command, used: &Use) -> Command {
    let arguments = Options::default().specs().into_iter().map(|spec| {
        let own = used.options.iter().find(|(name, _)| *name == spec.name);
        match (argument(spec), own) {
            (arg, None) => arg.hide(true),
            (arg, Some((_, ""))) => arg,
            (arg, Some((_, help))) => arg.help(*help),
        }
    });
    let command = command
        .arg(set().hide(used.options.is_empty()))
        .args(arguments);
    match used.reads_file {
        true => command,
        false => command.arg(
            Arg::new("config")
                .long("config")
                .value_parser(value_parser!(PathBuf))
                .global(true)
                .hide(true),
        ),
    }
}

fn set() -> Arg {
    Arg::new(SET)
        .long(SET)
        .value_name("NAME=VALUE")
        .global(true)
        .action(ArgAction::Append)
        .help_heading(HEADING)
        .help("Set an option by its name, as in --set threads=2")
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let specs = Options::default().specs();
        specs
            .into_iter()
            .map(argument)
            .fold(command.arg(set()), Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let mut args = EngineArgs::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for pair in matches.get_many::<String>(SET).into_iter().flatten() {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            self.0
                .push((name.trim().to_owned(), value.trim().to_owned()));
        }
        for spec in Options::default().specs() {
            if let Some(value) = matches.get_one::<String>(spec.name) {
                self.0.push((spec.name.to_owned(), value.clone()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_said_to_be_used_is_one() {
        let specs = Options::default().specs();
        for (name, _) in USES.iter().flat_map(|used| used.options) {
            assert!(specs.iter().any(|spec| spec.name == *name), "{name}");
        }
    }

    #[test]
    fn what_means_nothing_to_a_command_is_refused_there_and_taken_elsewhere() {
        let given = |name: &str| EngineArgs(vec![(name.to_owned(), "1".to_owned())]);
        let file = Some(Path::new("file"));
        for used in &USES {
            for spec in Options::default().specs() {
                let is_used = used.options.iter().any(|(name, _)| *name == spec.name);
                let checked = check(Some(used.command), &given(spec.name), None);
                assert_eq!(checked.is_ok(), is_used, "{} {}", used.command, spec.name);
            }
            let checked = check(Some(used.command), &EngineArgs::default(), file);
            assert_eq!(checked.is_ok(), used.reads_file, "{}", used.command);
        }
        for command in [None, Some("hub"), Some("dxp")] {
            assert_eq!(check(command, &given("ponder"), file), Ok(()));
        }
    }
}
