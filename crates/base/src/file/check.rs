//! Whether a base is sound.

use super::packed::Replay;
use crate::search::{damaged_moves, start};
use crate::{Base, BaseError, BaseErrorKind as Kind};
use damier_rules::notation::pdn;
use std::collections::HashSet;

impl Base {
    /// Checks all of the file: its structure, and that every game can be played, has its text and as many positions as
    /// are stored. `progress` is told how many games of all are done; false ends the check. Returns how many are sound.
    ///
    /// # Errors
    /// The base is damaged, or cannot be read.
    pub fn check(&self, progress: &mut dyn FnMut(u64, u64) -> bool) -> Result<u64, BaseError> {
        let checked = self.check_all(progress);
        self.named(checked)
    }

    fn check_all(&self, progress: &mut dyn FnMut(u64, u64) -> bool) -> Result<u64, Kind> {
        self.check_keys()?;
        crate::import::quick_check(&self.connection)?;
        self.check_collected()?;
        let number = |sql: &str| {
            self.connection
                .query_row(sql, [], |row| row.get::<_, u64>(0))
        };
        let total = number("SELECT count(*) FROM games")?;
        let mut games = self.connection.prepare(
            "SELECT g.id, g.setup, g.moves, t.pdn FROM games g LEFT JOIN texts t ON t.game = g.id ORDER BY g.id",
        )?;
        let mut rows = games.query([])?;
        let (mut done, mut positions) = (0, 0);
        while let Some(row) = rows.next()? {
            let game = row.get(0)?;
            let setup: Option<String> = row.get(1)?;
            let moves: Vec<u8> = row.get(2)?;
            let text: Option<String> = row.get(3)?;
            let mut replay = Replay::new(start(setup.as_deref())?, &moves);
            let mut keys = HashSet::from([replay.position.key()]);
            let mut played = Vec::new();
            while let Some(mv) = replay.next() {
                played.push(mv.ok_or_else(|| damaged_moves(game))?);
                keys.insert(replay.position.key());
            }
            positions += keys.len() as u64;
            let read = text.and_then(|text| pdn::read(&text).next()?.ok());
            if read.is_none_or(|read| read.plain_moves() != played) {
                return Err(Kind::Damaged(format!(
                    "the text of game {game} has other moves than the game"
                )));
            }
            done += 1;
            if done % 256 == 0 && !progress(done, total) {
                return Ok(done);
            }
        }
        let stored = number("SELECT count(*) FROM positions")?;
        match (done == total, stored == positions) {
            (true, true) => Ok(done),
            _ => Err(Kind::Damaged(format!(
                "{stored} positions are stored of {positions}"
            ))),
        }
    }
}
