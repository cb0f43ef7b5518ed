//! `damier book stat`.

use super::open;
use crate::cli::{Command, Failure, GivenOptions, error, print_json};
use damier::book::Book;
use damier::lab::book;
use serde::Serialize;
use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Count what is in a book or a journal
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier book stat my.dbk")]
pub(in crate::cli) struct StatArgs {
    /// A book or a journal [default: the built-in book]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for StatArgs {
    const NAME: &'static str = "stat";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let file = self.file.as_deref();
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
        if self.json {
            return print_json(&stat);
        }
        Ok(print_stat(&stat, book.size())?)
    }
}

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
