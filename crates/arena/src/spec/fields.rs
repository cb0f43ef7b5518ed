//! The keys of an engine description, for either syntax.

use super::engine::{Connection, EngineSpec};
use super::error::SpecError;
use crate::level::LevelText;
use crate::players::dxp::{DxpRole, DxpSpec};
use crate::players::process::Launch;
use damier_protocol::dxp;
use damier_rules::notation::text;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The value of a key.
#[derive(Deserialize, Debug)]
#[serde(
    untagged,
    expecting = "expected a text, a number, true, false, or a list of these"
)]
pub(super) enum KeyValue {
    One(Scalar),
    Many(Vec<Scalar>),
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub(super) enum Scalar {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
}

impl From<Scalar> for String {
    fn from(value: Scalar) -> String {
        match value {
            Scalar::Text(text) => text,
            Scalar::Integer(number) => number.to_string(),
            Scalar::Float(number) => number.to_string(),
            Scalar::Boolean(value) => value.to_string(),
        }
    }
}

/// All keys as text. A key that the match itself does not know is a parameter of the engine.
#[derive(Default)]
pub(super) struct Fields {
    name: Option<String>,
    command: Option<Vec<String>>,
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
    pub(super) fn add(&mut self, key: &str, setting: KeyValue) -> Result<(), SpecError> {
        let value = match (key, setting) {
            ("cmd", setting) => {
                let command = match setting {
                    KeyValue::One(line) => words(&String::from(line))?,
                    KeyValue::Many(words) => words.into_iter().map(String::from).collect(),
                };
                return set(key, &mut self.command, command);
            }
            ("stdin", KeyValue::Many(lines)) => {
                self.stdin.extend(lines.into_iter().map(String::from));
                return Ok(());
            }
            (_, KeyValue::One(value)) => String::from(value),
            (_, KeyValue::Many(_)) => return Err(SpecError::List(key.to_owned())),
        };
        let field = match key {
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
            _ if self.params.iter().any(|(name, _)| name == key) => {
                return Err(SpecError::Twice(key.to_owned()));
            }
            _ => {
                self.params.push((key.to_owned(), value));
                return Ok(());
            }
        };
        set(key, field, value)
    }

    /// The description; `folder` is the folder of its file, if it comes from one.
    pub(super) fn into_spec(self, folder: Option<&Path>) -> Result<EngineSpec, SpecError> {
        let dir = match (folder, &self.dir) {
            (Some(folder), Some(dir)) => Some(folder.join(dir)),
            (Some(folder), None) => Some(folder.to_owned()),
            (None, dir) => dir.as_ref().map(PathBuf::from),
        };
        let level = self.level.level()?;
        let launch = self.command.clone().map(|command| Launch { command, dir });
        let name = self.name.clone().filter(|name| !name.trim().is_empty());
        let name = name.ok_or(SpecError::Missing("name"))?;
        if let Some(c) = name.chars().find(|&c| is_unprintable(c)) {
            return Err(SpecError::Name(c));
        }
        let connection = match self.protocol.as_deref() {
            None | Some("hub") => self.into_hub(launch)?,
            Some("dxp") => self.into_dxp(name.clone(), launch)?,
            Some(other) => return Err(SpecError::Protocol(other.to_owned())),
        };
        Ok(EngineSpec {
            name,
            connection,
            level,
        })
    }

    fn into_hub(self, launch: Option<Launch>) -> Result<Connection, SpecError> {
        let not_used = [
            ("host", self.host.is_some()),
            ("port", self.port.is_some()),
            ("role", self.role.is_some()),
            ("stdin", !self.stdin.is_empty()),
        ];
        if let Some((key, _)) = not_used.into_iter().find(|(_, given)| *given) {
            return Err(SpecError::NotUsed(key.to_owned(), "hub"));
        }
        let is_bad = |text: &String| text.contains(|c: char| c == '"' || c.is_control());
        if let Some((key, _)) = self
            .params
            .iter()
            .find(|(key, value)| is_bad(key) || is_bad(value))
        {
            return Err(SpecError::NotForHub(key.escape_debug().to_string()));
        }
        Ok(Connection::Hub {
            launch: launch.ok_or(SpecError::Missing("cmd"))?,
            params: self.params,
        })
    }

    fn into_dxp(self, name: String, launch: Option<Launch>) -> Result<Connection, SpecError> {
        if let Some((key, _)) = self.params.into_iter().next() {
            return Err(SpecError::NotUsed(key, "dxp"));
        }
        let port = match self.port {
            Some(text) => text.parse().map_err(|_| SpecError::Port(text))?,
            None => dxp::PORT,
        };
        // `role` is the engine's; the arena takes the other.
        let role = match self.role.as_deref() {
            None | Some("server") => DxpRole::Client,
            Some("client") => DxpRole::Server,
            Some(other) => return Err(SpecError::Role(other.to_owned())),
        };
        Ok(Connection::Dxp(DxpSpec {
            name,
            launch,
            host: self.host.unwrap_or_else(|| "127.0.0.1".to_owned()),
            port,
            role,
            stdin: self.stdin,
        }))
    }
}

fn set<T>(key: &str, field: &mut Option<T>, value: T) -> Result<(), SpecError> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(SpecError::Twice(key.to_owned())),
    }
}

/// Splits a command line into words as a POSIX shell does; no shell is run.
fn words(line: &str) -> Result<Vec<String>, SpecError> {
    // Windows paths contain backslashes, which a shell would remove.
    let words = match cfg!(windows) {
        true => shlex::split(&line.replace('\\', "\\\\")),
        false => shlex::split(line),
    };
    let words = words.ok_or(SpecError::OpenQuote)?;
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err(SpecError::NoProgram),
    }
}

/// Whether a character would control a terminal or garble a report.
fn is_unprintable(c: char) -> bool {
    c == '\n'
        || text::for_terminal(c.encode_utf8(&mut [0; 4]))
            .chars()
            .ne([c])
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn spaces_separate_words_and_quotes_keep_them() {
        let all = |line: &str| words(line).expect(line);
        assert_eq!(all("  ./damier  hub "), ["./damier", "hub"]);
        assert_eq!(all("'a b' \"c  d\"e '' x"), ["a b", "c  de", "", "x"]);
        assert_eq!(all("engine x#1 \"#2\""), ["engine", "x#1", "#2"]);
        #[cfg(unix)]
        assert_eq!(all(r#""a\"b\\c\d" "it's""#), [r#"a"b\c\d"#, "it's"]);
        #[cfg(unix)]
        assert_eq!(all(r"a\ b \'c"), ["a b", "'c"]);
        #[cfg(windows)]
        assert_eq!(all(r"C:\engines\x.exe hub"), [r"C:\engines\x.exe", "hub"]);
    }

    #[test]
    fn a_line_without_a_program_is_refused() {
        for line in ["", "  ", "'' x", "a 'b", "a \"b'"] {
            assert!(words(line).is_err(), "{line}");
        }
        #[cfg(unix)]
        assert!(words("a \\").is_err());
    }
}
