//! Files that one process has to itself.

use super::regular;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file with these options and locks it against other processes until it is closed. None if another
/// process holds it or has replaced it in the meantime. On a file system without locks the file counts as locked.
///
/// # Errors
/// The file cannot be opened, is not a regular file, or the system refuses.
pub fn open_locked(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    open_locked_with(path, options, true)
}

pub(super) fn open_locked_with(
    path: &Path,
    options: &mut OpenOptions,
    follow_links: bool,
) -> io::Result<Option<File>> {
    set_flags(options, !follow_links);
    keep_writers_out(options);
    let file = match options.open(path) {
        Err(error) if is_sharing_violation(&error) => return Ok(None),
        opened => regular(opened?)?,
    };
    Ok((lock(&file)? && is_at(path, &file)).then_some(file))
}

/// Does not block on a named pipe and, if asked, does not follow a link.
#[cfg(unix)]
pub(super) fn set_flags(options: &mut OpenOptions, refuse_links: bool) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::NONBLOCK;
    flags.set(OFlags::NOFOLLOW, refuse_links);
    options.custom_flags(flags.bits() as i32);
}

#[cfg(not(unix))]
pub(super) fn set_flags(_: &mut OpenOptions, _: bool) {}

/// Shares the file with readers only. (A mandatory lock on the file would keep readers out too.)
#[cfg(windows)]
fn keep_writers_out(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt;
    const READ: u32 = 1;
    const DELETE: u32 = 4;
    options.share_mode(READ | DELETE);
}
#[cfg(not(windows))]
fn keep_writers_out(_: &mut OpenOptions) {}

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
pub(super) fn is_at(path: &Path, file: &File) -> bool {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    let id = |data: fs::Metadata| (data.dev(), data.ino());
    let here = file.metadata().map(id);
    fs::metadata(path).is_ok_and(|there| here.is_ok_and(|here| here == id(there)))
}
#[cfg(not(unix))]
pub(super) fn is_at(_: &Path, _: &File) -> bool {
    true
}
