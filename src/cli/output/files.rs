//! Names of files, and files that are begun before the work and written after it.

use crate::cli::{Failure, error};
use damier::os::files::AtomicFile;
use std::path::Path;

/// The first bytes of a plot.
pub(in crate::cli) const SVG: &[u8] = b"<svg";

/// Columns of tables that have whole games in a line.
const COLUMNS: [&str; 8] = [
    "moves", "pdn", "pgn", "zetten", "coups", "züge", "zuege", "ходы",
];

/// A file to be written whole or not at all.
pub(in crate::cli) struct Pending<'a> {
    name: &'a Path,
    file: AtomicFile,
}

/// Begins a file whose kind has these first bytes, where one is wanted: what cannot be written fails before the work.
pub(in crate::cli) fn begin<'a>(
    name: Option<&'a Path>,
    magic: &[u8],
) -> Result<Option<Pending<'a>>, Failure> {
    let begin = |name: &'a Path| {
        let file = AtomicFile::begin(name, magic, &[] as &[&Path]);
        let file = file.map_err(|problem| error(format!("{}: {problem}", name.display())))?;
        Ok(Pending { name, file })
    };
    name.map(begin).transpose()
}

/// Why a text that begins so holds games in another format than PDN.
pub(in crate::cli) fn other_format(head: &str) -> Option<&'static str> {
    let begin = head.trim_start_matches('\u{feff}').trim_start();
    let first = begin.strip_prefix('[').unwrap_or(begin).trim_start();
    let key = first
        .strip_prefix('{')
        .and_then(|inside| inside.trim_start().strip_prefix('"'));
    let is_value = |value: &str| {
        let is_word = ["true", "false", "null"]
            .iter()
            .any(|word| value.starts_with(word));
        is_word || value.starts_with(|c: char| c.is_ascii_digit() || "\"[{-".contains(c))
    };
    let is_member = |(_, behind): (&str, &str)| {
        let value = behind.trim_start().strip_prefix(':');
        value.is_some_and(|value| is_value(value.trim_start()))
    };
    let is_json = key
        .and_then(|key| key.split_once('"'))
        .is_some_and(is_member);
    // The names of the columns, and as many in the next line.
    let mut lines = begin.lines().filter(|line| !line.trim().is_empty());
    let (line, next) = (
        lines.next().unwrap_or_default(),
        lines.next().unwrap_or_default(),
    );
    let is_name = |name: &str| {
        name.starts_with(char::is_alphabetic) && !name.contains(|c: char| c.is_ascii_digit())
    };
    let is_csv = [',', ';', '\t'].iter().any(|&sign| {
        let names = line.split(sign).map(|name| name.trim().trim_matches('"'));
        let has_games = |name: &str| COLUMNS.contains(&name.to_lowercase().as_str());
        let columns = line.matches(sign).count();
        columns > 0 && next.matches(sign).count() >= columns && names.clone().all(is_name) && {
            names
        }
        .any(has_games)
    });
    match (is_json, is_csv) {
        (true, _) => Some("JSON, not PDN: take out the moves of each game and put * behind them"),
        (_, true) => {
            Some("a table (CSV), not PDN: take out the moves of each game and put * behind them")
        }
        _ => None,
    }
}

impl Pending<'_> {
    /// Writes it.
    pub fn complete(self, bytes: &[u8]) -> Result<(), Failure> {
        let name = self.name.display();
        let written = self.file.complete(bytes);
        written.map_err(|problem| error(format!("{name}: {problem}")))
    }
}
