//! `damier dxp`.

use super::args::LimitArgs;
use super::config::Config;
use super::endgame::TableProblems;
use super::{Failure, engine};
use damier::dxp::{self, DxpError, Options, Setting};
use std::io;

pub(super) const ABOUT: &str = "\
Play other programs over DXP (DamExchange)

Who listens (the server) and who asks for games (the initiator) have nothing to do with each other: all four \
combinations play. Without arguments Damier listens on this machine only, as follower, and plays whoever connects, one \
program at a time, until it is stopped. A line is printed for each move and each result.

Minutes, moves, start and colour are the initiator's to choose. The engine thinks by its clock, unless --time, --depth \
or --nodes say otherwise; with --ponder true in the opponent's time too.";

pub(super) const EXAMPLES: &str = "\
Examples:
  damier dxp                                      other programs can connect to 127.0.0.1:27531
  damier dxp --host 0.0.0.0                       programs on other machines too
  damier dxp --connect 127.0.0.1:27531 --initiator --games 10 --minutes 1
  damier dxp --connect 127.0.0.1 --initiator --minutes .1 --moves 0 --color black
  damier dxp --initiator --games 2                ask whoever connects for two games
  damier dxp --time 0.5 --json --once             half a second a move, events as JSON, one program

The same can stand in hub.ini, as dxp-server, dxp-host, dxp-port, dxp-initiator, dxp-name, dxp-time, \
dxp-moves, dxp-fen, dxp-color, dxp-games, dxp-back, dxp-patience and dxp-idle; what stands on the command line \
goes before it.";

#[derive(clap::Args, Debug, Default)]
pub(super) struct DxpArgs {
    /// Connect to a program that listens there, rather than listen
    #[arg(long, value_name = "HOST[:PORT]", conflicts_with = "host")]
    pub connect: Option<String>,
    /// Listen on this address, rather than on this machine's own (127.0.0.1); 0.0.0.0 for all of its networks
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
    /// Listen on, or connect to, this port; listening on 0 takes one that is free [default: 27531]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub port: Option<String>,
    /// Ask for games, rather than wait to be asked
    #[arg(long)]
    pub initiator: bool,
    /// The name told to the other program
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// Minutes of each player for a game, fractions such as .5 included, as initiator [default: 3]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub minutes: Option<String>,
    /// Moves after which a game ends, 0 for no limit, as initiator [default: 75]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub moves: Option<String>,
    /// Begin every game with this position, as initiator
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Damier's colour in the first game, white or black, as initiator; it changes with every game [default: white]
    #[arg(long, value_name = "COLOR")]
    pub color: Option<String>,
    /// Games with a program; 0 for one as initiator, and for as many as it asks for otherwise [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub games: Option<String>,
    /// Whether moves are taken back when the other program asks for it: accept or refuse [default: accept]
    #[arg(long, value_name = "WHAT")]
    pub back: Option<String>,
    /// Seconds of silence after which a program is given up, beyond what its clock allows [default: 60]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub patience: Option<String>,
    /// Seconds that a program may stay connected without a game [default: 600]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub idle: Option<String>,
    /// End with the first program that leaves, rather than go on listening
    #[arg(long)]
    pub once: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl DxpArgs {
    /// Sets the options that are given.
    fn apply(&self, options: &mut Options) -> Result<(), String> {
        if let Some(place) = &self.connect {
            let (host, port) = split(place);
            if port.is_some() && self.port.is_some() {
                return Err("--connect names a port already: leave out --port".to_owned());
            }
            options.server = false;
            set(options, "dxp-host", Some(host))?;
            set(options, "dxp-port", port)?;
        } else if self.host.is_some() {
            options.server = true;
        }
        options.initiator |= self.initiator;
        for (name, value) in [
            ("dxp-host", &self.host),
            ("dxp-port", &self.port),
            ("dxp-name", &self.name),
            ("dxp-time", &self.minutes),
            ("dxp-moves", &self.moves),
            ("dxp-fen", &self.fen),
            ("dxp-color", &self.color),
            ("dxp-games", &self.games),
            ("dxp-back", &self.back),
            ("dxp-patience", &self.patience),
            ("dxp-idle", &self.idle),
        ] {
            set(options, name, value.as_deref())?;
        }
        Ok(())
    }
}

fn set(options: &mut Options, name: &str, value: Option<&str>) -> Result<(), String> {
    value.map_or(Ok(()), |value| {
        options.set(name, value).map_err(|error| error.to_string())
    })
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

/// Plays.
pub(super) fn play(mut config: Config, args: &DxpArgs) -> Result<(), Failure> {
    args.apply(&mut config.dxp).map_err(Failure::Usage)?;
    log::info!("{:?}", config.dxp);
    let setting = Setting {
        options: config.dxp,
        level: args.limits.level(),
        once: args.once,
        json: args.json,
    };
    let engine = engine(config.engine)?;
    let _problems = TableProblems::of(&engine);
    dxp::run(engine, &setting, &mut io::stdout()).map_err(|error| match error {
        DxpError::Output(error) => Failure::Io(error),
        other => super::error(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn arguments_go_before_the_file() {
        let mut options = Options::default();
        options.set("dxp-port", "5").unwrap();
        let args = DxpArgs {
            connect: Some("127.0.0.1".to_owned()),
            minutes: Some(".5".to_owned()),
            ..DxpArgs::default()
        };
        args.apply(&mut options).unwrap();
        assert_eq!((options.server, options.port), (false, 5));
        assert_eq!(options.minutes.hundredths(), 50);
        let twice = DxpArgs {
            connect: Some("127.0.0.1:1".to_owned()),
            port: Some("2".to_owned()),
            ..DxpArgs::default()
        };
        assert!(twice.apply(&mut options).is_err());
    }
}
