//! `damier book merge`, `export`, `import`, `learn` and `openings`: one file from another.

use super::args::{ExportArgs, ImportArgs, LearnArgs, MergeArgs, OpeningsArgs, OpeningsForm};
use super::{count, open, print_json, read, say_out, write_file};
use crate::cli::{Failure, error, say};
use damier::book::{Book, MAGIC};
use damier::lab::book::{self, JsonBook, OpeningsWanted, Selection};
use damier::notation::{fen, pdn};
use serde::Serialize;
use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};

/// What a book as games, and openings as games, begin with.
const PDN: &[u8] = b"[Event \"Opening";
/// What a list of positions of ours begins with.
const FEN_LIST: &[u8] = b"# Openings from a book";

/// What `book merge --json` prints.
#[derive(Serialize)]
struct MergeObject<'a> {
    journal: Cow<'a, str>,
    positions: u64,
    searches: u64,
    added: u64,
    out_of_order: u64,
}

/// What `book learn --json` prints.
#[derive(Serialize)]
struct LearnObject<'a> {
    out: Cow<'a, str>,
    games: u64,
    moves: u64,
    unused: u64,
    damaged: u64,
}

/// Adds journals to a journal.
pub(super) fn merge(args: &MergeArgs) -> Result<(), Failure> {
    let merged = book::merge(&args.journal, &args.others, args.any_order)?;
    let object = MergeObject {
        journal: args.journal.to_string_lossy(),
        positions: merged.positions,
        searches: merged.had + merged.added + merged.out_of_order,
        added: merged.added + merged.out_of_order,
        out_of_order: merged.out_of_order,
    };
    if args.json {
        return print_json(&object);
    }
    say_out(&format!(
        "{}: {}; searches added: {}, out of order: {}",
        object.journal,
        count(object.positions, "position"),
        object.added,
        object.out_of_order
    ))
}

/// Writes a book in another form.
pub(super) fn export(args: &ExportArgs) -> Result<(), Failure> {
    let selection = Selection {
        positions: args.positions.unwrap_or(usize::MAX),
        bytes: args.max_bytes.unwrap_or(usize::MAX),
        within: args.within,
    };
    let limited = args.positions.is_some() || args.max_bytes.is_some();
    let bytes = match book::is_journal(&args.file) {
        true => {
            let mut contents = book::read_journal(&args.file)?;
            contents.close();
            book::compile(&mut contents.graph, &selection)
        }
        false if limited => {
            let message = "--positions and --max-bytes need a journal: a book does not store the costs of lines";
            return Err(Failure::Usage(message.to_owned()));
        }
        false => {
            Book::open(&args.file)?;
            read(&args.file)?
        }
    };
    let extension = args
        .out
        .extension()
        .and_then(|extension| extension.to_str());
    let book = Book::from_bytes(bytes.clone()).map_err(error)?;
    match extension {
        Some("dbk") => write_file(&args.out, MAGIC, &bytes)?,
        Some("json") => {
            let object = JsonBook::new(&book).map_err(error)?;
            let mut text = serde_json::to_vec(&object).map_err(error)?;
            text.push(b'\n');
            write_file(&args.out, b"{\"program\":", &text)?;
        }
        Some("pdn") => {
            let mut text = Vec::new();
            book::write_pdn(&book, args.plies, &mut text)?;
            write_file(&args.out, PDN, &text)?;
        }
        _ => {
            return Err(Failure::Usage(format!(
                "{}: expected a name that ends in .dbk, .json or .pdn",
                args.out.display()
            )));
        }
    }
    let (positions, size) = (book.header().positions, fs::metadata(&args.out)?.len());
    say_out(&format!(
        "{}: {}, {size} bytes",
        args.out.display(),
        count(positions, "position")
    ))
}

/// Makes a book of JSON.
pub(super) fn import(args: &ImportArgs) -> Result<(), Failure> {
    let bytes = book::from_json(&args.file, &read(&args.file)?)?;
    let book = Book::from_bytes(bytes.clone()).map_err(error)?;
    write_file(&args.out, MAGIC, &bytes)?;
    say_out(&format!(
        "{}: {}",
        args.out.display(),
        count(book.header().positions, "position")
    ))
}

/// Moves scores by the results of games.
pub(super) fn learn(args: &LearnArgs) -> Result<(), Failure> {
    let book = open(args.file.as_deref())?;
    let mut games = Vec::new();
    for file in &args.games {
        games.extend(read(file)?);
        games.push(b'\n');
    }
    let (bytes, lessons) = book::learn(&book, &games, args.bound).map_err(error)?;
    if lessons.games == 0 {
        let (unused, damaged) = (
            count(lessons.unused, "game"),
            count(lessons.damaged, "game"),
        );
        return Err(error(format!(
            "nothing to learn from: {unused} without a result or a move in the book, {damaged} that cannot be read"
        )));
    }
    write_file(&args.out, MAGIC, &bytes)?;
    if args.json {
        return print_json(&LearnObject {
            out: args.out.to_string_lossy(),
            games: lessons.games,
            moves: lessons.moves,
            unused: lessons.unused,
            damaged: lessons.damaged,
        });
    }
    say_out(&format!(
        "{}: learned from {} ({}); without a result or a move in the book: {}, damaged: {}",
        args.out.display(),
        count(lessons.games, "game"),
        count(lessons.moves, "move"),
        lessons.unused,
        lessons.damaged
    ))
}

/// Writes openings.
pub(super) fn openings(args: &OpeningsArgs) -> Result<(), Failure> {
    let book = open(args.file.as_deref())?;
    let wanted = OpeningsWanted {
        plies: args.plies,
        window: args.window.0 as i32..=args.window.1 as i32,
        count: args.count,
        seed: args.seed,
    };
    let found = book::openings(&book, &wanted).map_err(error)?;
    if found.is_empty() {
        return Err(error(
            "no such position in the book; widen --window, or choose other --plies",
        ));
    }
    if found.len() < args.count {
        say(&format!(
            "such positions in the book: {}, not {}",
            found.len(),
            args.count
        ));
    }
    let mut text = Vec::new();
    let magic = match args.format {
        OpeningsForm::Fen => FEN_LIST,
        OpeningsForm::Pdn => PDN,
    };
    if let OpeningsForm::Fen = args.format {
        let openings = count(found.len() as u64, "opening");
        writeln!(
            text,
            "# Openings from a book: {openings} of {} plies.",
            args.plies
        )?;
    }
    for (number, opening) in found.iter().enumerate() {
        match args.format {
            OpeningsForm::Fen => writeln!(text, "{}", fen::format(&opening.position))?,
            OpeningsForm::Pdn => {
                let mut game = pdn::Game::new(opening.root);
                game.tags
                    .push(("Event".to_owned(), format!("Opening {}", number + 1)));
                game.moves = opening
                    .moves
                    .iter()
                    .copied()
                    .map(pdn::Annotated::from)
                    .collect();
                if let Some(last) = game.moves.last_mut() {
                    last.comment = Some(format!("{:+.2}", f64::from(opening.score) / 100.0));
                }
                game.write(&mut text)?;
            }
        }
    }
    match &args.out {
        Some(file) => write_file(file, magic, &text),
        None => Ok(io::stdout().lock().write_all(&text)?),
    }
}
