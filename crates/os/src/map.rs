//! Files mapped into memory.
#![expect(unsafe_code, reason = "a mapped file can be changed by others")]

use std::fs::File;
use std::io;

/// A memory-mapped file. Programs that replace the file by renaming, as this one does, do not disturb it.
pub struct Map(memmap2::Mmap);

impl Map {
    /// The file's bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a regular file for reading.
///
/// # Errors
/// The system refuses.
pub fn read_only(file: &File) -> io::Result<Map> {
    // SAFETY: nothing is assumed of the bytes beyond their number, and readers check every index. A file truncated by
    // another process ends this one, as with every mapped file.
    unsafe { memmap2::Mmap::map(file) }.map(Map)
}
