//! `damier dataset verify`: every byte read, every game replayed.

use crate::dataset::blocks::{BlockRef, open};
use crate::dataset::{Damage, DatasetError, End, GameRecord, scan};
use damier_endgame::TableAdjudicator;
use damier_endgame::Tables;
use damier_rules::Game;
use std::collections::BTreeMap;
use std::path::Path;

/// The outcome of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Games that are intact.
    pub games: u64,
    /// Plies of these games.
    pub plies: u64,
    /// What is damaged, in the order of the files.
    pub damages: Vec<Damage>,
}

/// Reads every file and replays its games: all moves are legal, the game is not over before its last move, end and
/// winner are those of the rules where it was played out, and those of the tables in the program where tables ended it
/// and these know the position. `each` gets the number of bytes of each block.
///
/// # Errors
/// A file cannot be read, or its header is damaged.
pub fn verify(
    files: &[impl AsRef<Path>],
    mut each: impl FnMut(u64),
) -> Result<Verified, DatasetError> {
    let mut found = Verified::default();
    // Inside the program: always there.
    let exact = Tables::open(None).ok().map(TableAdjudicator::new);
    for name in files.iter().map(AsRef::as_ref) {
        let scan = scan(name, true)?;
        let mut damages: BTreeMap<u64, Damage> =
            scan.damages.into_iter().map(|d| (d.offset, d)).collect();
        let mut file = open(name)?;
        let mut bytes = Vec::new();
        let mut before = None;
        for block in scan.blocks {
            let sound = block
                .read(&mut file, &mut bytes)
                .map_err(|error| DatasetError::io(name, error))?;
            let checked = if sound {
                check(&block, &bytes, &mut before, exact.as_ref())
            } else {
                Err("the checksum of the games differs")
            };
            match checked {
                Ok((games, plies)) => {
                    found.games += games;
                    found.plies += plies;
                }
                Err(what) => _ = damages.insert(block.offset, block.damage(name, what)),
            }
            each(block.head.size());
        }
        found.damages.extend(damages.into_values());
    }
    Ok(found)
}

/// Games and plies of a block, or what is wrong.
fn check(
    block: &BlockRef,
    bytes: &[u8],
    before: &mut Option<u64>,
    exact: Option<&TableAdjudicator>,
) -> Result<(u64, u64), &'static str> {
    let (mut rest, mut plies, mut last) = (bytes, 0, block.head.first);
    for number in 0..block.head.games {
        let game = GameRecord::take(&mut rest, last).ok_or("a move is not legal")?;
        if before.is_some_and(|before| before >= game.index) || number == 0 && game.index != last {
            return Err("a game stands behind a later one, or is there twice");
        }
        (last, *before) = (game.index, Some(game.index));
        plies += game.moves.len() as u64;
        replay(&game, exact)?;
    }
    match rest.is_empty() && last == block.head.last {
        true => Ok((u64::from(block.head.games), plies)),
        false => Err("the block holds more than the games of its head"),
    }
}

/// Whether the rules and the tables agree with the record.
fn replay(record: &GameRecord, exact: Option<&TableAdjudicator>) -> Result<(), &'static str> {
    let mut game = Game::new(record.start);
    for played in &record.moves {
        if End::of(&game).is_some() {
            return Err("a game goes on after its end");
        }
        game.play(played.mv);
    }
    match End::of(&game) {
        Some(end) if end == (record.end, record.winner) => Ok(()),
        None if record.end == End::Score && record.winner.is_some() => Ok(()),
        None if record.end == End::Length && record.winner.is_none() => Ok(()),
        None if record.end == End::Tables => match exact.and_then(|exact| exact.result(&game)) {
            Some(winner) if winner != record.winner => {
                Err("a game has another winner than the endgame tables know")
            }
            // Larger tables may know more.
            _ => Ok(()),
        },
        _ => Err("a game did not end as recorded"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::board::Color;
    use damier_rules::notation::fen;

    #[test]
    fn the_tables_are_asked_about_games_that_they_ended() {
        let exact = Tables::open(None).ok().map(TableAdjudicator::new);
        let check = |text: &str, winner| {
            let record = GameRecord {
                index: 0,
                start: fen::parse(text).expect("a position"),
                moves: Vec::new(),
                end: End::Tables,
                winner,
            };
            replay(&record, exact.as_ref())
        };
        let [white, black] = Color::BOTH.map(Some);
        for (text, winner) in [
            ("W:WK28,K50:B20", white),
            ("B:WK28,K50:B20", white),
            ("W:WK46:BK5", black),
            ("W:WK46,K28:BK4", None),
        ] {
            for told in [white, black, None] {
                assert_eq!(check(text, told).is_ok(), told == winner, "{text} {told:?}");
            }
        }
        // Too many pieces for them.
        assert!(check("W:WK46,K28,K37,K50:BK4", white).is_ok());
    }
}
