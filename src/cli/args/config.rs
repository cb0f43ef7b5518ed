//! `hub.ini`: options of the engine, and of DXP, in a file.
//!
//! ```text
//! # a comment
//! threads = 2      # another one
//! dxp-port = 27532
//! ```

use damier::dxp;
use damier::engine::{self, Kind, SettingError};
use damier::notation::text;
use damier::os::files;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Name of the file that is read from beside the program.
const NAME: &str = "hub.ini";
/// The largest file of options, in bytes.
const LARGEST: u64 = 1 << 20;

/// What a file of options can set.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::cli) struct Config {
    /// Declared to clients of Hub, too.
    pub engine: engine::Options,
    /// Options whose names begin with `dxp-`.
    pub dxp: dxp::Options,
}

/// What is wrong with a file of options.
#[derive(Debug, Error)]
pub(in crate::cli) enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {why}", path.display())]
    Unreadable { path: PathBuf, why: io::Error },
    /// A line of the file.
    #[error("{}, line {line}: {flaw}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        flaw: OptionsFileFlaw,
    },
}

/// What is wrong with a line.
#[derive(Debug, PartialEq, Error)]
pub(in crate::cli) enum OptionsFileFlaw {
    /// The line sets nothing.
    #[error("expected name = value, found {0}")]
    Syntax(String),
    /// The option, or its value.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// The options of this file, or of `hub.ini` beside the program if it is there, or else the defaults.
pub(in crate::cli) fn load(file: Option<&Path>) -> Result<Config, ConfigError> {
    let mut config = Config::default();
    match read(&mut config, file)?.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(config),
    }
}

/// As [`load`], but an invalid line leaves the default and is returned as a message.
pub(in crate::cli) fn load_lenient(file: Option<&Path>) -> (Config, Vec<String>) {
    let mut config = Config::default();
    let problems = read(&mut config, file).unwrap_or_else(|error| vec![error]);
    (config, problems.iter().map(ToString::to_string).collect())
}

/// Reads a file into options; returns its invalid lines.
fn read(config: &mut Config, file: Option<&Path>) -> Result<Vec<ConfigError>, ConfigError> {
    let beside = || {
        let path = std::env::current_exe().ok()?.parent()?.join(NAME);
        path.is_file().then_some(path)
    };
    let Some(path) = file.map(PathBuf::from).or_else(beside) else {
        return Ok(Vec::new());
    };
    let bytes = files::read_at_most(&path, LARGEST).map_err(|why| ConfigError::Unreadable {
        path: path.clone(),
        why,
    })?;
    let text = damier::text::decode(&bytes, None).text;
    let folder = path.parent().unwrap_or(Path::new(""));
    let flaws = apply(config, &text, folder).into_iter();
    let named = |(line, flaw)| ConfigError::Line {
        path: path.clone(),
        line,
        flaw,
    };
    Ok(flaws.map(named).collect())
}

/// Applies an options file; returns its invalid lines with their errors. Paths are relative to `folder`.
fn apply(config: &mut Config, text: &str, folder: &Path) -> Vec<(usize, OptionsFileFlaw)> {
    let mut flaws = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Err(flaw) = set(config, line, folder) {
            flaws.push((index + 1, flaw));
        }
    }
    flaws
}

fn set(config: &mut Config, line: &str, folder: &Path) -> Result<(), OptionsFileFlaw> {
    let Some((name, value)) = line.split_once('=') else {
        return Err(OptionsFileFlaw::Syntax(text::excerpt(line).to_string()));
    };
    let (name, value) = (name.trim(), value.trim().trim_matches('"'));
    if dxp::Options::owns(name) {
        return Ok(config.dxp.set(name, value)?);
    }
    if engine::Options::RETIRED.contains(&name) {
        log::info!("the option {name} is no longer used");
        return Ok(());
    }
    Ok(config.engine.set(name, &located(folder, name, value))?)
}

/// The value of an option: where it names a file or a folder, as it is called from the working directory.
fn located(folder: &Path, name: &str, value: &str) -> String {
    let is_path = engine::Options::specs().iter().any(|spec| {
        spec.name == name
            && match spec.kind {
                Kind::File(words) => !words.contains(&value) && !value.is_empty(),
                Kind::Folder => !value.is_empty(),
                _ => false,
            }
    });
    let joined = is_path.then(|| folder.join(value));
    let text = joined.as_ref().and_then(|path| path.to_str());
    text.unwrap_or(value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Config, Vec<(usize, OptionsFileFlaw)>) {
        let mut config = Config::default();
        let flaws = apply(&mut config, text, Path::new("/etc/damier"));
        (config, flaws)
    }

    #[test]
    fn files_are_looked_for_beside_the_file_that_names_them() {
        let set = |text: &str| read(text).0.engine;
        assert_eq!(
            set("weights = new.dwt").weights,
            Path::new("/etc/damier/new.dwt")
        );
        assert_eq!(
            set("weights = /srv/new.dwt").weights,
            Path::new("/srv/new.dwt")
        );
        assert_eq!(set("weights = handmade").weights, Path::new("handmade"));
        assert_eq!(
            set("endgame-dir = five").endgame_dir,
            Path::new("/etc/damier/five")
        );
        assert_eq!(set("endgame-dir =").endgame_dir, Path::new(""));
    }

    #[test]
    fn reads_names_values_and_comments() {
        let (config, flaws) = read(
            "\u{feff}# all\r\n\r\nthreads = 2 # two\r\nsearch=pvs\r\n  ponder  =  true\nparam = lmr_base=70",
        );
        assert!(flaws.is_empty(), "{flaws:?}");
        assert_eq!((config.engine.threads, config.engine.ponder), (2, true));
        assert_eq!(config.engine.search.name(), "pvs");
        assert_eq!(config.engine.params.lmr_base, 70);
        assert_eq!(read("").0, Config::default());
        let (config, _) = read("dxp-port = 5\nthreads = 2\ndxp-name = \"A B\"");
        assert_eq!((config.dxp.port, config.engine.threads), (5, 2));
        assert_eq!(config.dxp.name.as_str(), "A B");
    }

    #[test]
    fn a_file_may_be_in_any_encoding() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAME);
        for name in ["UTF-16LE", "windows-1251", "UTF-8"] {
            let encoding: damier::text::Encoding = name.parse().unwrap();
            let text = "# Настройки\nthreads = 2 # два\nweights = сеть.dwt\n";
            std::fs::write(&file, encoding.bytes_of(text)).unwrap();
            let mut config = Config::default();
            assert!(super::read(&mut config, Some(&file)).unwrap().is_empty());
            assert_eq!(config.engine.threads, 2);
            assert!(config.engine.weights.ends_with("сеть.dwt"));
        }
    }

    #[test]
    fn options_of_earlier_versions_are_passed_over() {
        let (config, flaws) =
            read("variant = normal\nbook = true\nbook-ply = 4\nbook-margin = 4\nthreads = 3");
        assert!(flaws.is_empty(), "{flaws:?}");
        assert_eq!(config.engine.threads, 3);
    }

    #[test]
    fn each_bad_line_is_named_and_the_others_count() {
        let (config, flaws) = read(
            "\nthread = 2\nthreads = 3\ntt-size = 65\ntt-size\ndxp-port = 65536\ndxp-board = true",
        );
        let shown: Vec<_> = flaws
            .iter()
            .map(|(line, flaw)| (*line, flaw.to_string()))
            .collect();
        for ((line, flaw), (wanted, words)) in shown.iter().zip([
            (2, ["thread", "threads"]),
            (4, ["tt-size", "65"]),
            (5, ["=", "tt-size"]),
            (6, ["dxp-port", "65535"]),
            (7, ["dxp-board", "dxp-back"]),
        ]) {
            assert_eq!(*line, wanted);
            assert!(words.iter().all(|word| flaw.contains(word)), "{flaw}");
        }
        assert_eq!(shown.len(), 5);
        assert_eq!(config.engine.threads, 3);
    }

    #[test]
    fn the_file_that_comes_along_holds_the_defaults() {
        let text = include_str!("../../../hub.ini");
        let (config, flaws) = read(text);
        assert!(flaws.is_empty(), "{flaws:?}");
        assert_eq!(config, Config::default());
    }
}
