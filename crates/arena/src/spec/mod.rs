//! Engine descriptions, in Hub's argument syntax or in a TOML file.

mod engine;
mod error;
mod fields;

pub use self::engine::{Connection, EngineSpec};
pub use self::error::SpecError;

use self::fields::{Fields, KeyValue, Scalar};
use super::players::dxp::DxpRole;
use super::players::process::Launch;
use damier_os::input;
use damier_protocol::hub::arguments;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Parses a description such as `name=A cmd="./damier hub" dir=/x nodes=2000 threads=1`.
///
/// # Errors
/// It is malformed or incomplete.
pub fn parse(text: &str) -> Result<EngineSpec, SpecError> {
    let mut fields = Fields::default();
    for (key, value) in arguments(text).map_err(SpecError::Syntax)? {
        let value = value.ok_or_else(|| SpecError::NoValue(key.clone()))?;
        fields.add(&key, KeyValue::One(Scalar::Text(value)))?;
    }
    fields.into_spec(None)
}

/// A TOML file of engines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EnginesFile {
    engine: Vec<BTreeMap<String, KeyValue>>,
}

/// Maximum size of a file of engines, in bytes.
const MAX_FILE: u64 = 1 << 24;

/// Reads a file of `[[engine]]` tables with the same keys. A relative `dir` is relative to the file; without `dir` the
/// engine runs in the file's folder, or in the working directory if the file is standard input or a pipe.
///
/// # Errors
/// The file cannot be read, or a description is invalid.
pub fn load(file: &Path) -> Result<Vec<EngineSpec>, SpecError> {
    let name = file.display().to_string();
    let fail = |error| SpecError::Read {
        file: name.clone(),
        error,
    };
    let bytes = input::read_at_most(file, MAX_FILE).map_err(fail)?;
    let text = damier_text::decode(&bytes, None).text;
    let text = text.trim_start_matches('\u{feff}');
    let folder = match input::is_stream(file) {
        true => std::env::current_dir().map_err(fail)?,
        false => {
            let mut folder = std::path::absolute(file).map_err(fail)?;
            folder.pop();
            folder
        }
    };
    let engines: EnginesFile =
        toml::from_str(text).map_err(|error| bad_line(&name, text, &error))?;
    let spec = |engine: BTreeMap<String, KeyValue>| {
        let mut fields = Fields::default();
        let mut settings = engine.into_iter();
        settings.try_for_each(|(key, setting)| fields.add(&key, setting))?;
        fields.into_spec(Some(&folder))
    };
    let numbered = engines.engine.into_iter().zip(1..);
    numbered
        .map(|(engine, number)| {
            spec(engine).map_err(|error| SpecError::Engine {
                file: name.clone(),
                number,
                error: Box::new(error),
            })
        })
        .collect()
}

/// An error of the TOML parser on one line, with its line number in the file.
fn bad_line(file: &str, text: &str, error: &toml::de::Error) -> SpecError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text
        .get(..at)
        .map_or(0, |before| before.matches('\n').count());
    let source = text.lines().nth(line).unwrap_or("").trim();
    let why = error.message().lines().collect::<Vec<_>>().join(" ");
    SpecError::Line {
        file: file.to_owned(),
        line: line + 1,
        why: match source {
            "" => why,
            source => format!("{why}: {source:.80}"),
        },
    }
}

/// Checks that the engines can play a match with each other, with this many games in parallel.
///
/// # Errors
/// There are fewer than two, two have the same name, or a port would be used twice.
pub fn check(engines: &[EngineSpec], concurrency: usize) -> Result<(), SpecError> {
    if engines.len() < 2 {
        return Err(SpecError::TooFew(engines.len()));
    }
    for (index, engine) in engines.iter().enumerate() {
        let earlier = &engines[..index];
        let name = engine.name.clone();
        if earlier.iter().any(|other| other.name == name) {
            return Err(SpecError::SameName(name));
        }
        let Some((host, port)) = fixed_port(engine) else {
            continue;
        };
        if concurrency > 1 {
            return Err(SpecError::OnePort {
                port,
                name,
                games: concurrency,
            });
        }
        let is_same = |other: &&EngineSpec| fixed_port(other) == Some((host, port));
        if let Some(other) = earlier.iter().find(is_same) {
            return Err(SpecError::SamePort {
                port,
                first: other.name.clone(),
                second: name,
            });
        }
    }
    Ok(())
}

/// Host and port of an engine with a fixed port.
fn fixed_port(engine: &EngineSpec) -> Option<(&str, u16)> {
    match &engine.connection {
        Connection::Dxp(dxp) if dxp.port > 0 => Some((&dxp.host, dxp.port)),
        Connection::Dxp(_) | Connection::Hub { .. } => None,
    }
}

/// Everything about an engine that affects its games, on one line. Journals compare this text, so its format must not
/// change.
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
