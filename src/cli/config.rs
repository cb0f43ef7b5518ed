//! `hub.ini`: options of the engine, and of DXP, in a file.
//!
//! ```text
//! # a comment
//! threads = 2      # another one
//! dxp-port = 27532
//! ```

use damier::dxp;
use damier::engine::{self, Kind, OptionSpec};
use damier::notation::text;
use damier::os::files;
use std::path::{Path, PathBuf};

/// Name of the file that is read from beside the program.
const NAME: &str = "hub.ini";
/// The largest file of options, in bytes.
const LARGEST: u64 = 1 << 20;

/// What a file of options can set.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Config {
    /// Declared to clients of Hub, too.
    pub engine: engine::Options,
    /// Those whose names begin with `dxp-`.
    pub dxp: dxp::Options,
}

/// The options of this file, or of `hub.ini` beside the program if it is there, or else the defaults.
pub(super) fn load(file: Option<&Path>) -> Result<Config, String> {
    let mut options = Config::default();
    let beside = || {
        let path = std::env::current_exe().ok()?.parent()?.join(NAME);
        path.is_file().then_some(path)
    };
    let Some(path) = file.map(PathBuf::from).or_else(beside) else {
        return Ok(options);
    };
    let shown = path.display();
    let text =
        files::read_text_at_most(&path, LARGEST).map_err(|error| format!("{shown}: {error}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    apply(&mut options, &text, folder).map_err(|error| format!("{shown}, {error}"))?;
    Ok(options)
}

/// Sets the options that a text gives. Files and folders are looked for from `folder` on.
fn apply(options: &mut Config, text: &str, folder: &Path) -> Result<(), String> {
    let specs = options.engine.specs();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            let shown = text::excerpt(line);
            return Err(format!(
                "line {}: expected name = value, found {shown}",
                index + 1
            ));
        };
        let value = value.trim().trim_matches('"');
        let name = name.trim();
        let set = if dxp::Options::owns(name) {
            let set = options.dxp.set(name, value);
            set.map_err(|error| error.to_string())
        } else {
            let set = options.engine.set(name, &from(folder, name, value, &specs));
            set.map_err(|error| error.to_string())
        };
        set.map_err(|error| format!("line {}: {error}", index + 1))?;
    }
    Ok(())
}

/// The value of an option: where it names a file or a folder, as it is called from the working directory.
fn from(folder: &Path, name: &str, value: &str, specs: &[OptionSpec]) -> String {
    let is_path = specs.iter().any(|spec| {
        spec.name == name
            && match &spec.kind {
                Kind::File(words) => !words.contains(&value),
                Kind::Text => !value.is_empty(),
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

    fn read(text: &str) -> Result<Config, String> {
        let mut options = Config::default();
        apply(&mut options, text, Path::new("/etc/damier")).map(|()| options)
    }

    #[test]
    fn files_are_looked_for_beside_the_file_that_names_them() {
        let set = |text: &str| read(text).unwrap().engine;
        assert_eq!(set("weights = new.dwt").weights, "/etc/damier/new.dwt");
        assert_eq!(set("weights = /srv/new.dwt").weights, "/srv/new.dwt");
        assert_eq!(set("weights = handmade").weights, "handmade");
        assert_eq!(set("endgame-dir = five").endgame_dir, "/etc/damier/five");
        assert_eq!(set("endgame-dir =").endgame_dir, "");
    }

    #[test]
    fn reads_names_values_and_comments() {
        let options =
            read("\u{feff}# all\r\n\r\nthreads = 2 # two\r\nsearch=pvs\r\n  book  =  false")
                .unwrap()
                .engine;
        assert_eq!((options.threads, options.book), (2, false));
        assert_eq!(options.search.name(), "pvs");
        assert_eq!(read(""), Ok(Config::default()));
        let options = read("dxp-port = 5\nthreads = 2\ndxp-name = \"A B\"").unwrap();
        assert_eq!((options.dxp.port, options.engine.threads), (5, 2));
        assert_eq!(options.dxp.name.as_str(), "A B");
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(
            read("\nthread = 2").unwrap_err(),
            "line 2: no option thread"
        );
        assert_eq!(
            read("threads = 65").unwrap_err(),
            "line 1: threads is a number from 1 to 64, not 65"
        );
        assert_eq!(
            read("threads").unwrap_err(),
            "line 1: expected name = value, found threads"
        );
        assert_eq!(
            read("dxp-port = 65536").unwrap_err(),
            "line 1: dxp-port is a number from 0 to 65535, not 65536"
        );
        assert_eq!(
            read("dxp-board = true").unwrap_err(),
            "line 1: no option dxp-board"
        );
    }

    #[test]
    fn the_file_that_comes_along_holds_the_defaults() {
        let text = include_str!("../../hub.ini");
        let defaults = Config::default();
        // The name tells the version: in the file it would grow old.
        let shown = |(name, _): &(&str, String)| *name != "dxp-name";
        let dxp = defaults.dxp.values().into_iter().filter(shown);
        let engine = defaults.engine.specs().into_iter();
        for (name, value) in engine.map(|spec| (spec.name, spec.value)).chain(dxp) {
            let line = format!("\n{name} = {value}\n");
            assert!(text.contains(&line), "{line}");
        }
        assert_eq!(read(text), Ok(defaults));
    }
}
