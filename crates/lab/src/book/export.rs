//! A book as text: JSON with everything in it, or PDN with variations to look through.

use super::BookBuildError;
use damier_book::{Book, BookMove, Canonical, Code, Entry, Fault, Header, play_forced};
use damier_rules::Position;
use damier_rules::board::Color;
use damier_rules::notation::fen;
use damier_rules::notation::pdn::{self, Annotated, Variation};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// A book in JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonBook {
    /// The header of the book.
    #[serde(flatten)]
    pub header: Header,
    /// Positions, breadth first from the roots.
    pub book: Vec<JsonPosition>,
}

/// A position of a book in JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonPosition {
    /// The position, white to move; it also stands for its twin with the colours exchanged.
    pub fen: String,
    /// Depth of its search, in plies.
    pub depth: u32,
    /// Moves, best first.
    pub moves: Vec<JsonMove>,
}

/// A move of a book in JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonMove {
    /// The move, in Hub notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The score that counts, in men, for the side to move.
    pub score: f64,
    /// The backed-up score of the searches, in men, for the side to move.
    pub searched: f64,
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
    /// A position outside the book: it has no moves.
    pub fn unknown(position: &Position) -> JsonPosition {
        JsonPosition {
            fen: fen::format(position),
            depth: 0,
            moves: Vec::new(),
        }
    }

    /// A position and its entry.
    pub fn new(position: &Position, entry: &Entry) -> JsonPosition {
        let moves = entry.moves.iter().map(|mv| JsonMove {
            mv: mv.mv.to_string(),
            score: f64::from(mv.score) / 100.0,
            searched: f64::from(mv.searched) / 100.0,
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
    /// A whole book.
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

/// Writes a book as PDN: a game for each root, with variations and with scores as comments, in men for white.
/// Transpositions are not expanded again. Lines end after `plies` plies.
///
/// # Errors
/// `out` fails, or the header of the book names no positions.
pub fn write_pdn(book: &Book, plies: usize, out: &mut impl Write) -> Result<(), BookBuildError> {
    let mut tree = Tree {
        book,
        plies,
        seen: HashSet::new(),
    };
    for (number, root) in book.roots()?.into_iter().enumerate() {
        let event = format!("Opening book of {}, {}", book.header().program, number + 1);
        let mut game = pdn::Game::new(root);
        game.tags.push(("Event".to_owned(), event));
        game.moves = tree.line(&root, 0);
        let written = game.write(out);
        written.map_err(|error| BookBuildError::io(Path::new("output"), error))?;
    }
    Ok(())
}

/// The lines of a book, each position once.
struct Tree<'a> {
    book: &'a Book,
    plies: usize,
    seen: HashSet<Code>,
}

impl Tree<'_> {
    /// Writes the best move and its continuation, with the other moves as variations. `ply` counts from the root.
    fn line(&mut self, position: &Position, ply: usize) -> Vec<Annotated> {
        let settled = play_forced(position);
        let ply = ply + settled.forced.len();
        let is_new = self.seen.insert(Canonical::of(&settled.position).code());
        let entry = self.book.find(&settled.position);
        let Some(entry) = entry.filter(|_| is_new && ply < self.plies) else {
            return Vec::new();
        };
        let position = settled.position;
        let mut line: Vec<Annotated> = settled.forced.into_iter().map(Annotated::from).collect();
        let Some((best, others)) = entry.moves.split_first() else {
            return line;
        };
        // The main line first: it keeps the positions that variations reach too.
        let after = self.line(&position.play(best.mv), ply + 1);
        let mut main = scored(&position, best);
        for other in others {
            let mut moves = vec![scored(&position, other)];
            moves.extend(self.line(&position.play(other.mv), ply + 1));
            main.variations.push(Variation {
                comment: None,
                moves,
            });
        }
        line.push(main);
        line.extend(after);
        line
    }
}

/// A move with its score, in men for white.
fn scored(position: &Position, mv: &BookMove) -> Annotated {
    let for_white = match position.turn() {
        Color::White => mv.score,
        Color::Black => -mv.score,
    };
    Annotated {
        comment: Some(format!("{:+.2}", f64::from(for_white) / 100.0)),
        ..Annotated::from(mv.mv)
    }
}
