//! Why a move is not legal, in the words of the rules.

use super::{MoveError, routes};
use crate::board::{Bitboard, Color, Square};
use crate::rules::{Move, Position};

/// The rule that a move from `from` to `to` breaks; `captured`: the pieces that it says it takes, if it does. `legal`
/// are the legal moves, none of which goes there.
pub(super) fn why_not(
    position: &Position,
    legal: &[Move],
    (from, to): (Square, Square),
    captured: Option<Bitboard>,
) -> MoveError {
    let us = position.turn();
    let Some(first) = legal.first() else {
        return MoveError::NoLegalMove(us);
    };
    if !position.occupied().contains(from) {
        return MoveError::EmptySquare(from);
    }
    if !position.pieces(us).contains(from) {
        return MoveError::OpponentsPiece(from, !us);
    }
    if to != from && position.occupied().contains(to) {
        return MoveError::Occupied(to);
    }
    let captured = captured.filter(|&captured| routes::takes(position, from, to, captured));
    let taken = captured.map_or_else(
        || routes::most_on_the_way(position, from, to),
        |captured| captured.len(),
    );
    let most = first.captured().len();
    if taken > 0 && most > 0 {
        return if legal.iter().any(|mv| mv.from() == from) && taken < most {
            MoveError::CaptureGoesOn {
                taken,
                most,
                legal: legal.to_vec(),
            }
        } else {
            MoveError::MustTakeMost {
                taken,
                most,
                legal: legal.to_vec(),
            }
        };
    }
    match geometry(position, from, to) {
        // Meant as a capture.
        Some(MoveError::ManTooFar) if most > 0 => MoveError::NoSuchCapture {
            from,
            to,
            legal: legal.to_vec(),
        },
        Some(error) => error,
        None => MoveError::MustCapture(legal.to_vec()),
    }
}

/// What is wrong with a move without captures, on a board where nothing forces a capture; `None` if nothing is.
fn geometry(position: &Position, from: Square, to: Square) -> Option<MoveError> {
    let us = position.turn();
    if from == to {
        return Some(MoveError::SameSquare(from));
    }
    let Some(between) = routes::between(position, from, to) else {
        return Some(MoveError::NotDiagonal { from, to });
    };
    if position.kings(us).contains(from) {
        let own = between.iter().find(|&&sq| position.pieces(us).contains(sq));
        return match (own, between.as_slice()) {
            (Some(&square), _) => Some(MoveError::OwnPieceInTheWay(square)),
            (None, []) => None,
            (None, &[first, second, ..]) => Some(MoveError::JumpsTwo(first, second)),
            (None, &[only]) => Some(MoveError::CannotTake(only)),
        };
    }
    let forward = match us {
        Color::White => to.row() < from.row(),
        Color::Black => to.row() > from.row(),
    };
    match (from.row().abs_diff(to.row()), between.as_slice()) {
        (1, _) if forward => None,
        (1, _) => Some(MoveError::ManBackward),
        (2, &[over]) if position.pieces(us).contains(over) => Some(MoveError::JumpsOwn(over)),
        (2, &[over]) => Some(MoveError::CannotTake(over)),
        _ => Some(MoveError::ManTooFar),
    }
}
