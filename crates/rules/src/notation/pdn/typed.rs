//! Moves by themselves, without a game around them.

use super::error::Flaw;
use super::events::{Event, Events};
use super::line::Line;
use super::{MOST_PLIES, PdnErrorKind as Kind};
use crate::notation::moves::{self, MoveError, SIGNS};
use crate::notation::signs;
use crate::rules::{Move, Position};
use std::ops::Range;

/// Where a line of moves cannot be understood.
pub(in crate::notation) struct Misread {
    /// The moves before it.
    pub played: Vec<Move>,
    /// Its bytes.
    pub place: Range<usize>,
    /// What is wrong with the move there; none where there is no move.
    pub error: Option<MoveError>,
}

/// The moves of a text that holds nothing else: what a game may have beside them is read as in a game, but what would
/// be kept there with a remark is an error here.
pub(in crate::notation) fn moves(position: &Position, text: &str) -> Result<Vec<Move>, Misread> {
    read_line(position, text, false)
}

/// `again`: parentheses were taken away already.
fn read_line(position: &Position, text: &str, again: bool) -> Result<Vec<Move>, Misread> {
    let whole = Events::new(text);
    let mut line = Line::new(whole, *position, text.len());
    let broken = broken(&mut line);
    let foreign = foreign(text);
    let remark = std::mem::take(&mut line.remarks).into_first();
    let Some(flaw) = [broken, foreign, remark]
        .into_iter()
        .flatten()
        .min_by_key(|flaw| flaw.at)
    else {
        return Ok(plain(&line));
    };
    let mut before = Line::new(whole.up_to(flaw.at), *position, text.len());
    // What is left open there is told already.
    let _ = before.read();
    let played = plain(&before);
    let end = played
        .iter()
        .fold(*position, |position, &mv| position.play(mv));
    let (place, read) = match Events::at(text, flaw.at).next() {
        Some((place, Event::Move(text))) => (place, moves::parse(&end, text).err()),
        _ => {
            let word = text[flaw.at..].split_whitespace().next();
            (flaw.at..flaw.at + word.map_or(0, str::len), None)
        }
    };
    let (error, is_reply) = match flaw.kind {
        Kind::Move { error, .. } => (Some(error), false),
        Kind::Variation(kind) => match *kind {
            // The other side's move in parentheses.
            Kind::Move {
                error: MoveError::OpponentsPiece(..),
                ..
            } => (read.clone(), read.is_none()),
            Kind::Move { error, .. } => (Some(error), false),
            _ => (None, false),
        },
        Kind::TooManyPlies => (Some(MoveError::TooManyMoves(MOST_PLIES)), false),
        _ => (read, false),
    };
    // It can be played, so that something behind it is wrong: once more, without its parentheses.
    if is_reply
        && !again
        && let Some(open) = text[..flaw.at].rfind('(')
    {
        let inside = text[open + 1..].replacen(')', " ", 1);
        return read_line(position, &format!("{} {inside}", &text[..open]), true);
    }
    Err(Misread {
        played,
        place,
        error,
    })
}

/// Reads a line of moves: where it breaks off, if it does.
fn broken(line: &mut Line<'_>) -> Option<Flaw> {
    match line.read() {
        Err(flaw) => Some(flaw),
        // A result is the end, other points than those of a game are none.
        Ok(outcome) => {
            let is_comment = |event: &Event<'_>| matches!(event, Event::Comment(_));
            let next = line.events.find(|(_, event)| !is_comment(event));
            let at = match (outcome, next) {
                (Some(_), next) => {
                    (next.is_some() || line.score.is_some()).then_some(line.ended_at)
                }
                (None, next) => next.map(|(place, _)| place.start),
            };
            at.map(|at| Flaw::new(at, Kind::Unexpected(String::new())))
        }
    }
}

/// Where something stands that moves by themselves do not have. A position would be another than the given one, a line
/// behind `%` is none of the moves, a mark needs a move before it, and a capture by its sign alone one behind it.
fn foreign(text: &str) -> Option<Flaw> {
    let mut has_begun = false;
    let mut is_foreign = |place: &Range<usize>, event: &Event<'_>| match event {
        Event::Move(_) => {
            has_begun = true;
            false
        }
        Event::Mark(_) => !has_begun,
        Event::Comment(_) => text[place.start..].starts_with('%'),
        Event::Word(word) => {
            let is_sign = signs::plain(word)
                .trim_end_matches('.')
                .chars()
                .all(|c| SIGNS.contains(&c));
            is_sign && Events::at(text, place.end).next().is_none()
        }
        event => matches!(event, Event::Setup(_)),
    };
    let found = Events::new(text).find(|(place, event)| is_foreign(place, event));
    found.map(|(place, _)| Flaw::new(place.start, Kind::Setup))
}

fn plain(line: &Line<'_>) -> Vec<Move> {
    line.moves.iter().map(|annotated| annotated.mv).collect()
}
