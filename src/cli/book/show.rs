//! `damier book show`.

use super::{count, moves_text, open};
use crate::cli::shared_args::position;
use crate::cli::{Command, Failure, GivenOptions, error, print_json};
use damier::book::{Book, Entry, play_forced};
use damier::lab::book::JsonPosition;
use damier::notation::{fen, moves};
use damier::rules::{Move, Position};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Show a position's moves in a book
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier book show --moves \"32-28 19-23\"")]
pub(in crate::cli) struct ShowArgs {
    /// The position, as FEN or Hub board [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves to play from there first, as in `1. 32-28 19-23`
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// A book or a journal [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for ShowArgs {
    const NAME: &'static str = "show";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let mut position = position(self.fen.as_deref())?;
        if let Some(text) = &self.moves {
            for mv in moves::parse_line(&position, text).map_err(error)? {
                position = position.play(mv);
            }
        }
        let book = open(self.file.as_deref())?;
        let settled = play_forced(&position);
        let entry = book.find(&settled.position);
        if self.json {
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
}

/// What `book show --json` prints: a position as `book export` writes it, and the forced moves before it.
#[derive(Serialize)]
struct ShowObject {
    forced: Vec<String>,
    #[serde(flatten)]
    position: JsonPosition,
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
