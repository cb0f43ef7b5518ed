//! The first line of a journal.

use super::line::Line;
use serde_json::{Map, Value, json};
use std::io;

/// The first line of a journal: the kind of work, the version of the file and the settings of the work.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The kind, a field of its own whose value is the version.
    pub kind: &'static str,
    /// The version.
    pub version: u64,
    /// The settings, an object. One that is missing, null or false counts as off.
    pub settings: &'a Value,
    /// Settings that say the most where they differ: these are compared first.
    pub first: &'static [&'static str],
    /// Settings that journals of earlier versions lack; the last to be compared.
    pub later: &'static [&'static str],
}

/// Why a journal is not that of the work.
#[derive(Clone, PartialEq, Debug)]
pub enum HeaderError {
    /// The first line is no header of this kind.
    Foreign,
    /// Another version.
    OtherVersion(u64),
    /// Another value of a setting.
    OtherSetting {
        /// The setting.
        name: String,
        /// Value in the journal.
        there: Value,
        /// Value in the work.
        here: Value,
    },
}

/// Why a journal cannot be opened or resumed.
#[derive(Debug)]
pub enum OpenError {
    /// The file cannot be read or written.
    Io(io::Error),
    /// Another process has it open.
    Busy,
    /// It is not that of the work.
    Header(HeaderError),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> OpenError {
        OpenError::Io(error)
    }
}

impl Header<'_> {
    /// The header as a line of text.
    pub fn text(&self) -> String {
        json!({ self.kind: self.version, "settings": self.settings }).to_string()
    }

    /// The version in the first line of a journal of this kind.
    pub fn version_of(&self, line: &Line<'_>) -> Option<u64> {
        line.parse::<Value>()?.get(self.kind)?.as_u64()
    }

    /// Compares the first line of a journal with it. A line that was cut off fits: the journal begins anew.
    ///
    /// # Errors
    /// The journal is not that of this work.
    pub fn check(&self, line: &Line<'_>) -> Result<(), HeaderError> {
        let text = self.text();
        // As text: a number that is read is not always the one that was written.
        if line.is_beginning_of(&text) || line.text() == Some(&text) {
            return Ok(());
        }
        let version = self.version_of(line).ok_or(HeaderError::Foreign)?;
        if version != self.version {
            return Err(HeaderError::OtherVersion(version));
        }
        let header: Value = line.parse().unwrap_or_default();
        let there = header.get("settings").and_then(Value::as_object);
        let here = self.settings.as_object();
        let all = there.into_iter().chain(here).flat_map(|all| all.keys());
        let mut names: Vec<&String> = all.collect();
        let is_later = |name: &str| self.later.contains(&name);
        let place = |name: &str| self.first.iter().position(|first| *first == name);
        names.sort_by_key(|name| (place(name).unwrap_or(usize::MAX), is_later(name), *name));
        for name in names {
            let value = |all: Option<&Map<String, Value>>| {
                let found = all.and_then(|all| all.get(name)).cloned();
                found
                    .filter(|value| *value != Value::Bool(false))
                    .unwrap_or_default()
            };
            let (there, here) = (value(there), value(here));
            if there != here && !(there.is_null() && is_later(name)) {
                let name = name.clone();
                return Err(HeaderError::OtherSetting { name, there, here });
            }
        }
        Ok(())
    }
}
