//! Commands: what a client sends.

use super::error::{ParseError, Problem};
use super::lex::{Arg, QuotedValue, QuotedWords, args, split_command, text};
use super::number::{MAX_NODES, Seconds, count, seconds, whole};
use damier_rules::notation::signs;
use damier_rules::notation::text::excerpt;
use std::fmt;

/// A line from a client.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// `hub`: request for identification and parameters.
    Hub,
    /// `init`: initialise with the current parameters.
    Init,
    /// `new-game`: the next position is of a new game.
    NewGame,
    /// `ping`: answer `pong` at once.
    Ping,
    /// `ponder-hit`: the pondered move was played, so the clock runs.
    PonderHit,
    /// `stop`: end the search with `done`.
    Stop,
    /// `quit`: end the session.
    Quit,
    /// `set-param name=... value=...`.
    SetParam {
        /// Name of the parameter.
        name: String,
        /// Value as text; the engine parses it.
        value: String,
    },
    /// `pos pos=... moves="..."`: the position for the next search.
    Pos {
        /// The board in 51 characters, unchecked; none for the start position.
        pos: Option<String>,
        /// The moves played from there, unchecked.
        moves: Vec<String>,
    },
    /// `level ...`: a limit of the next search, and the problem of the first invalid argument. The valid ones count.
    Level(LevelArgs, Option<Problem>),
    /// `go think`, `go ponder` or `go analyze`; an unknown mode is `think`.
    Go(GoMode),
    /// A blank line.
    Empty,
    /// Any other command, to be ignored.
    Unknown(String),
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoMode {
    /// Choose a move within the limits.
    #[default]
    Think,
    /// Search on the opponent's time.
    Ponder,
    /// Show lines and scores.
    Analyze,
}

/// The arguments of all `level` lines together. An argument that was not given is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelArgs {
    /// Maximum depth, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Seconds>,
    /// Moves to play in `time`; missing or zero: the rest of the game.
    pub moves: Option<u32>,
    /// Time left on the clock, without the increment.
    pub time: Option<Seconds>,
    /// Added to the clock before each move.
    pub inc: Option<Seconds>,
    /// The argument `infinite` was given.
    pub infinite: bool,
    /// Handicap level (sent by lidraughts): zero for full strength.
    pub handicap: Option<u32>,
    /// Depth of quiescence (lidraughts).
    pub ply: Option<u32>,
}

impl Command {
    /// Parses a line of any bytes, with or without its line ending.
    ///
    /// # Errors
    /// A known command with invalid arguments. Commands without arguments ignore what follows them; an unknown command
    /// is [`Command::Unknown`] whatever follows.
    pub fn parse(line: &[u8]) -> Result<Command, ParseError> {
        let text = text(line);
        let (command, rest) = split_command(&text);
        Ok(match command {
            "" if rest.is_empty() => Command::Empty,
            "hub" => Command::Hub,
            "init" => Command::Init,
            "new-game" => Command::NewGame,
            "ping" => Command::Ping,
            "ponder-hit" => Command::PonderHit,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            "set-param" => set_param(rest).map_err(|problem| problem.of("set-param"))?,
            "pos" => pos(rest).map_err(|problem| problem.of("pos"))?,
            "level" => {
                let (level, problem) = level(rest).map_err(|problem| problem.of("level"))?;
                Command::Level(level, problem)
            }
            "go" => go(rest)
                .map(Command::Go)
                .map_err(|problem| problem.of("go"))?,
            unknown => Command::Unknown(excerpt(unknown)),
        })
    }

    /// The error for a line of which only the start was kept because it is longer than `limit` bytes.
    ///
    /// # Errors
    /// Always for a known command with arguments; other commands do not need the rest of the line.
    pub fn parse_start(start: &[u8], limit: usize) -> Result<Command, ParseError> {
        let text = text(start);
        let (word, _) = split_command(&text);
        let known = ["set-param", "pos", "level", "go"]
            .into_iter()
            .find(|&command| command == word);
        match known {
            Some(command) => Err(Problem::TooLong { limit }.of(command)),
            None if word.is_empty() => Err(Problem::TooLong { limit }.of("")),
            None => Command::parse(word.as_bytes()),
        }
    }
}

fn set_param(text: &str) -> Result<Command, Problem> {
    let args = args(text)?;
    let find = |argument: &'static str| {
        let value = args
            .iter()
            .rev()
            .find(|arg| arg.name == argument)
            .and_then(|arg| arg.value);
        value.ok_or(Problem::MissingArgument { argument })
    };
    let name = find("name")?;
    if name.is_empty() {
        return Err(Problem::MissingArgument { argument: "name" });
    }
    Ok(Command::SetParam {
        name: name.to_owned(),
        value: find("value")?.to_owned(),
    })
}

fn pos(text: &str) -> Result<Command, Problem> {
    let (mut pos, mut moves) = (None, Vec::new());
    for arg in args(text)? {
        let name = signs::plain(arg.name);
        match (&*name, arg.value) {
            ("pos", Some("start")) | ("start", None) => pos = None,
            ("pos", Some(text)) => pos = Some(text.to_owned()),
            ("pos", None) => {
                return Err(Problem::MissingArgument { argument: "pos" });
            }
            ("moves", value) => {
                let words = signs::words(value.unwrap_or_default());
                moves = words.map(str::to_owned).collect()
            }
            // If these were ignored like other unknown arguments, the wrong position would be searched without notice.
            (name, None) if name.starts_with(|c: char| c.is_ascii_digit()) => {
                return Err(Problem::UnquotedMoves {
                    found: excerpt(arg.name),
                });
            }
            (name, _) if !name.is_ascii() => {
                return Err(Problem::UnknownArgument {
                    found: excerpt(arg.name),
                    known: "pos, start, moves",
                });
            }
            _ => {}
        }
    }
    Ok(Command::Pos { pos, moves })
}

/// The valid arguments of a `level`, and the first problem of the others. Without a valid argument it is an error.
fn level(text: &str) -> Result<(LevelArgs, Option<Problem>), Problem> {
    let mut level = LevelArgs::default();
    let mut first = None;
    for arg in args(text)? {
        if let Err(problem) = level.set(&arg) {
            first.get_or_insert(problem);
        }
    }
    match first {
        Some(problem) if level == LevelArgs::default() => Err(problem),
        first => Ok((level, first)),
    }
}

fn go(text: &str) -> Result<GoMode, Problem> {
    let mode = |arg: &Arg<'_>| match arg.name {
        "think" => Some(GoMode::Think),
        "ponder" => Some(GoMode::Ponder),
        "analyze" | "analyse" => Some(GoMode::Analyze),
        _ => None,
    };
    Ok(args(text)?.iter().rev().find_map(mode).unwrap_or_default())
}

impl LevelArgs {
    fn set(&mut self, arg: &Arg<'_>) -> Result<(), Problem> {
        let text = arg.value.unwrap_or("");
        match arg.name {
            "depth" => self.depth = Some(count("depth", text)?),
            "nodes" => self.nodes = Some(whole("nodes", text, MAX_NODES)?),
            "move-time" => self.move_time = Some(seconds("move-time", text)?),
            "moves" => self.moves = Some(count("moves", text)?),
            "time" => self.time = Some(seconds("time", text)?),
            "inc" => self.inc = Some(seconds("inc", text)?),
            "infinite" if matches!(text, "" | "true") => self.infinite = true,
            "infinite" => {
                return Err(Problem::UnexpectedValue {
                    argument: "infinite",
                    found: excerpt(text),
                });
            }
            "handicap" => self.handicap = Some(count("handicap", text)?),
            "ply" => self.ply = Some(count("ply", text)?),
            // Redundant: sent by some clients before `go ponder`.
            "ponder" => {}
            name => {
                return Err(Problem::UnknownArgument {
                    found: excerpt(name),
                    known: "depth, nodes, move-time, time, moves, inc, infinite",
                });
            }
        }
        Ok(())
    }

    /// Adds a later `level` line: its arguments replace earlier ones, the rest stay.
    pub fn merge(&mut self, later: LevelArgs) {
        self.depth = later.depth.or(self.depth);
        self.nodes = later.nodes.or(self.nodes);
        self.move_time = later.move_time.or(self.move_time);
        self.moves = later.moves.or(self.moves);
        self.time = later.time.or(self.time);
        self.inc = later.inc.or(self.inc);
        self.infinite |= later.infinite;
        self.handicap = later.handicap.or(self.handicap);
        self.ply = later.ply.or(self.ply);
    }

    /// Whether any limit ends the search: a depth, a number of nodes or a time.
    pub fn is_limited(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.time.is_some()
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Hub => f.write_str("hub"),
            Command::Init => f.write_str("init"),
            Command::NewGame => f.write_str("new-game"),
            Command::Ping => f.write_str("ping"),
            Command::PonderHit => f.write_str("ponder-hit"),
            Command::Stop => f.write_str("stop"),
            Command::Quit => f.write_str("quit"),
            Command::SetParam { name, value } => {
                write!(
                    f,
                    "set-param name={} value={}",
                    QuotedValue(name),
                    QuotedValue(value)
                )
            }
            Command::Pos { pos, moves } => {
                write!(
                    f,
                    "pos pos={}",
                    QuotedValue(pos.as_deref().unwrap_or("start"))
                )?;
                if !moves.is_empty() {
                    write!(f, " moves={}", QuotedWords(moves))?;
                }
                Ok(())
            }
            Command::Level(level, _) => level.fmt(f),
            Command::Go(mode) => write!(f, "go {mode}"),
            Command::Empty => Ok(()),
            Command::Unknown(command) => f.write_str(command),
        }
    }
}

impl fmt::Display for GoMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GoMode::Think => "think",
            GoMode::Ponder => "ponder",
            GoMode::Analyze => "analyze",
        })
    }
}

impl fmt::Display for LevelArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn arg<T: fmt::Display>(
            f: &mut fmt::Formatter<'_>,
            name: &str,
            value: Option<T>,
        ) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name}={value}"))
        }
        f.write_str("level")?;
        arg(f, "depth", self.depth)?;
        arg(f, "nodes", self.nodes)?;
        arg(f, "move-time", self.move_time)?;
        arg(f, "moves", self.moves)?;
        arg(f, "time", self.time)?;
        arg(f, "inc", self.inc)?;
        arg(f, "handicap", self.handicap)?;
        arg(f, "ply", self.ply)?;
        if self.infinite {
            f.write_str(" infinite")
        } else {
            Ok(())
        }
    }
}
