//! The PDN file of a match: rebuilt from the journal at every start. It only ever replaces an earlier state of itself.

use super::RecordError;
use damier_os::files::{self, AtomicFile, ReplaceError};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes compared at a time.
const CHUNK: usize = 1 << 16;
/// What every game begins with.
const MAGIC: &[u8] = b"[";

/// A PDN file being written. It is locked against other matches, first under a temporary name, then under its own.
#[derive(Debug)]
pub(crate) struct PdnFile {
    path: PathBuf,
    /// The earlier file at `path`, locked until it is replaced.
    earlier: Option<File>,
    file: AtomicFile,
}

impl PdnFile {
    /// Starts a new file next to the one at `path`.
    ///
    /// # Errors
    /// The file cannot be created, or another match is writing it.
    pub(crate) fn begin(path: &Path) -> Result<PdnFile, RecordError> {
        let fail = RecordError::io(path);
        let file =
            AtomicFile::begin(path, MAGIC, &[] as &[&Path]).map_err(|error| match error {
                ReplaceError::Busy => RecordError::Busy(path.to_owned()),
                ReplaceError::Io(error) => fail(error),
                error => fail(io::Error::other(error)),
            })?;
        let earlier = match files::open_locked(path, OpenOptions::new().read(true)) {
            Ok(Some(file)) => Some(file),
            Ok(None) => return Err(RecordError::Busy(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(fail(error)),
        };
        Ok(PdnFile {
            path: path.to_owned(),
            earlier,
            file,
        })
    }

    /// Writes games.
    ///
    /// # Errors
    /// The disk is full, or gone.
    pub(crate) fn write(&mut self, text: &[u8]) -> Result<(), RecordError> {
        self.file
            .file()
            .write_all(text)
            .map_err(RecordError::io(&self.path))
    }

    /// Number of bytes written.
    ///
    /// # Errors
    /// The system does not say.
    pub(crate) fn length(&self) -> Result<u64, RecordError> {
        length(self.file.file()).map_err(RecordError::io(&self.path))
    }

    /// Whether there is a non-empty file at this path.
    ///
    /// # Errors
    /// The system does not say.
    pub(crate) fn replaces_text(&self) -> Result<bool, RecordError> {
        let length = self.earlier.as_ref().map_or(Ok(0), length);
        Ok(length.map_err(RecordError::io(&self.path))? > 0)
    }

    /// Whether the earlier file holds the games written here: one is a prefix of the other, or both begin with the same
    /// `counted` bytes, those of the games already counted. The order of the remaining games may differ.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn continues_earlier(&mut self, counted: u64) -> Result<bool, RecordError> {
        let Some(earlier) = &self.earlier else {
            return Ok(true);
        };
        let fail = RecordError::io(&self.path);
        let same = common_length(self.file.file(), earlier).map_err(&fail)?;
        let there = length(earlier).map_err(&fail)?;
        let here = self.length()?;
        Ok(same == there || here > 0 && same == here || counted > 0 && same >= counted)
    }

    /// Truncates the file to `length` bytes and moves it to its path; writing continues from there.
    ///
    /// # Errors
    /// The system refuses.
    pub(crate) fn publish(&mut self, length: u64) -> Result<(), RecordError> {
        let mut file = self.file.file();
        let cut = file
            .set_len(length)
            .and_then(|()| file.seek(SeekFrom::Start(length)));
        // Windows may refuse to replace a file that is open. The lock on the new one keeps others out.
        if cfg!(windows) {
            self.earlier = None;
        }
        let published = cut.and_then(|_| self.file.put_in_place());
        self.earlier = None;
        published.map_err(RecordError::io(&self.path))
    }

    /// Syncs the file to disk.
    ///
    /// # Errors
    /// The system cannot.
    pub(crate) fn sync(&self) -> Result<(), RecordError> {
        self.file
            .file()
            .sync_data()
            .map_err(RecordError::io(&self.path))
    }
}

fn length(file: &File) -> io::Result<u64> {
    file.metadata().map(|data| data.len())
}

/// Length of the common prefix in bytes.
fn common_length(mut here: &File, there: &File) -> io::Result<u64> {
    here.seek(SeekFrom::Start(0))?;
    let mut here = BufReader::with_capacity(CHUNK, here).bytes();
    let mut there = BufReader::with_capacity(CHUNK, there).bytes();
    let mut same = 0;
    while let (Some(a), Some(b)) = (here.next().transpose()?, there.next().transpose()?) {
        if a != b {
            break;
        }
        same += 1;
    }
    Ok(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[cfg(unix)]
    #[test]
    fn two_matches_do_not_write_one_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.pdn");
        let is_busy = |result: Result<_, RecordError>| matches!(result, Err(RecordError::Busy(_)));
        let mut first = PdnFile::begin(&path).expect("a file");
        assert!(is_busy(PdnFile::begin(&path).map(drop)), "both begin");
        first.write(b"[Event games").expect("written");
        first.publish(6).expect("published");
        assert!(
            is_busy(PdnFile::begin(&path).map(drop)),
            "the first is still writing"
        );
        first.write(b" and games").expect("written");
        drop(first);
        let second = PdnFile::begin(&path).expect("free");
        assert!(second.replaces_text().expect("known"));
        drop(second);
        assert_eq!(fs::read(&path).expect("a file"), b"[Event and games");
        let names = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(names, 1, "nothing temporary is left");
    }

    #[test]
    fn a_file_is_known_by_its_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.pdn");
        for (text, counted, expected) in [
            ("", 14, true),
            ("[Event one tw", 14, true),
            ("[Event one two four", 14, true),
            ("[Event one two four five", 0, true),
            // The journal lost a game that the file has.
            ("[Event one two three four", 14, true),
            ("[Event one three", 14, false),
            ("[Event precious", 14, false),
            ("[Event precious", 0, false),
        ] {
            fs::write(&path, text).expect("a file");
            let mut here = PdnFile::begin(&path).expect("a file");
            here.write(b"[Event one two four").expect("written");
            let same = here.continues_earlier(counted).expect("read");
            assert_eq!(same, expected, "{text}, {counted}");
            assert_eq!(here.replaces_text().expect("known"), !text.is_empty());
        }
        let names = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(names, 1, "nothing temporary is left");
    }
}
