//! `hub.ini`: options of the engine in a file.
//!
//! ```text
//! # a comment
//! threads = 2      # another one
//! ```

use damier::engine::Options;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Name of the file that is read from beside the program.
const NAME: &str = "hub.ini";
/// A file of options is never larger, in bytes; another file may be anything.
const LARGEST: u64 = 1 << 20;

/// The options of this file, or of `hub.ini` beside the program if it is there, or else the defaults.
pub(super) fn load(file: Option<&Path>) -> Result<Options, String> {
    let mut options = Options::default();
    let beside = || {
        let path = std::env::current_exe().ok()?.parent()?.join(NAME);
        path.is_file().then_some(path)
    };
    let Some(path) = file.map(PathBuf::from).or_else(beside) else {
        return Ok(options);
    };
    let shown = path.display();
    let read = || -> Result<String, String> {
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(|error| error.to_string())?;
        let size = file.take(LARGEST).read_to_end(&mut bytes);
        match size.map_err(|error| error.to_string())? as u64 {
            LARGEST => Err("too large for a file of options".to_owned()),
            _ => String::from_utf8(bytes).map_err(|_| "not a text file (UTF-8)".to_owned()),
        }
    };
    let text = read().map_err(|error| format!("{shown}: {error}"))?;
    apply(&mut options, &text).map_err(|error| format!("{shown}, {error}"))?;
    Ok(options)
}

/// Sets the options that a text gives.
fn apply(options: &mut Options, text: &str) -> Result<(), String> {
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            let shown: String = line.chars().take(40).flat_map(char::escape_debug).collect();
            return Err(format!(
                "line {}: expected name = value, found {shown}",
                index + 1
            ));
        };
        let value = value.trim().trim_matches('"');
        options
            .set(name.trim(), value)
            .map_err(|error| format!("line {}: {error}", index + 1))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Options, String> {
        let mut options = Options::default();
        apply(&mut options, text).map(|()| options)
    }

    #[test]
    fn reads_names_values_and_comments() {
        let options =
            read("\u{feff}# all\r\n\r\nthreads = 2 # two\r\nsearch=pvs\r\n  book  =  false")
                .unwrap();
        assert_eq!((options.threads, options.book), (2, false));
        assert_eq!(options.search.name(), "pvs");
        assert_eq!(read(""), Ok(Options::default()));
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
    }

    #[test]
    fn the_file_that_comes_along_holds_the_defaults() {
        let text = include_str!("../../hub.ini");
        assert_eq!(read(text), Ok(Options::default()));
        for spec in Options::default().specs() {
            let line = format!("\n{} = {}", spec.name, spec.value);
            assert!(text.contains(&line), "{line}");
        }
    }
}
