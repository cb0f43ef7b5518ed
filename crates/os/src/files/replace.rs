//! Files that are written completely or not at all.

use super::lock::open_locked_with;
use super::{beside, open_regular, target_of};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Whether a file has several hard links.
#[cfg(unix)]
fn has_other_names(data: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(data) > 1
}
#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// Why a file cannot be replaced.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process is writing the file.
    #[error("in use by another process")]
    Busy,
    /// The temporary file's name belongs to an input, a link, or a file that this program did not write.
    #[error("{}: exists and is not a partial file of this program", .0.display())]
    Foreign(PathBuf),
    /// The file that is there is of another kind.
    #[error("exists and is another kind of file; choose another name")]
    OtherKind,
}

/// A file that replaces its target only once it is complete. Until then it is written next to the target, under the
/// target's name plus `.partial`, and locked; a partial file left by a killed process is overwritten. If dropped before
/// [`AtomicFile::commit`], it is removed.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    partial: PathBuf,
    file: File,
    in_place: bool,
}

impl AtomicFile {
    /// The name under which `target` is written until it is complete.
    pub fn partial_name(target: &Path) -> PathBuf {
        beside(target, ".partial")
    }

    /// Starts a file. If `target` is a link, the file it points to is replaced, or made. An existing file, partial or
    /// whole, is overwritten only if it begins with `magic` (or a prefix of it, in either case); a partial one must be
    /// none of `inputs`.
    ///
    /// # Errors
    /// The file cannot be created, another process is writing it, something else has the temporary name, or the target
    /// is another kind of file, or a device, a pipe or a folder, which renaming would replace.
    pub fn begin(
        target: &Path,
        magic: &[u8],
        inputs: &[impl AsRef<Path>],
    ) -> Result<AtomicFile, ReplaceError> {
        let target = target_of(target)?;
        if fs::metadata(&target).is_ok_and(|data| !data.is_file()) {
            return Err(io::Error::other("not a regular file").into());
        }
        match open_regular(&target) {
            Ok(mut there) => {
                if !begins_with(&mut there, magic)? {
                    return Err(ReplaceError::OtherKind);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // What cannot be looked at may be anything.
            Err(error) => return Err(error.into()),
        }
        let partial = AtomicFile::partial_name(&target);
        let foreign = || ReplaceError::Foreign(partial.clone());
        if let Ok(data) = fs::symlink_metadata(&partial) {
            let place = fs::canonicalize(&partial).ok();
            let is_input = |input: &Path| fs::canonicalize(input).ok() == place;
            if !data.is_file()
                || has_other_names(&data)
                || inputs.iter().map(AsRef::as_ref).any(is_input)
            {
                return Err(foreign());
            }
        }
        let mut options = OpenOptions::new();
        // Not truncated until it is known to be ours.
        options.read(true).write(true).create(true).truncate(false);
        let opened = open_locked_with(&partial, &mut options, false)?;
        let mut file = opened.ok_or(ReplaceError::Busy)?;
        if !begins_with(&mut file, magic)? {
            return Err(foreign());
        }
        file.set_len(0)?;
        file.rewind()?;
        Ok(AtomicFile {
            target,
            partial,
            file,
            in_place: false,
        })
    }

    /// The open file, under whichever name.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Renames the file to its target; writing to it may go on.
    ///
    /// # Errors
    /// The system refuses.
    pub fn put_in_place(&mut self) -> io::Result<()> {
        if !self.in_place {
            fs::rename(&self.partial, &self.target)?;
            self.in_place = true;
        }
        Ok(())
    }

    /// Writes all of the file, see [`AtomicFile::commit`].
    ///
    /// # Errors
    /// The disk is full, or the system refuses.
    pub fn complete(self, bytes: &[u8]) -> io::Result<()> {
        self.file().write_all(bytes)?;
        self.commit()
    }

    /// Flushes the file to disk and renames it to its target.
    ///
    /// # Errors
    /// The disk is full, or the system refuses.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        self.put_in_place()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.in_place {
            // An incomplete file is useless.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Whether a file is empty or begins as `magic` does.
fn begins_with(file: &mut File, magic: &[u8]) -> io::Result<bool> {
    let mut start = Vec::new();
    let length = Read::by_ref(file)
        .take(magic.len() as u64)
        .read_to_end(&mut start)?;
    Ok(start.eq_ignore_ascii_case(&magic[..length]))
}

/// Writes a file completely or not at all, see [`AtomicFile`].
///
/// # Errors
/// As [`AtomicFile::begin`] and [`AtomicFile::commit`].
pub fn replace(target: &Path, magic: &[u8], bytes: &[u8]) -> Result<(), ReplaceError> {
    let file = AtomicFile::begin(target, magic, &[] as &[&Path])?;
    Ok(file.complete(bytes)?)
}
