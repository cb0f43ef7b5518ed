use serde_json::Value;
use std::io;
use std::path::PathBuf;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
    /// Another process has it.
    #[error("{}: another process writes it", .0.display())]
    Busy(PathBuf),
    /// Not a journal.
    #[error("{}: exists and is no journal of this kind", .0.display())]
    Foreign(PathBuf),
    /// Begun by a version of Damier that writes other journals.
    #[error("{}: has version {there} of the journal, this program reads version {here}; go on with the program that \
    began it, or remove the journal to begin again", .path.display())]
    OtherVersion {
        path: PathBuf,
        there: u64,
        here: u64,
    },
    /// A game was read when the journal was opened and cannot be read again.
    #[error("{}: game {game} cannot be read any more: another program has changed the file", .path.display())]
    Changed { path: PathBuf, game: u64 },
    /// Begun with other settings.
    #[error("{}: was begun with another {setting} ({there}, now {here})", .path.display())]
    Other {
        path: PathBuf,
        setting: String,
        there: Value,
        here: Value,
    },
    /// Begun with other games.
    #[error("{}: was begun with other games: game {game} of the input is not the one that was done before; give the \
    same games, or remove the journal or write to another file to begin again", .path.display())]
    OtherGame { path: PathBuf, game: u64 },
    /// The journal has games that the input lacks.
    #[error("{}: was begun with other games: game {game} was done before and is not in the input; give the same games, \
    or remove the journal or write to another file to begin again", .path.display())]
    NoSuchGame { path: PathBuf, game: u64 },
}
