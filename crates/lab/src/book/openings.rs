//! Openings for matches, from a book.

use damier_book::{Book, Fault, play_forced};
use damier_engine::rng::Rng;
use damier_rules::notation::hub_board;
use damier_rules::{Move, Position};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// The openings to choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningsWanted {
    /// Plies from the root.
    pub plies: usize,
    /// The least advantage of either side, in hundredths of a man.
    pub window: RangeInclusive<i32>,
    /// Number of openings.
    pub count: usize,
    /// Seed of the choice, if there are more than enough.
    pub seed: u64,
}

/// A position to begin games with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookOpening {
    /// The root.
    pub root: Position,
    /// The moves from the root.
    pub moves: Vec<Move>,
    /// The position.
    pub position: Position,
    /// Score in the book, for the side to move.
    pub score: i32,
}

/// A position on the way to an opening.
#[derive(Clone)]
struct OpeningNode {
    root: usize,
    moves: Vec<Move>,
    /// The score for the side to move; replaced by that of the position's entry where the book has one.
    score: i32,
}

/// Distinct positions at the ends of lines of the book, in a random order that the seed determines; perhaps fewer than
/// wanted.
///
/// # Errors
/// The header of the book names no positions.
pub fn openings(book: &Book, wanted: &OpeningsWanted) -> Result<Vec<BookOpening>, Fault> {
    let roots = book.roots()?;
    let mut order: Vec<(Position, OpeningNode)> = Vec::new();
    for (number, root) in roots.iter().enumerate() {
        let place = OpeningNode {
            root: number,
            moves: Vec::new(),
            score: 0,
        };
        order.push((*root, place));
    }
    for _ in 0..wanted.plies {
        let mut next = Vec::new();
        let mut seen = HashSet::new();
        for (position, place) in &order {
            for (mv, score) in onward(book, position, place.score) {
                let after = position.play(mv);
                if seen.insert(hub_board::format(&after)) {
                    let mut place = place.clone();
                    place.moves.push(mv);
                    place.score = -score;
                    next.push((after, place));
                }
            }
        }
        order = next;
    }
    let opening = |(position, place): (Position, OpeningNode)| {
        let settled = play_forced(&position);
        let score = match book.find(&settled.position) {
            Some(entry) => {
                let sign = if settled.forced.len().is_multiple_of(2) {
                    1
                } else {
                    -1
                };
                entry
                    .moves
                    .first()
                    .map_or(place.score, |best| sign * best.score)
            }
            None => place.score,
        };
        let fits = wanted.window.contains(&score.abs()) && !position.is_terminal();
        fits.then(|| BookOpening {
            root: roots[place.root],
            moves: place.moves,
            position,
            score,
        })
    };
    let mut found: Vec<BookOpening> = order.into_iter().filter_map(opening).collect();
    Rng::new(wanted.seed).shuffle(&mut found);
    found.truncate(wanted.count);
    Ok(found)
}

/// The moves of the book, with their scores; a forced move counts as one everywhere.
fn onward(book: &Book, position: &Position, score: i32) -> Vec<(Move, i32)> {
    if let [mv] = position.legal_moves().as_slice() {
        return vec![(*mv, score)];
    }
    let moves = book
        .find(position)
        .map(|entry| entry.moves)
        .unwrap_or_default();
    moves.iter().map(|mv| (mv.mv, mv.score)).collect()
}
