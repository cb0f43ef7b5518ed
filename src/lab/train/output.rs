//! Files that are there only when they are whole.

use super::TrainError;
use crate::lab::dataset::{DatasetError, open_partial};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};

/// A file to be written beside and renamed, taken for this process alone until then.
#[derive(Debug)]
pub(super) struct Output {
    name: String,
    beside: String,
    file: File,
    kept: bool,
}

impl Output {
    /// Takes the place of a file. `inputs` are files that are never written over.
    pub fn open(name: &str, inputs: &[String]) -> Result<Output, TrainError> {
        // Through a link: the file that it leads to is written, not the link.
        let target = fs::canonicalize(name).ok();
        let name = target
            .as_ref()
            .and_then(|path| path.to_str())
            .unwrap_or(name);
        let beside = format!("{name}.partial");
        Ok(Output {
            file: open_partial(inputs, &beside).map_err(|error| match error {
                // The name that was given is the better one to tell.
                DatasetError::Io { error, .. } => TrainError::io(name, error),
                other => other.into(),
            })?,
            name: name.to_owned(),
            beside,
            kept: false,
        })
    }

    /// Writes the file, in the place of one of this name that is there.
    pub fn write(mut self, bytes: &[u8]) -> Result<(), TrainError> {
        let done = self
            .file
            .write_all(bytes)
            .and_then(|()| self.file.sync_all())
            .and_then(|()| fs::rename(&self.beside, &self.name));
        self.kept = done.is_ok();
        done.map_err(|error| TrainError::io(&self.name, error))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.kept {
            // What is half written is of no use to anyone.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// The bytes of a file, of which no more are read than `most`. None where there is no file.
pub(super) fn read_at_most(name: &str, most: u64) -> Result<Option<Vec<u8>>, TrainError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // A pipe would be waited for.
        if !fs::metadata(name)?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        File::open(name)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if ErrorKind::NotFound == error.kind() => Ok(None),
        Err(error) => Err(TrainError::io(name, error)),
    }
}
