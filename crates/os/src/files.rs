//! Files: reading with a size limit, locking, atomic replacement.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The file of the same name with `suffix` appended.
pub fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens a regular file for reading. Named pipes and devices, which could block or never end, are refused.
///
/// # Errors
/// The file cannot be opened, or is not a regular file.
pub fn open_regular(path: impl AsRef<Path>) -> io::Result<File> {
    regular(open_any(path.as_ref())?)
}

/// Opens what is there for reading, without waiting.
pub(super) fn open_any(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    set_flags(options.read(true), false);
    options.open(path)
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is larger.
pub fn read_at_most(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    all_of(open_regular(path)?, most)
}

/// What can be read, at most `most` bytes.
pub(super) fn all_of(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = input.take(most.saturating_add(1));
    if input.read_to_end(&mut bytes)? as u64 > most {
        let message = format!("too large: more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Bytes as text.
pub(super) fn text(bytes: Vec<u8>) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text file (UTF-8)");
    String::from_utf8(bytes).map_err(not_text)
}

/// The text of a regular file of at most `most` bytes.
///
/// # Errors
/// As [`read_at_most`], or the file is not UTF-8.
pub fn read_text_at_most(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    text(read_at_most(path, most)?)
}

/// Opens a regular file with these options and locks it against other processes until it is closed. None if another
/// process holds it or has replaced it in the meantime. On a file system without locks the file counts as locked.
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

/// Does not block on a named pipe and, if asked, does not follow a link.
#[cfg(unix)]
fn set_flags(options: &mut OpenOptions, refuse_links: bool) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::NONBLOCK;
    flags.set(OFlags::NOFOLLOW, refuse_links);
    options.custom_flags(flags.bits() as i32);
}

/// Shares the file with readers only. (A mandatory lock on the file would keep readers out too.)
#[cfg(windows)]
fn set_flags(options: &mut OpenOptions, _: bool) {
    use std::os::windows::fs::OpenOptionsExt;
    const READ: u32 = 1;
    const DELETE: u32 = 4;
    options.share_mode(READ | DELETE);
}
#[cfg(not(any(unix, windows)))]
fn set_flags(_: &mut OpenOptions, _: bool) {}

/// Whether opening failed because another process has the file open without sharing, which is how files are locked on
/// Windows.
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
        // A file system without locks: leave it to the user.
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
/// Opening the file has already locked it, see [`set_flags`].
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

/// Where a file is or would be, however its path is written.
pub fn place(path: &Path) -> PathBuf {
    let target = target_of(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| *folder != Path::new(""));
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    match (folder, target.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => std::path::absolute(&target).unwrap_or(target),
    }
}

/// Whether two paths name one file, whether it exists or not.
pub fn is_same(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    place(a.as_ref()) == place(b.as_ref())
}

/// Where a path leads through links, the last of which may point to nothing.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    if let Ok(place) = fs::canonicalize(path) {
        return Ok(place);
    }
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&place) {
            // An absolute one replaces the folder.
            Ok(next) => place = place.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(place),
        }
    }
    let message = "too many levels of symbolic links";
    Err(io::Error::other(message))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::{Duration, Instant};

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

    #[cfg(unix)]
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

    #[cfg(unix)]
    #[test]
    fn a_file_has_one_place_however_its_path_is_written() {
        let folder = folder();
        let (file, link) = (folder.path().join("new"), folder.path().join("link"));
        let other = folder.path().join("none/../new");
        std::os::unix::fs::symlink("new", &link).unwrap();
        for exists in [false, true] {
            assert!(is_same(&file, &link) && is_same(folder.path().join("./new"), &file));
            assert!(!is_same(&file, folder.path().join("old")) && !is_same(&file, &other));
            if !exists {
                fs::write(&file, "").unwrap();
            }
        }
        assert_eq!(
            place(Path::new("x")),
            fs::canonicalize(".").unwrap().join("x")
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_replaced() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [pipe.as_path(), folder.path()] {
            assert!(replace(path, MAGIC, b"DAMIER").is_err());
            assert!(!path.metadata().unwrap().is_file());
            assert!(!AtomicFile::partial_name(path).exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_appears_as_a_whole() {
        let folder = folder();
        let (path, link) = (folder.path().join("x"), folder.path().join("link"));
        fs::write(&path, "damier: old").unwrap();
        std::os::unix::fs::symlink("x", &link).unwrap();
        let file = AtomicFile::begin(&link, MAGIC, &NONE).unwrap();
        file.file().write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"damier: old");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        // A link that leads nowhere yet, by way of another one.
        fs::create_dir(folder.path().join("sub")).unwrap();
        let far = folder.path().join("far");
        std::os::unix::fs::symlink("sub/near", &far).unwrap();
        std::os::unix::fs::symlink("made", folder.path().join("sub/near")).unwrap();
        replace(&far, MAGIC, b"damier: far").unwrap();
        assert_eq!(
            fs::read(folder.path().join("sub/made")).unwrap(),
            b"damier: far"
        );
        assert!(fs::symlink_metadata(&far).unwrap().is_symlink());
        let round = folder.path().join("round");
        std::os::unix::fs::symlink("round", &round).unwrap();
        let error = replace(&round, MAGIC, b"damier: new").unwrap_err();
        assert!(error.to_string().contains("links"), "{error}");
        for gone in [&far, &round] {
            fs::remove_file(gone).unwrap();
        }
        fs::remove_dir_all(folder.path().join("sub")).unwrap();
        // What is of another kind is left as it is, and so is what was begun and not ended.
        let error = AtomicFile::begin(&path, MAGIC, &NONE).unwrap_err();
        assert!(matches!(error, ReplaceError::OtherKind), "{error}");
        drop(AtomicFile::begin(&path, b"n", &NONE).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
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
        // On Windows a file that is open in this way is not opened a second time.
        assert!(!is_at(&partial, &late) || cfg!(windows));
        drop(late);
        replace(&path, MAGIC, b"whole").unwrap();
        let open = || open_locked(&path, OpenOptions::new().read(true).write(true)).unwrap();
        // A process that another test starts holds a copy of the file until it has begun.
        let open_soon = || {
            let end = Instant::now() + Duration::from_secs(10);
            loop {
                if let Some(file) = open() {
                    return file;
                }
                assert!(Instant::now() < end);
                thread::sleep(Duration::from_millis(1));
            }
        };
        let held = open_soon();
        assert!(open().is_none());
        drop(held);
        drop(open_soon());
    }
}
