//! Collections: games that belong together under a name, such as those of a file.

use crate::{Base, BaseErrorKind as Kind, SearchError};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

/// The tables, which a base gets with its first collection.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS collected (collection INTEGER, game INTEGER, PRIMARY KEY (collection, game)) WITHOUT ROWID;
";

/// A collection of a base.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Collection {
    /// Its name.
    pub name: String,
    /// Its games.
    pub games: u64,
}

/// The number of the collection of a name, which is made where it is new.
pub(crate) fn number(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.execute_batch(TABLES)?;
    connection.execute(
        "INSERT OR IGNORE INTO collections (name) VALUES (?1)",
        [name],
    )?;
    connection.query_row(
        "SELECT id FROM collections WHERE name = ?1",
        [name],
        |row| row.get(0),
    )
}

impl Base {
    /// Whether the base has the tables of collections.
    fn has_collections(&self) -> rusqlite::Result<bool> {
        let there =
            "SELECT count(*) = 2 FROM sqlite_schema WHERE name IN ('collections', 'collected')";
        self.connection.query_row(there, [], |row| row.get(0))
    }

    /// All collections, by name.
    pub(crate) fn collections(&self) -> Result<Vec<Collection>, Kind> {
        if !self.has_collections()? {
            return Ok(Vec::new());
        }
        let mut all = self.connection.prepare(
            "SELECT c.name, count(d.game) FROM collections c LEFT JOIN collected d ON d.collection = c.id
             GROUP BY c.id ORDER BY c.name",
        )?;
        let all = all.query_map([], |row| {
            Ok(Collection {
                name: row.get(0)?,
                games: row.get(1)?,
            })
        })?;
        Ok(all.collect::<Result<_, _>>()?)
    }

    /// Fails where there is no collection of this name.
    pub(crate) fn check_collection(&self, name: &str) -> Result<(), Kind> {
        let all = self.collections()?;
        if all.iter().any(|collection| collection.name == name) {
            return Ok(());
        }
        let there = all.into_iter().map(|collection| collection.name);
        Err(SearchError::NoCollection(name.to_owned(), there.collect()).into())
    }

    /// Fails where a collection has a game that is not there.
    pub(crate) fn check_collected(&self) -> Result<(), Kind> {
        if !self.has_collections()? {
            return Ok(());
        }
        let lost = "SELECT count(*) FROM collected WHERE game NOT IN (SELECT id FROM games)
                    OR collection NOT IN (SELECT id FROM collections)";
        match self
            .connection
            .query_row(lost, [], |row| row.get::<_, u64>(0))?
        {
            0 => Ok(()),
            lost => Err(Kind::Damaged(format!(
                "collections have {lost} games that are not there"
            ))),
        }
    }
}
