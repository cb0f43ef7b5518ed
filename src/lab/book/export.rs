//! A book as text: JSON with everything in it, or PDN with variations to look through.

use super::BookBuildError;
use crate::board::Color;
use crate::book::{Book, Canonical, Code, Entry, Fault, Header, settle};
use crate::notation::{fen, moves};
use crate::rules::{Move, Position};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::{self, Write};

/// A book as JSON has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonBook {
    /// What the book says of itself.
    #[serde(flatten)]
    pub header: Header,
    /// Its positions, breadth first from where it begins.
    pub book: Vec<JsonPosition>,
}

/// A position of a book as JSON has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonPosition {
    /// The position, white to move: it stands for the one with colours exchanged too.
    pub fen: String,
    /// Depth of its search, in plies.
    pub depth: u32,
    /// Its moves, the best one first.
    pub moves: Vec<JsonMove>,
}

/// A move of a book as JSON has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonMove {
    /// The move, in the form of Hub.
    #[serde(rename = "move")]
    pub mv: String,
    /// What counts, in men, for the side to move.
    pub score: f64,
    /// What the searches make of it, in hundredths of a man.
    pub searched: i32,
    /// Games learned from.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub games: u32,
    /// Points of these games: 2 for a win, 1 for a draw.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub points: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl JsonPosition {
    /// A position and what a book says of it.
    pub fn new(position: &Position, entry: &Entry) -> JsonPosition {
        let moves = entry.moves.iter().map(|mv| JsonMove {
            mv: mv.mv.to_string(),
            score: f64::from(mv.score) / 100.0,
            searched: mv.searched,
            games: mv.learned.games,
            points: mv.learned.points,
        });
        JsonPosition {
            fen: fen::format(position),
            depth: entry.depth,
            moves: moves.collect(),
        }
    }
}

impl JsonBook {
    /// All of a book.
    ///
    /// # Errors
    /// The header of the book names no positions.
    pub fn new(book: &Book) -> Result<JsonBook, Fault> {
        Ok(JsonBook {
            header: book.header().clone(),
            book: book
                .walk()?
                .map(|known| JsonPosition::new(&known.position, &known.entry))
                .collect(),
        })
    }
}

/// Writes a book as PDN: a game for each beginning, with variations in parentheses and scores in comments, in men for white.
/// A position that comes again is not gone on with. Lines end after `plies` plies.
///
/// # Errors
/// `out` fails, or the header of the book names no positions.
pub fn write_pdn(book: &Book, plies: usize, out: &mut impl Write) -> Result<(), BookBuildError> {
    let mut seen = HashSet::new();
    for (number, root) in book.roots()?.into_iter().enumerate() {
        let written = write_game(book, number, &root, plies, &mut seen, out);
        written.map_err(|error| BookBuildError::io("output", error))?;
    }
    Ok(())
}

fn write_game(
    book: &Book,
    number: usize,
    root: &Position,
    plies: usize,
    seen: &mut HashSet<Code>,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        out,
        "[Event \"Opening book of {}, {}\"]",
        book.header().program,
        number + 1
    )?;
    writeln!(out, "[Result \"*\"]\n[GameType \"20,W,10,10,N2,0\"]")?;
    if *root != Position::start() {
        writeln!(out, "[FEN \"{}\"]", fen::format(root))?;
    }
    writeln!(out)?;
    let mut tree = Tree {
        book,
        plies,
        seen,
        out,
        column: 0,
    };
    tree.line(root, 0, true)?;
    tree.word("*")?;
    writeln!(out, "\n")
}

struct Tree<'a, W> {
    book: &'a Book,
    plies: usize,
    seen: &'a mut HashSet<Code>,
    out: &'a mut W,
    column: usize,
}

impl<W: Write> Tree<'_, W> {
    fn word(&mut self, word: &str) -> io::Result<()> {
        if self.column > 0 && self.column + word.len() > 79 {
            writeln!(self.out)?;
            self.column = 0;
        } else if self.column > 0 {
            write!(self.out, " ")?;
        }
        self.column += word.len() + 1;
        write!(self.out, "{word}")
    }

    fn mv(&mut self, position: &Position, ply: usize, mv: Move, numbered: bool) -> io::Result<()> {
        let number = 1 + ply / 2;
        match position.turn() {
            Color::White => self.word(&format!("{number}."))?,
            Color::Black if numbered => self.word(&format!("{number}..."))?,
            Color::Black => {}
        }
        self.word(&moves::with_path(position, mv))
    }

    /// The best move and what follows, with the other moves as variations behind it. `ply` counts from white's first move.
    fn line(&mut self, position: &Position, ply: usize, numbered: bool) -> io::Result<()> {
        let settled = settle(position);
        let (mut position, mut ply, mut numbered) = (*position, ply, numbered);
        let is_new = self.seen.insert(Canonical::of(&settled.position).code());
        let entry = self
            .book
            .find(&settled.position)
            .filter(|_| is_new && ply + settled.forced.len() < self.plies);
        let Some(entry) = entry else { return Ok(()) };
        for mv in settled.forced {
            self.mv(&position, ply, mv, numbered)?;
            (position, ply, numbered) = (position.play(mv), ply + 1, false);
        }
        let Some((best, others)) = entry.moves.split_first() else {
            return Ok(());
        };
        let score = |score: i32| {
            let for_white = if position.turn() == Color::White {
                score
            } else {
                -score
            };
            format!("{{{:+.2}}}", f64::from(for_white) / 100.0)
        };
        self.mv(&position, ply, best.mv, numbered)?;
        self.word(&score(best.score))?;
        for other in others {
            self.word("(")?;
            self.mv(&position, ply, other.mv, true)?;
            self.word(&score(other.score))?;
            self.line(&position.play(other.mv), ply + 1, true)?;
            self.word(")")?;
        }
        self.line(&position.play(best.mv), ply + 1, !others.is_empty())
    }
}
