//! The engine's options on the command line: one argument each, made from the engine's own list, and `--set`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use damier::engine::{Kind, OptionSpec, Options};

const HEADING: &str = "Engine options";
const SET: &str = "set";

/// Options given on the command line, as name and value, in the order in which they count.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineArgs(Vec<(String, String)>);

impl EngineArgs {
    /// Whether no option is given.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

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

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let set = Arg::new(SET)
            .long(SET)
            .value_name("NAME=VALUE")
            .global(true)
            .action(ArgAction::Append)
            .help_heading(HEADING)
            .help("Set an option by its name, as in --set threads=2");
        let specs = Options::default().specs();
        specs
            .into_iter()
            .map(argument)
            .fold(command.arg(set), Command::arg)
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
