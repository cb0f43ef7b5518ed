//! `damier book`: building opening books, looking into them, putting them to use.

mod args;
mod build;
mod convert;
mod inspect;

pub(super) use args::BookCommand;

use super::{Failure, error};
use damier::book::{Book, BookError, MAGIC};
use damier::lab::book::{self, BookBuildError, Selection};
use damier::notation::moves;
use damier::os::files;
use damier::rules::{Move, Position};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Most bytes of a file of games or of JSON.
const LARGEST: u64 = 1 << 32;

/// How the book is called that no file holds.
const EMBEDDED: &str = "the built-in book";

/// Does what the arguments say.
pub(super) fn run(command: &BookCommand) -> Result<(), Failure> {
    match command {
        BookCommand::Build(args) => build::build(args),
        BookCommand::Stat(args) => inspect::stat(args),
        BookCommand::Show(args) => inspect::show(args),
        BookCommand::Verify(args) => inspect::verify(args),
        BookCommand::Merge(args) => convert::merge(args),
        BookCommand::Export(args) => convert::export(args),
        BookCommand::Import(args) => convert::import(args),
        BookCommand::Learn(args) => convert::learn(args),
        BookCommand::Openings(args) => convert::openings(args),
    }
}

impl From<BookBuildError> for Failure {
    fn from(error: BookBuildError) -> Failure {
        Failure::Error(error.to_string())
    }
}

impl From<BookError> for Failure {
    fn from(error: BookError) -> Failure {
        Failure::Error(error.to_string())
    }
}

fn moves_text(root: &Position, line: &[Move]) -> String {
    let mut position = *root;
    let texts = line.iter().map(|&mv| {
        let text = moves::short(&position, mv);
        position = position.play(mv);
        text
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Prints an object as a line.
fn print_json(object: &impl Serialize) -> Result<(), Failure> {
    say_out(&serde_json::to_string(object).map_err(error)?)
}

/// Prints a line.
fn say_out(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    files::read_at_most(file, LARGEST)
        .map_err(|problem| error(format!("{}: {problem}", file.display())))
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
        (false, true) if there.len() > 0 => refuse("there already and not a book"),
        _ => Ok(()),
    }
}

/// A number of things, as in `1 game` or `2 games`.
fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// A book; of a journal, all that was searched.
fn open(file: Option<&Path>) -> Result<Book, Failure> {
    let Some(file) = file else {
        return Ok(Book::embedded());
    };
    if book::is_journal(file) {
        let mut contents = book::read_journal(file)?;
        contents.close();
        let bytes = book::compile(&mut contents.graph, &Selection::default());
        return Book::from_bytes(bytes).map_err(error);
    }
    Ok(Book::open(file)?)
}
