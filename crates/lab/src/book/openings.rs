//! Openings for matches, out of a book.

use damier_arena::rng::Rng;
use damier_book::{Book, Fault, play_forced};
use damier_rules::notation::hub_board;
use damier_rules::{Move, Position};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// What openings are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningsWanted {
    /// Plies from the beginning.
    pub plies: usize,
    /// How far ahead one side must be, in hundredths of a man.
    pub window: RangeInclusive<i32>,
    /// How many.
    pub count: usize,
    /// Another seed, other openings where there are more than wanted.
    pub seed: u64,
}

/// A position to begin games with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookOpening {
    /// Where the moves begin.
    pub root: Position,
    /// The moves that lead there.
    pub moves: Vec<Move>,
    /// The position.
    pub position: Position,
    /// What the book makes of it, for the side to move.
    pub score: i32,
}

/// A place on the way.
#[derive(Clone)]
struct OpeningNode {
    root: usize,
    moves: Vec<Move>,
    /// For the side to move, where the book goes on it is replaced by what it says there.
    score: i32,
}

/// Distinct positions that lines of the book lead to, in a random order that the seed decides. May be fewer than
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

/// The moves that the book knows, with their scores; a forced move is known everywhere.
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
