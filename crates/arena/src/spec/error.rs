use crate::level::LevelError;
use damier_protocol::hub::ParseError;
use std::io;

/// Why an engine description is refused.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum SpecError {
    /// The text does not follow the syntax of Hub arguments.
    #[error(transparent)]
    Syntax(ParseError),
    /// A key without a value.
    #[error("{0} has no value; expected {0}=...")]
    NoValue(String),
    /// A list for a key that takes a single value.
    #[error("{0} takes one value, not a list")]
    List(String),
    /// A duplicate key.
    #[error("{0} is given twice")]
    Twice(String),
    /// A required key is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A name with this unprintable character.
    #[error("name contains the character U+{:04X}, which cannot be printed", u32::from(*.0))]
    Name(char),
    /// A command line with an unclosed quote or a trailing backslash.
    #[error("cmd: a quote is not closed, or nothing follows the backslash at the end")]
    OpenQuote,
    /// A command line without a program.
    #[error("cmd: no program is named")]
    NoProgram,
    /// The level.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// An unknown protocol.
    #[error("protocol is hub or dxp, not {0:?}")]
    Protocol(String),
    /// A value that Hub cannot express.
    #[error("{0}: a Hub value cannot contain a double quote or the end of a line")]
    NotForHub(String),
    /// A port.
    #[error("port is a number from 0 to 65535, not {0:?}")]
    Port(String),
    /// An invalid role.
    #[error("role is the side of the engine, server or client, not {0:?}")]
    Role(String),
    /// A key that does not apply to this protocol.
    #[error("protocol={1} does not use {0}")]
    NotUsed(String, &'static str),
    /// Two engines with the same name.
    #[error("two engines are called {0:?}; give them different names")]
    SameName(String),
    /// Fewer than two engines.
    #[error("a match needs two engines or more, not {0}")]
    TooFew(usize),
    /// Two engines with the same port.
    #[error(
        "{first} and {second} cannot both use port {port}; with port=0, and {{port}} in cmd or stdin, each takes a \
        free one"
    )]
    SamePort {
        port: u16,
        first: String,
        second: String,
    },
    /// An engine with a fixed port, with several games in parallel.
    #[error(
        "{name} has only port {port} for {games} games at once; with port=0, and {{port}} in cmd or stdin, each game \
        takes a \
         free one"
    )]
    OnePort {
        port: u16,
        name: String,
        games: usize,
    },
    /// A file that cannot be read.
    #[error("{file}: {error}")]
    Read { file: String, error: io::Error },
    /// An invalid line in a file.
    #[error("{file}, line {line}: {why}")]
    Line {
        file: String,
        line: usize,
        why: String,
    },
    /// An invalid engine in a file.
    #[error("{file}, engine {number}: {error}")]
    Engine {
        file: String,
        number: usize,
        error: Box<SpecError>,
    },
}
