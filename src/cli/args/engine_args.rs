//! The engine's options on the command line. Each command has the arguments of the options that it takes.

use crate::cli::Failure;
use crate::cli::config::{self, Config};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use damier::engine::{Kind, Options, Scope};
use damier::settings::{Setting, SettingError};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

const HEADING: &str = "Engine options";
const SET: &str = "set";
const CONFIG: &str = "config";

/// An option of the engine.
pub(in crate::cli) type EngineOption = Setting<Options, Scope>;

/// The opening book.
pub(in crate::cli) const BOOK: &[&str] = &[
    "book",
    "book-ply",
    "book-margin",
    "book-line",
    "book-file",
    "book-seed",
];
/// Play below full strength.
pub(in crate::cli) const STRENGTH: &[&str] = &["elo", "elo-seed"];
/// Cores and memory.
pub(in crate::cli) const RESOURCES: &[&str] = &["threads", "tt-size"];
/// What decides the value of a position.
pub(in crate::cli) const EVALUATION: &[&str] = &["bb-size", "endgame-dir", "weights"];
/// What decides the result of a search.
pub(in crate::cli) const SEARCH: &[&str] = &["bb-size", "endgame-dir", "search", "weights"];

/// The engine options that a command takes, by name.
#[derive(Clone, Copy)]
pub(in crate::cli) struct AcceptedOptions {
    /// Whether it takes all.
    all: bool,
    groups: &'static [&'static [&'static str]],
    /// Whether the command reads a file of options.
    reads_file: bool,
}

impl AcceptedOptions {
    /// All, from a file of options too.
    pub const ALL: AcceptedOptions = AcceptedOptions {
        all: true,
        ..AcceptedOptions::of(&[])
    };

    /// No option, and no file of options.
    pub const NONE: AcceptedOptions = AcceptedOptions::without_file(&[]);

    /// These, from a file of options too.
    pub const fn of(groups: &'static [&'static [&'static str]]) -> AcceptedOptions {
        AcceptedOptions {
            all: false,
            groups,
            reads_file: true,
        }
    }

    /// These, from the command line alone: the result depends on the arguments only.
    pub const fn without_file(groups: &'static [&'static [&'static str]]) -> AcceptedOptions {
        AcceptedOptions {
            all: false,
            groups,
            reads_file: false,
        }
    }

    fn is_none(self) -> bool {
        !self.all && self.groups.is_empty()
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        self.groups.iter().flat_map(|group| group.iter().copied())
    }

    fn has(self, option: &str) -> bool {
        self.all || self.names().any(|name| name == option)
    }

    /// Settings of the options, in the order of the engine's table.
    fn specs(self) -> impl Iterator<Item = &'static EngineOption> {
        let specs = Options::specs().iter();
        specs.filter(move |spec| self.has(spec.name))
    }

    /// Adds their arguments to the command of this name.
    pub fn add_to(self, command: Command, name: &str) -> Command {
        if self.is_none() {
            return command;
        }
        let namesakes = namesakes(&command);
        let arguments = self.specs().map(|spec| match spec.kind {
            // One after the other.
            Kind::Text(_) => argument(spec.name, spec)
                .value_name("NAME=VALUE")
                .action(ArgAction::Append),
            _ => argument(spec.name, spec),
        });
        let examples = [
            ("threads", "2"),
            ("bb-size", "2"),
            ("weights", "material"),
            ("endgame-dir", "tables"),
        ];
        let example = examples.iter().find(|(name, _)| self.has(name));
        let (example, value) = example.unwrap_or(&examples[0]);
        let help = format!(
            "Set an option by its name, as in --set {example}={value}; --{example} overrides it"
        );
        let name = name.to_owned();
        let set = Arg::new(SET)
            .long(SET)
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .value_parser(move |text: &str| self.assignment(&name, text, &namesakes))
            .help(help);
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Read the options from this file instead of hub.ini beside the program");
        let config = self.reads_file.then_some(config);
        let arguments = arguments.chain([set]).chain(config);
        command.args(arguments.map(|arg| arg.help_heading(HEADING)))
    }

    /// Reads `NAME=VALUE`, the value of `--set` of the command of this name with these arguments of its own.
    fn assignment(
        self,
        command: &str,
        text: &str,
        namesakes: &[(&str, String)],
    ) -> Result<(&'static EngineOption, OsString), String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("expected NAME=VALUE, such as threads=2")?;
        let (name, value) = (name.trim(), value.trim());
        let Some(spec) = self.specs().find(|taken| taken.name == name) else {
            let is_known = Options::specs().iter().any(|spec| spec.name == name);
            return Err(match is_known {
                true => {
                    let own = namesakes.iter().find(|(own, _)| *own == name);
                    self.unused(command, name, own.map(|(_, help)| help.as_str()))
                }
                // Only what would be taken is suggested.
                false => SettingError::Unknown {
                    what: "option",
                    name: name.to_owned(),
                    known: self.specs().map(|spec| spec.name).collect(),
                }
                .to_string(),
            });
        };
        let checked = spec.set(&mut Options::default(), value);
        checked
            .map(|()| (spec, OsString::from(value)))
            .map_err(|error| error.to_string())
    }

    /// The options among the arguments of a command.
    pub fn read(self, matches: &ArgMatches) -> GivenOptions {
        let mut given = GivenOptions::default();
        if self.is_none() {
            return given;
        }
        let sets = matches.get_many::<(&'static EngineOption, OsString)>(SET);
        given.values.extend(sets.into_iter().flatten().cloned());
        for spec in self.specs() {
            let values = matches.get_many::<OsString>(spec.name);
            let values = values.into_iter().flatten();
            given
                .values
                .extend(values.map(|value| (spec, value.clone())));
        }
        if self.reads_file {
            given.file = matches.get_one::<PathBuf>(CONFIG).cloned();
        }
        given
    }

    /// The error for an option that the command of this name does not take. `own`: the help of an argument of the
    /// command with the option's name.
    pub fn unused(self, command: &str, option: &str, own: Option<&str>) -> String {
        let taken: Vec<String> = self
            .specs()
            .map(|spec| format!("--{}", spec.name))
            .collect();
        let refused = match own {
            Some(help) => format!(
                "`{command}` does not use the engine option {option}; its own argument --{option}, given after \
                `{command}`, is another: {help}"
            ),
            None => format!("`{command}` does not use --{option}"),
        };
        match taken.is_empty() {
            true => refused,
            false => format!("{refused}; engine options it takes: {}", taken.join(", ")),
        }
    }
}

/// Options as the user gave them, in the order in which they count.
#[derive(Clone, Default)]
pub(in crate::cli) struct GivenOptions {
    values: Vec<(&'static EngineOption, OsString)>,
    file: Option<PathBuf>,
}

impl GivenOptions {
    /// Puts options given before the name of the command before these.
    pub(in crate::cli) fn precede(&mut self, mut before: GivenOptions) {
        before.values.append(&mut self.values);
        self.values = before.values;
        self.file = self.file.take().or(before.file);
    }

    /// Checks that the command of this name, which takes `taken`, uses all of them. `usage`: its arguments.
    pub(in crate::cli) fn check(
        &self,
        command: &str,
        usage: &Command,
        taken: AcceptedOptions,
    ) -> Result<(), Failure> {
        let mut names = self.values.iter().map(|(spec, _)| spec.name);
        let unused_value = names.find(|name| !taken.has(name));
        let unused_file = (self.file.is_some() && !taken.reads_file).then_some(CONFIG);
        match unused_value.or(unused_file) {
            Some(name) => {
                let own = help_of(usage, name);
                Err(Failure::Usage(taken.unused(command, name, own.as_deref())))
            }
            None => Ok(()),
        }
    }

    /// Whether none was given.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of an option that counts.
    pub(in crate::cli) fn value(&self, name: &str) -> Option<&OsStr> {
        let last = self.values.iter().rfind(|(spec, _)| spec.name == name);
        last.map(|(_, value)| value.as_os_str())
    }

    /// Changes options to these.
    pub(in crate::cli) fn apply(&self, options: &mut Options) -> Result<(), Failure> {
        self.values
            .iter()
            .try_for_each(|(spec, value)| spec.set_os(options, value))
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The options of the file, and these over them.
    pub(in crate::cli) fn config(&self) -> Result<Config, Failure> {
        let mut config = config::load(self.file.as_deref())?;
        // What a Hub client asks for. In a file it speaks to `hub` alone, which reads its file leniently.
        config.engine.full_eval = Options::default().full_eval;
        self.apply(&mut config.engine)?;
        log::info!("{:?}", config.engine);
        Ok(config)
    }

    /// The engine's options of the file, and these over them.
    pub(in crate::cli) fn file_options(&self) -> Result<Options, Failure> {
        Ok(self.config()?.engine)
    }

    /// As [`GivenOptions::config`], but invalid lines are returned as messages and leave the default.
    pub(in crate::cli) fn lenient_config(&self) -> Result<(Config, Vec<String>), Failure> {
        let (mut config, problems) = config::load_lenient(self.file.as_deref());
        self.apply(&mut config.engine)?;
        log::info!("{:?}", config.engine);
        Ok((config, problems))
    }

    /// The engine's options, without a file.
    pub(in crate::cli) fn options(&self) -> Result<Options, Failure> {
        let mut options = Options::default();
        self.apply(&mut options)?;
        Ok(options)
    }
}

/// The arguments of a command that have the name of an engine's option, with their help.
fn namesakes(command: &Command) -> Vec<(&'static str, String)> {
    let namesake = |arg: &Arg| {
        let spec = Options::specs()
            .iter()
            .find(|spec| arg.get_long() == Some(spec.name))?;
        Some((spec.name, arg.get_help()?.to_string()))
    };
    command.get_arguments().filter_map(namesake).collect()
}

/// The help of a command's argument.
pub(in crate::cli) fn help_of(command: &Command, argument: &str) -> Option<String> {
    let mut arguments = command.get_arguments();
    let found = arguments.find(|known| known.get_long() == Some(argument))?;
    found.get_help().map(ToString::to_string)
}

/// Whether an argument of some command is called so by the engine's options.
pub(in crate::cli) fn is_known(argument: &str) -> bool {
    [SET, CONFIG].contains(&argument) || Options::specs().iter().any(|spec| spec.name == argument)
}

/// The argument of a setting, called `name`, with the checks and the help of its row.
pub(in crate::cli) fn argument<T: Default, S: Sync>(
    name: &'static str,
    spec: &'static Setting<T, S>,
) -> Arg {
    let (value, range) = match spec.kind {
        Kind::Bool => ("BOOL", " [true or false]".to_owned()),
        Kind::Int(min, max) | Kind::PowerOfTwo(min, max) => ("N", format!(" [{min} to {max}]")),
        Kind::ZeroOr(min, max) => ("N", format!(" [0, or {min} to {max}]")),
        Kind::Choice(words) => ("NAME", format!(" [{}]", words.join(", "))),
        Kind::File(words) => ("FILE", format!(" [a file, or {}]", words.join(", "))),
        Kind::Folder => ("DIR", String::new()),
        Kind::Ascii(_) | Kind::Text(_) => ("TEXT", String::new()),
    };
    let default = match spec.get(&T::default()) {
        empty if empty.is_empty() => String::new(),
        value => format!(" [default: {value}]"),
    };
    let check =
        OsStringValueParser::new().try_map(|text| match spec.set_os(&mut T::default(), &text) {
            Ok(()) => Ok(text),
            // The argument and its value are named already; the setting may have another name.
            Err(SettingError::Invalid { name, expected, .. }) if name == spec.name => {
                Err(format!("expected {expected}"))
            }
            Err(error) => Err(error.to_string()),
        });
    Arg::new(name)
        .long(name)
        .value_name(value)
        .value_parser(check)
        .allow_negative_numbers(true)
        .help(format!("{}{range}{default}", spec.help))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command::{Entry, find};
    use crate::cli::{commands, root};

    fn taken(name: &str) -> AcceptedOptions {
        find(commands(), name).expect("a command").engine
    }

    fn all(entry: &'static Entry) -> Vec<AcceptedOptions> {
        match entry {
            Entry::Leaf(leaf) => vec![leaf.engine],
            Entry::Group(group) => group.entries.iter().flat_map(all).collect(),
        }
    }

    #[test]
    fn commands_take_options_that_exist() {
        let exists = |name| Options::specs().iter().any(|spec| spec.name == name);
        for name in commands().flat_map(all).flat_map(|taken| taken.names()) {
            assert!(exists(name), "{name}");
        }
    }

    #[test]
    fn what_a_command_does_not_use_is_refused_by_name() {
        let (eval, analyze, hub) = (taken("eval"), taken("analyze"), taken("hub"));
        let message = eval.unused("eval", "threads", None);
        assert!(
            message.contains("`eval`")
                && message.contains("--threads")
                && message.contains("--weights")
        );
        assert!(
            !AcceptedOptions::NONE
                .unused("train", "threads", None)
                .contains("takes")
        );
        let set = |taken: AcceptedOptions, text| taken.assignment("x", text, &[]).map(drop);
        let refused = |taken, text| set(taken, text).expect_err("refused");
        assert!(refused(eval, "threads=2").contains("`x`"));
        // An argument of the same name that the command does have is told from the option.
        let root = root();
        for (command, name, help) in [
            ("analyze", "book", "Show which moves"),
            ("selfplay", "threads", "Threads"),
        ] {
            let usage = root.find_subcommand(command).expect("a command");
            let own = help_of(usage, name).expect("an argument");
            let message = taken(command).unused(command, name, Some(&own));
            assert!(message.contains(help));
            let set = [command, "--set", &format!("{name}=1")];
            let error = root
                .clone()
                .try_get_matches_from(["damier"].iter().chain(&set));
            let error = error.expect_err("refused").to_string();
            assert!(error.contains(&format!("own argument --{name}")), "{error}");
        }
        // Nothing is suggested that would be refused.
        let unknown = refused(analyze, "book-x=1");
        assert!(
            unknown.contains("book-file") && !unknown.contains("book-ply"),
            "{unknown}"
        );
        let unknown = refused(eval, "foo=1");
        assert!(
            unknown.contains("weights") && !unknown.contains("threads"),
            "{unknown}"
        );
        assert!(refused(hub, "thread=2").contains("`threads`"));
        assert!(refused(hub, "threads=65").contains("64"));
        assert!(set(hub, "threads=2").is_ok());
    }
}
