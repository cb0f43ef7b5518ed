//! Files: read up to a size, opened by one process alone, replaced as a whole.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Opens a regular file for reading. A named pipe would wait for a writer, a device may have no end: both are refused.
///
/// # Errors
/// The file cannot be opened, or is not a regular file.
pub fn open_regular(path: impl AsRef<Path>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    set_flags(options.read(true), false);
    regular(options.open(path)?)
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is larger.
pub fn read_at_most(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = open_regular(path)?.take(most.saturating_add(1));
    if file.read_to_end(&mut bytes)? as u64 > most {
        let message = format!("too large: more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The text of a regular file of at most `most` bytes.
///
/// # Errors
/// As [`read_at_most`], or the file is not UTF-8.
pub fn read_text_at_most(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text file (UTF-8)");
    String::from_utf8(read_at_most(path, most)?).map_err(not_text)
}

/// Opens a regular file with these options, locked against other processes until it is closed. None when another
/// process has it, or has put another file in its place meanwhile. Where the file system has no locks the file counts
/// as locked.
///
/// # Errors
/// The file cannot be opened, is not a regular file, or the system refuses.
pub fn open_locked(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    open_locked_with(path, options, true)
}

fn open_locked_with(
    path: &Path,
    options: &mut OpenOptions,
    follow_links: bool,
) -> io::Result<Option<File>> {
    set_flags(options, !follow_links);
    let file = match options.open(path) {
        Err(error) if is_sharing_violation(&error) => return Ok(None),
        opened => regular(opened?)?,
    };
    Ok((lock(&file)? && is_at(path, &file)).then_some(file))
}

fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Waits for no named pipe and, if asked, follows no link.
#[cfg(unix)]
fn set_flags(options: &mut OpenOptions, refuse_links: bool) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::NONBLOCK;
    flags.set(OFlags::NOFOLLOW, refuse_links);
    options.custom_flags(flags.bits() as i32);
}

/// Shares the file with readers only: a lock as Unix has it would keep them out, too.
#[cfg(windows)]
fn set_flags(options: &mut OpenOptions, _: bool) {
    use std::os::windows::fs::OpenOptionsExt;
    const READ: u32 = 1;
    const DELETE: u32 = 4;
    options.share_mode(READ | DELETE);
}
#[cfg(not(any(unix, windows)))]
fn set_flags(_: &mut OpenOptions, _: bool) {}

/// Whether a file is shared with nobody who would open it like this, which is how Windows locks it.
fn is_sharing_violation(error: &io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION)
}

#[cfg(unix)]
fn lock(file: &File) -> io::Result<bool> {
    use std::fs::TryLockError;
    let no_lock = rustix::io::Errno::NOLCK.raw_os_error();
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // A file system without locks: the user knows what runs.
        Err(TryLockError::Error(error))
            if error.raw_os_error() == Some(no_lock)
                || matches!(
                    error.kind(),
                    io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
                ) =>
        {
            Ok(true)
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}
/// Opening the file has locked it, see [`set_flags`].
#[cfg(not(unix))]
fn lock(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Whether a path leads to this open file.
#[cfg(unix)]
fn is_at(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |data: fs::Metadata| (data.dev(), data.ino());
    let here = file.metadata().map(id);
    fs::metadata(path).is_ok_and(|there| here.is_ok_and(|here| here == id(there)))
}
#[cfg(not(unix))]
fn is_at(_: &Path, _: &File) -> bool {
    true
}

/// Whether a file has several names (hard links).
#[cfg(unix)]
fn has_other_names(data: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(data) > 1
}
#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// Why a file cannot be written beside its place.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process writes the file.
    #[error("another process writes it")]
    Busy,
    /// Where it would be written stands an input, a link, or a file that is not ours.
    #[error("{}: exists and is not a partial file of this program", .0.display())]
    Foreign(PathBuf),
}

/// A file that takes its place only when it is whole. Until then it is written beside it, under the same name with
/// `.partial` behind it, and locked; what a killed process left there is overwritten. Dropped before
/// [`AtomicFile::commit`], it is removed.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    partial: PathBuf,
    file: File,
    in_place: bool,
}

impl AtomicFile {
    /// The name under which `target` is written.
    pub fn partial_name(target: &Path) -> PathBuf {
        let mut name: OsString = target.into();
        name.push(".partial");
        name.into()
    }

    /// Begins a file. Where `target` is a link, the file behind it is replaced. A partial file that is there is
    /// overwritten only if it begins with `magic` (in capitals or not, or is cut inside of it) and is none of `inputs`.
    ///
    /// # Errors
    /// The file cannot be created, another process writes it, or something else stands in the place beside it.
    pub fn begin(
        target: &Path,
        magic: &[u8],
        inputs: &[impl AsRef<Path>],
    ) -> Result<AtomicFile, ReplaceError> {
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
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
        // Not truncated before it is known to be ours.
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

    /// The file, wherever it stands.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file in its place; it may be written on there.
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

    /// Brings the file to the disk and puts it in its place.
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
            // Half a file is of no use to anyone.
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

/// Writes a file as a whole or not at all, see [`AtomicFile`].
///
/// # Errors
/// As [`AtomicFile::begin`] and [`AtomicFile::commit`].
pub fn replace(target: &Path, magic: &[u8], bytes: &[u8]) -> Result<(), ReplaceError> {
    let file = AtomicFile::begin(target, magic, &[] as &[&Path])?;
    file.file().write_all(bytes)?;
    Ok(file.commit()?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];
    const MAGIC: &[u8] = b"DAMIER";

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_file_is_read_up_to_a_size() {
        let folder = folder();
        let path = folder.path().join("x");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_at_most(&path, 5).unwrap(), b"12345");
        let error = read_at_most(&path, 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        fs::write(&path, b"\xff").unwrap();
        let error = read_text_at_most(&path, 5).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn pipes_folders_and_devices_are_refused_at_once() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
            assert!(read_at_most(path, 1 << 20).is_err(), "{}", path.display());
        }
        assert!(open_locked(&pipe, OpenOptions::new().read(true).write(true)).is_err());
    }

    #[test]
    fn a_file_appears_as_a_whole() {
        let folder = folder();
        let (path, link) = (folder.path().join("x"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink("x", &link).unwrap();
        let file = AtomicFile::begin(&link, MAGIC, &NONE).unwrap();
        file.file().write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        drop(AtomicFile::begin(&path, MAGIC, &NONE).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn nothing_that_is_not_ours_is_overwritten() {
        let folder = folder();
        let (path, other) = (folder.path().join("x"), folder.path().join("other"));
        let partial = AtomicFile::partial_name(&path);
        let refused = |inputs: &[&Path]| {
            let there = fs::read(&partial).unwrap();
            let error = AtomicFile::begin(&path, MAGIC, inputs).unwrap_err();
            assert!(matches!(error, ReplaceError::Foreign(_)), "{error}");
            assert_eq!(fs::read(&partial).unwrap(), there);
        };
        fs::write(&partial, "the user's").unwrap();
        refused(&[]);
        fs::write(&partial, "DamierGR, left by a kill").unwrap();
        refused(&[&partial]);
        fs::hard_link(&partial, &other).unwrap();
        refused(&[]);
        fs::remove_file(&partial).unwrap();
        std::os::unix::fs::symlink(&other, &partial).unwrap();
        refused(&[]);
        fs::remove_file(&partial).unwrap();
        fs::rename(&other, &partial).unwrap();
        let file = AtomicFile::begin(&path, MAGIC, &NONE).unwrap();
        assert_eq!(file.file().metadata().unwrap().len(), 0);
    }

    #[test]
    fn a_file_is_written_by_one_process_alone() {
        let folder = folder();
        let path = folder.path().join("x");
        let partial = AtomicFile::partial_name(&path);
        let first = AtomicFile::begin(&path, MAGIC, &NONE).unwrap();
        let second = AtomicFile::begin(&path, MAGIC, &NONE).unwrap_err();
        assert!(matches!(second, ReplaceError::Busy), "{second}");
        // What a second process opens just before the first one renames it.
        let late = File::open(&partial).unwrap();
        assert!(is_at(&partial, &late));
        first.commit().unwrap();
        assert!(!is_at(&partial, &late));
        replace(&path, MAGIC, b"whole").unwrap();
        let open = || open_locked(&path, OpenOptions::new().read(true)).unwrap();
        let held = open();
        assert!(held.is_some() && open().is_none());
        drop(held);
        assert!(open().is_some());
    }
}
