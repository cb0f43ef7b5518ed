//! `damier book`: building opening books, looking into them, putting them to use.

mod args;
mod build;
mod convert;
mod inspect;

pub(super) use args::BookCommand;

use super::{Failure, error};
use damier::book::{Book, BookError};
use damier::lab::book::{self, BookBuildError, Selection};
use damier::notation::moves;
use damier::os::files;
use damier::rules::{Move, Position};
use std::path::Path;

/// Most bytes of a file of games or of JSON.
const LARGEST: u64 = 1 << 32;

/// How the book is called that no file holds.
const EMBEDDED: &str = "the book inside the program";

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

fn read(file: &str) -> Result<Vec<u8>, Failure> {
    files::read_at_most(file, LARGEST).map_err(|problem| error(format!("{file}: {problem}")))
}

/// Writes a file as a whole or not at all.
fn write_file(file: &str, bytes: &[u8]) -> Result<(), Failure> {
    // What a kill has left of an earlier try begins like this one.
    let magic = &bytes[..bytes.len().min(8)];
    files::replace(Path::new(file), magic, bytes)
        .map_err(|problem| error(format!("{file}: {problem}")))
}

/// A book; of a journal, all that was searched.
fn open(file: Option<&str>) -> Result<Book, Failure> {
    let Some(file) = file else {
        return Book::embedded()
            .ok_or_else(|| error("there is no book inside the program; name one"));
    };
    if book::is_journal(file) {
        let mut contents = book::read_journal(file)?;
        contents.close();
        let bytes = book::compile(&mut contents.graph, &Selection::default());
        return Book::from_bytes(bytes).map_err(error);
    }
    Ok(Book::open(Path::new(file))?)
}
