//! Arguments that several commands take, and how values are read.

use crate::cli::{Failure, error, warn};
use damier::engine::Level;
use damier::engine::level::read_seconds;
use damier::rules::Position;
use damier::search::{Depth, MAX_DEPTH};
use damier::terminal::analyze::read_position;
use damier::text::{Encoding, decode};
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct LogArgs {
    /// Append a log to this file
    #[arg(long, value_name = "FILE", global = true, help_heading = "Logging")]
    pub log_file: Option<PathBuf>,
    /// How much to log: off, error, warn, info, debug or trace; without --log-file to stderr
    #[arg(long, value_name = "LEVEL", global = true, help_heading = "Logging", value_parser = level)]
    pub log_level: Option<log::LevelFilter>,
}

/// When a search ends: at the first of these limits.
#[derive(clap::Args, Debug, Default)]
pub(in crate::cli) struct LimitArgs {
    /// Seconds for each search, such as 2.5
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time: Option<Duration>,
    /// Plies to search
    #[arg(long, value_name = "N", value_parser = depth)]
    pub depth: Option<Depth>,
    /// Positions to search
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    pub nodes: Option<u64>,
}

impl LimitArgs {
    /// The level they make: the first limit reached ends the search.
    pub fn level(&self) -> Level {
        Level {
            depth: self.depth.map(Depth::unsigned_abs),
            nodes: self.nodes,
            move_time: self.time.map(|time| time.as_secs_f64()),
            clock: None,
        }
    }

    /// As [`LimitArgs::level`], with `seconds` where no limit is given.
    pub fn level_or(&self, seconds: u64) -> Level {
        let level = self.level();
        match level.is_infinite() {
            true => Level::move_time(Duration::from_secs(seconds)),
            false => level,
        }
    }
}

/// Encoding of the text that a command reads.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(in crate::cli) struct EncodingArgs {
    /// Encoding of the input: UTF-8, UTF-16LE, UTF-16BE, windows-1252, windows-1251, KOI8-R, CP866, CP850, windows-1250
    /// or windows-1257 [default: detected from the input]
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<Encoding>,
}

impl EncodingArgs {
    /// A note that the text was not UTF-8, unless --encoding was given.
    pub(in crate::cli) fn note(&self, name: &dyn fmt::Display, taken: Encoding) -> Option<String> {
        let is_guess = taken != Encoding::Utf8 && self.encoding.is_none();
        is_guess.then(|| format!("{name}: read as {taken}; --encoding names another"))
    }

    /// Prints the note.
    pub(in crate::cli) fn print_note(&self, name: &dyn fmt::Display, taken: Encoding) {
        self.note(name, taken).iter().for_each(|note| warn(note));
    }

    /// The text of a file; prints the note.
    pub(in crate::cli) fn text_of(&self, path: &Path, bytes: &[u8]) -> String {
        let decoded = decode(bytes, self.encoding);
        self.print_note(&path.display(), decoded.encoding);
        decoded.text.into_owned()
    }
}

/// Threads of work that is not a search.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct WorkerArgs {
    /// Threads [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1024))]
    threads: Option<usize>,
}

impl WorkerArgs {
    /// How many threads.
    pub(in crate::cli) fn count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.unwrap_or_else(cores)
    }
}

/// The position of a text as FEN or Hub has it; the start position without one.
pub(in crate::cli) fn position(text: Option<&str>) -> Result<Position, Failure> {
    text.map_or(Ok(Position::start()), read_position)
        .map_err(error)
}

pub(in crate::cli) fn seconds(text: &str) -> Result<Duration, String> {
    read_seconds(text).ok_or_else(|| "expected a number of seconds, such as 5 or 0.5".to_owned())
}

/// Reads a whole number in a range.
pub(in crate::cli) fn whole<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + fmt::Display,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("expected a whole number from {least} to {most}")
            }
            (Bound::Included(least), _) => format!("expected a whole number, {least} or more"),
            _ => "expected a whole number".to_owned(),
        })
    }
}

/// Reads a number of games: an even one, since every opening is played with both colours.
pub(in crate::cli) fn games(
    most: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| {
        let even = |n: &u64| (2..=most).contains(n) && n.is_multiple_of(2);
        let games = text.parse().ok().filter(even);
        games.ok_or_else(|| {
            format!(
                "expected an even number from 2 to {most}: every opening is played with both colours"
            )
        })
    }
}

fn level(text: &str) -> Result<log::LevelFilter, String> {
    text.parse()
        .map_err(|_| "expected off, error, warn, info, debug or trace".to_owned())
}

pub(in crate::cli) fn depth(text: &str) -> Result<Depth, String> {
    whole(1..=MAX_DEPTH)(text)
}

/// Reads a number in a range.
pub(in crate::cli) fn number(
    least: f64,
    most: f64,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("expected a number from {least} to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_depths_are_checked() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["", "-1", "nan", "inf", "1e300", "x", "1e10"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
        assert_eq!(whole::<u64>(1..)("1000000"), Ok(1_000_000));
        for bad in ["1e6", "0", "-1", "", "1.5", "99999999999999999999"] {
            let error = whole::<u64>(1..)(bad).expect_err(bad);
            assert!(error.contains("whole number"), "{error}");
        }
        assert!(whole::<u32>(0..=90)("91").is_err_and(|error| error.contains("90")));
        assert_eq!(depth("99"), Ok(99));
        for bad in ["", "0", "-1", "100", "1.5", "99999999999"] {
            assert!(depth(bad).is_err(), "{bad}");
        }
    }
}
