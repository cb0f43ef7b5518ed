//! The files that training writes and goes on from.

use super::TrainError;
use crate::dataset::DatasetError;
use damier_os::files::{self, AtomicFile, ReplaceError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file to be written as a whole, taken for this process alone until then.
#[derive(Debug)]
pub(in crate::train) struct OutputFile {
    name: PathBuf,
    file: AtomicFile,
}

impl OutputFile {
    /// Takes the place of a file. `inputs` are files that are never written over.
    pub fn open(name: &Path, inputs: &[PathBuf]) -> Result<OutputFile, TrainError> {
        /// Weights and checkpoints begin with it.
        const MAGIC: &[u8] = b"DAMIER";
        let file = AtomicFile::begin(name, MAGIC, inputs);
        let file = file.map_err(|error| match error {
            ReplaceError::Io(error) => TrainError::io(name, error),
            taken => DatasetError::replace(name, taken).into(),
        })?;
        let name = name.to_owned();
        Ok(OutputFile { name, file })
    }

    /// Writes the file, in the place of one of this name that is there.
    pub fn write(self, bytes: &[u8]) -> Result<(), TrainError> {
        let written = self.file.file().write_all(bytes);
        written
            .and_then(|()| self.file.commit())
            .map_err(|error| TrainError::io(&self.name, error))
    }
}

/// The bytes of a file of at most `most` bytes. None where there is no file.
pub(in crate::train) fn read_at_most(
    name: &Path,
    most: u64,
) -> Result<Option<Vec<u8>>, TrainError> {
    match files::read_at_most(name, most) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TrainError::io(name, error)),
    }
}
