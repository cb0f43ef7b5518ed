//! `damier book stat`, `show` and `verify`.

use super::args::{BookStatArgs, BookVerifyArgs, ShowArgs};
use super::{EMBEDDED, count, moves_text, open, print_json, say_out};
use crate::cli::{Failure, error, say};
use damier::book::{Book, Entry, play_forced};
use damier::lab::book::{self, JsonPosition};
use damier::notation::{fen, moves};
use damier::rules::{Move, Position};
use damier::terminal::analyze::read_position;
use serde::Serialize;
use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// What `book stat --json` prints.
#[derive(Serialize)]
struct StatObject<'a> {
    file: Option<Cow<'a, str>>,
    kind: &'static str,
    positions: u64,
    moves: u64,
    by_ply: &'a [u64],
    longest: usize,
    nodes: u64,
    lines: u32,
    program: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a str>,
    bytes: u64,
    bytes_per_position: f64,
    lookup_us: f64,
    learned: u64,
    learning_bound: f64,
}

/// What `book show --json` prints: a position as `book export` writes it, and the forced moves before it.
#[derive(Serialize)]
struct ShowObject {
    forced: Vec<String>,
    #[serde(flatten)]
    position: JsonPosition,
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

/// Counts what is in a book.
pub(super) fn stat(args: &BookStatArgs) -> Result<(), Failure> {
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
    let positions = contents
        .as_ref()
        .map_or(header.positions, |contents| contents.positions());
    let stat = StatObject {
        file: file.map(Path::to_string_lossy),
        kind: if journal.is_some() { "journal" } else { "book" },
        positions,
        moves: counted.moves,
        by_ply: &counted.by_ply,
        longest: counted.longest,
        nodes: header.nodes,
        lines: header.lines,
        program: &header.program,
        searches: contents.as_ref().map(|contents| contents.searches),
        searched_nodes: contents.as_ref().map(|contents| contents.nodes),
        engine: contents.as_ref().map(|contents| contents.engine.as_str()),
        bytes: size,
        bytes_per_position: (per_position * 100.0).round() / 100.0,
        lookup_us: (counted.lookup * 100.0).round() / 100.0,
        learned: counted.learned,
        learning_bound: f64::from(header.learning_bound) / 100.0,
    };
    if args.json {
        return print_json(&stat);
    }
    Ok(print_stat(&stat, book.size())?)
}

/// Prints the counts as text. `size` is that of the book in bytes; of a journal, that of the book it gives.
fn print_stat(stat: &StatObject, size: usize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (moves, learned) = (stat.moves, stat.learned);
    writeln!(out, "positions  {}", stat.positions)?;
    writeln!(out, "moves      {moves}, {learned} with results of games")?;
    writeln!(
        out,
        "searches   {} nodes, {} moves each; {}",
        stat.nodes, stat.lines, stat.program
    )?;
    if let (Some(searches), Some(nodes)) = (stat.searches, stat.searched_nodes) {
        let bytes = stat.bytes;
        writeln!(
            out,
            "journal    {searches} searches, {nodes} nodes, {bytes} bytes"
        )?;
    }
    writeln!(
        out,
        "book       {size} bytes, {:.1} a position",
        stat.bytes_per_position
    )?;
    writeln!(out, "look-up    {:.2} microseconds", stat.lookup_us)?;
    for (ply, count) in stat
        .by_ply
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
    {
        writeln!(out, "ply {ply:4}   {count}")?;
    }
    out.flush()
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
    let settled = play_forced(&position);
    let entry = book.find(&settled.position);
    if args.json {
        let position = match &entry {
            Some(entry) => JsonPosition::new(&settled.position, entry),
            None => JsonPosition::unknown(&settled.position),
        };
        let forced = settled.forced.iter().map(Move::to_string).collect();
        return print_json(&ShowObject { forced, position });
    }
    let mut out = io::stdout().lock();
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
                "  (searched {:+.2}; {} of {} points in {})",
                f64::from(mv.searched) / 100.0,
                mv.learned.points,
                2 * games,
                count(u64::from(games), "game")
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
pub(super) fn verify(args: &BookVerifyArgs) -> Result<(), Failure> {
    let mut failed = false;
    let named: Vec<Option<&Path>> = match args.files.as_slice() {
        [] => vec![None],
        files => files.iter().map(|file| Some(file.as_path())).collect(),
    };
    for file in named {
        let name = name(file);
        match verify_one(file) {
            Ok(positions) if args.json => print_json(&VerifyObject {
                file: file.map(Path::to_string_lossy),
                sound: true,
                positions: Some(positions),
                error: None,
            })?,
            Ok(positions) => say_out(&format!("{name}: {}, sound", count(positions, "position")))?,
            Err(Failure::Error(message)) => {
                if args.json {
                    print_json(&VerifyObject {
                        file: file.map(Path::to_string_lossy),
                        sound: false,
                        positions: None,
                        error: Some(&message),
                    })?;
                }
                say(&message);
                failed = true;
            }
            Err(other) => return Err(other),
        }
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
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
