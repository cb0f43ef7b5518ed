//! `damier dataset verify`: every byte read, every game replayed.

use super::blocks::BlockRef;
use super::{Damage, DatasetError, End, GameRecord, scan};
use crate::rules::Game;
use std::collections::BTreeMap;
use std::fs::File;

/// What a check of files found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Games that are sound.
    pub games: u64,
    /// Plies of these games.
    pub plies: u64,
    /// What is not sound, in the order of the files.
    pub damages: Vec<Damage>,
}

/// Reads every file through and replays its games: all moves legal, the game not over before its last move, its end and
/// winner those of the rules where it was played out. `each` is told the number of bytes after each block.
///
/// # Errors
/// A file cannot be read, or its header is not sound.
pub fn verify(
    files: &[impl AsRef<str>],
    mut each: impl FnMut(u64),
) -> Result<Verified, DatasetError> {
    let mut found = Verified::default();
    for name in files.iter().map(AsRef::as_ref) {
        let scan = scan(name, true)?;
        let mut damages: BTreeMap<u64, Damage> =
            scan.damages.into_iter().map(|d| (d.offset, d)).collect();
        let mut file = File::open(name).map_err(|error| DatasetError::io(name, error))?;
        let mut bytes = Vec::new();
        let mut before = None;
        for block in scan.blocks {
            let sound = block
                .read(&mut file, &mut bytes)
                .map_err(|error| DatasetError::io(name, error))?;
            let checked = if sound {
                check(&block, &bytes, &mut before)
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
) -> Result<(u64, u64), &'static str> {
    let (mut rest, mut plies, mut last) = (bytes, 0, block.head.first);
    for number in 0..block.head.games {
        let game = GameRecord::take(&mut rest, last).ok_or("a move is not legal")?;
        if before.is_some_and(|before| before >= game.index) || number == 0 && game.index != last {
            return Err("a game stands behind a later one, or is there twice");
        }
        (last, *before) = (game.index, Some(game.index));
        plies += game.moves.len() as u64;
        replay(&game)?;
    }
    match rest.is_empty() && last == block.head.last {
        true => Ok((u64::from(block.head.games), plies)),
        false => Err("there is more than the games that the head tells"),
    }
}

/// Whether the rules agree with the record.
fn replay(record: &GameRecord) -> Result<(), &'static str> {
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
        None if record.end == End::Tables => Ok(()),
        _ => Err("a game ended in another way than is told"),
    }
}
