//! The PDN file of a match: made anew from the journal at every start, and only ever put in the place of its own earlier
//! state.

use crate::lab::arena::record::journal::RecordError;
use crate::lab::arena::run::MatchError;
use crate::os::files::{self, AtomicFile, ReplaceError};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How much is compared at once, in bytes.
const PIECE: usize = 1 << 16;

/// A PDN file that is being written. The file is locked as long as this lives, first beside its place, then in it.
#[derive(Debug)]
pub(in crate::lab::arena) struct PdnFile {
    path: PathBuf,
    file: AtomicFile,
}

impl PdnFile {
    /// Begins a file that is to be at `path`, beside it.
    ///
    /// # Errors
    /// It cannot be made, or another match writes it.
    pub(in crate::lab::arena) fn begin(path: &Path) -> Result<PdnFile, MatchError> {
        /// The first tag of a game.
        const MAGIC: &[u8] = b"[Event";
        match AtomicFile::begin(path, MAGIC, &[] as &[&Path]) {
            Ok(file) => Ok(PdnFile {
                path: path.to_owned(),
                file,
            }),
            Err(ReplaceError::Busy) => Err(RecordError::Busy(path.to_owned()).into()),
            Err(ReplaceError::Io(error)) => Err(MatchError::Pdn(path.to_owned(), error)),
            Err(error) => Err(MatchError::Pdn(path.to_owned(), io::Error::other(error))),
        }
    }

    /// Writes a game, or several.
    ///
    /// # Errors
    /// The disk is full, or gone.
    pub(in crate::lab::arena) fn write(&mut self, text: &[u8]) -> Result<(), MatchError> {
        let written = self.file.file().write_all(text);
        written.map_err(|error| self.error(error))
    }

    /// Bytes written.
    ///
    /// # Errors
    /// The system does not say.
    pub(in crate::lab::arena) fn length(&self) -> Result<u64, MatchError> {
        self.file
            .file()
            .metadata()
            .map(|data| data.len())
            .map_err(|error| self.error(error))
    }

    /// The file that is there already, locked against other matches; none where there is nothing.
    ///
    /// # Errors
    /// Another match writes it, or it cannot be read.
    pub(in crate::lab::arena) fn earlier(&self) -> Result<Option<File>, MatchError> {
        match files::open_locked(&self.path, OpenOptions::new().read(true)) {
            Ok(Some(file)) => Ok(Some(file)),
            Ok(None) => Err(RecordError::Busy(self.path.clone()).into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error(error)),
        }
    }

    /// Whether the games of `earlier` are those written here: one is the beginning of the other, or both begin with the
    /// same `counted` bytes, those of the games that have found their place. The others come in another order later.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(in crate::lab::arena) fn continues(
        &mut self,
        earlier: &File,
        counted: u64,
    ) -> Result<bool, MatchError> {
        let same = self.common(earlier).map_err(|error| self.error(error))?;
        let there = earlier.metadata().map_err(|error| self.error(error))?.len();
        let here = self.length()?;
        Ok(same == there || here > 0 && same == here || counted > 0 && same >= counted)
    }

    /// How many bytes at the beginning are the same.
    fn common(&mut self, earlier: &File) -> io::Result<u64> {
        let mut file = self.file.file();
        file.rewind()?;
        let mut here = BufReader::with_capacity(PIECE, file).bytes();
        let mut there = BufReader::with_capacity(PIECE, earlier).bytes();
        let mut same = 0;
        while let (Some(a), Some(b)) = (here.next().transpose()?, there.next().transpose()?) {
            if a != b {
                break;
            }
            same += 1;
        }
        Ok(same)
    }

    /// Puts the file in its place, cut to `length` bytes; it is written on from there.
    ///
    /// # Errors
    /// The system does not let it.
    pub(in crate::lab::arena) fn replace(&mut self, length: u64) -> Result<(), MatchError> {
        let mut file = self.file.file();
        let cut = file.set_len(length);
        cut.and_then(|()| file.seek(SeekFrom::Start(length)))
            .and_then(|_| self.file.put_in_place())
            .map_err(|error| self.error(error))
    }

    /// Has the system bring everything to the disk.
    ///
    /// # Errors
    /// It cannot.
    pub(in crate::lab::arena) fn sync(&self) -> Result<(), MatchError> {
        self.file
            .file()
            .sync_data()
            .map_err(|error| self.error(error))
    }

    fn error(&self, error: io::Error) -> MatchError {
        MatchError::Pdn(self.path.clone(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("damier-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        path
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn two_matches_do_not_write_one_file() {
        let folder = folder("pdn-two");
        let path = folder.join("x.pdn");
        let part = folder.join("x.pdn.partial");
        fs::write(&part, "[Event left by a kill").expect("a file");
        let mut first = PdnFile::begin(&path).expect("a file");
        assert_eq!(first.length().expect("known"), 0);
        let busy = |error: MatchError| error.to_string().contains("another match");
        assert!(busy(PdnFile::begin(&path).expect_err("taken")));
        first.write(b"games").expect("written");
        first.replace(5).expect("in its place");
        // The name beside it is free again, the file is not.
        let second = PdnFile::begin(&path).expect("a file");
        assert!(busy(second.earlier().expect_err("taken")));
        drop(second);
        assert!(!part.exists());
        drop(first);
        assert!(
            PdnFile::begin(&path)
                .and_then(|file| file.earlier())
                .expect("free")
                .is_some()
        );
        assert_eq!(fs::read(&path).expect("a file"), b"games");
        std::os::unix::fs::symlink(&path, &part).expect("a link");
        PdnFile::begin(&path).expect_err("a link");
        assert_eq!(fs::read(&path).expect("a file"), b"games");
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn a_file_is_known_by_its_games() {
        let folder = folder("pdn-known");
        let mut here = PdnFile::begin(&folder.join("x.pdn")).expect("a file");
        here.write(b"one two four").expect("written");
        let old = folder.join("old");
        for (text, counted, expected) in [
            ("", 7, true),
            ("one tw", 7, true),
            ("one two four", 7, true),
            ("one two four five", 0, true),
            // The journal lost a game that the file has.
            ("one two three four", 7, true),
            ("one three", 7, false),
            ("precious", 7, false),
            ("precious", 0, false),
        ] {
            fs::write(&old, text).expect("a file");
            let file = File::open(&old).expect("a file");
            let same = here.continues(&file, counted).expect("read");
            assert_eq!(same, expected, "{text}, {counted}");
        }
        fs::remove_dir_all(&folder).expect("removed");
    }
}
