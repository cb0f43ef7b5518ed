//! What is in a base.

use crate::{Base, BaseError, BaseErrorKind as Kind, Collection, Day, Search};
use serde::{Deserialize, Serialize};
use std::fs;

/// Games counted by their results.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// All games.
    pub games: u64,
    /// Won by white.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by black.
    pub black: u64,
    /// Lost for both, not finished, or not known.
    pub other: u64,
    /// The first day.
    pub first: Option<Day>,
    /// The last day.
    pub last: Option<Day>,
}

/// What is in a base.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Content {
    /// All games.
    #[serde(flatten)]
    pub tally: Tally,
    /// Positions, each once in a game.
    pub positions: u64,
    /// Different names of players.
    pub players: u64,
    /// Different names of events.
    pub events: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Collections, by name.
    #[serde(default)]
    pub collections: Vec<Collection>,
    /// Files whose import was interrupted.
    pub unfinished: Vec<String>,
    /// Who played most, by name.
    pub most: Vec<Player>,
}

/// A player's games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The name.
    pub name: String,
    /// All games.
    pub games: u64,
    /// Won.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost.
    pub lost: u64,
}

impl Base {
    /// Counts the games of a search by their results.
    ///
    /// # Errors
    /// As [`Base::query`].
    pub fn tally(&self, search: &Search) -> Result<Tally, BaseError> {
        let mut tally = Tally::default();
        for hit in self.query(search)?.hits()? {
            let hit = hit?;
            tally.add(hit.result, hit.day);
        }
        Ok(tally)
    }

    /// What is in the base, with so many players.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn content(&self, players: usize) -> Result<Content, BaseError> {
        let tally = self.tally(&Search::default())?;
        let counted = self.count(tally, players);
        self.named(counted)
    }

    fn count(&self, tally: Tally, players: usize) -> Result<Content, Kind> {
        let number = |sql: &str| self.connection.query_row(sql, [], |row| row.get(0));
        let mut unfinished = self
            .connection
            .prepare("SELECT name FROM files WHERE NOT done AND identity IS NOT NULL")?;
        let unfinished: Result<Vec<String>, _> =
            unfinished.query_map([], |row| row.get(0))?.collect();
        let mut most = self.connection.prepare(
            "SELECT p.name, count(*) AS n, sum(won), sum(drawn), sum(lost) FROM (
                 SELECT white AS player, result = '2-0' AS won, result = '1-1' AS drawn, result = '0-2' AS lost
                 FROM games
                 UNION ALL SELECT black, result = '0-2', result = '1-1', result = '2-0' FROM games
             ) JOIN players p ON p.id = player GROUP BY player ORDER BY n DESC, p.name LIMIT ?1",
        )?;
        let most = most.query_map([players], |row| {
            Ok(Player {
                name: row.get(0)?,
                games: row.get(1)?,
                won: row.get(2)?,
                drawn: row.get(3)?,
                lost: row.get(4)?,
            })
        })?;
        Ok(Content {
            tally,
            positions: number("SELECT coalesce(sum(positions), 0) FROM batches")?,
            players: number("SELECT count(*) FROM players")?,
            events: number("SELECT count(*) FROM events")?,
            bytes: fs::metadata(&self.path)?.len(),
            collections: self.collections()?,
            unfinished: unfinished?,
            most: most.collect::<Result<_, _>>()?,
        })
    }
}
