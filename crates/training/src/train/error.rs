use crate::dataset::{Damage, DatasetError};
use damier_endgame::StoreError;
use damier_engine::eval::WeightsError;
use damier_engine::eval::network::Size;
use std::io;
use std::path::Path;

/// Why training failed. `file` is always the file as it was named.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum TrainError {
    /// A file of games cannot be read, or a file to be written is taken.
    #[error(transparent)]
    Data(#[from] DatasetError),
    /// The system refuses a file.
    #[error("{file}: {error}")]
    #[allow(missing_docs)]
    Io { file: String, error: io::Error },
    /// No position is left.
    #[error("{}", no_position(*stored, damages))]
    NoPosition { stored: u64, damages: Vec<Damage> },
    /// An endgame table that labels positions is damaged.
    #[error("{0}; training needs it: install the program again")]
    Tables(#[from] StoreError),
    /// The weights cannot be read.
    #[error("{file}: {error}")]
    #[allow(missing_docs)]
    Weights { file: String, error: WeightsError },
    /// The weights to begin with belong to a network of another size.
    #[error("{file}: cannot initialise {here} from weights of {there}")]
    OtherSize {
        file: String,
        there: Size,
        here: Size,
    },
    /// More positions than can be numbered.
    #[error("more than {} positions; take fewer with --positions", u32::MAX)]
    TooMany,
    /// There is a file already that is not the weights of the same run.
    #[error(
        "{file}: exists and is not the weights of this run; move it away or choose another name"
    )]
    #[allow(missing_docs)]
    Exists { file: String },
    /// One file is named for two purposes.
    #[error("{file}: one file for two purposes; choose another name")]
    #[allow(missing_docs)]
    SameFile { file: String },
    /// The name of built-in weights.
    #[error("{file}: is the name of built-in weights; choose another name, or ./{file}")]
    #[allow(missing_docs)]
    BuiltIn { file: String },
    /// The file is no usable checkpoint.
    #[error("{file}: {what}; move it away to train from the start")]
    Checkpoint { file: String, what: &'static str },
    /// The checkpoint belongs to another run.
    #[error(
        "{file} is the checkpoint of another run: its {name} is {there}, that of this run {here}; move it away to \
        train from the start, or choose another --checkpoint"
    )]
    OtherRun {
        file: String,
        name: String,
        there: String,
        here: String,
    },
    /// The threads cannot be started.
    #[error("no threads to train on: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl TrainError {
    pub(super) fn io(file: &Path, error: io::Error) -> TrainError {
        TrainError::Io {
            file: file.display().to_string(),
            error,
        }
    }
}

fn no_position(stored: u64, damages: &[Damage]) -> String {
    let mut text = match stored {
        0 => "no position in these files".to_owned(),
        _ => format!(
            "no position to learn from: all {stored} are left out by the filters or held out"
        ),
    };
    if let Some(first) = damages.first() {
        text += &format!("; {} damaged places, the first: {first}", damages.len());
    }
    text
}
