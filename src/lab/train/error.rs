use crate::eval::WeightsError;
use crate::eval::network::Size;
use crate::lab::dataset::{Damage, DatasetError};
use std::fmt;
use std::io;

/// Why training gave up.
#[derive(Debug)]
pub enum TrainError {
    /// A file of games cannot be read, or a file of ours is in the way.
    Data(DatasetError),
    /// The system refuses a file.
    Io {
        /// The file as it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// No position is left to train on.
    NoPosition {
        /// Positions that the games hold, before any is left out.
        stored: u64,
        /// What could not be read.
        damages: Vec<Damage>,
    },
    /// The weights to begin with cannot be read.
    Weights {
        /// The file as it was named.
        file: String,
        /// What is wrong.
        error: WeightsError,
    },
    /// The weights to begin with are of a network of another size.
    OtherSize {
        /// The file as it was named.
        file: String,
        /// What they are of.
        there: Size,
        /// What is to be trained.
        here: Size,
    },
    /// More positions than can be numbered.
    TooMany,
    /// There is a file already that is not the weights of the same run.
    Exists {
        /// The file as it was named.
        file: String,
    },
    /// One file is named for two purposes.
    SameFile {
        /// The file as it was named.
        file: String,
    },
    /// The name stands for weights inside the program.
    BuiltIn {
        /// The name.
        file: String,
    },
    /// The file is no sound checkpoint.
    Checkpoint {
        /// The file as it was named.
        file: String,
        /// What is wrong.
        what: &'static str,
    },
    /// The checkpoint is of another run.
    OtherRun {
        /// The checkpoint as it was named.
        file: String,
        /// In what they differ.
        name: String,
        /// Its value there.
        there: String,
        /// Its value here.
        here: String,
    },
    /// The threads cannot be started.
    Threads(String),
}

impl TrainError {
    pub(super) fn io(file: &str, error: io::Error) -> TrainError {
        TrainError::Io {
            file: file.to_owned(),
            error,
        }
    }
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Data(error) => error.fmt(f),
            TrainError::Io { file, error } => write!(f, "{file}: {error}"),
            TrainError::NoPosition { stored, damages } => {
                match stored {
                    0 => f.write_str("no position in these files")?,
                    _ => write!(
                        f,
                        "no position to train on: all {stored} are left out by the filters or held out"
                    )?,
                }
                match damages.first() {
                    Some(first) => {
                        write!(f, "; {} damaged places, the first: {first}", damages.len())
                    }
                    None => Ok(()),
                }
            }
            TrainError::Weights { file, error } => write!(f, "{file}: {error}"),
            TrainError::OtherSize { file, there, here } => {
                write!(
                    f,
                    "{file}: weights of {there}, which {here} cannot begin with"
                )
            }
            TrainError::TooMany => {
                f.write_str("more than 4294967295 positions; take fewer with --positions")
            }
            TrainError::Exists { file } => write!(
                f,
                "{file}: there is another file of this name, not the weights of this run; move it away or choose another name"
            ),
            TrainError::SameFile { file } => {
                write!(f, "{file}: one file for two purposes; choose another name")
            }
            TrainError::BuiltIn { file } => write!(
                f,
                "{file}: stands for weights inside the program; choose another name, or ./{file}"
            ),
            TrainError::Checkpoint { file, what } => {
                write!(f, "{file}: {what}; move it away to train from the start")
            }
            TrainError::OtherRun {
                file,
                name,
                there,
                here,
            } => write!(
                f,
                "{file} is the checkpoint of another run: its {name} is {there}, that of this run {here}; move it away to train from the start, or choose another --checkpoint"
            ),
            TrainError::Threads(error) => write!(f, "cannot start the threads: {error}"),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<DatasetError> for TrainError {
    fn from(error: DatasetError) -> TrainError {
        TrainError::Data(error)
    }
}
