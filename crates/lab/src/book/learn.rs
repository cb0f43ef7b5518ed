//! Scores corrected by the results of games.

use damier_book::format::{self, Header, RawEntry};
use damier_book::{Book, Canonical, Fault, numbered_moves};
use damier_rules::board::Color;
use damier_rules::notation::pdn::{self, Outcome};
use std::collections::{BTreeMap, HashSet};

/// The result of learning from games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lessons {
    /// Games with a result and at least one move of the book.
    pub games: u64,
    /// Games without a result or without a move of the book.
    pub unused: u64,
    /// Games that cannot be read.
    pub damaged: u64,
    /// Moves of the book played in games.
    pub moves: u64,
}

/// Points of a game for white; None for an unknown result.
fn points(result: Outcome) -> Option<u32> {
    match result {
        Outcome::White => Some(2),
        Outcome::Draw => Some(1),
        Outcome::Black => Some(0),
        Outcome::Nobody | Outcome::Unknown => None,
    }
}

/// The bytes of a book that has learned from games, given as PDN. A score moves by less than `bound` hundredths of a
/// man. The results of a move are added to those it had, so a game must not be learned from twice.
///
/// # Errors
/// An entry of the book cannot be read.
pub fn learn(book: &Book, games: &[u8], bound: u32) -> Result<(Vec<u8>, Lessons), Fault> {
    let mut lessons = Lessons::default();
    let damaged = || Fault::Damaged("an entry");
    let entries: Vec<RawEntry> = book.entries().collect::<Option<_>>().ok_or_else(damaged)?;
    let mut entries: BTreeMap<u64, RawEntry> = entries
        .into_iter()
        .map(|entry| (entry.key, entry))
        .collect();
    for game in pdn::read(&pdn::decode(games)) {
        let Ok(game) = game else {
            lessons.damaged += 1;
            continue;
        };
        let met = points(game.result).map_or(0, |points| take(&mut entries, &game, points));
        lessons.moves += met;
        lessons.games += u64::from(met > 0);
        lessons.unused += u64::from(met == 0);
    }
    let header = Header {
        learning_bound: bound,
        ..book.header().clone()
    };
    Ok((
        format::encode(&header, entries.into_values().collect()),
        lessons,
    ))
}

/// Adds the result of a game to its moves in the book; returns their number.
fn take(entries: &mut BTreeMap<u64, RawEntry>, game: &pdn::Game, for_white: u32) -> u64 {
    let (mut position, mut met) = (game.start, 0);
    let mut seen = HashSet::new();
    for mv in game.plain_moves() {
        let canonical = Canonical::of(&position);
        let code = canonical.code();
        let own = canonical.convert(mv);
        let number = numbered_moves(canonical.position())
            .iter()
            .position(|known| *known == own);
        let entry = entries.get_mut(&code.key()).filter(|_| seen.insert(code));
        let known = entry.and_then(|entry| {
            let moves = &mut entry.moves;
            moves
                .iter_mut()
                .find(|known| Some(usize::from(known.number)) == number)
        });
        if let Some(known) = known {
            let points = match position.turn() {
                Color::White => for_white,
                Color::Black => 2 - for_white,
            };
            known.learned.games = known.learned.games.saturating_add(1);
            known.learned.points = known.learned.points.saturating_add(points);
            met += 1;
        }
        position = position.play(mv);
    }
    met
}
