//! Single games.

use crate::{Base, BaseError, BaseErrorKind as Kind, Day};
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

/// What is known of a game besides its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Number in the base.
    pub game: i64,
    /// Who had white.
    pub white: Option<String>,
    /// Who had black.
    pub black: Option<String>,
    /// Where it was played.
    pub event: Option<String>,
    /// When it was played.
    pub date: Option<Day>,
    /// `2-0`, `1-1`, `0-2`, `0-0` or `*`.
    pub result: String,
    /// Moves, both sides counted.
    pub plies: usize,
}

impl Base {
    /// What is known of a game.
    ///
    /// # Errors
    /// It is not there, or the base cannot be read.
    pub fn header(&self, game: i64) -> Result<Header, BaseError> {
        let sql = "SELECT w.name, b.name, e.name, g.day, g.result, g.plies FROM games g
                   LEFT JOIN players w ON w.id = g.white LEFT JOIN players b ON b.id = g.black
                   LEFT JOIN events e ON e.id = g.event WHERE g.id = ?1";
        let found = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| {
                let read = statement.query_row([game], |row| {
                    Ok(Header {
                        game,
                        white: row.get(0)?,
                        black: row.get(1)?,
                        event: row.get(2)?,
                        date: row.get::<_, Option<u32>>(3)?.map(Day::of_number),
                        result: row.get(4)?,
                        plies: row.get(5)?,
                    })
                });
                read.optional()
            });
        self.one(game, found)
    }

    /// A game as PDN, with all that was imported of it.
    ///
    /// # Errors
    /// It is not there, or the base cannot be read.
    pub fn pdn(&self, game: i64) -> Result<String, BaseError> {
        let found = self
            .connection
            .prepare_cached("SELECT pdn FROM texts WHERE game = ?1");
        let found = found
            .and_then(|mut statement| statement.query_row([game], |row| row.get(0)).optional());
        self.one(game, found)
    }

    fn one<T>(&self, game: i64, found: rusqlite::Result<Option<T>>) -> Result<T, BaseError> {
        self.named(
            found
                .map_err(Kind::from)
                .and_then(|found| found.ok_or(Kind::NoGame(game))),
        )
    }
}
