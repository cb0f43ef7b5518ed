//! Which engines play: descriptions in Hub's own syntax, or in a TOML file.

use crate::lab::arena::level::Level;
use crate::lab::arena::level::{LevelError, LevelText};
use crate::lab::arena::players::dxp::{DxpRole, DxpSpec};
use crate::lab::arena::players::process::Launch;
pub mod command_line;

use self::command_line::{self as shell, WordsError};
use crate::os::files;
use crate::protocol::dxp;
use crate::protocol::hub::{ParseError, arguments};
use std::fmt;
use std::path::{Path, PathBuf};

/// The largest file of engines, in bytes.
const LARGEST: u64 = 1 << 20;

/// An engine that takes part.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// Its name in reports; no other engine of the match has it.
    pub name: String,
    /// How it is reached.
    pub connection: Connection,
    /// Its own level, where it has one.
    pub level: Option<Level>,
}

/// How an engine is reached.
#[derive(Clone, PartialEq, Debug)]
pub enum Connection {
    /// A process that speaks Hub.
    Hub {
        /// The process.
        launch: Launch,
        /// Parameters to set before it gets ready.
        params: Vec<(String, String)>,
    },
    /// A program that speaks DXP over TCP.
    Dxp(DxpSpec),
}

/// Why a description is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// It cannot be read as arguments of Hub.
    Syntax(ParseError),
    /// A key without a value.
    NoValue(String),
    /// A key twice.
    Twice(String),
    /// A key that must be given.
    Missing(&'static str),
    /// The command.
    Command(WordsError),
    /// The level.
    Level(LevelError),
    /// A protocol that is neither.
    Protocol(String),
    /// A value that Hub cannot say.
    Unsayable(String),
    /// A port.
    Port(String),
    /// A role that is neither.
    Role(String),
    /// A key that means nothing with this protocol.
    NotFor(String, &'static str),
    /// Two engines have this name.
    SameName(String),
    /// Fewer than two engines.
    TooFew(usize),
    /// Two engines would use this port: their names.
    SamePort(u16, String, String),
    /// This engine has one port, and so many games are to be played at once.
    OnePort(u16, String, usize),
    /// A file: its name and what is wrong.
    File(String, String),
    /// An engine of a file: the file, the number of the engine from 1, and what is wrong.
    Entry(String, usize, Box<SpecError>),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::Syntax(error) => write!(f, "{error}"),
            SpecError::NoValue(key) => write!(f, "{key} has no value; expected {key}=..."),
            SpecError::Twice(key) => write!(f, "{key} is given twice"),
            SpecError::Missing(key) => write!(f, "{key} is missing"),
            SpecError::Command(error) => write!(f, "cmd: {error}"),
            SpecError::Level(error) => error.fmt(f),
            SpecError::Protocol(text) => write!(f, "protocol is hub or dxp, not {text:?}"),
            SpecError::Unsayable(key) => write!(
                f,
                "{key}: Hub has no way to say a double quote or the end of a line in a value"
            ),
            SpecError::Port(text) => write!(f, "port is a number from 0 to 65535, not {text:?}"),
            SpecError::Role(text) => {
                write!(
                    f,
                    "role is what the engine is, server or client, not {text:?}"
                )
            }
            SpecError::NotFor(key, protocol) => {
                write!(f, "{key} means nothing with protocol={protocol}")
            }
            SpecError::SameName(name) => write!(
                f,
                "two engines are called {name:?}; give them different names"
            ),
            SpecError::TooFew(n) => write!(f, "a match needs two engines or more, here is {n}"),
            SpecError::SamePort(port, first, second) => write!(
                f,
                "{first} and {second} cannot both use port {port}; port=0, with {{port}} in cmd or stdin, takes any that is free"
            ),
            SpecError::OnePort(port, name, games) => write!(
                f,
                "{name} has port {port} alone, too few for {games} games at once; port=0, with {{port}} in cmd or stdin, takes any \
                 that is free"
            ),
            SpecError::File(file, why) => write!(f, "{file}: {why}"),
            SpecError::Entry(file, number, error) => write!(f, "{file}, engine {number}: {error}"),
        }
    }
}

impl std::error::Error for SpecError {}

/// Reads a description such as `name=A cmd="./damier hub" dir=/x nodes=2000 threads=1`.
///
/// # Errors
/// It cannot be read, or lacks something.
pub fn parse(text: &str) -> Result<EngineSpec, SpecError> {
    let mut fields = Fields::default();
    for (key, value) in arguments(text).map_err(SpecError::Syntax)? {
        let value = value.ok_or_else(|| SpecError::NoValue(key.clone()))?;
        fields.add(key, value)?;
    }
    fields.into_spec(None)
}

/// Reads a file of `[[engine]]` tables with the same keys. A relative `dir` is relative to the file; without one the
/// engine runs where the file lies.
///
/// # Errors
/// The file cannot be read, or a description is wrong.
pub fn load(file: &Path) -> Result<Vec<EngineSpec>, SpecError> {
    let name = file.display().to_string();
    let fail = |why: String| SpecError::File(name.clone(), why);
    let text = files::read_text_at_most(file, LARGEST).map_err(|error| fail(error.to_string()))?;
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| fail(error.to_string().trim_end().to_owned()))?;
    if let Some(key) = table.keys().find(|key| *key != "engine") {
        return Err(fail(format!("{key:?} is not known; expected [[engine]]")));
    }
    let engines = table.get("engine").and_then(toml::Value::as_array);
    let engines = engines.ok_or_else(|| fail("no [[engine]] in it".to_owned()))?;
    let folder = std::path::absolute(file).map_err(|error| fail(error.to_string()))?;
    let folder = folder.parent().unwrap_or(Path::new(""));
    let read = |(index, engine): (usize, &toml::Value)| {
        from_toml(engine, folder)
            .map_err(|error| SpecError::Entry(name.clone(), index + 1, Box::new(error)))
    };
    engines.iter().enumerate().map(read).collect()
}

/// Checks that the engines can play a match with each other, so many games at once.
///
/// # Errors
/// There are fewer than two, or two have one name, or a port would be used twice.
pub fn check(engines: &[EngineSpec], concurrency: usize) -> Result<(), SpecError> {
    if engines.len() < 2 {
        return Err(SpecError::TooFew(engines.len()));
    }
    for (index, engine) in engines.iter().enumerate() {
        if engines[..index]
            .iter()
            .any(|other| other.name == engine.name)
        {
            return Err(SpecError::SameName(engine.name.clone()));
        }
        let Some((host, port)) = fixed_port(engine) else {
            continue;
        };
        if concurrency > 1 {
            let name = engine.name.clone();
            return Err(SpecError::OnePort(port, name, concurrency));
        }
        let same = |other: &&EngineSpec| fixed_port(other) == Some((host, port));
        if let Some(other) = engines[..index].iter().find(same) {
            let (first, second) = (other.name.clone(), engine.name.clone());
            return Err(SpecError::SamePort(port, first, second));
        }
    }
    Ok(())
}

/// Host and port of an engine that always uses the same.
fn fixed_port(engine: &EngineSpec) -> Option<(&str, u16)> {
    match &engine.connection {
        Connection::Dxp(dxp) if dxp.port > 0 => Some((&dxp.host, dxp.port)),
        Connection::Dxp(_) | Connection::Hub { .. } => None,
    }
}

fn from_toml(engine: &toml::Value, folder: &Path) -> Result<EngineSpec, SpecError> {
    let table = engine
        .as_table()
        .ok_or(SpecError::Missing("[[engine]] with keys"))?;
    let mut fields = Fields::default();
    for (key, value) in table {
        let text = |value: &toml::Value| match value {
            toml::Value::String(text) => Some(text.clone()),
            toml::Value::Integer(number) => Some(number.to_string()),
            toml::Value::Float(number) => Some(number.to_string()),
            toml::Value::Boolean(value) => Some(value.to_string()),
            _ => None,
        };
        match value {
            toml::Value::Array(words) if key == "cmd" => {
                let words: Option<Vec<_>> = words.iter().map(text).collect();
                let words = words.ok_or_else(|| SpecError::NoValue(key.clone()))?;
                fields.words = Some(words);
            }
            toml::Value::Array(lines) if key == "stdin" => {
                for line in lines {
                    let line = text(line).ok_or_else(|| SpecError::NoValue(key.clone()))?;
                    fields.add(key.clone(), line)?;
                }
            }
            value => {
                let value = text(value).ok_or_else(|| SpecError::NoValue(key.clone()))?;
                fields.add(key.clone(), value)?;
            }
        }
    }
    fields.into_spec(Some(folder))
}

/// The keys of a description.
#[derive(Default)]
struct Fields {
    name: Option<String>,
    words: Option<Vec<String>>,
    dir: Option<String>,
    protocol: Option<String>,
    host: Option<String>,
    port: Option<String>,
    role: Option<String>,
    stdin: Vec<String>,
    level: LevelText,
    params: Vec<(String, String)>,
}

impl Fields {
    fn add(&mut self, key: String, value: String) -> Result<(), SpecError> {
        let field = match key.as_str() {
            "cmd" => {
                let words = shell::words(&value).map_err(SpecError::Command)?;
                return match self.words.replace(words) {
                    None => Ok(()),
                    Some(_) => Err(SpecError::Twice(key)),
                };
            }
            "stdin" => {
                self.stdin.push(value);
                return Ok(());
            }
            "name" => &mut self.name,
            "dir" => &mut self.dir,
            "protocol" => &mut self.protocol,
            "host" => &mut self.host,
            "port" => &mut self.port,
            "role" => &mut self.role,
            "move-time" => &mut self.level.move_time,
            "nodes" => &mut self.level.nodes,
            "depth" => &mut self.level.depth,
            "tc" => &mut self.level.clock,
            _ => {
                if self.params.iter().any(|(name, _)| *name == key) {
                    return Err(SpecError::Twice(key));
                }
                self.params.push((key, value));
                return Ok(());
            }
        };
        match field.replace(value) {
            None => Ok(()),
            Some(_) => Err(SpecError::Twice(key)),
        }
    }

    fn into_spec(self, folder: Option<&Path>) -> Result<EngineSpec, SpecError> {
        let dir = match (folder, &self.dir) {
            (Some(folder), Some(dir)) => Some(folder.join(dir)),
            (Some(folder), None) => Some(folder.to_owned()),
            (None, dir) => dir.as_ref().map(PathBuf::from),
        };
        let level = self.level.level().map_err(SpecError::Level)?;
        let launch = self.words.clone().map(|command| Launch { command, dir });
        let name = self.name.clone().filter(|name| !name.trim().is_empty());
        let name = name.ok_or(SpecError::Missing("name"))?;
        let connection = match self.protocol.as_deref() {
            None | Some("hub") => self.hub(launch)?,
            Some("dxp") => self.dxp(name.clone(), launch)?,
            Some(other) => return Err(SpecError::Protocol(other.to_owned())),
        };
        Ok(EngineSpec {
            name,
            connection,
            level,
        })
    }

    fn hub(self, launch: Option<Launch>) -> Result<Connection, SpecError> {
        let unsayable = |text: &String| text.contains(|c: char| c == '"' || c.is_control());
        let bad = |(key, value): &&(String, String)| unsayable(key) || unsayable(value);
        if let Some((key, _)) = self.params.iter().find(bad) {
            return Err(SpecError::Unsayable(key.escape_debug().to_string()));
        }
        let stdin = self.stdin.into_iter().next();
        for (key, given) in [
            ("host", self.host),
            ("port", self.port),
            ("role", self.role),
            ("stdin", stdin),
        ] {
            if given.is_some() {
                return Err(SpecError::NotFor(key.to_owned(), "hub"));
            }
        }
        Ok(Connection::Hub {
            launch: launch.ok_or(SpecError::Missing("cmd"))?,
            params: self.params,
        })
    }

    fn dxp(self, name: String, launch: Option<Launch>) -> Result<Connection, SpecError> {
        if let Some((key, _)) = self.params.into_iter().next() {
            return Err(SpecError::NotFor(key, "dxp"));
        }
        let port = |text: String| match text.parse() {
            Ok(port) => Ok(port),
            Err(_) => Err(SpecError::Port(text)),
        };
        // The role is that of the engine; the arena takes the other.
        let role = match self.role.as_deref() {
            None | Some("server") => DxpRole::Client,
            Some("client") => DxpRole::Server,
            Some(other) => return Err(SpecError::Role(other.to_owned())),
        };
        Ok(Connection::Dxp(DxpSpec {
            name,
            launch,
            host: self.host.unwrap_or_else(|| "127.0.0.1".to_owned()),
            port: self.port.map_or(Ok(dxp::PORT), port)?,
            role,
            stdin: self.stdin,
        }))
    }
}

/// Everything of an engine that its games depend on, on one line.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        let launched = |launch: &Launch| match &launch.dir {
            Some(dir) => format!(" {launch} in {}", dir.display()),
            None => format!(" {launch}"),
        };
        match &self.connection {
            Connection::Hub { launch, params } => {
                f.write_str(&launched(launch))?;
                params
                    .iter()
                    .try_for_each(|(name, value)| write!(f, " {name}={value}"))?;
            }
            Connection::Dxp(dxp) => {
                f.write_str(&dxp.launch.as_ref().map_or(String::new(), launched))?;
                let role = match dxp.role {
                    DxpRole::Client => "server",
                    DxpRole::Server => "client",
                };
                write!(f, " dxp {role} {}:{}", dxp.host, dxp.port)?;
                dxp.stdin
                    .iter()
                    .try_for_each(|line| write!(f, " <{line}"))?;
            }
        }
        self.level.map_or(Ok(()), |level| write!(f, " {level}"))
    }
}

#[cfg(test)]
mod tests;
