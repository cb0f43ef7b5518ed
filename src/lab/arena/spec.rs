//! Which engines play: descriptions in Hub's own syntax, or in a TOML file.

use super::dxp_player::{DxpRole, DxpSpec};
use super::level::{LevelError, LevelText};
use super::player::Level;
use super::process::Launch;
use super::shell::{self, WordsError};
use crate::protocol::hub::{ParseError, arguments};
use std::fmt;
use std::path::{Path, PathBuf};

/// The port of DXP unless another is named.
const DXP_PORT: u16 = 27531;

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
    let text = std::fs::read_to_string(file).map_err(|error| fail(error.to_string()))?;
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

/// Checks that the engines can play a match with each other.
///
/// # Errors
/// There are fewer than two, or two have one name.
pub fn check(engines: &[EngineSpec]) -> Result<(), SpecError> {
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
    }
    Ok(())
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
        let program = match &launch {
            Some(launch) => Some(launch.program().map_err(|_| SpecError::Missing("cmd"))?),
            None => None,
        };
        let (mut command, dir) = match launch {
            Some(launch) => (launch.command, launch.dir),
            None => (Vec::new(), None),
        };
        if let (Some(first), Some(program)) = (command.first_mut(), program) {
            *first = program.to_string_lossy().into_owned();
        }
        Ok(Connection::Dxp(DxpSpec {
            name,
            command,
            dir,
            host: self.host.unwrap_or_else(|| "127.0.0.1".to_owned()),
            port: self.port.map_or(Ok(DXP_PORT), port)?,
            role,
            stdin: self.stdin,
        }))
    }
}

/// Everything of an engine that its games depend on, on one line.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        let dir = |dir: &Option<PathBuf>| match dir {
            Some(dir) => format!(" in {}", dir.display()),
            None => String::new(),
        };
        match &self.connection {
            Connection::Hub { launch, params } => {
                write!(f, " {launch}{}", dir(&launch.dir))?;
                params
                    .iter()
                    .try_for_each(|(name, value)| write!(f, " {name}={value}"))?;
            }
            Connection::Dxp(dxp) => {
                if !dxp.command.is_empty() {
                    write!(f, " {}{}", dxp.command.join(" "), dir(&dxp.dir))?;
                }
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
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_matchs_own_keys_are_kept_from_the_engine() {
        let spec = parse(r#"name=A cmd="./damier hub" dir=/x protocol=hub nodes=2000 threads=1"#);
        let launch = Launch {
            command: vec!["./damier".to_owned(), "hub".to_owned()],
            dir: Some(PathBuf::from("/x")),
        };
        let connection = Connection::Hub {
            launch,
            params: vec![("threads".to_owned(), "1".to_owned())],
        };
        let expected = EngineSpec {
            name: "A".to_owned(),
            connection,
            level: Some(Level::Nodes(2000)),
        };
        assert_eq!(spec, Ok(expected));
    }

    #[test]
    fn dxp_has_its_keys() {
        let spec = parse(r#"name=M protocol=dxp cmd="mobydam -t 22" port=27540 stdin="time 100""#);
        let Ok(EngineSpec { connection, .. }) = spec else {
            panic!("{spec:?}")
        };
        let Connection::Dxp(dxp) = connection else {
            panic!("not DXP")
        };
        assert_eq!(dxp.command, ["mobydam", "-t", "22"]);
        assert_eq!((dxp.host.as_str(), dxp.port), ("127.0.0.1", 27540));
        assert_eq!(
            (dxp.stdin[0].as_str(), dxp.role),
            ("time 100", DxpRole::Client)
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "name is missing"),
            ("name=A", "cmd is missing"),
            ("cmd=x", "name is missing"),
            ("name=A cmd=x cmd=y", "cmd is given twice"),
            ("name=A cmd=x threads=1 threads=2", "threads is given twice"),
            ("name=A cmd=x threads", "threads has no value"),
            ("name=A cmd=\"x", "never closed"),
            ("name=A cmd=\"x 'y\"", "never closed"),
            ("name=A cmd=x nodes=0", "no number of nodes"),
            ("name=A cmd=x nodes=1 depth=3", "exclude each other"),
            ("name=A cmd=x protocol=uci", "hub or dxp"),
            ("name=A cmd=x port=7", "nothing with protocol=hub"),
            ("name=A protocol=dxp port=65536", "port is a number"),
            ("name=A protocol=dxp role=x", "server or client"),
            ("name=A protocol=dxp threads=2", "nothing with protocol=dxp"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_of_engines_is_read_from_where_it_lies() {
        let folder = std::env::temp_dir().join(format!("damier-spec-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("engines.toml");
        let text = "[[engine]]\nname = \"A\"\ncmd = [\"./a b\", \"hub\"]\nmove-time = 0.1\nbook = false\n\
                    [[engine]]\nname = \"B\"\ncmd = \"b hub\"\ndir = \"sub\"\n";
        std::fs::write(&file, text).expect("a file");
        let engines = load(&file).expect("good engines");
        assert_eq!(
            engines[0].level,
            Some(Level::MoveTime(Duration::from_millis(100)))
        );
        let Connection::Hub { launch, params } = &engines[0].connection else {
            panic!("not Hub")
        };
        assert_eq!(launch.command, ["./a b", "hub"]);
        assert_eq!(launch.dir.as_deref(), Some(folder.as_path()));
        assert_eq!(params[..], [("book".to_owned(), "false".to_owned())]);
        let Connection::Hub { launch, .. } = &engines[1].connection else {
            panic!("not Hub")
        };
        assert_eq!(launch.dir, Some(folder.join("sub")));
        for bad in [
            "x",
            "a = 1",
            "engine = 1",
            "[[engine]]\nname = \"A\"\ncmd = {}\n",
        ] {
            std::fs::write(&file, bad).expect("a file");
            let error = load(&file).expect_err(bad).to_string();
            assert!(error.contains("engines.toml"), "{error}");
        }
        let _ = std::fs::remove_dir_all(&folder);
        assert!(load(&file).is_err());
    }
}
