use std::io;
use std::path::PathBuf;

/// Why a match cannot be written to its files.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum RecordError {
    /// A file operation failed.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// The file exists, and neither --resume nor --force was given.
    #[error("{} already exists; --resume continues that match, --force starts again and overwrites it", .0.display())]
    Exists(PathBuf),
    /// A PDN file with games, but a journal without any.
    #[error("{} holds games, but the journal has none to continue from; --force overwrites the file", .0.display())]
    NotInJournal(PathBuf),
    /// A PDN file whose games differ from those of the journal.
    #[error(
        "{} holds other games than the journal; move it away, and --resume writes the games of the journal to a new \
        file",
        .0.display()
    )]
    OtherGames(PathBuf),
    /// Another match is writing the file.
    #[error("{}: in use by another process", .0.display())]
    Busy(PathBuf),
    /// The file is not a journal.
    #[error("{} is not the journal of a match", .0.display())]
    NotAJournal(PathBuf),
    /// The journal of a version of Damier that writes other journals.
    #[error("{}: has version {there} of the journal, this program reads version {here}; go on with the program that \
    began the match, or start again with --force", path.display())]
    OtherVersion {
        path: PathBuf,
        there: u64,
        here: u64,
    },
    /// A line of the journal that is sound and holds no game.
    #[error("{}: line {line} holds no game of this match; move the file away to start again", path.display())]
    NoGame { path: PathBuf, line: u64 },
    /// The journal of a match with other settings.
    #[error("{} belongs to another match: {setting} is {there} there and {here} here", path.display())]
    OtherMatch {
        path: PathBuf,
        setting: String,
        there: String,
        here: String,
    },
    /// A game of the journal that does not belong to this match: its number, from 1.
    #[error("{}: game {game} does not fit this match; start again with --force", path.display())]
    BadGame { path: PathBuf, game: u64 },
    /// The journal has more games than this match.
    #[error("{} belongs to a longer match: --resume needs --games {games} or more", path.display())]
    Longer { path: PathBuf, games: u64 },
}

impl RecordError {
    /// Adds the file name to an I/O error.
    pub(crate) fn io(path: &std::path::Path) -> impl Fn(io::Error) -> RecordError + '_ {
        |error| RecordError::Io {
            path: path.to_owned(),
            error,
        }
    }
}
