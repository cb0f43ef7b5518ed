//! `damier dxp`.

use crate::cli::endgame::EngineProblems;
use crate::cli::engine_args::{self, BOOK, EVALUATION, RESOURCES, STRENGTH};
use crate::cli::shared_args::LimitArgs;
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error};
use damier::dxp::{self, DxpError, DxpSettings, Options, Scope};
use damier::engine::Engine;
use damier::settings;
use std::ffi::OsString;
use std::fmt;
use std::io;

const ABOUT: &str = "\
Play other programs over DXP (DamExchange)

The server listens for connections; the initiator asks for games. The two roles are independent: all four combinations \
work. Without arguments Damier listens on this machine only, waits to be asked, and plays whoever connects, one \
program at a time, until it is stopped. A line is printed for each move and each result.

The initiator chooses minutes, moves, start position and colour. The engine divides the time on its clock, unless \
--time, --depth or --nodes limits each search; with --ponder true it also thinks on the opponent's time.";

const EXAMPLES: &str = "\
Examples:
  damier dxp                                      other programs can connect to 127.0.0.1:27531
  damier dxp --host 0.0.0.0                       programs on other machines too
  damier dxp --connect 127.0.0.1:27531 --initiator --games 10 --minutes 1
  damier dxp --connect 127.0.0.1 --initiator --minutes .1 --moves 0 --color black
  damier dxp --initiator --games 2                ask whoever connects for two games
  damier dxp --time 0.5 --json --once             half a second a move, events as JSON, one program

Settings in hub.ini, which the command line overrides:
  dxp-server = false     as --connect, with dxp-host and dxp-port for the address
  dxp-initiator = true   as --initiator
  dxp-time = 3           as --minutes 3; --time, --depth and --nodes have no setting
  dxp-NAME               as --NAME: host, port, name, moves, fen, color, games, back, patience, idle";

/// Play other programs over DXP (DamExchange); see `damier dxp --help`
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(in crate::cli) struct DxpArgs {
    /// Connect to a program at this address, instead of listening
    #[arg(long, value_name = "HOST[:PORT]", conflicts_with = "host")]
    pub connect: Option<String>,
    /// Ask for games, instead of waiting until the other program asks
    #[arg(long)]
    pub initiator: bool,
    #[command(flatten)]
    pub options: DxpOptions,
    /// End when the first program disconnects, instead of listening on
    #[arg(long)]
    pub once: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

type DxpOption = settings::Setting<Options, Scope>;

/// Options of DXP as the user gave them, each with the name of its argument.
#[derive(Clone, Default)]
pub(in crate::cli) struct DxpOptions(Vec<(&'static str, &'static DxpOption, String)>);

impl fmt::Debug for DxpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.0.iter().map(|(name, _, value)| (name, value));
        f.debug_map().entries(values).finish()
    }
}

impl DxpOptions {
    /// The options that have an argument, and its name.
    fn specs() -> impl Iterator<Item = (&'static str, &'static DxpOption)> {
        let named = |spec: &'static DxpOption| Some((spec.scope.argument?, spec));
        Options::specs().iter().filter_map(named)
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(given, ..)| *given == name)
    }
}

impl clap::Args for DxpOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(DxpOptions::specs().map(|(name, spec)| engine_args::argument(name, spec)))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        DxpOptions::augment_args(command)
    }
}

impl clap::FromArgMatches for DxpOptions {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<DxpOptions, clap::Error> {
        let mut options = DxpOptions::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        for (name, spec) in DxpOptions::specs() {
            if let Some(value) = matches.get_one::<OsString>(name) {
                let value = value.to_string_lossy().into_owned();
                self.0.push((name, spec, value));
            }
        }
        Ok(())
    }
}

impl DxpArgs {
    /// Changes the options to those that are given.
    fn apply(&self, options: &mut Options) -> Result<(), String> {
        let mut set =
            |name: &str, value: &str| options.set(name, value).map_err(|error| error.to_string());
        if let Some(place) = &self.connect {
            let (host, port) = split(place);
            if port.is_some() && self.options.has("port") {
                return Err("--connect names a port already: leave out --port".to_owned());
            }
            set("dxp-server", "false")?;
            set("dxp-host", host)?;
            port.map_or(Ok(()), |port| set("dxp-port", port))?;
        } else if self.options.has("host") {
            set("dxp-server", "true")?;
        }
        if self.initiator {
            set("dxp-initiator", "true")?;
        }
        for (argument, spec, value) in &self.options.0 {
            if spec.scope.initiator && !options.initiator {
                return Err(format!(
                    "--{argument} has an effect only with --initiator: the one who asks for games decides"
                ));
            }
            spec.set(options, value)
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// Host and port of `host`, `host:port`, `[::1]:port` and `::1`.
fn split(place: &str) -> (&str, Option<&str>) {
    if let Some((host, rest)) = place
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        return (host, rest.strip_prefix(':'));
    }
    match place.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') => (host, Some(port)),
        _ => (place, None),
    }
}

impl Command for DxpArgs {
    const NAME: &'static str = "dxp";
    const ENGINE: AcceptedOptions =
        AcceptedOptions::of(&[BOOK, STRENGTH, RESOURCES, EVALUATION, &["ponder", "search"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let mut config = engine.config()?;
        self.apply(&mut config.dxp).map_err(Failure::Usage)?;
        log::info!("{:?}", config.dxp);
        let setting = DxpSettings {
            options: config.dxp,
            level: self.limits.level(),
            once: self.once,
            json: self.json,
        };
        let engine = Engine::new(config.engine).map_err(error)?;
        let _problems = EngineProblems::of(&engine);
        dxp::run(engine, &setting, &mut io::stdout()).map_err(|error| match error {
            DxpError::Output(error) => Failure::Io(error),
            other => crate::cli::error(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, FromArgMatches};

    #[test]
    fn places_are_split_into_host_and_port() {
        for (place, host, port) in [
            ("example.org", "example.org", None),
            ("example.org:1", "example.org", Some("1")),
            ("127.0.0.1:", "127.0.0.1", Some("")),
            ("::1", "::1", None),
            ("[::1]", "::1", None),
            ("[::1]:5", "::1", Some("5")),
        ] {
            assert_eq!(split(place), (host, port), "{place}");
        }
    }

    /// The arguments of `damier dxp`.
    fn arguments(words: &[&str]) -> Result<DxpArgs, clap::Error> {
        let command = DxpArgs::augment_args(clap::Command::new("dxp").no_binary_name(true));
        DxpArgs::from_arg_matches(&command.try_get_matches_from(words)?)
    }

    #[test]
    fn arguments_override_the_file() {
        let mut options = Options::default();
        options.set("dxp-port", "5").expect("a port");
        let args = arguments(&["--connect", "127.0.0.1", "--initiator", "--minutes", ".5"])
            .expect("arguments");
        args.apply(&mut options).expect("options");
        assert_eq!((options.server, options.port), (false, 5));
        assert_eq!(options.minutes.hundredths(), 50);
        let twice = arguments(&["--connect", "127.0.0.1:1", "--port", "2"]).expect("arguments");
        assert!(twice.apply(&mut options).is_err());
        let error = arguments(&["--minutes", "1.25"])
            .expect_err("not for DXP")
            .to_string();
        assert!(error.contains("--minutes"), "{error}");
    }

    #[test]
    fn what_only_the_initiator_decides_is_refused_to_others() {
        for words in [
            ["--color", "black"],
            ["--minutes", "1"],
            ["--moves", "9"],
            ["--fen", "start"],
        ] {
            let args = arguments(&words).expect("arguments");
            let error = args
                .apply(&mut Options::default())
                .expect_err("no initiator");
            assert!(
                error.contains(words[0]) && error.contains("--initiator"),
                "{error}"
            );
            let mut initiator = Options {
                initiator: true,
                ..Options::default()
            };
            args.apply(&mut initiator).expect("from the file");
        }
    }
}
