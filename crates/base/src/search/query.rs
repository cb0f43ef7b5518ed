//! Games that are found.

use super::{Day, Order, Search, Sql};
use crate::file::packed::Replay;
use crate::import::number;
use crate::{Base, BaseError, BaseErrorKind as Kind};
use damier_rules::notation::pdn::Outcome;
use damier_rules::{Move, Position};
use rusqlite::types::Value;
use rusqlite::{Row, Rows, Statement, params_from_iter};
use std::path::Path;

/// A search, prepared.
pub struct Query<'b> {
    statement: Statement<'b>,
    values: Vec<Value>,
    position: Option<Position>,
    path: &'b Path,
}

/// A game that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Number in the base.
    pub game: i64,
    /// How it ended.
    pub result: Outcome,
    /// When it was played.
    pub day: Option<Day>,
    /// Moves, both sides counted.
    pub plies: usize,
    /// Moves before the position that was looked for.
    pub ply: Option<usize>,
    /// The move that was played there.
    pub next: Option<Move>,
}

/// The games that are found, one after the other.
pub struct Hits<'q> {
    rows: Rows<'q>,
    position: Option<Position>,
    path: &'q Path,
}

impl Base {
    /// Prepares a search.
    ///
    /// # Errors
    /// It makes no sense, or the base cannot be read.
    pub fn query(&self, search: &Search) -> Result<Query<'_>, BaseError> {
        let prepared = self.prepare(search);
        let (statement, values) = self.named(prepared)?;
        Ok(Query {
            statement,
            values,
            position: search.position,
            path: &self.path,
        })
    }

    fn prepare(&self, search: &Search) -> Result<(Statement<'_>, Vec<Value>), Kind> {
        let conditions = search.conditions()?;
        if let Some(collection) = &search.collection {
            self.check_collection(collection)?;
        }
        let mut sql = Sql::default();
        match search.position {
            Some(position) => {
                self.check_keys()?;
                // Batch after batch, whatever else is wanted.
                sql.add(
                    "SELECT g.id, g.result, g.day, g.plies, g.setup, g.moves, p.ply
                     FROM batches a CROSS JOIN positions p ON p.batch = a.id AND p.key = ?
                     CROSS JOIN games g ON g.id = p.game WHERE TRUE",
                    [Value::from(number(position.key()))],
                );
            }
            None => sql.add(
                "SELECT g.id, g.result, g.day, g.plies FROM games g WHERE TRUE",
                [],
            ),
        }
        if !search.opening.is_empty() {
            self.check_keys()?;
        }
        sql.add(&conditions.text, conditions.values);
        match (search.order, search.position) {
            (Order::Newest, _) => sql.add(" ORDER BY g.day DESC, g.id DESC", []),
            (Order::Stored, None) => sql.add(" ORDER BY g.id", []),
            // They come in this order.
            (Order::Stored, Some(_)) => {}
        }
        Ok((self.connection.prepare(&sql.text)?, sql.values))
    }
}

impl Query<'_> {
    /// The games.
    ///
    /// # Errors
    /// The base cannot be read.
    pub fn hits(&mut self) -> Result<Hits<'_>, BaseError> {
        let rows = self.statement.query(params_from_iter(&self.values));
        let rows = rows.map_err(|error| BaseError {
            path: self.path.to_owned(),
            kind: error.into(),
        })?;
        Ok(Hits {
            rows,
            position: self.position,
            path: self.path,
        })
    }
}

impl Hits<'_> {
    /// The next row that holds what is looked for.
    fn read(&mut self) -> Result<Option<Hit>, Kind> {
        while let Some(row) = self.rows.next()? {
            let mut hit = hit(row)?;
            let Some(position) = &self.position else {
                return Ok(Some(hit));
            };
            let ply: usize = row.get(6)?;
            let start = start(
                row.get_ref(4)?
                    .as_str_or_null()
                    .map_err(rusqlite::Error::from)?,
            )?;
            let moves = row.get_ref(5)?.as_blob().map_err(rusqlite::Error::from)?;
            let mut replay = Replay::new(start, moves);
            replay.advance(ply).ok_or_else(|| damaged_moves(hit.game))?;
            // Another position may have the same key.
            if replay.position == *position {
                hit.ply = Some(ply);
                hit.next = match replay.next() {
                    None => None,
                    Some(mv) => Some(mv.ok_or_else(|| damaged_moves(hit.game))?),
                };
                return Ok(Some(hit));
            }
        }
        Ok(None)
    }
}

impl Iterator for Hits<'_> {
    type Item = Result<Hit, BaseError>;

    fn next(&mut self) -> Option<Result<Hit, BaseError>> {
        self.read()
            .map_err(|kind| BaseError {
                path: self.path.to_owned(),
                kind,
            })
            .transpose()
    }
}

pub(crate) fn damaged_moves(game: i64) -> Kind {
    Kind::Damaged(format!("the moves of game {game} cannot be played"))
}

/// Where a game begins.
pub(crate) fn start(setup: Option<&str>) -> Result<Position, Kind> {
    match setup {
        None => Ok(Position::start()),
        Some(fen) => fen
            .parse()
            .map_err(|error| Kind::Damaged(format!("{fen}: {error}"))),
    }
}

fn hit(row: &Row<'_>) -> Result<Hit, Kind> {
    let result = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
    Ok(Hit {
        game: row.get(0)?,
        result: Outcome::parse(result).unwrap_or_default(),
        day: row.get::<_, Option<u32>>(2)?.map(Day::of_number),
        plies: row.get(3)?,
        ply: None,
        next: None,
    })
}
