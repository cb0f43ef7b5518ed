use std::io;
use std::path::PathBuf;

/// Why a match cannot be written to its files.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system refuses a file.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is there already, and the match is neither to continue nor to replace it.
    #[error("{} already exists; --resume continues that match, --force starts again and overwrites it", .0.display())]
    Exists(PathBuf),
    /// A PDN file with games, beside a journal without any.
    #[error("{} holds games, but the journal has none to continue from; --force overwrites the file", .0.display())]
    NotInJournal(PathBuf),
    /// A PDN file whose games are not those of the journal.
    #[error(
        "{} holds other games than the journal; move it away, and --resume writes the games of the journal to a new file",
        .0.display()
    )]
    OtherGames(PathBuf),
    /// Another match writes the file.
    #[error("{}: another match is using this file", .0.display())]
    Busy(PathBuf),
    /// The file is not a journal.
    #[error("{} is not the journal of a match", .0.display())]
    NotAJournal(PathBuf),
    /// A journal of a match with other settings.
    #[error("{} belongs to another match: {setting} is {there} there and {here} here", path.display())]
    OtherMatch {
        /// The journal.
        path: PathBuf,
        /// The first setting that differs.
        setting: String,
        /// Its value in the journal.
        there: String,
        /// Its value in this match.
        here: String,
    },
    /// A game of the journal does not fit the match: its number, from 1.
    #[error("{}: game {game} does not fit this match; start again with --force", path.display())]
    BadGame {
        /// The journal.
        path: PathBuf,
        /// Number of the game.
        game: u64,
    },
    /// The journal has games beyond the last one of this match.
    #[error("{} belongs to a longer match: --resume needs --games {games} or more", path.display())]
    Longer {
        /// The journal.
        path: PathBuf,
        /// The fewest games of each pairing that cover the journal.
        games: u64,
    },
}

impl RecordError {
    /// Turns an error of the system into one that names the file.
    pub(in crate::lab::arena) fn io(
        path: &std::path::Path,
    ) -> impl Fn(io::Error) -> RecordError + '_ {
        |error| RecordError::Io {
            path: path.to_owned(),
            error,
        }
    }
}
