//! `damier book verify`.

use super::{count, open};
use crate::cli::{Command, Failure, GivenOptions, error, print, print_json, warn};
use serde::Serialize;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The name in messages of the book that is in no file.
const EMBEDDED: &str = "the built-in book";

/// Check a book or a journal: every byte, every move
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier book verify my.dbk")]
pub(in crate::cli) struct VerifyArgs {
    /// Books and journals [default: the built-in book]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print a JSON object a line for each file
    #[arg(long)]
    pub json: bool,
}

impl Command for VerifyArgs {
    const NAME: &'static str = "verify";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let mut failed = false;
        let named: Vec<Option<&Path>> = match self.files.as_slice() {
            [] => vec![None],
            files => files.iter().map(|file| Some(file.as_path())).collect(),
        };
        for file in named {
            let name = name(file);
            match verify_one(file) {
                Ok(positions) if self.json => print_json(&VerifyObject {
                    file: file.map(Path::to_string_lossy),
                    sound: true,
                    positions: Some(positions),
                    error: None,
                })?,
                Ok(positions) => {
                    print(&format!("{name}: {}, sound", count(positions, "position")))?
                }
                Err(Failure::Error(message)) => {
                    if self.json {
                        print_json(&VerifyObject {
                            file: file.map(Path::to_string_lossy),
                            sound: false,
                            positions: None,
                            error: Some(&message),
                        })?;
                    }
                    warn(&message);
                    failed = true;
                }
                Err(other) => return Err(other),
            }
        }
        if failed {
            Err(Failure::Reported)
        } else {
            Ok(())
        }
    }
}

/// What `book verify --json` prints for a file.
#[derive(Serialize)]
struct VerifyObject<'a> {
    file: Option<Cow<'a, str>>,
    sound: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// What a book is called in messages.
fn name(file: Option<&Path>) -> Cow<'_, str> {
    file.map_or(Cow::Borrowed(EMBEDDED), Path::to_string_lossy)
}

/// The positions of a sound book: all entries can be read, are in order, and can be reached by legal moves.
fn verify_one(file: Option<&Path>) -> Result<u64, Failure> {
    let name = name(file);
    let book = open(file)?;
    let wrong = |what: &str| error(format!("{name}: {what}"));
    let mut before = None;
    for entry in book.entries() {
        let entry = entry.ok_or_else(|| wrong("an entry cannot be read"))?;
        if before.is_some_and(|before| before >= entry.key) {
            return Err(wrong("entries are not sorted"));
        }
        before = Some(entry.key);
    }
    let reached = book
        .walk()
        .map_err(|fault| wrong(&fault.to_string()))?
        .count() as u64;
    match book.header().positions {
        positions if positions == reached => Ok(positions),
        positions => Err(wrong(&format!(
            "{reached} of its {positions} positions can be reached by its moves"
        ))),
    }
}
