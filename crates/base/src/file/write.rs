//! Games into the tables.

use super::names;
use crate::BaseErrorKind as Kind;
use crate::import::Prepared;
use rusqlite::{Connection, OptionalExtension, Statement, params};
use std::collections::HashMap;

/// Positions of a batch. Positions are stored batch after batch, sorted by their keys in each: a large base is written
/// to at its end only, and a position is looked up once in every batch.
const BATCH: usize = 1 << 20;
/// Most names that are kept in memory.
const MOST_NAMES: usize = 1 << 16;

/// Names and their numbers in one of the tables.
pub(crate) struct Names {
    table: &'static str,
    known: HashMap<String, i64>,
}

impl Names {
    pub fn new(table: &'static str) -> Names {
        Names {
            table,
            known: HashMap::new(),
        }
    }

    /// The number of a name, which is stored where it is new.
    fn number(
        &mut self,
        connection: &Connection,
        name: Option<&str>,
    ) -> rusqlite::Result<Option<i64>> {
        let Some(name) = name else { return Ok(None) };
        if let Some(&number) = self.known.get(name) {
            return Ok(Some(number));
        }
        let table = self.table;
        let find = format!("SELECT id FROM {table} WHERE name = ?1");
        let found = connection
            .prepare_cached(&find)?
            .query_row([name], |row| row.get(0))
            .optional()?;
        let number = match found {
            Some(number) => number,
            None => {
                let insert = format!("INSERT INTO {table} (name, folded) VALUES (?1, ?2)");
                connection
                    .prepare_cached(&insert)?
                    .insert([name, &names::folded(name)])?
            }
        };
        if self.known.len() == MOST_NAMES {
            self.known.clear();
        }
        self.known.insert(name.to_owned(), number);
        Ok(Some(number))
    }
}

/// Stores games in a transaction.
pub(crate) struct Writer<'c> {
    connection: &'c Connection,
    find: Statement<'c>,
    game: Statement<'c>,
    text: Statement<'c>,
    longer: Statement<'c>,
    /// Adds to a collection.
    collect: Option<Statement<'c>>,
    /// Positions and pieces, stored at the end.
    positions: Vec<(i64, i64, u16)>,
    materials: Vec<([u8; 4], i64)>,
}

impl<'c> Writer<'c> {
    /// `collection`: the number of the one that the games belong to.
    pub fn new(
        connection: &'c Connection,
        collection: Option<i64>,
    ) -> rusqlite::Result<Writer<'c>> {
        let collect = collection.map(|collection| {
            connection.prepare(&format!(
                "INSERT OR IGNORE INTO collected (collection, game) VALUES ({collection}, ?1)"
            ))
        });
        Ok(Writer {
            collect: collect.transpose()?,
            connection,
            find: connection
                .prepare("SELECT id FROM games WHERE hash = ?1 AND moves = ?2 AND setup IS ?3")?,
            game: connection.prepare(
                "INSERT INTO games (white, black, event, day, result, plies, setup, hash, moves)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?,
            text: connection.prepare("INSERT INTO texts (game, pdn) VALUES (?1, ?2)")?,
            longer: connection.prepare(
                "UPDATE texts SET pdn = ?2 WHERE game = ?1 AND length(pdn) < length(?2)",
            )?,
            positions: Vec::new(),
            materials: Vec::new(),
        })
    }

    /// Whether so many positions wait that they should be stored.
    pub fn is_full(&self) -> bool {
        self.positions.len() >= BATCH
    }

    /// Stores a game, unless it is there. Of two texts of a game the longer one stays: it has the comments.
    pub fn add(
        &mut self,
        game: &Prepared,
        players: &mut Names,
        events: &mut Names,
    ) -> Result<bool, Kind> {
        let there: Option<i64> = self
            .find
            .query_row(params![game.hash, game.moves, game.setup], |row| row.get(0))
            .optional()?;
        if let Some(there) = there {
            self.longer.execute(params![there, game.text])?;
            self.collect(there)?;
            return Ok(false);
        }
        let (white, black) = (game.white.as_deref(), game.black.as_deref());
        let number = self.game.insert(params![
            players.number(self.connection, white)?,
            players.number(self.connection, black)?,
            events.number(self.connection, game.event.as_deref())?,
            game.day.map(|day| day.number()),
            game.result,
            game.plies,
            game.setup,
            game.hash,
            game.moves,
        ])?;
        self.text.execute(params![number, game.text])?;
        self.collect(number)?;
        self.positions
            .extend(game.keys.iter().map(|&(key, ply)| (key, number, ply)));
        self.materials
            .extend(game.materials.iter().map(|&pieces| (pieces, number)));
        Ok(true)
    }

    fn collect(&mut self, game: i64) -> rusqlite::Result<()> {
        let Some(statement) = &mut self.collect else {
            return Ok(());
        };
        statement.execute([game])?;
        Ok(())
    }

    /// Stores the positions: in a batch of their own, or in the last one where that is small.
    pub fn finish(mut self) -> rusqlite::Result<()> {
        // The first time that a game has a position counts.
        self.positions.sort_unstable();
        self.positions
            .dedup_by_key(|&mut (key, game, _)| (key, game));
        self.materials.sort_unstable();
        let last = "SELECT id, positions FROM batches ORDER BY id DESC LIMIT 1";
        let last: Option<(i64, usize)> = self
            .connection
            .query_row(last, [], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (batch, before) = match last {
            Some((batch, there)) if there + self.positions.len() <= BATCH => (batch, there),
            Some((batch, _)) => (batch + 1, 0),
            None => (1, 0),
        };
        self.connection.execute(
            "INSERT OR REPLACE INTO batches (id, positions) VALUES (?1, ?2)",
            params![batch, before + self.positions.len()],
        )?;
        let mut insert = self
            .connection
            .prepare("INSERT INTO positions (batch, key, game, ply) VALUES (?1, ?2, ?3, ?4)")?;
        for (key, game, ply) in self.positions {
            insert.execute((batch, key, game, ply))?;
        }
        let mut insert = self.connection.prepare(
            "INSERT INTO materials (batch, white, black, white_kings, black_kings, game) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for ([white, black, white_kings, black_kings], game) in self.materials {
            insert.execute((batch, white, black, white_kings, black_kings, game))?;
        }
        Ok(())
    }
}
