//! Files: reading with a size limit, locking, atomic replacement.

mod lock;
mod replace;
#[cfg(test)]
mod tests;

pub use lock::open_locked;
pub use replace::{AtomicFile, ReplaceError, replace};

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
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
    lock::set_flags(options.read(true), false);
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

fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
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
