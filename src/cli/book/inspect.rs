//! `damier book stat`, `show` and `verify`.

use super::args::{ShowArgs, StatArgs, VerifyArgs};
use super::{EMBEDDED, moves_text, open};
use crate::cli::{Failure, error, say};
use damier::book::{Book, Entry, settle};
use damier::lab::book::{self, JsonPosition};
use damier::notation::{fen, moves};
use damier::rules::{Move, Position};
use damier::terminal::analyze::read_position;
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::time::Instant;

/// Counts what is in a book.
pub(super) fn stat(args: &StatArgs) -> Result<(), Failure> {
    let file = args.file.as_deref();
    let journal = file.filter(|file| book::is_journal(file));
    let contents = journal.map(book::read_journal).transpose()?;
    let book = open(file)?;
    let header = book.header();
    let counted = Counted::of(&book)?;
    let size = match journal {
        Some(file) => fs::metadata(file)?.len(),
        None => book.size() as u64,
    };
    let per_position = book.size() as f64 / (header.positions.max(1)) as f64;
    let mut out = io::stdout().lock();
    if args.json {
        let mut object = json!({
            "file": file,
            "kind": if journal.is_some() { "journal" } else { "book" },
            "program": header.program,
            "positions": header.positions,
            "moves": counted.moves,
            "nodes": header.nodes,
            "lines": header.lines,
            "bytes": size,
            "bytes_per_position": per_position,
            "longest": counted.longest,
            "learned": counted.learned,
            "learning_bound": f64::from(header.learning_bound) / 100.0,
            "by_ply": counted.by_ply,
            "lookup_us": (counted.lookup * 100.0).round() / 100.0,
        });
        if let Some(contents) = &contents {
            object["positions"] = json!(contents.positions());
            object["searches"] = json!(contents.searches);
            object["searched_nodes"] = json!(contents.nodes);
            object["engine"] = json!(contents.engine);
        }
        writeln!(out, "{object}")?;
        return Ok(out.flush()?);
    }
    writeln!(
        out,
        "positions  {}",
        contents
            .as_ref()
            .map_or(header.positions, |contents| contents.positions())
    )?;
    writeln!(
        out,
        "moves      {}, {} of them with games learned from",
        counted.moves, counted.learned
    )?;
    writeln!(
        out,
        "searches   {} nodes, {} moves each; {}",
        header.nodes, header.lines, header.program
    )?;
    if let Some(contents) = &contents {
        writeln!(
            out,
            "journal    {} searches, {} nodes, {size} bytes",
            contents.searches, contents.nodes
        )?;
    }
    writeln!(
        out,
        "book       {} bytes, {per_position:.1} a position",
        book.size()
    )?;
    writeln!(out, "look-up    {:.2} microseconds", counted.lookup)?;
    for (ply, count) in counted
        .by_ply
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
    {
        writeln!(out, "ply {ply:4}   {count}")?;
    }
    Ok(out.flush()?)
}

/// What is counted by walking through a book.
#[derive(Default)]
struct Counted {
    moves: u64,
    learned: u64,
    longest: usize,
    /// Positions by the length of the shortest line to them.
    by_ply: Vec<u64>,
    /// Time of a look-up, in microseconds.
    lookup: f64,
}

impl Counted {
    fn of(book: &Book) -> Result<Counted, Failure> {
        let mut counted = Counted::default();
        let mut positions = Vec::new();
        for known in book.walk().map_err(error)? {
            positions.push(known.position);
            counted.moves += known.entry.moves.len() as u64;
            counted.learned += known
                .entry
                .moves
                .iter()
                .filter(|mv| mv.learned.games > 0)
                .count() as u64;
            counted.longest = counted.longest.max(known.ply);
            counted
                .by_ply
                .resize(counted.by_ply.len().max(known.ply + 1), 0);
            counted.by_ply[known.ply] += 1;
        }
        let began = Instant::now();
        let found = positions
            .iter()
            .filter(|position| book.find(position).is_some())
            .count();
        counted.lookup = began.elapsed().as_secs_f64() * 1e6 / found.max(1) as f64;
        Ok(counted)
    }
}

/// Shows what a book says of a position.
pub(super) fn show(args: &ShowArgs) -> Result<(), Failure> {
    let mut position = args
        .fen
        .as_deref()
        .map_or(Ok(Position::start()), read_position)
        .map_err(error)?;
    if let Some(text) = &args.moves {
        for mv in moves::parse_line(&position, text).map_err(error)? {
            position = position.play(mv);
        }
    }
    let book = open(args.file.as_deref())?;
    let settled = settle(&position);
    let entry = book.find(&settled.position);
    let mut out = io::stdout().lock();
    if args.json {
        let mut object = match &entry {
            Some(entry) => {
                serde_json::to_value(JsonPosition::new(&settled.position, entry)).map_err(error)?
            }
            None => json!({ "fen": fen::format(&settled.position), "moves": [] }),
        };
        object["forced"] = json!(
            settled
                .forced
                .iter()
                .map(Move::to_string)
                .collect::<Vec<_>>()
        );
        writeln!(out, "{object}")?;
        return Ok(out.flush()?);
    }
    if !settled.forced.is_empty() {
        writeln!(out, "forced: {}", moves_text(&position, &settled.forced))?;
    }
    match entry {
        Some(entry) => show_entry(&mut out, &book, &settled.position, &entry)?,
        None => writeln!(out, "not in the book: {}", fen::format(&settled.position))?,
    }
    Ok(out.flush()?)
}

fn show_entry(
    out: &mut impl Write,
    book: &Book,
    position: &Position,
    entry: &Entry,
) -> io::Result<()> {
    writeln!(
        out,
        "{}, searched {} plies deep",
        fen::format(position),
        entry.depth
    )?;
    for mv in &entry.moves {
        let line = book.line(position, mv.mv, 8);
        let learned = match mv.learned.games {
            0 => String::new(),
            games => format!(
                "  (searched {:+.2}; {} points of {} in {games} games)",
                f64::from(mv.searched) / 100.0,
                mv.learned.points,
                2 * games
            ),
        };
        writeln!(
            out,
            "{:+6.2}  {}{learned}",
            f64::from(mv.score) / 100.0,
            moves_text(position, &line)
        )?;
    }
    Ok(())
}

/// Checks books.
pub(super) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let mut failed = false;
    let named: Vec<Option<&str>> = match args.files.as_slice() {
        [] => vec![None],
        files => files.iter().map(|file| Some(file.as_str())).collect(),
    };
    let mut out = io::stdout().lock();
    for file in named {
        let name = file.unwrap_or(EMBEDDED);
        match verify_one(file) {
            Ok(positions) if args.json => {
                writeln!(
                    out,
                    "{}",
                    json!({ "file": file, "positions": positions, "sound": true })
                )?;
            }
            Ok(positions) => writeln!(out, "{name}: {positions} positions, sound")?,
            Err(Failure::Error(message)) => {
                if args.json {
                    writeln!(
                        out,
                        "{}",
                        json!({ "file": file, "sound": false, "error": message })
                    )?;
                }
                say(&message);
                failed = true;
            }
            Err(other) => return Err(other),
        }
    }
    out.flush()?;
    if failed { Err(Failure::Told) } else { Ok(()) }
}

/// The positions of a sound book: all entries can be read, are in order, and can be reached by legal moves.
fn verify_one(file: Option<&str>) -> Result<u64, Failure> {
    let name = file.unwrap_or(EMBEDDED);
    let book = open(file)?;
    let wrong = |what: &str| error(format!("{name}: {what}"));
    let mut before = None;
    for entry in book.entries() {
        let entry = entry.ok_or_else(|| wrong("an entry cannot be read"))?;
        if before.is_some_and(|before| before >= entry.key) {
            return Err(wrong("its entries are not in order"));
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
