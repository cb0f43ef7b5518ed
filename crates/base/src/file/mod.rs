//! The file: its tables, and how it is opened.

mod check;
pub(crate) mod collections;
pub(crate) mod names;
pub(crate) mod packed;
pub(crate) mod write;

use crate::{BaseError, BaseErrorKind as Kind};
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Position, Setup};
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Marks a SQLite file as a base of games: "Dmgb".
const APPLICATION: i32 = 0x446d_6762;
/// The form of the tables.
pub(crate) const FORM: i32 = 1;
/// Time to wait for the lock of another program.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// All tables. `docs/games-base.md` describes them.
const TABLES: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL);
CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    white INTEGER REFERENCES players,
    black INTEGER REFERENCES players,
    event INTEGER REFERENCES events,
    day INTEGER,
    result TEXT NOT NULL,
    plies INTEGER NOT NULL,
    setup TEXT,
    hash INTEGER NOT NULL,
    moves BLOB NOT NULL
);
CREATE INDEX games_white ON games (white);
CREATE INDEX games_black ON games (black);
CREATE INDEX games_event ON games (event);
CREATE INDEX games_day ON games (day);
CREATE INDEX games_hash ON games (hash);
CREATE TABLE texts (game INTEGER PRIMARY KEY REFERENCES games, pdn TEXT NOT NULL);
CREATE TABLE batches (id INTEGER PRIMARY KEY, positions INTEGER NOT NULL);
CREATE TABLE positions (
    batch INTEGER, key INTEGER, game INTEGER, ply INTEGER NOT NULL,
    PRIMARY KEY (batch, key, game)
) WITHOUT ROWID;
CREATE TABLE materials (
    batch INTEGER, white INTEGER, black INTEGER, white_kings INTEGER, black_kings INTEGER, game INTEGER,
    PRIMARY KEY (batch, white, black, white_kings, black_kings, game)
) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, identity BLOB, offset INTEGER NOT NULL, games INTEGER NOT NULL,
    duplicates INTEGER NOT NULL, left_out INTEGER NOT NULL, done INTEGER NOT NULL
);
CREATE VIEW list AS
    SELECT g.id, w.name AS white, b.name AS black, e.name AS event, g.day, g.result, g.plies, t.pdn
    FROM games g LEFT JOIN players w ON w.id = g.white LEFT JOIN players b ON b.id = g.black
    LEFT JOIN events e ON e.id = g.event JOIN texts t ON t.game = g.id;
";

/// A base of games, open.
#[derive(Debug)]
pub struct Base {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

impl Base {
    /// Opens a base for reading. One that may be written to is only changed where an interrupted import is undone.
    ///
    /// # Errors
    /// It is not there, no base, locked, damaged, or of a newer version.
    pub fn open(path: impl Into<PathBuf>) -> Result<Base, BaseError> {
        Base::open_as(path.into(), false)
    }

    /// Opens a base for [`Base::import`]; makes one where nothing or an empty file is.
    ///
    /// # Errors
    /// It cannot be made or written to, or as [`Base::open`].
    pub fn create(path: impl Into<PathBuf>) -> Result<Base, BaseError> {
        Base::open_as(path.into(), true)
    }

    fn open_as(path: PathBuf, is_written: bool) -> Result<Base, BaseError> {
        match connect(&path, is_written) {
            Ok(connection) => Ok(Base { connection, path }),
            Err(kind) => Err(BaseError { path, kind }),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A result, with the name of the file where it is an error.
    pub(crate) fn named<T>(&self, result: Result<T, Kind>) -> Result<T, BaseError> {
        result.map_err(|kind| BaseError {
            path: self.path.clone(),
            kind,
        })
    }

    /// Fails where positions have other keys than here.
    pub(crate) fn check_keys(&self) -> Result<(), Kind> {
        let there: String =
            self.connection
                .query_row("SELECT value FROM meta WHERE name = 'keys'", [], |row| {
                    row.get(0)
                })?;
        if there == signature() {
            Ok(())
        } else {
            Err(Kind::OtherKeys)
        }
    }
}

fn connect(path: &Path, is_written: bool) -> Result<Connection, Kind> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(Kind::NotAFile),
        // root can write to a read-only file: refuse it here.
        Ok(found) if is_written && found.permissions().readonly() => return Err(Kind::ReadOnly),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_written => {
            return Err(Kind::Missing);
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    if is_written {
        // The system says better than SQLite what is wrong.
        File::options().append(true).create(true).open(path)?;
    }
    // A relative name could be taken for an address, `file:`, or for `:memory:`.
    let place = std::path::absolute(path)?;
    let mut connection = Connection::open_with_flags(
        place,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Sorted lists of games are small; a folder for temporary files may be full.
    connection.execute_batch("PRAGMA temp_store = MEMORY")?;
    let number = |name: &str| {
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0))
    };
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION, FORM) => {}
        (APPLICATION, there) => return Err(Kind::Newer { there, known: FORM }),
        (0, 0) if is_written && number("page_count")? == 0 => make(&mut connection)?,
        _ => return Err(Kind::NotABase),
    }
    if !is_written {
        connection.execute_batch("PRAGMA query_only = TRUE")?;
    }
    Ok(connection)
}

/// Makes the tables of a new base.
fn make(connection: &mut Connection) -> Result<(), Kind> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.execute(
        "INSERT INTO meta VALUES ('keys', ?1), ('program', 'damier ' || ?2)",
        [&signature(), env!("CARGO_PKG_VERSION")],
    )?;
    transaction.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORM}"
    ))?;
    Ok(transaction.commit()?)
}

/// What the keys of positions are known by: it changes with the key of any piece on any square.
pub(crate) fn signature() -> String {
    let mut folded = Position::start().key().0;
    for square in Square::all() {
        for (color, is_king) in [
            (Color::White, false),
            (Color::White, true),
            (Color::Black, false),
            (Color::Black, true),
        ] {
            let mut setup = Setup::empty(color);
            let pieces = if is_king {
                &mut setup.kings
            } else {
                &mut setup.men
            };
            pieces[color.index()] = Bitboard::of(square);
            if let Ok(position) = Position::try_from(setup) {
                folded = folded.rotate_left(5) ^ position.key().0;
            }
        }
    }
    format!("{folded:016x}")
}
