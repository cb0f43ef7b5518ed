//! Replies: what an engine sends.

use super::error::{ParseError, Problem};
use damier_rules::notation::text::{excerpt, one_line};
use std::fmt;
use std::time::Duration;

/// Maximum length of an error message, in characters.
const MAX_MESSAGE: usize = 240;
use super::lex::{Arg, QuotedValue, QuotedWords, args, split_command, text};
use super::number::{MAX_NODES, count, real, seconds, whole};

/// A line from an engine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// `id ...`: first answer to `hub`.
    Id(Id),
    /// `param ...`: one parameter.
    Param(Param),
    /// `wait`: the list of parameters is complete.
    Wait,
    /// `ready`: answer to `init`.
    Ready,
    /// `info ...`: progress of the search.
    Info(Info),
    /// `done`: the end of the search.
    Done {
        /// The move; none if the side to move has no legal move.
        best: Option<String>,
        /// The expected reply, to ponder on.
        ponder: Option<String>,
    },
    /// `pong`: answer to `ping`.
    Pong,
    /// `error`: a line could not be executed.
    Error {
        /// Why. Written as one line of at most 240 characters, without double quotes and controls.
        message: String,
    },
    /// A blank line, when read.
    Empty,
    /// Any other line, to be ignored, when read.
    Unknown(String),
}

/// Identification of the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Id {
    /// Letters and digits only: some clients match it with `\w+`.
    pub name: String,
    /// Letters, digits and points only.
    pub version: String,
    /// Free text.
    pub author: String,
    /// Name of the author; omitted if empty.
    pub country: String,
}

/// A parameter that the client may set.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name of the parameter.
    pub name: String,
    /// Current value, as text.
    pub value: String,
    /// Type and range.
    pub kind: ParamKind,
}

/// The type and range of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int {
        /// Minimum.
        min: i64,
        /// Maximum.
        max: i64,
    },
    /// A real number.
    Real {
        /// Minimum.
        min: f64,
        /// Maximum.
        max: f64,
    },
    /// Any text.
    String,
    /// A word of this list.
    Enum {
        /// The words.
        values: Vec<String>,
    },
}

/// Progress of a search. Fields that are `None` (or empty) are not written; some clients need all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Depth of the iteration, in plies.
    pub depth: Option<u32>,
    /// Mean depth of the leaves, in plies; written with one decimal.
    pub mean_depth: Option<f64>,
    /// In men, for the side to move; written with two decimals. 99.xx: the game ends in xx plies; 89.xx: a won
    /// endgame-table position in xx plies.
    pub score: Option<f64>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Since the start of the search; written in seconds with three decimals.
    pub time: Option<Duration>,
    /// Nodes per second, in millions; written with one decimal.
    pub nps: Option<f64>,
    /// The principal variation.
    pub pv: Vec<String>,
    /// Keys that only this engine writes, after all others.
    pub extra: Vec<(String, String)>,
}

impl Reply {
    /// An `error` reply with this message.
    pub fn error(why: impl fmt::Display) -> Reply {
        Reply::Error {
            message: one_line(&why.to_string(), MAX_MESSAGE),
        }
    }

    /// Parses a line of any bytes, with or without its line ending.
    ///
    /// # Errors
    /// A known reply with invalid arguments. An unknown one, which engines print while they start, is
    /// [`Reply::Unknown`] whatever follows.
    pub fn parse(line: &[u8]) -> Result<Reply, ParseError> {
        let text = text(line);
        let (reply, rest) = split_command(&text);
        Ok(match reply {
            "" if rest.is_empty() => Reply::Empty,
            "id" => id(rest).map_err(|problem| problem.of("id"))?,
            "param" => param(rest).map_err(|problem| problem.of("param"))?,
            "wait" => Reply::Wait,
            "ready" => Reply::Ready,
            "info" => info(rest).map_err(|problem| problem.of("info"))?,
            "done" => done(rest).map_err(|problem| problem.of("done"))?,
            "pong" => Reply::Pong,
            "error" => error(rest).map_err(|problem| problem.of("error"))?,
            unknown => Reply::Unknown(excerpt(unknown)),
        })
    }
}

/// The value of an argument, empty if it is missing.
fn value<'a>(args: &[Arg<'a>], name: &str) -> &'a str {
    args.iter()
        .find(|arg| arg.name == name)
        .and_then(|arg| arg.value)
        .unwrap_or("")
}

fn id(text: &str) -> Result<Reply, Problem> {
    let args = args(text)?;
    let find = |name| value(&args, name).to_owned();
    let (name, version) = (find("name"), find("version"));
    Ok(Reply::Id(Id {
        name,
        version,
        author: find("author"),
        country: find("country"),
    }))
}

fn done(text: &str) -> Result<Reply, Problem> {
    let args = args(text)?;
    let find = |name| {
        Some(value(&args, name))
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    Ok(Reply::Done {
        best: find("move"),
        ponder: find("ponder"),
    })
}

fn error(text: &str) -> Result<Reply, Problem> {
    Ok(Reply::Error {
        message: value(&args(text)?, "message").to_owned(),
    })
}

fn param(text: &str) -> Result<Reply, Problem> {
    let args = args(text)?;
    let name = value(&args, "name").to_owned();
    if name.is_empty() {
        return Err(Problem::MissingArgument { argument: "name" });
    }
    // A missing minimum or maximum means no limit.
    let bound = |name: &'static str, default: f64| match value(&args, name) {
        "" => Ok(default),
        text => real(name, text),
    };
    let kind = match value(&args, "type") {
        "bool" => ParamKind::Bool,
        "int" => ParamKind::Int {
            min: bound("min", f64::MIN)? as i64,
            max: bound("max", f64::MAX)? as i64,
        },
        "real" => ParamKind::Real {
            min: bound("min", f64::MIN)?,
            max: bound("max", f64::MAX)?,
        },
        "enum" => ParamKind::Enum {
            values: words(value(&args, "values")),
        },
        _ => ParamKind::String,
    };
    Ok(Reply::Param(Param {
        name,
        value: value(&args, "value").to_owned(),
        kind,
    }))
}

fn info(text: &str) -> Result<Reply, Problem> {
    let mut info = Info::default();
    for arg in args(text)? {
        let text = arg.value.unwrap_or("");
        match arg.name {
            "depth" => info.depth = Some(count("depth", text)?),
            "mean-depth" => info.mean_depth = Some(real("mean-depth", text)?),
            "score" => info.score = Some(real("score", text)?),
            "nodes" => info.nodes = Some(whole("nodes", text, MAX_NODES)?),
            "time" => info.time = Some(seconds("time", text)?.or_zero()),
            "nps" => info.nps = Some(real("nps", text)?),
            "pv" => info.pv = words(text),
            name => info.extra.push((name.to_owned(), text.to_owned())),
        }
    }
    Ok(Reply::Info(info))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(id) => id.fmt(f),
            Reply::Param(param) => param.fmt(f),
            Reply::Wait => f.write_str("wait"),
            Reply::Ready => f.write_str("ready"),
            Reply::Info(info) => info.fmt(f),
            Reply::Done { best: None, .. } => f.write_str("done"),
            Reply::Done {
                best: Some(best),
                ponder: None,
            } => write!(f, "done move={best}"),
            Reply::Done {
                best: Some(best),
                ponder: Some(ponder),
            } => write!(f, "done move={best} ponder={ponder}"),
            Reply::Pong => f.write_str("pong"),
            Reply::Error { message: text } => {
                write!(
                    f,
                    "error message={}",
                    QuotedValue(&one_line(text, MAX_MESSAGE))
                )
            }
            Reply::Empty => Ok(()),
            Reply::Unknown(reply) => f.write_str(reply),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "id name={} version={} author={}",
            QuotedValue(&self.name),
            QuotedValue(&self.version),
            QuotedValue(&self.author)
        )?;
        if self.country.is_empty() {
            Ok(())
        } else {
            write!(f, " country={}", QuotedValue(&self.country))
        }
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "param name={} value={} type=",
            QuotedValue(&self.name),
            QuotedValue(&self.value)
        )?;
        match &self.kind {
            ParamKind::Bool => f.write_str("bool"),
            ParamKind::Int { min, max } => write!(f, "int min={min} max={max}"),
            ParamKind::Real { min, max } => write!(f, "real min={min} max={max}"),
            ParamKind::String => f.write_str("string"),
            ParamKind::Enum { values } => write!(f, "enum values={}", QuotedWords(values)),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        if let Some(depth) = self.depth {
            write!(f, " depth={depth}")?;
        }
        if let Some(mean_depth) = self.mean_depth {
            write!(f, " mean-depth={:.1}", no_minus_zero(mean_depth, 10.0))?;
        }
        if let Some(score) = self.score {
            write!(f, " score={:.2}", no_minus_zero(score, 100.0))?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes={nodes}")?;
        }
        if let Some(time) = self.time {
            write!(f, " time={:.3}", time.as_secs_f64())?;
        }
        if let Some(nps) = self.nps {
            write!(f, " nps={:.1}", no_minus_zero(nps, 10.0))?;
        }
        if !self.pv.is_empty() {
            write!(f, " pv={}", QuotedWords(&self.pv))?;
        }
        self.extra.iter().try_for_each(|(name, value)| {
            write!(f, " {}={}", QuotedValue(name), QuotedValue(value))
        })
    }
}

/// A number that rounds to zero is written without a sign: never `-0.00`.
fn no_minus_zero(number: f64, scale: f64) -> f64 {
    if (number * scale).round() == 0.0 {
        0.0
    } else {
        number
    }
}
