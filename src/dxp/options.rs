use crate::board::Color;
use crate::engine::OptionError;
use crate::notation::fen;
use crate::protocol::dxp::{Minutes, MoveLimit, Name, PORT};
use crate::rules::Position;
use std::time::Duration;

/// What the user can choose: `dxp-*` in `hub.ini`, arguments of `damier dxp`. A client of Hub hears nothing of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Listen, rather than connect.
    pub server: bool,
    /// Where to listen, or to connect to.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Ask for games, rather than wait to be asked.
    pub initiator: bool,
    /// The name told to the other program.
    pub name: Name,
    /// Minutes of a game, as initiator.
    pub minutes: Minutes,
    /// Moves of a game, as initiator.
    pub moves: MoveLimit,
    /// Where games begin, as initiator.
    pub start: Position,
    /// The own colour in the first game, as initiator.
    pub color: Color,
    /// Games to play with a program. 0: one as initiator, as many as it likes as follower.
    pub games: u32,
    /// Whether moves are taken back when the other program asks for it.
    pub take_back: bool,
    /// How long the other program may say nothing where it should, beyond its clock.
    pub patience: Duration,
    /// How long it may say nothing between games.
    pub idle: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            server: true,
            host: "127.0.0.1".to_owned(),
            port: PORT,
            initiator: false,
            name: Name::from_text(concat!("Damier ", env!("CARGO_PKG_VERSION"))),
            minutes: Minutes::from_hundredths(300).unwrap_or(Minutes::MAX),
            moves: MoveLimit::new(75).unwrap_or_default(),
            start: Position::start(),
            color: Color::White,
            games: 0,
            take_back: true,
            patience: Duration::from_secs(60),
            idle: Duration::from_secs(600),
        }
    }
}

/// Every option has a name that begins with this.
const PREFIX: &str = "dxp-";

/// The longest time to wait, in seconds: a day.
const LONGEST: f64 = 86_400.0;

const NAMES: [&str; 13] = [
    "dxp-server",
    "dxp-host",
    "dxp-port",
    "dxp-initiator",
    "dxp-name",
    "dxp-time",
    "dxp-moves",
    "dxp-fen",
    "dxp-color",
    "dxp-games",
    "dxp-back",
    "dxp-patience",
    "dxp-idle",
];

impl Options {
    /// Whether an option of this name is one of DXP, known or not.
    pub fn owns(name: &str) -> bool {
        name.starts_with(PREFIX)
    }

    /// All options with their present values.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        NAMES.map(|name| (name, self.get(name))).into()
    }

    fn get(&self, name: &str) -> String {
        match name {
            "dxp-server" => self.server.to_string(),
            "dxp-host" => self.host.clone(),
            "dxp-port" => self.port.to_string(),
            "dxp-initiator" => self.initiator.to_string(),
            "dxp-name" => self.name.to_string(),
            "dxp-time" => self.minutes.to_string(),
            "dxp-moves" => self.moves.get().unwrap_or(0).to_string(),
            "dxp-fen" if self.start == Position::start() => "start".to_owned(),
            "dxp-fen" => fen::format(&self.start),
            "dxp-color" => self.color.to_string(),
            "dxp-games" => self.games.to_string(),
            "dxp-back" => if self.take_back { "accept" } else { "refuse" }.to_owned(),
            "dxp-patience" => self.patience.as_secs_f64().to_string(),
            _ => self.idle.as_secs_f64().to_string(),
        }
    }

    /// Sets an option from text.
    ///
    /// # Errors
    /// There is no such option, or it takes no such value; the old one stays.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(name) = NAMES.into_iter().find(|&known| known == name) else {
            return Err(OptionError::Unknown(name.to_owned()));
        };
        let set = match name {
            "dxp-fen" => {
                self.start = position(value).map_err(|expected| OptionError::Invalid {
                    name,
                    value: value.to_owned(),
                    expected,
                })?;
                Some(())
            }
            "dxp-server" | "dxp-initiator" | "dxp-back" | "dxp-color" => {
                self.set_choice(name, value)
            }
            "dxp-host" | "dxp-name" => self.set_text(name, value),
            _ => self.set_number(name, value),
        };
        set.ok_or_else(|| OptionError::Invalid {
            name,
            value: value.to_owned(),
            expected: expected(name).to_owned(),
        })
    }

    fn set_choice(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "dxp-server" => self.server = value.parse().ok()?,
            "dxp-initiator" => self.initiator = value.parse().ok()?,
            "dxp-back" => {
                self.take_back = match value {
                    "accept" => true,
                    "refuse" => false,
                    _ => return None,
                }
            }
            _ => {
                self.color = match value {
                    "white" => Color::White,
                    "black" => Color::Black,
                    _ => return None,
                }
            }
        }
        Some(())
    }

    fn set_text(&mut self, name: &str, value: &str) -> Option<()> {
        let text = value.trim();
        let fits = !text.is_empty() && text.chars().all(|c| matches!(c, ' '..='~'));
        match name {
            "dxp-host" if fits && text.len() <= 255 => self.host = text.to_owned(),
            "dxp-name" if fits && text.len() <= Name::LENGTH => self.name = Name::from_text(text),
            _ => return None,
        }
        Some(())
    }

    fn set_number(&mut self, name: &str, value: &str) -> Option<()> {
        let seconds = || {
            let seconds: f64 = value.parse().ok()?;
            let fits = (0.1..=LONGEST).contains(&seconds);
            fits.then(|| Duration::from_secs_f64(seconds))
        };
        match name {
            "dxp-port" => self.port = value.parse().ok()?,
            "dxp-time" => {
                self.minutes = Minutes::parse(value).filter(|&minutes| minutes >= Minutes::MIN)?;
            }
            "dxp-moves" => self.moves = MoveLimit::new(value.parse().ok()?)?,
            "dxp-games" => self.games = value.parse().ok().filter(|&games| games <= 1_000_000)?,
            "dxp-patience" => self.patience = seconds()?,
            _ => self.idle = seconds()?,
        }
        Some(())
    }
}

/// A position in which a game can begin.
fn position(text: &str) -> Result<Position, String> {
    if text == "start" {
        return Ok(Position::start());
    }
    let position = fen::parse(text).map_err(|error| format!("start or a FEN ({error})"))?;
    if position.is_terminal() {
        return Err("a position in which the side to move has a move".to_owned());
    }
    Ok(position)
}

fn expected(name: &str) -> &'static str {
    match name {
        "dxp-server" | "dxp-initiator" => "true or false",
        "dxp-host" => "the name or address of a machine",
        "dxp-port" => "a number from 0 to 65535",
        "dxp-name" => "1 to 32 characters of ASCII",
        "dxp-time" => {
            "a number of minutes that DXP can say: whole up to 999, tenths up to 9.9, hundredths below 1, and more than 0"
        }
        "dxp-moves" => "a number from 0 (no limit) to 999",
        "dxp-color" => "white or black",
        "dxp-games" => "a number from 0 to 1000000",
        "dxp-back" => "accept or refuse",
        _ => "a number of seconds from 0.1 to 86400",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_own_value_and_to_nothing_senseless() {
        let mut options = Options::default();
        for (name, value) in options.values() {
            options.set(name, &value).expect(name);
            for bad in ["", "-1", "nan", "1e99", "99999999999", "\u{e9}"] {
                let free =
                    matches!(name, "dxp-host" | "dxp-name") && bad.is_ascii() && !bad.is_empty();
                assert_eq!(options.set(name, bad).is_ok(), free, "{name} {bad}");
                options.set(name, &value).expect(name);
            }
        }
        assert_eq!(options, Options::default());
        let unknown = OptionError::Unknown("dxp-board".to_owned());
        assert_eq!(options.set("dxp-board", "true"), Err(unknown));
        assert!(Options::owns("dxp-board") && !Options::owns("threads"));
    }

    #[test]
    fn values_are_checked_in_the_words_of_the_option() {
        let mut options = Options::default();
        options.set("dxp-time", ".05").expect("minutes");
        assert_eq!(options.minutes.hundredths(), 5);
        let error = options
            .set("dxp-time", "1.25")
            .expect_err("four characters");
        assert!(
            error
                .to_string()
                .starts_with("dxp-time is a number of minutes that DXP can say")
        );
        options.set("dxp-fen", "B:W31:B20").expect("a position");
        assert_eq!(options.get("dxp-fen"), "B:W31:B20");
        assert!(
            options.set("dxp-fen", "B:W31:B").is_err(),
            "black cannot move"
        );
    }
}
