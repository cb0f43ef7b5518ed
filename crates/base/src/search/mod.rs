//! Which games are wanted.

mod day;
mod found;
mod material;
mod query;

use crate::file::{names, packed};
use crate::import::number;
use damier_rules::notation::pdn::Outcome;
use damier_rules::{Move, Position};
pub use day::{Day, DayError};
pub use found::{Found, FoundGame};
pub(crate) use material::count;
pub use material::{Material, MaterialError, Side};
pub use query::{Hit, Hits, Query};
pub(crate) use query::{damaged_moves, start};
use rusqlite::types::Value;
use std::str::FromStr;
use thiserror::Error;

/// Which games are wanted: those of which all holds that is given.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Search {
    /// Each of them played, with whatever colour. A name is found by words of it, without accents and capitals.
    pub players: Vec<String>,
    /// Who had white.
    pub white: Option<String>,
    /// Who had black.
    pub black: Option<String>,
    /// How the game ended.
    pub result: Option<ResultWanted>,
    /// The first day. A game of which only the year is known counts as of its beginning.
    pub from: Option<Day>,
    /// The last day, month or year.
    pub to: Option<Day>,
    /// Words of the event.
    pub event: Option<String>,
    /// The first moves, from the usual beginning on.
    pub opening: Vec<Move>,
    /// Pieces that were there at some point, where nothing could be captured.
    pub material: Option<Material>,
    /// A position that occurred.
    pub position: Option<Position>,
    /// The name of a collection that the game belongs to.
    pub collection: Option<String>,
    /// The order of the games.
    pub order: Order,
}

/// A result that is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultWanted {
    /// This result.
    Is(Outcome),
    /// A win of the first of [`Search::players`].
    Won,
    /// A loss of the first of [`Search::players`].
    Lost,
}

/// The text is no result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected 2-0, 1-1, 0-2, 0-0, *, win, draw or loss")]
pub struct ResultError;

impl FromStr for ResultWanted {
    type Err = ResultError;

    fn from_str(text: &str) -> Result<ResultWanted, ResultError> {
        match text {
            "win" => Ok(ResultWanted::Won),
            "loss" => Ok(ResultWanted::Lost),
            "draw" => Ok(ResultWanted::Is(Outcome::Draw)),
            _ => Outcome::parse(text)
                .map(ResultWanted::Is)
                .ok_or(ResultError),
        }
    }
}

/// The order of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they were imported.
    #[default]
    Stored,
    /// The last day first; those without a date last.
    Newest,
}

/// Why a search makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SearchError {
    /// A text to look for has no word; of what.
    #[error("the {0} to search for has no word")]
    Empty(&'static str),
    /// The first day is behind the last one.
    #[error("{0} is after {1}")]
    Days(Day, Day),
    /// A win or a loss of nobody.
    #[error("`win` and `loss` need a player")]
    NoPlayer,
    /// The base has no collection of this name; those that it has.
    #[error("no collection {0} in it; {list}", list = listed(.1))]
    NoCollection(String, Vec<String>),
    /// More kings than pieces.
    #[error("{0} has more kings than pieces")]
    Kings(Material),
}

/// Most names of collections in a message.
const MOST_LISTED: usize = 10;

fn listed(names: &[String]) -> String {
    let first = names[..names.len().min(MOST_LISTED)].join(", ");
    match names.len() {
        0 => "it has no collection".to_owned(),
        1..=MOST_LISTED => format!("there are {first}"),
        all => format!("the first of {all} are {first}"),
    }
}

/// A part of a SQL statement with its values.
#[derive(Default)]
pub(crate) struct Sql {
    pub text: String,
    pub values: Vec<Value>,
}

impl Sql {
    /// Adds text, in which each `?` stands for one of these values.
    pub fn add(&mut self, text: &str, values: impl IntoIterator<Item = Value>) {
        self.text.push_str(text);
        self.values.extend(values);
    }

    /// Adds the numbers of names with all words of a text.
    fn add_named(
        &mut self,
        column: &str,
        table: &str,
        text: &str,
        what: &'static str,
    ) -> Result<(), SearchError> {
        let words = names::words(text);
        if words.is_empty() {
            return Err(SearchError::Empty(what));
        }
        let tests = vec!["instr(folded, ?)"; words.len()].join(" AND ");
        let text = format!("{column} IN (SELECT id FROM {table} WHERE {tests})");
        self.add(&text, words.into_iter().map(Value::Text));
        Ok(())
    }
}

impl Search {
    /// All conditions on a row `g` of the games, but for the position: each with `AND` before it.
    pub(crate) fn conditions(&self) -> Result<Sql, SearchError> {
        let mut sql = Sql::default();
        for player in &self.players {
            sql.add(" AND (", []);
            sql.add_named("g.white", "players", player, "player")?;
            sql.add(" OR ", []);
            sql.add_named("g.black", "players", player, "player")?;
            sql.add(")", []);
        }
        for (column, name) in [("g.white", &self.white), ("g.black", &self.black)] {
            if let Some(name) = name {
                sql.add(" AND ", []);
                sql.add_named(column, "players", name, "player")?;
            }
        }
        if let Some(event) = &self.event {
            sql.add(" AND ", []);
            sql.add_named("g.event", "events", event, "event")?;
        }
        if let Some(collection) = &self.collection {
            sql.add(
                " AND g.id IN (SELECT l.game FROM collections n
                   JOIN collected l ON l.collection = n.id WHERE n.name = ?)",
                [Value::Text(collection.clone())],
            );
        }
        self.add_result(&mut sql)?;
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from.number() > to.last_number()
        {
            return Err(SearchError::Days(from, to));
        }
        if let Some(from) = self.from {
            sql.add(" AND g.day >= ?", [Value::from(from.number())]);
        }
        if let Some(to) = self.to {
            sql.add(" AND g.day <= ?", [Value::from(to.last_number())]);
        }
        self.add_opening(&mut sql);
        self.add_material(&mut sql)?;
        Ok(sql)
    }

    fn add_result(&self, sql: &mut Sql) -> Result<(), SearchError> {
        let (with_white, with_black) = match self.result {
            None => return Ok(()),
            Some(ResultWanted::Is(outcome)) => {
                sql.add(
                    " AND g.result = ?",
                    [Value::from(outcome.text().to_owned())],
                );
                return Ok(());
            }
            Some(ResultWanted::Won) => (Outcome::White, Outcome::Black),
            Some(ResultWanted::Lost) => (Outcome::Black, Outcome::White),
        };
        let player = self.players.first().ok_or(SearchError::NoPlayer)?;
        for (before, outcome, column) in [
            (" AND (", with_white, "g.white"),
            (" OR ", with_black, "g.black"),
        ] {
            sql.add(&format!("{before}g.result = '{}' AND ", outcome.text()), []);
            sql.add_named(column, "players", player, "player")?;
        }
        sql.add(")", []);
        Ok(())
    }

    fn add_opening(&self, sql: &mut Sql) {
        let Some((packed, after)) = packed_line(&self.opening) else {
            return;
        };
        sql.add(
            " AND g.id IN (SELECT o.game FROM batches c CROSS JOIN positions o ON o.batch = c.id AND o.key = ?)
              AND substr(g.moves, 1, ?) = ? AND g.setup IS NULL",
            [Value::from(number(after.key())), Value::from(packed.len() as i64), Value::from(packed)],
        );
    }

    fn add_material(&self, sql: &mut Sql) -> Result<(), SearchError> {
        let Some(material) = self.material else {
            return Ok(());
        };
        let Material { white, black } = material;
        if [white, black]
            .iter()
            .any(|side| side.kings.is_some_and(|kings| kings > side.pieces))
        {
            return Err(SearchError::Kings(material));
        }
        sql.add(
            " AND g.id IN (SELECT m.game FROM batches d CROSS JOIN materials m
              ON m.batch = d.id AND m.white = ? AND m.black = ?",
            [Value::from(white.pieces), Value::from(black.pieces)],
        );
        for (column, kings) in [("white_kings", white.kings), ("black_kings", black.kings)] {
            if let Some(kings) = kings {
                sql.add(&format!(" AND m.{column} = ?"), [Value::from(kings)]);
            }
        }
        sql.add(")", []);
        Ok(())
    }
}

/// Moves from the usual beginning on as the base has them, and the position behind them. None for no moves.
fn packed_line(moves: &[Move]) -> Option<(Vec<u8>, Position)> {
    let (mut bytes, mut position) = (Vec::new(), Position::start());
    for &mv in moves {
        packed::push(&mut bytes, &position, mv)?;
        position = position.play(mv);
    }
    (!bytes.is_empty()).then_some((bytes, position))
}
