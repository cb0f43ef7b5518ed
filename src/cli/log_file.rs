//! The log: none unless it is asked for.

use super::args::LogArgs;
use damier::notation::text::for_terminal;
use log::LevelFilter;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

/// Sends the log to where the arguments want it.
pub(super) fn start(args: &LogArgs) -> Result<(), String> {
    let level = match (args.log_level, &args.log_file) {
        (Some(level), _) => level,
        (None, Some(_)) => LevelFilter::Debug,
        (None, None) => return Ok(()),
    };
    let mut builder = env_logger::Builder::new();
    builder.filter_level(level);
    let began = Instant::now();
    builder.format(move |line, record| {
        let seconds = began.elapsed().as_secs_f64();
        writeln!(
            line,
            "{seconds:>9.3} {:<5} {}",
            record.level(),
            for_terminal(&record.args().to_string())
        )
    });
    if let Some(path) = &args.log_file {
        // Added at the end: an earlier log may be what is needed. The path may be a slip: nothing else is added to.
        if let Some(fault) = fault(path) {
            return Err(format!("{}: {fault}", path.display()));
        }
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    builder.try_init().map_err(|error| error.to_string())
}

/// Why a log cannot be added to what stands there: only to an empty file, one in whose first lines a log is seen, and a device.
/// What cannot be read is for opening it to tell.
fn fault(path: &Path) -> Option<&'static str> {
    let kind = path.metadata().ok()?;
    if !kind.is_file() {
        // A pipe would wait for a reader, who may never come.
        return (!path.starts_with("/dev"))
            .then_some("not a regular file; name another one for the log");
    }
    let mut begin = [0; 1024];
    let read = File::open(path)
        .and_then(|mut file| file.read(&mut begin))
        .ok()?;
    // The first line of a log that was cut is not whole.
    let is_log = read == 0 || begin[..read].split(|&b| b == b'\n').any(begins_a_log);
    (!is_log).then_some("not a log of damier; name another file, or one that is not there")
}

/// Whether the log would go to a file that the command has another use for: one of the words on the command line, or what is
/// written beside it.
pub(super) fn is_used_otherwise(log: &Path, words: impl Iterator<Item = OsString>) -> bool {
    let beside = ["", ".partial", ".ckpt", ".ckpt.partial", ".journal"];
    let is_log = |word: &OsString| {
        beside.iter().any(|end| {
            let mut name = word.clone();
            name.push(end);
            Path::new(&name) == log
        })
    };
    // Once it stands there as the log.
    words.map(value).filter(is_log).count() > 1
}

/// What a word of the command line names: of `--out=FILE` the file.
fn value(word: OsString) -> OsString {
    let option = word.to_str().filter(|word| word.starts_with("--"));
    match option.and_then(|word| word.split_once('=')) {
        Some((_, value)) => value.into(),
        None => word,
    }
}

/// Whether the bytes begin as a line that [`start`] writes: seconds, a level.
fn begins_a_log(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut words = text.split_ascii_whitespace();
    let seconds = words.next().and_then(|word| word.split_once('.'));
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty();
    seconds.is_some_and(|(whole, rest)| is_number(whole) && rest.len() == 3 && is_number(rest))
        && words
            .next()
            .is_some_and(|level| level.parse::<log::Level>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_told_from_what_is_none() {
        for log in [
            "    0.001 INFO  damier",
            "12345.678 DEBUG <- hub\n",
            "    1.000 WARN ",
        ] {
            assert!(begins_a_log(log.as_bytes()), "{log}");
        }
        for other in [
            "[Event \"1.000 INFO\"]",
            "DAMIER games",
            "W:W31:B20",
            "1. 32-28 19-23",
            "\u{0}\u{1}",
            "1.5 INFO",
        ] {
            assert!(!begins_a_log(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn a_log_is_no_file_of_the_command() {
        let used = |log: &str, line: &str| {
            is_used_otherwise(Path::new(log), line.split(' ').map(OsString::from))
        };
        for line in [
            "selfplay --out x --log-file x",
            "selfplay --out=x --log-file=x",
            "match --log-file x --pdn=x",
        ] {
            assert!(used("x", line), "{line}");
        }
        assert!(used("x.ckpt", "train g --out=x --log-file x.ckpt"));
        assert!(!used("x.log", "train g --out x --log-file=x.log"));
        assert!(!used("x", "analyze --log-file=x"));
    }
}
