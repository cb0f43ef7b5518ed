use crate::SearchError;
use rusqlite::ErrorCode;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// What went wrong with a base, or with a file that is imported.
#[derive(Debug, Error)]
#[error("{}: {kind}", path.display())]
pub struct BaseError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub kind: BaseErrorKind,
}

/// What is wrong with a base.
#[derive(Debug, Error)]
pub enum BaseErrorKind {
    /// There is nothing of this name.
    #[error("there is no such base of games")]
    Missing,
    /// A folder, a pipe, a device.
    #[error("not a regular file")]
    NotAFile,
    /// A file of another kind.
    #[error("not a base of games")]
    NotABase,
    /// Written by a newer version of this library.
    #[error("written by a newer version (form {there}, this version knows up to {known})")]
    Newer {
        /// The form of its tables.
        there: i32,
        /// The newest form known here.
        known: i32,
    },
    /// Positions have other keys than those of this version, so that none would be found.
    #[error(
        "its position keys are of another version; export its games and import them into a new base"
    )]
    OtherKeys,
    /// Another program writes to it.
    #[error("in use by another process")]
    Locked,
    /// The file is damaged; what was found.
    #[error("damaged: {0}")]
    Damaged(String),
    /// The file may not be written to.
    #[error("it is read-only")]
    ReadOnly,
    /// An interrupted import must be undone first, and the file may not be written to.
    #[error("an interrupted import has to be undone: make the file writable and open it again")]
    Interrupted,
    /// No room is left.
    #[error("the disk is full")]
    Full,
    /// The search makes no sense.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// There is no game of this number.
    #[error("no game {0} in it")]
    NoGame(i64),
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Anything else that SQLite says.
    #[error("{0}")]
    Sqlite(String),
}

impl From<rusqlite::Error> for BaseErrorKind {
    fn from(error: rusqlite::Error) -> BaseErrorKind {
        use BaseErrorKind as Kind;
        let rusqlite::Error::SqliteFailure(failure, message) = &error else {
            // A value of another type than was written.
            return Kind::Damaged(error.to_string());
        };
        let message = message.clone().unwrap_or_else(|| failure.to_string());
        match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Kind::Locked,
            ErrorCode::NotADatabase => Kind::NotABase,
            ErrorCode::DatabaseCorrupt => Kind::Damaged(message),
            ErrorCode::ReadOnly
                if failure.extended_code == rusqlite::ffi::SQLITE_READONLY_ROLLBACK =>
            {
                Kind::Interrupted
            }
            ErrorCode::ReadOnly => Kind::ReadOnly,
            ErrorCode::DiskFull => Kind::Full,
            // A table or a column that is not there.
            ErrorCode::Unknown => Kind::Damaged(message),
            _ => Kind::Sqlite(message),
        }
    }
}
