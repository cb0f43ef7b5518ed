//! `damier games import`.

use super::{BaseArgs, shown};
use crate::cli::files::other_format;
use crate::cli::shared_args::{EncodingArgs, whole};
use crate::cli::{
    Command, Failure, GivenOptions, error, open_input, print, print_json, progress, warn,
};
use clap::builder::NonEmptyStringValueParser;
use damier::base::{Base, ImportSettings, Imported, Observer, Progress};
use damier::notation::pdn::PdnError;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::training::dataset::format::MAGIC;
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// Bytes at the begin of a file that say what it is.
const HEAD: u64 = 1 << 12;
/// Games left out that are named, of each file.
const NAMED: u64 = 20;

/// Import PDN into a base, which is created if it does not exist
///
/// A game with the same players, event, site, date, round, result and moves as one of the base is a duplicate; of the
/// two texts the longer one is kept. Games that cannot be read are named and left out; the exit code is then 1. An
/// interrupted import goes on with the same command.
///
/// Example: damier games import club.pdn --base my.games
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ImportArgs {
    /// Files of PDN; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    base: BaseArgs,
    /// Games per transaction: an interruption costs at most one transaction
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole::<u64>(1..))]
    batch: u64,
    /// Collection of the imported games [default: the name of each file; none for stdin]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    collection: Option<String>,
    /// Skip the integrity check, which reads the whole base
    #[arg(long)]
    unchecked: bool,
    /// Print a JSON object for each file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    text: EncodingArgs,
}

impl Command for ImportArgs {
    const NAME: &'static str = "import";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.base.base.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        // All can be read before anything is made.
        let inputs: Result<Vec<_>, Failure> = self
            .files
            .iter()
            .map(|file| Ok((file, open(file)?)))
            .collect();
        let inputs = inputs?;
        let mut base = Base::create(&self.base.base)?;
        note_requests_to_end();
        let mut is_whole = true;
        for (place, (name, file)) in inputs.into_iter().enumerate() {
            let settings = ImportSettings {
                batch: self.batch,
                encoding: self.text.encoding,
                collection: self.collection.clone().or_else(|| collection(name)),
                unchecked: self.unchecked || place > 0,
            };
            let imported = import(&mut base, name, file, &settings)?;
            is_whole &= imported.left_out == 0 && !imported.stopped;
            self.print_summary(name, &imported)?;
            if imported.stopped {
                warn(&"stopped; the same command goes on");
                break;
            }
        }
        if is_whole {
            Ok(())
        } else {
            Err(Failure::Reported)
        }
    }
}

impl ImportArgs {
    fn print_summary(&self, name: &Path, imported: &Imported) -> Result<(), Failure> {
        let name = shown(name);
        self.text.print_note(&name, imported.encoding);
        if self.json {
            return print_json(imported);
        }
        let Imported {
            games,
            duplicates,
            left_out,
            resumed,
            ..
        } = imported;
        let resumed = match resumed {
            0 => String::new(),
            resumed => format!(", {resumed} of them read before"),
        };
        let games = progress::counted(*games, "game");
        print(&format!(
            "{name}: {games}, {duplicates} there already, {left_out} left out{resumed}"
        ))
    }
}

/// The collection of a file: its name without the folder. None for stdin.
fn collection(path: &Path) -> Option<String> {
    let name = path.file_name().filter(|name| *name != "-")?;
    Some(name.to_string_lossy().into_owned())
}

/// A file of PDN; none for stdin.
fn open(path: &Path) -> Result<Option<File>, Failure> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let name = shown(path);
    let mut file = open_input(path.to_str().unwrap_or(&name))?;
    let mut head = Vec::new();
    let fail = |problem: io::Error| error(format!("{name}: {problem}"));
    file.by_ref()
        .take(HEAD)
        .read_to_end(&mut head)
        .map_err(fail)?;
    file.rewind().map_err(fail)?;
    let other = match () {
        () if head.starts_with(MAGIC) => {
            "games to train on: `damier dataset show` prints them as PDN"
        }
        () if head.starts_with(b"SQLite format 3") => {
            "a base, not PDN: `damier games export` writes its games"
        }
        () => match other_format(&String::from_utf8_lossy(&head)) {
            Some(format) => format,
            None => return Ok(Some(file)),
        },
    };
    Err(error(format!("{name}: {other}")))
}

fn import(
    base: &mut Base,
    name: &Path,
    file: Option<File>,
    settings: &ImportSettings,
) -> Result<Imported, Failure> {
    let length = file
        .as_ref()
        .and_then(|file| file.metadata().ok())
        .map_or(0, |data| data.len());
    let mut watch = Watch {
        name: shown(name),
        bar: progress::bar(length, "bytes"),
        left_out: 0,
    };
    let imported = match file {
        Some(file) => base.import_file(name, file, settings, &mut watch),
        None => base.import("stdin", io::stdin(), settings, &mut watch),
    };
    watch.bar.finish_and_clear();
    if watch.left_out > NAMED {
        warn(&format_args!(
            "{}: {} more games left out",
            watch.name,
            watch.left_out - NAMED
        ));
    }
    let imported = imported?;
    if imported.games + imported.duplicates + imported.left_out == 0 && !imported.stopped {
        return Err(error(format!("{}: no game in it", watch.name)));
    }
    Ok(imported)
}

/// Shows how an import goes on.
struct Watch {
    name: String,
    bar: ProgressBar,
    left_out: u64,
}

impl Observer for Watch {
    fn progress(&mut self, progress: &Progress) -> bool {
        let length = self.bar.length().unwrap_or(0);
        // Text may have more bytes than the file, in another encoding.
        let bytes = if length > 0 {
            progress.bytes.min(length)
        } else {
            progress.bytes
        };
        self.bar.set_position(bytes);
        self.bar
            .set_message(progress::counted(progress.games, "game"));
        !asked_to_end()
    }

    fn left_out(&mut self, problem: &PdnError) {
        self.left_out += 1;
        if self.left_out <= NAMED {
            self.bar
                .suspend(|| warn(&format_args!("{}: {problem}; left out", self.name)));
        }
    }
}
