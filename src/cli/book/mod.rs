//! `damier book`: building opening books, looking into them, putting them to use.

mod build;
mod export;
mod import;
mod learn;
mod merge;
mod openings;
mod show;
mod stat;
mod verify;

use super::command::{Entry, Group};
use super::progress::counted as count;
use super::shared_args::EncodingArgs;
use super::{Failure, error};
use damier::analysis::json::short_texts;
use damier::book::{Book, MAGIC};
use damier::lab::book::{self, Selection};
use damier::os::files;
use damier::rules::{Move, Position};
use std::fs;
use std::path::Path;

pub(super) const COMMANDS: Group = Group {
    name: "book",
    about: "Build and inspect opening books, learn from games",
    after_help: "Example: damier book show --moves \"32-28 19-23\"",
    entries: &[
        Entry::of::<build::BuildArgs>(),
        Entry::of::<stat::StatArgs>(),
        Entry::of::<show::ShowArgs>(),
        Entry::of::<verify::VerifyArgs>(),
        Entry::of::<merge::MergeArgs>(),
        Entry::of::<export::ExportArgs>(),
        Entry::of::<import::ImportArgs>(),
        Entry::of::<learn::LearnArgs>(),
        Entry::of::<openings::OpeningsArgs>(),
    ],
};

/// Maximum bytes of a file of games or of JSON.
const LARGEST: u64 = 1 << 32;
/// What a book as games, and openings as games, begin with.
const PDN: &[u8] = b"[Event \"Opening";

fn moves_text(root: &Position, line: &[Move]) -> String {
    short_texts(root, line).join(" ")
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    files::read_at_most(file, LARGEST)
        .map_err(|problem| error(format!("{}: {problem}", file.display())))
}

/// The text of a file of games or of JSON.
fn read_text(file: &Path, text: EncodingArgs) -> Result<String, Failure> {
    Ok(text.text_of(file, &read(file)?))
}

/// Writes a file as a whole or not at all. Files of its kind begin with `magic`.
fn write_file(file: &Path, magic: &[u8], bytes: &[u8]) -> Result<(), Failure> {
    check_replaceable(file, bytes)?;
    files::replace(file, magic, bytes)
        .map_err(|problem| error(format!("{}: {problem}", file.display())))
}

/// Refuses to replace what is no regular file, a journal, or a file of another kind than the one to be written.
fn check_replaceable(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let refuse = |what: &str| {
        let file = file.display();
        Err(error(format!("{file}: {what}; choose another name")))
    };
    let Ok(there) = fs::metadata(file) else {
        return Ok(());
    };
    if !there.is_file() {
        return refuse("not a regular file");
    }
    if book::is_journal(file) {
        return refuse("the journal of a book, which is not overwritten");
    }
    match (Book::is_book(file), bytes.starts_with(MAGIC)) {
        (true, false) => refuse("a book, which is not overwritten by text"),
        (false, true) if there.len() > 0 => refuse("exists and is not a book"),
        _ => Ok(()),
    }
}

/// A book; of a journal, all that was searched.
fn open(file: Option<&Path>) -> Result<Book, Failure> {
    let Some(file) = file else {
        return Ok(Book::embedded()?);
    };
    if book::is_journal(file) {
        let mut contents = book::read_journal(file)?;
        contents.close();
        let bytes = book::compile(&mut contents.graph, &Selection::default());
        return Book::from_bytes(bytes).map_err(error);
    }
    Ok(Book::open(file)?)
}

/// Men as hundredths, at least one.
fn hundredths(text: &str) -> Result<u32, String> {
    let men: Option<f64> = text.parse().ok();
    men.map(|men| (men * 100.0).round())
        .filter(|hundredths| (1.0..=8_000.0).contains(hundredths))
        .map(|hundredths| hundredths as u32)
        .ok_or_else(|| "expected a number of men from 0.01 to 80, such as 0.2".to_owned())
}
