use crate::board::Color;
use crate::engine::NAME_AND_VERSION;
use crate::notation::fen;
use crate::protocol::dxp::{Minutes, MoveLimit, Name, PORT};
use crate::rules::Position;
use crate::settings::{Kind, Value, settings};
use std::time::Duration;

/// The command line argument of a DXP option; Hub clients cannot set any of these options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The argument of `damier dxp`; none if a flag or `--connect` sets the option.
    pub argument: Option<&'static str>,
    /// Whether it only applies to an initiator.
    pub initiator: bool,
}

const FILE: Scope = Scope {
    argument: None,
    initiator: false,
};

const fn argument(name: &'static str) -> Scope {
    Scope {
        argument: Some(name),
        initiator: false,
    }
}

const fn initiator(name: &'static str) -> Scope {
    Scope {
        argument: Some(name),
        initiator: true,
    }
}

const SECONDS: Kind = Kind::Text("a number of seconds from 0.1 to 86400");
const MINUTES: Kind =
    Kind::Text("minutes above 0: whole numbers up to 999, tenths up to 9.9, hundredths below 1");

settings! {
    /// Options of DXP: `dxp-*` in an options file, arguments of `damier dxp`.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Options: Scope, "option";

    /// Listen for connections; false to connect to a program
    server as "dxp-server": bool = true, Kind::Bool, in FILE;
    /// Address to listen on, or host to connect to
    host as "dxp-host": String = "127.0.0.1".to_owned(), Kind::Ascii(255), in argument("host");
    /// Port
    port as "dxp-port": u16 = PORT, Kind::Int(0, 65_535), in argument("port");
    /// Ask for games; false to wait until the other program asks
    initiator as "dxp-initiator": bool = false, Kind::Bool, in FILE;
    /// Name sent to the other program
    name as "dxp-name": Name = Name::from_text(NAME_AND_VERSION),
        Kind::Ascii(Name::LENGTH), in argument("name");
    /// As initiator: minutes per player for a game
    minutes as "dxp-time": Minutes = Minutes::from_hundredths(300).unwrap_or(Minutes::MAX), MINUTES,
        in initiator("minutes");
    /// As initiator: moves per player in a game; 0 for no limit
    moves as "dxp-moves": MoveLimit = MoveLimit::new(75).unwrap_or_default(), Kind::Int(0, 999), in initiator("moves");
    /// As initiator: start position of games, as FEN, or start
    start as "dxp-fen": Position = Position::start(), Kind::Text("start or a FEN"), in initiator("fen");
    /// As initiator: own colour in the first game; colours alternate
    color as "dxp-color": Color = Color::White, Kind::Choice(&["white", "black"]), in initiator("color");
    /// Number of games with a program; 0 for one game as initiator, or else as many as the program asks for
    games as "dxp-games": u32 = 0, Kind::Int(0, 1_000_000), in argument("games");
    /// Whether to grant the other program's requests to take back moves
    take_back as "dxp-back": bool = true, Kind::Choice(&["accept", "refuse"]), in argument("back");
    /// Seconds of silence, beyond the time on its clock, after which a program is disconnected
    patience as "dxp-patience": Duration = Duration::from_secs(60), SECONDS, in argument("patience");
    /// Seconds that a program may stay connected without a game
    idle as "dxp-idle": Duration = Duration::from_secs(600), SECONDS, in argument("idle");
}

/// The prefix of all option names.
const PREFIX: &str = "dxp-";

impl Options {
    /// Whether a name has the prefix of DXP options, known or not.
    pub fn owns(name: &str) -> bool {
        name.starts_with(PREFIX)
    }
}

impl Value<Options> for Name {
    fn read(text: &str, kind: &Kind) -> Result<Name, String> {
        <String as Value<Options>>::read(text, kind).map(|text| Name::from_text(&text))
    }

    fn show(&self, _: &Kind) -> String {
        self.to_string()
    }
}

impl Value<Options> for Minutes {
    fn read(text: &str, kind: &Kind) -> Result<Minutes, String> {
        Minutes::parse(text)
            .filter(|&minutes| minutes >= Minutes::MIN)
            .ok_or_else(|| kind.to_string())
    }

    fn show(&self, _: &Kind) -> String {
        self.to_string()
    }
}

impl Value<Options> for MoveLimit {
    fn read(text: &str, kind: &Kind) -> Result<MoveLimit, String> {
        let moves = text.parse().ok().and_then(MoveLimit::new);
        moves.ok_or_else(|| kind.to_string())
    }

    fn show(&self, _: &Kind) -> String {
        self.get().unwrap_or(0).to_string()
    }
}

/// A legal position in which a game can begin.
impl Value<Options> for Position {
    fn read(text: &str, kind: &Kind) -> Result<Position, String> {
        if text == "start" {
            return Ok(Position::start());
        }
        let position = fen::parse(text).map_err(|error| format!("{kind} ({error})"))?;
        if position.is_terminal() {
            return Err("a position in which the side to move has a move".to_owned());
        }
        Ok(position)
    }

    fn show(&self, _: &Kind) -> String {
        match *self == Position::start() {
            true => "start".to_owned(),
            false => fen::format(self),
        }
    }
}

impl Value<Options> for Color {
    fn read(text: &str, kind: &Kind) -> Result<Color, String> {
        match text {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            _ => Err(kind.to_string()),
        }
    }

    fn show(&self, _: &Kind) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SettingError;

    #[test]
    fn every_option_can_be_set_to_its_own_value_and_to_nothing_senseless() {
        let mut options = Options::default();
        for spec in Options::specs() {
            let value = spec.get(&options);
            spec.set(&mut options, &value).expect(spec.name);
            for bad in ["", "-1", "nan", "1e99", "99999999999", "\u{e9}"] {
                let free = matches!(spec.kind, Kind::Ascii(_)) && bad.is_ascii() && !bad.is_empty();
                assert_eq!(
                    spec.set(&mut options, bad).is_ok(),
                    free,
                    "{} {bad}",
                    spec.name
                );
                spec.set(&mut options, &value).expect(spec.name);
            }
            assert!(Options::owns(spec.name));
        }
        assert_eq!(options, Options::default());
        let unknown = options.set("dxp-board", "true");
        assert!(matches!(unknown, Err(SettingError::Unknown { .. })));
        assert!(Options::owns("dxp-board") && !Options::owns("threads"));
    }

    #[test]
    fn values_are_what_dxp_can_say() {
        let mut options = Options::default();
        options.set("dxp-time", ".05").expect("minutes");
        assert_eq!(options.minutes.hundredths(), 5);
        assert!(options.set("dxp-time", "1.25").is_err(), "four characters");
        options.set("dxp-back", "refuse").expect("a choice");
        assert!(!options.take_back);
        options.set("dxp-fen", "B:W31:B20").expect("a position");
        assert_eq!(options.get("dxp-fen").as_deref(), Ok("B:W31:B20"));
        assert!(
            options.set("dxp-fen", "B:W31:B").is_err(),
            "black cannot move"
        );
    }
}
