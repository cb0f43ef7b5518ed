use damier_os::files::ReplaceError;
use std::fmt;
use std::io;
use std::path::Path;

/// Why a file of games was not read or written. `file` is always the file as it was named.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum DatasetError {
    /// The system refuses.
    #[error("{file}: {error}")]
    #[allow(missing_docs)]
    Io { file: String, error: io::Error },
    /// What was to be shown could not be written.
    #[error("cannot write: {0}")]
    Output(io::Error),
    /// Another kind of file.
    #[error(
        "{file}: not a file of games of damier selfplay; `damier dataset import` makes one from PDN"
    )]
    #[allow(missing_docs)]
    Foreign { file: String },
    /// A version that this program does not know.
    #[error("{file}: version {version} of the format; this program knows version {known}")]
    #[allow(missing_docs)]
    Version {
        file: String,
        version: u16,
        known: u16,
    },
    /// The header, which says how the games were made, is damaged.
    #[error("{file}: the header, which says how the games were made, is damaged")]
    #[allow(missing_docs)]
    Header { file: String },
    /// The games of two files were made in different ways.
    #[error(
        "{file} does not fit {other}: {name} is {here} in the former and {there} in the latter"
    )]
    Mixed {
        file: String,
        other: String,
        name: String,
        there: String,
        here: String,
    },
    /// A game is there twice.
    #[error("{}", twice(file, other, *game))]
    Twice {
        file: String,
        other: String,
        game: u64,
    },
    /// The games of a file are not in the order of their indices.
    #[error("{file}: game {game} stands behind a later one")]
    Unordered { file: String, game: u64 },
    /// There is another file where the result would go.
    #[error("{file}: exists and is another file; move it away or choose another name")]
    #[allow(missing_docs)]
    Exists { file: String },
    /// There is no game or position of this number.
    #[error("there is no {wanted}")]
    Missing { wanted: String },
    /// A part of a file that must be whole is damaged.
    #[error("{0}")]
    Damaged(Damage),
}

impl DatasetError {
    pub(crate) fn io(file: &Path, error: io::Error) -> DatasetError {
        DatasetError::Io {
            file: file.display().to_string(),
            error,
        }
    }

    /// Why `file` cannot be replaced.
    pub(crate) fn replace(file: &Path, error: ReplaceError) -> DatasetError {
        match error {
            ReplaceError::Io(error) => DatasetError::io(file, error),
            ReplaceError::Foreign(there) => DatasetError::Exists {
                file: there.display().to_string(),
            },
            other @ (ReplaceError::Busy | ReplaceError::OtherKind) => {
                DatasetError::io(file, io::Error::other(other))
            }
        }
    }
}

fn twice(file: &str, other: &str, game: u64) -> String {
    match file == other {
        true => format!("{file}: game {game} is there twice"),
        false => format!("game {game} is in {file} and in {other}"),
    }
}

/// A part of a file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The file as it was named.
    pub file: String,
    /// Where the part begins.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// Games in it, where that is known.
    pub games: Option<u64>,
    /// Whether it reaches to the end of the file, as after an interrupted write.
    pub at_end: bool,
    /// What is wrong.
    pub what: &'static str,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: damaged at byte {} ({} bytes): {}; ",
            self.file, self.offset, self.bytes, self.what
        )?;
        match (self.games, self.at_end) {
            (Some(games), _) => write!(f, "{games} games lost"),
            (None, true) => f.write_str("all games from there on lost"),
            (None, false) => f.write_str("an unknown number of games lost"),
        }
    }
}
