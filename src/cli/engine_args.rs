//! The engine's options on the command line. Each command has the arguments of the options that belong to it.

use super::Failure;
use super::config::{self, Config};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use damier::engine::{Kind, Options, Scope};
use damier::settings::{Setting, SettingError};
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::PathBuf;

const HEADING: &str = "Engine options";
const SET: &str = "set";
const CONFIG: &str = "config";

/// An option of the engine.
pub(super) type EngineOption = Setting<Options, Scope>;

/// A command that takes options of the engine.
pub(super) trait Takes {
    /// Its names as in [`Scope::commands`]; more than one where it is not known yet which it will be.
    const COMMANDS: &'static [&'static str];
    /// Whether it reads a file of options.
    const READS_FILE: bool;
}

/// Declares commands.
macro_rules! commands {
    ($($Command:ident: [$($name:literal),+], $reads_file:literal;)*) => {$(
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct $Command;

        impl Takes for $Command {
            const COMMANDS: &'static [&'static str] = &[$($name),+];
            const READS_FILE: bool = $reads_file;
        }
    )*};
}

commands! {
    Unnamed: ["hub", "play"], true;
    Hub: ["hub"], true;
    Dxp: ["dxp"], true;
    Play: ["play"], true;
    Serve: ["serve"], true;
    Analyze: ["analyze"], true;
    Annotate: ["annotate"], true;
    Mine: ["mine"], true;
    Losses: ["losses"], true;
    Solve: ["solve"], true;
    Eval: ["eval"], true;
    Perft: ["perft"], true;
    Bench: ["bench"], false;
    Experiment: ["experiment"], false;
    Suite: ["suite"], true;
    Tune: ["tune"], false;
    Selfplay: ["selfplay"], false;
    BookBuild: ["book build"], false;
    EndgameBuild: ["endgame build"], true;
    EndgameProbe: ["endgame probe"], true;
    EndgameStat: ["endgame stat"], true;
    EndgameVerify: ["endgame verify"], true;
}

/// Options as the user gave them, in the order in which they count.
#[derive(Clone, Default)]
pub(super) struct Given {
    values: Vec<(&'static EngineOption, OsString)>,
    file: Option<PathBuf>,
}

impl Given {
    /// Puts options given before the name of the command before these.
    pub(super) fn precede(&mut self, mut before: Given) {
        before.values.append(&mut self.values);
        self.values = before.values;
        self.file = self.file.take().or(before.file);
    }

    /// Checks that a command, used as `usage` says, uses all of them.
    ///
    /// # Errors
    /// It does not.
    pub(super) fn check(
        &self,
        command: &str,
        usage: &Command,
        reads_file: bool,
    ) -> Result<(), Failure> {
        let is_used = |spec: &EngineOption| spec.scope.commands.contains(&command);
        let unused_value = self
            .values
            .iter()
            .map(|(spec, _)| *spec)
            .find(|spec| !is_used(spec));
        let unused_file = (self.file.is_some() && !reads_file).then_some(CONFIG);
        match unused_value.map(|spec| spec.name).or(unused_file) {
            Some(name) => {
                let own = help_of(usage, name);
                Err(Failure::Usage(unused(command, name, own.as_deref())))
            }
            None => Ok(()),
        }
    }

    /// Whether none was given.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of an option that counts.
    pub(super) fn value(&self, name: &str) -> Option<&OsStr> {
        let last = self.values.iter().rfind(|(spec, _)| spec.name == name);
        last.map(|(_, value)| value.as_os_str())
    }

    /// Changes options to these.
    pub(super) fn apply(&self, options: &mut Options) -> Result<(), Failure> {
        self.values
            .iter()
            .try_for_each(|(spec, value)| spec.set_os(options, value))
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The options of the file, and these over them.
    pub(super) fn config(&self) -> Result<Config, Failure> {
        let mut config = config::load(self.file.as_deref())?;
        // What a Hub client asks for. In a file it speaks to `hub` alone, which reads its file leniently.
        config.engine.full_eval = Options::default().full_eval;
        self.apply(&mut config.engine)?;
        log::info!("{:?}", config.engine);
        Ok(config)
    }

    /// The same where a bad line in the file must not be the end: what is wrong with it comes along.
    pub(super) fn lenient_config(&self) -> Result<(Config, Vec<String>), Failure> {
        let (mut config, problems) = config::load_lenient(self.file.as_deref());
        self.apply(&mut config.engine)?;
        log::info!("{:?}", config.engine);
        Ok((config, problems))
    }

    /// The engine's options, without a file.
    pub(super) fn options(&self) -> Result<Options, Failure> {
        let mut options = Options::default();
        self.apply(&mut options)?;
        Ok(options)
    }
}

/// What is said of an option that a command has no use for. `own` is the help of an argument of the command that has
/// the option's name.
pub(super) fn unused(command: &str, option: &str, own: Option<&str>) -> String {
    let taken = Options::specs()
        .iter()
        .filter(|spec| spec.scope.commands.contains(&command));
    let taken: Vec<String> = taken.map(|spec| format!("--{}", spec.name)).collect();
    let refused = match own {
        Some(help) => format!(
            "`{command}` does not use the engine option {option}; its own argument --{option}, given after \
            `{command}`, \
             is another: {help}"
        ),
        None => format!("`{command}` does not use --{option}"),
    };
    match taken.is_empty() {
        true => refused,
        false => format!("{refused}; engine options it takes: {}", taken.join(", ")),
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
pub(super) fn help_of(command: &Command, argument: &str) -> Option<String> {
    let mut arguments = command.get_arguments();
    let found = arguments.find(|known| known.get_long() == Some(argument))?;
    found.get_help().map(ToString::to_string)
}

/// Whether an argument of some command is called so by the engine's options.
pub(super) fn is_known(argument: &str) -> bool {
    [SET, CONFIG].contains(&argument) || Options::specs().iter().any(|spec| spec.name == argument)
}

/// The engine's options among the arguments of the command `C`.
#[derive(Clone)]
pub(super) struct EngineArgs<C> {
    /// What was given.
    pub given: Given,
    command: PhantomData<C>,
}

impl<C> Default for EngineArgs<C> {
    fn default() -> EngineArgs<C> {
        EngineArgs {
            given: Given::default(),
            command: PhantomData,
        }
    }
}

impl<C> std::fmt::Debug for EngineArgs<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values = self
            .given
            .values
            .iter()
            .map(|(spec, value)| (spec.name, value));
        f.debug_map().entries(values).finish()
    }
}

impl<C: Takes> EngineArgs<C> {
    /// The options that belong to the command.
    fn specs() -> impl Iterator<Item = &'static EngineOption> {
        let is_taken = |spec: &&EngineOption| {
            C::COMMANDS
                .iter()
                .any(|name| spec.scope.commands.contains(name))
        };
        Options::specs().iter().filter(is_taken)
    }
}

/// The argument of a setting, called `name`, with the checks and the help of its row.
pub(super) fn argument<T: Default, S: Sync>(
    name: &'static str,
    spec: &'static Setting<T, S>,
) -> Arg {
    let (value, range) = match spec.kind {
        Kind::Bool => ("BOOL", ": true or false".to_owned()),
        Kind::Int(min, max) | Kind::PowerOfTwo(min, max) => ("N", format!(": {min} to {max}")),
        Kind::ZeroOr(min, max) => ("N", format!(": 0, or {min} to {max}")),
        Kind::Choice(words) => ("NAME", format!(": {}", words.join(", "))),
        Kind::File(words) => ("FILE", format!(": a file, or {}", words.join(", "))),
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

impl<C: Takes> clap::Args for EngineArgs<C> {
    fn augment_args(command: Command) -> Command {
        let namesakes = namesakes(&command);
        let arguments = EngineArgs::<C>::specs().map(|spec| match spec.kind {
            // One after the other.
            Kind::Text(_) => argument(spec.name, spec)
                .value_name("NAME=VALUE")
                .action(ArgAction::Append),
            _ => argument(spec.name, spec),
        });
        // An example that this command takes.
        let name = EngineArgs::<C>::specs()
            .map(|spec| spec.name)
            .find(|name| *name == "threads");
        let name = name.unwrap_or("bb-size");
        let help =
            format!("Set an option by its name, as in --set {name}=2; --{name} overrides it");
        let set = Arg::new(SET)
            .long(SET)
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .value_parser(move |text: &str| assignment::<C>(text, &namesakes))
            .help(help);
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Read the options from this file instead of hub.ini beside the program");
        let command = command.args(arguments.chain([set]).map(|arg| arg.help_heading(HEADING)));
        match C::READS_FILE {
            true => command.arg(config.help_heading(HEADING)),
            false => command,
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Reads `NAME=VALUE`, the value of `--set` of a command with these arguments of its own.
fn assignment<C: Takes>(
    text: &str,
    namesakes: &[(&str, String)],
) -> Result<(&'static EngineOption, OsString), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected NAME=VALUE, such as threads=2")?;
    let (name, value) = (name.trim(), value.trim());
    let Some(spec) = EngineArgs::<C>::specs().find(|taken| taken.name == name) else {
        let is_known = Options::specs().iter().any(|spec| spec.name == name);
        return Err(match is_known {
            true => {
                let own = namesakes.iter().find(|(own, _)| *own == name);
                unused(C::COMMANDS[0], name, own.map(|(_, help)| help.as_str()))
            }
            // Only what would be taken is suggested.
            false => SettingError::Unknown {
                what: "option",
                name: name.to_owned(),
                known: EngineArgs::<C>::specs().map(|spec| spec.name).collect(),
            }
            .to_string(),
        });
    };
    let checked = spec.set(&mut Options::default(), value);
    checked
        .map(|()| (spec, OsString::from(value)))
        .map_err(|error| error.to_string())
}

impl<C: Takes> clap::FromArgMatches for EngineArgs<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs<C>, clap::Error> {
        let mut args = EngineArgs::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let sets = matches.get_many::<(&'static EngineOption, OsString)>(SET);
        self.given
            .values
            .extend(sets.into_iter().flatten().cloned());
        for spec in EngineArgs::<C>::specs() {
            let values = matches
                .get_many::<OsString>(spec.name)
                .into_iter()
                .flatten();
            self.given
                .values
                .extend(values.map(|value| (spec, value.clone())));
        }
        if C::READS_FILE {
            self.given.file = matches.get_one::<PathBuf>(CONFIG).cloned();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The names of all commands, with those of their subcommands.
    fn commands(command: &Command, path: &str) -> Vec<String> {
        let mut names = Vec::new();
        for below in command.get_subcommands() {
            let path = format!("{path} {}", below.get_name());
            names.extend(commands(below, &path));
            names.push(path.trim().to_owned());
        }
        names
    }

    #[test]
    fn every_command_named_by_an_option_takes_it() {
        let root = super::super::args::Args::command();
        let known = commands(&root, "");
        for spec in Options::specs() {
            for name in spec
                .scope
                .commands
                .iter()
                .filter(|name| !name.contains("--"))
            {
                assert!(known.iter().any(|known| known == name), "{name}");
                let mut command = &root;
                for word in name.split(' ') {
                    command = command.find_subcommand(word).expect("a command");
                }
                let has_it = command
                    .get_arguments()
                    .any(|arg| arg.get_long() == Some(spec.name));
                assert!(has_it, "{name} --{}", spec.name);
            }
        }
    }

    #[test]
    fn what_a_command_does_not_use_is_refused_by_name() {
        let message = unused("eval", "threads", None);
        assert!(
            message.contains("`eval`")
                && message.contains("--threads")
                && message.contains("--weights")
        );
        assert!(!unused("dataset", "threads", None).contains("takes"));
        assert!(assignment::<Eval>("threads=2", &[]).is_err_and(|error| error.contains("`eval`")));
        // An argument of the same name that the command does have is told from the option.
        let root = super::super::args::Args::command();
        for (command, name, help) in [
            ("analyze", "book", "Show which moves"),
            ("selfplay", "threads", "Threads"),
        ] {
            let usage = root.find_subcommand(command).expect("a command");
            let own = help_of(usage, name).expect("an argument");
            assert!(unused(command, name, Some(&own)).contains(help));
            let set = [command, "--set", &format!("{name}=1")];
            let error = root
                .clone()
                .try_get_matches_from(["damier"].iter().chain(&set));
            let error = error.expect_err("refused").to_string();
            assert!(error.contains(&format!("own argument --{name}")), "{error}");
        }
        // Nothing is suggested that would be refused.
        let unknown = assignment::<Analyze>("book-x=1", &[])
            .err()
            .unwrap_or_default();
        assert!(
            unknown.contains("book-file") && !unknown.contains("book-ply"),
            "{unknown}"
        );
        let unknown = assignment::<Eval>("foo=1", &[]).err().unwrap_or_default();
        assert!(
            unknown.contains("weights") && !unknown.contains("threads"),
            "{unknown}"
        );
        assert!(assignment::<Hub>("thread=2", &[]).is_err_and(|error| error.contains("`threads`")));
        assert!(assignment::<Hub>("threads=65", &[]).is_err_and(|error| error.contains("64")));
        assert!(assignment::<Hub>("threads=2", &[]).is_ok());
    }
}
