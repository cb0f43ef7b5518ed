use super::Damage;
use crate::os::files::ReplaceError;
use std::fmt;
use std::io;

/// Why a file of games was not read or written.
#[derive(Debug)]
pub enum DatasetError {
    /// The system refuses.
    Io {
        /// The file as it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// What was to be shown could not be written.
    Output(io::Error),
    /// It is another kind of file.
    Foreign {
        /// The file as it was named.
        file: String,
    },
    /// It is of a version that this program does not know.
    Version {
        /// The file as it was named.
        file: String,
        /// Its version.
        version: u16,
    },
    /// The header is damaged: nothing tells how the games were made.
    Header {
        /// The file as it was named.
        file: String,
    },
    /// The games of two files were made in different ways.
    Mixed {
        /// The file.
        file: String,
        /// Another file, or what was asked for.
        other: String,
        /// In what they differ.
        name: String,
        /// Its value in the other.
        there: String,
        /// Its value in the file.
        here: String,
    },
    /// A game is there twice.
    Twice {
        /// One file.
        file: String,
        /// Another one, or the same.
        other: String,
        /// Index of the game.
        game: u64,
    },
    /// The games of a file do not stand in the order of their indices.
    Unordered {
        /// The file as it was named.
        file: String,
        /// Index of the game that comes too late.
        game: u64,
    },
    /// There is another file where the result would go.
    Exists {
        /// The file as it was named.
        file: String,
    },
    /// There is no game or position of this number.
    Missing {
        /// What was asked for.
        wanted: String,
    },
    /// A part of a file that must be whole is damaged.
    Damaged(Damage),
}

impl DatasetError {
    pub(crate) fn io(file: &str, error: io::Error) -> DatasetError {
        DatasetError::Io {
            file: file.to_owned(),
            error,
        }
    }

    /// Why `file` cannot be written as a whole.
    pub(crate) fn replace(file: &str, error: ReplaceError) -> DatasetError {
        match error {
            ReplaceError::Io(error) => DatasetError::io(file, error),
            ReplaceError::Foreign(there) => DatasetError::Exists {
                file: there.display().to_string(),
            },
            busy @ ReplaceError::Busy => DatasetError::io(file, io::Error::other(busy)),
        }
    }
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::Io { file, error } => write!(f, "{file}: {error}"),
            DatasetError::Output(error) => write!(f, "cannot write: {error}"),
            DatasetError::Foreign { file } => {
                write!(f, "{file}: not a file of games of damier selfplay")
            }
            DatasetError::Version { file, version } => write!(
                f,
                "{file}: version {version} of the format; this program knows version {}",
                super::format::VERSION
            ),
            DatasetError::Header { file } => write!(
                f,
                "{file}: the header is damaged, so that nothing tells how the games were made"
            ),
            DatasetError::Mixed {
                file,
                other,
                name,
                there,
                here,
            } => write!(
                f,
                "{file} does not fit {other}: {name} is {here} in the former and {there} in the latter"
            ),
            DatasetError::Twice { file, other, game } if file == other => {
                write!(f, "{file}: game {game} is there twice")
            }
            DatasetError::Twice { file, other, game } => {
                write!(f, "game {game} is in {file} and in {other}")
            }
            DatasetError::Unordered { file, game } => {
                write!(f, "{file}: game {game} stands behind a later one")
            }
            DatasetError::Exists { file } => write!(
                f,
                "{file}: there is another file of this name; move it away or choose another name"
            ),
            DatasetError::Missing { wanted } => write!(f, "there is no {wanted}"),
            DatasetError::Damaged(damage) => damage.fmt(f),
        }
    }
}

impl std::error::Error for DatasetError {}
