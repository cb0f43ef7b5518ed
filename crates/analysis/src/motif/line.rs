//! The line of a combination, as the side that combines sees it, and the geometry of the board.

use damier_rules::board::Color;
use damier_rules::notation::moves;
use damier_rules::{Move, Position};

/// A square as the side that combines sees it if it were white.
pub(super) type Place = u8;

/// A move, as the side that combines sees it.
pub(super) struct Ply {
    /// Whether that side plays it.
    pub is_ours: bool,
    /// Where the piece stands on its way.
    pub way: Vec<Place>,
    /// What it captures, in order.
    pub captured: Vec<Place>,
    pub is_man: bool,
    pub promotes: bool,
    /// Other legal moves: from where, and what they capture.
    pub others: Vec<(Place, Vec<Place>)>,
}

impl Ply {
    pub fn from(&self) -> Place {
        self.way[0]
    }

    pub fn to(&self) -> Place {
        self.way[self.way.len() - 1]
    }

    pub fn takes(&self) -> usize {
        self.captured.len()
    }

    pub fn is_quiet(&self) -> bool {
        self.captured.is_empty()
    }
}

/// The moves of a line. None where a capture has several ways, of which one may have a name and another not.
pub(super) fn plies(start: &Position, line: &[Move]) -> Option<Vec<Ply>> {
    let side = start.turn();
    let seen = |number: u8| match side {
        Color::White => number,
        Color::Black => 51 - number,
    };
    let captured = |mv: Move| {
        mv.captured()
            .into_iter()
            .map(|square| seen(square.number()))
            .collect::<Vec<Place>>()
    };
    let mut position = *start;
    let mut out = Vec::new();
    for &mv in line {
        let mut ways = moves::ways(&position, mv, 2);
        if ways.len() > 1 {
            return None;
        }
        let way: Vec<Place> = ways
            .pop()?
            .iter()
            .map(|square| seen(square.number()))
            .collect();
        let all = captured(mv);
        let jumps = way.windows(2).filter_map(|pair| {
            all.iter()
                .copied()
                .find(|&place| is_between(place, pair[0], pair[1]))
        });
        let legal = position.legal_moves();
        let others = legal.iter().filter(|&&other| other != mv);
        out.push(Ply {
            is_ours: position.turn() == side,
            captured: jumps.collect(),
            is_man: position.moves_man(mv),
            promotes: position.promotes(mv),
            others: others
                .map(|&other| (seen(other.from().number()), captured(other)))
                .collect(),
            way,
        });
        position = position.play(mv);
    }
    Some(out)
}

/// Row from above and column of a square.
fn at(place: Place) -> (i32, i32) {
    let index = i32::from(place) - 1;
    (index / 5, (index % 5) * 2 + i32::from(index / 5 % 2 == 0))
}

/// The step from a square towards another one on the same diagonal.
pub(super) fn step(from: Place, to: Place) -> (i32, i32) {
    let ((row, column), (to_row, to_column)) = (at(from), at(to));
    ((to_row - row).signum(), (to_column - column).signum())
}

fn is_between(place: Place, from: Place, to: Place) -> bool {
    let ((row, column), (first, left), (last, right)) = (at(place), at(from), at(to));
    let along = (row - first).abs() == (column - left).abs() && step(from, place) == step(from, to);
    along
        && (row - first).abs() < (last - first).abs()
        && (column - left).abs() < (right - left).abs()
}

/// The square next to one in this direction.
pub(super) fn next(place: Place, (down, right): (i32, i32)) -> Option<Place> {
    let (row, column) = at(place);
    (1..=50).find(|&other| at(other) == (row + down, column + right))
}

/// Our captures, each with the plies before it.
pub(super) fn ours(plies: &[Ply]) -> impl Iterator<Item = (&[Ply], &Ply)> {
    let captures = plies
        .iter()
        .enumerate()
        .filter(|(_, ply)| ply.is_ours && !ply.is_quiet());
    captures.map(|(index, ply)| (&plies[..index], ply))
}
