//! The engine's options on the command line: one argument each, made from the engine's own list, and `--set`.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use damier::engine::{Kind, OptionError, OptionSpec, Options};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const HEADING: &str = "Engine options";
const SET: &str = "set";

/// Options given on the command line, as name and value, in the order in which they count.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineArgs(Vec<(String, String)>);

impl EngineArgs {
    /// Puts options before these.
    pub(super) fn precede(&mut self, mut options: Vec<(String, String)>) {
        options.append(&mut self.0);
        self.0 = options;
    }

    /// Takes an option out; returns the value that counts.
    pub(super) fn take(&mut self, wanted: &str) -> Option<String> {
        let last = self.0.iter().rfind(|(name, _)| name == wanted);
        let value = last.map(|(_, value)| value.clone());
        self.0.retain(|(name, _)| name != wanted);
        value
    }

    /// Takes out the number of threads of work that is not a search: as many as there are cores, unless told otherwise.
    pub(super) fn take_threads(&mut self) -> Result<usize, String> {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.take("threads").map_or(Ok(cores), |text| {
            let number = text.parse().ok().filter(|n| (1..=1024).contains(n));
            number.ok_or_else(|| format!("threads is a number from 1 to 1024, not {text:.40}"))
        })
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
    /// The command with its subcommand, and an option where that changes what it does.
    command: &'static str,
    /// Those that mean something, with a description of its own where it means something else than to the engine.
    options: &'static [(&'static str, &'static str)],
    /// Whether the file of options is read.
    reads_file: bool,
    /// Why the others mean nothing: goes on from "means nothing to ...".
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

const USES: [Use; 20] = [
    Use {
        command: "play",
        options: SEARCH,
        reads_file: true,
        reason: "which searches when it is the computer's turn and speaks no protocol",
    },
    Use {
        command: "analyze",
        options: SEARCH,
        reads_file: true,
        reason: "which searches the positions given and speaks no protocol",
    },
    Use {
        command: "suite",
        options: SEARCH,
        reads_file: true,
        reason: "which searches the positions given and speaks no protocol",
    },
    Use {
        command: "suite --prove",
        options: &[("tt-size", "")],
        reads_file: true,
        reason: "which searches in a way of its own",
    },
    Use {
        command: "dxp",
        options: &[
            ("variant", ""),
            ("book", ""),
            ("book-ply", ""),
            ("book-margin", ""),
            ("ponder", ""),
            ("threads", ""),
            ("tt-size", ""),
            ("bb-size", ""),
            ("search", ""),
            ("weights", ""),
            ("endgame-dir", ""),
        ],
        reads_file: true,
        reason: "which does not speak Hub",
    },
    Use {
        command: "eval",
        options: &[("weights", "")],
        reads_file: true,
        reason: "which judges a position without a search",
    },
    Use {
        command: "perft",
        options: &[("threads", "Threads that count: 1 to 64 [default: 1]")],
        reads_file: true,
        reason: "which counts moves and judges nothing",
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
        reason: "whose nodes, on one thread, depend on nothing but the program and its arguments",
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
        reason: "whose games depend on nothing but the program and its arguments",
    },
    Use {
        command: "train",
        options: &[("threads", THREADS)],
        reads_file: false,
        reason: "which does not search, and whose weights depend on nothing but the games and its arguments",
    },
    Use {
        command: "endgame",
        options: &[("threads", THREADS), ("endgame-dir", "")],
        reads_file: true,
        reason: "which does not search",
    },
    Use {
        command: "endgame build",
        options: &[("threads", THREADS), ("endgame-dir", "")],
        reads_file: true,
        reason: "which does not search",
    },
    Use {
        command: "endgame verify",
        options: &[("threads", THREADS), ("endgame-dir", "")],
        reads_file: true,
        reason: "which does not search",
    },
    Use {
        command: "endgame probe",
        options: &[("endgame-dir", "")],
        reads_file: true,
        reason: "which asks tables and does not search",
    },
    Use {
        command: "endgame stat",
        options: &[("endgame-dir", "")],
        reads_file: true,
        reason: "which asks tables and does not search",
    },
    Use {
        command: "endgame embed",
        options: &[],
        reads_file: false,
        reason: "which copies tables",
    },
    Use {
        command: "dataset",
        options: &[],
        reads_file: false,
        reason: "which reads games and plays none",
    },
    Use {
        command: "book build",
        options: &[
            (
                "threads",
                "Positions searched at once: 1 to 1024 [default: as many as there are cores]",
            ),
            (
                "tt-size",
                "Log2 of the entries of each search's table: 8 to 30 [default: 19]",
            ),
            ("bb-size", ""),
            ("search", ""),
            ("weights", ""),
            ("endgame-dir", ""),
        ],
        reads_file: false,
        reason: "whose searches depend on nothing but the program and its arguments",
    },
    Use {
        command: "book",
        options: &[],
        reads_file: false,
        reason: "which does not search",
    },
    Use {
        command: "match",
        options: &[],
        reads_file: false,
        reason: "whose engines are of any make: options of an engine stand in its description",
    },
];

/// Refuses what means nothing to a command, named as in [`USES`]: options, and the file of options. It would be ignored otherwise,
/// and the user think that it counts.
pub(super) fn check(
    command: &str,
    options: &EngineArgs,
    file: Option<&Path>,
) -> Result<(), String> {
    let specs = Options::default().specs();
    if let Some((unknown, _)) = options
        .0
        .iter()
        .find(|(option, _)| specs.iter().all(|spec| spec.name != *option))
    {
        return Err(OptionError::Unknown(unknown.clone()).to_string());
    }
    let Some(used) = USES.iter().find(|used| used.command == command) else {
        return Ok(());
    };
    let takes = |name: &str| used.options.iter().any(|(option, _)| *option == name);
    let senseless = options.0.iter().find(|(option, _)| !takes(option));
    let senseless = match senseless {
        Some((option, _)) => option,
        None if file.is_some() && !used.reads_file => "config",
        None => return Ok(()),
    };
    let mut message = format!("{senseless} means nothing to {command}, {}", used.reason);
    if !used.options.is_empty() {
        let names: Vec<&str> = used.options.iter().map(|(option, _)| *option).collect();
        message += &format!("; of the engine's options it takes {}", names.join(", "));
    }
    Err(message)
}

/// Leaves out of the help of some commands the options that mean nothing to them. They are still known there, so that [`check`]
/// can say why they mean nothing. And `--set` is known to every command by itself: of a global option clap would keep the values
/// of one place only.
pub(super) fn listed_where_used(command: Command) -> Command {
    USES.iter().fold(with_set(command), |command, used| {
        let mut path = used.command.split(' ');
        match used.command.contains("--") {
            true => command,
            false => at(command, &mut path, used),
        }
    })
}

fn with_set(command: Command) -> Command {
    command.arg(set()).mut_subcommands(with_set)
}

/// Lists what is used by the command that the path leads to.
fn at(command: Command, path: &mut std::str::Split<char>, used: &Use) -> Command {
    match path.next() {
        Some(name) => command.mut_subcommand(name, |command| at(command, path, used)),
        None => list(command, used),
    }
}

/// The options given with `--set` to a command and those above it, in their order.
pub(super) fn sets(matches: &ArgMatches) -> Vec<(String, String)> {
    let mut level = Some(matches);
    let mut sets = Vec::new();
    while let Some(matches) = level {
        let pairs = matches.try_get_many::<String>(SET).ok().flatten();
        sets.extend(pairs.into_iter().flatten().map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (name.trim().to_owned(), value.trim().to_owned())
        }));
        level = matches.subcommand().map(|(_, matches)| matches);
    }
    sets
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
    let command = hide_set(command.args(arguments), used.options.is_empty());
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

fn hide_set(command: Command, hide: bool) -> Command {
    let command = command.mut_arg(SET, |set| set.hide(hide));
    command.mut_subcommands(|command| hide_set(command, hide))
}

fn set() -> Arg {
    Arg::new(SET)
        .long(SET)
        .value_name("NAME=VALUE")
        .action(ArgAction::Append)
        .help_heading(HEADING)
        .help("Set an option by its name, as in --set threads=2; the same option given as --threads goes before it")
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let specs = Options::default().specs();
        specs.into_iter().map(argument).fold(command, Command::arg)
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
    fn what_means_nothing_is_refused_with_its_reason() {
        let given = |name: &str| EngineArgs(vec![(name.to_owned(), "1".to_owned())]);
        let file = Some(Path::new("file"));
        let refused = |command, name| check(command, &given(name), None).unwrap_err();
        assert_eq!(
            refused("eval", "threads"),
            "threads means nothing to eval, which judges a position without a search; of the engine's options it takes weights"
        );
        assert!(refused("endgame probe", "threads").contains("it takes endgame-dir"));
        assert!(refused("suite --prove", "threads").contains("it takes tt-size"));
        assert!(refused("match", "threads").ends_with("description"));
        assert_eq!(refused("hub", "thread"), refused("train", "thread"));
        let checked = check("dataset", &EngineArgs::default(), file);
        assert!(checked.is_err_and(|message| message.starts_with("config means nothing")));
        assert_eq!(check("hub", &given("line-gap"), file), Ok(()));
        assert_eq!(check("dxp", &given("ponder"), file), Ok(()));
        assert_eq!(check("endgame verify", &given("threads"), file), Ok(()));
    }
}
