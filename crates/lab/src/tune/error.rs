use damier_arena::schedule::openings::OpeningsError;
use damier_engine::EngineError;
use damier_os::pool::ThreadError;
use std::io;
use std::path::Path;

/// Why tuning failed. `file` is always the file as the user named it.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TuneError {
    /// The file cannot be read or written.
    #[error("{file}: {error}")]
    File { file: String, error: io::Error },
    /// The file belongs to a run with other settings.
    #[error(
        "{0}: was begun with other settings; give those to go on with it, or choose another name"
    )]
    OtherRun(String),
    /// The file is not what this run wrote.
    #[error(
        "{file}, line {line}: is not what `damier tune` with these settings writes there; choose another name"
    )]
    Damaged { file: String, line: u64 },
    /// Another process is writing to the file.
    #[error("{0}: in use by another process")]
    Busy(String),
    /// Too few positions after openings and random plies have a score in the window.
    #[error(
        "no new position in the window of scores: choose another window, more openings or more random plies"
    )]
    Window,
    /// A parameter is named twice.
    #[error("{0} is named twice")]
    Twice(&'static str),
    /// The engine cannot start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The openings cannot be had.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A thread cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

impl TuneError {
    pub(super) fn file(file: &Path, error: io::Error) -> TuneError {
        TuneError::File {
            file: file.display().to_string(),
            error,
        }
    }
}
