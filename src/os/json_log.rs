//! A file of JSON lines that survives any interruption.
//!
//! Each line is the CRC-32 of its rest in eight hexadecimal digits, a space, and a JSON object. Lines are only added, each
//! in one piece. A line that was cut off does not fit its checksum.

use super::files;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// At most this much is lost if the power fails.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Upper limit on the length of a line, in bytes.
const MAX_LINE: u64 = 1 << 30;

/// Where a line is in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LineSpan {
    offset: u64,
    length: u64,
}

/// A line as it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Where it is.
    pub span: LineSpan,
    /// All of it.
    bytes: &'a [u8],
    /// Its JSON, if its checksum fits.
    json: Option<&'a [u8]>,
}

impl Line<'_> {
    /// Whether it is whole.
    pub fn is_sound(&self) -> bool {
        self.json.is_some()
    }

    /// Whether it is the first of its file.
    pub fn is_first(&self) -> bool {
        self.span.offset == 0
    }

    /// What it says, if it is sound and says that.
    pub fn parse<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(self.json?).ok()
    }

    /// Whether it is the beginning of a line whose JSON begins like that: its writer was killed.
    pub fn is_torn(&self, json: &str) -> bool {
        let (sum, text) = self.bytes.split_at(self.bytes.len().min(9));
        let is_sum = |(at, byte): (usize, &u8)| match at {
            8 => *byte == b' ',
            _ => byte.is_ascii_hexdigit(),
        };
        let common = text.len().min(json.len());
        !self.bytes.ends_with(b"\n")
            && sum.iter().enumerate().all(is_sum)
            && text[..common] == json.as_bytes()[..common]
    }
}

/// An open file, locked against other processes.
#[derive(Debug)]
pub(crate) struct JsonLog {
    path: PathBuf,
    file: File,
    /// The end of the last sound line.
    end: u64,
    synced: Instant,
}

impl JsonLog {
    /// Opens or creates a file. None: another process has it.
    pub fn open(path: &Path) -> io::Result<Option<JsonLog>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = files::open_locked(path, &mut options)?;
        Ok(file.map(|file| JsonLog {
            path: path.to_owned(),
            file,
            end: 0,
            synced: Instant::now(),
        }))
    }

    /// Length of the file in bytes.
    pub fn file_length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Whether it has no sound line that was read or written.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Reads all lines from the beginning, until `each` refuses one; gives its error then. The next line is written
    /// after the last sound one.
    pub fn read<E>(
        &mut self,
        mut each: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> io::Result<Result<(), E>> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(&self.file);
        let (mut bytes, mut offset) = (Vec::new(), 0);
        loop {
            bytes.clear();
            let length = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut bytes)? as u64;
            if length == 0 {
                return Ok(Ok(()));
            }
            let json = checked(&bytes);
            let span = LineSpan { offset, length };
            let line = Line {
                span,
                bytes: &bytes,
                json,
            };
            if let Err(error) = each(line) {
                return Ok(Err(error));
            }
            offset += length;
            if json.is_some() {
                self.end = offset;
            }
        }
    }

    /// Drops what follows the last sound line that was read or written.
    pub fn truncate(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)
    }

    /// Drops all lines.
    pub fn clear(&mut self) -> io::Result<()> {
        self.end = 0;
        self.truncate()
    }

    /// Reads a line again. None if it is not sound, or says something else.
    pub fn get<T: DeserializeOwned>(&mut self, span: LineSpan) -> io::Result<Option<T>> {
        let mut line = vec![0; span.length as usize];
        self.file.seek(SeekFrom::Start(span.offset))?;
        self.file.read_exact(&mut line)?;
        Ok(checked(&line).and_then(|json| serde_json::from_slice(json).ok()))
    }

    /// Adds a line, and has the system write it to the disk at least once a second.
    pub fn append(&mut self, object: &impl Serialize) -> io::Result<LineSpan> {
        let text = serde_json::to_string(object)?;
        let line = format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()));
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // An incomplete line is useless; removing it frees space on a full disk.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        let span = LineSpan {
            offset: self.end,
            length: line.len() as u64,
        };
        self.end += span.length;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(span)
    }

    /// Has the system write everything to the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }

    /// Removes the file.
    pub fn remove(self) -> io::Result<()> {
        let JsonLog { path, file, .. } = self;
        // Some systems remove no file that is open.
        drop(file);
        fs::remove_file(path)
    }
}

/// The JSON of a line whose checksum fits.
fn checked(line: &[u8]) -> Option<&[u8]> {
    let (sum, json) = line.strip_suffix(b"\n")?.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum.strip_suffix(b" ")?).ok()?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (crc32fast::hash(json) == sum).then_some(json)
}
